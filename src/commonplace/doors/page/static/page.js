// Keys, the search while one types, and renewal when something changed. The page is whole without it.
const root = document.documentElement;
const $ = (selector, within = document) => within.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const SEARCH_AFTER = 30; // ms without a key, while an answer is still on its way
let composing = false, pendingKey = "", news = null, current = -1, served = "";

// XMLHttpRequest parses a page into a document without a sink that trusted types would have to allow.
function load(address) {
  const request = new XMLHttpRequest();
  const done = new Promise((resolve, reject) => {
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () => (request.response ? resolve(request.response) : reject(new Error("no page")));
    request.onerror = request.onabort = reject;
  });
  request.send();
  return { done, address: String(address), abort: () => request.abort() };
}

const typing = (event) => event.isComposing || composing || event.target.matches("input:not([type=radio]), textarea, select, [contenteditable]");
document.addEventListener("compositionstart", () => (composing = true));
document.addEventListener("compositionend", () => (composing = false));

// ---- lists: j, k, o, Esc

const rows = () => $$("[data-list] > li").filter((row) => row.offsetParent);

function move(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.findIndex((row) => row.contains(document.activeElement));
  current = at >= 0 ? at : current;
  const next = all[Math.max(0, Math.min(all.length - 1, current < 0 ? (by > 0 ? 0 : all.length - 1) : current + by))];
  current = all.indexOf(next);
  ($("a", next)?.closest(".op") ? $("a", next) : next).focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" }); // its scroll margins keep it clear of the bars
}

async function openLine() {
  const row = document.activeElement?.closest("[data-list] > li");
  const link = row && $("a.cite", row);
  if (!link) return row && $("a", row)?.click();
  const shown = $(".file.opened", row);
  if (shown) return shown.remove();
  const details = $("details", row);
  if (details) {
    details.open = !details.open;
    return row.scrollIntoView({ block: details.open ? "center" : "nearest" });
  }
  const page = await load(link.href).done.catch(() => null);
  const figure = page && $("main figure.file", page);
  if (!figure) return void (location.href = link.href);
  const copy = document.importNode(figure, true);
  copy.classList.add("opened");
  $$("[id]", copy).forEach((each) => each.removeAttribute("id"));
  row.append(copy);
}

function close() {
  const shown = $(".file.opened", document.activeElement?.closest("li") ?? document) ?? $(".file.opened");
  if (shown) shown.remove();
  else document.activeElement?.blur();
}

// ---- keys

const go = { t: "", a: "ask", d: "day/", e: "entities", o: "opinions", r: "review", f: "reflect", h: "health" };
const verdict = (key) => {
  const row = document.activeElement?.closest(".question");
  if (!row && $(".question")) return void move(1) ?? true; // nothing is marked yet
  const choice = row && $(`input[data-key="${key}"]`, row);
  if (!choice) return false;
  choice.checked = true;
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  if (key !== "u") move(1);
  return true;
};
const keys = {
  "/": () => $("#q").select(),
  j: () => move(1),
  k: () => move(-1),
  o: openLine,
  Escape: close,
  "[": () => $("a[rel=prev]")?.click(),
  "]": () => $("a[rel=next]")?.click(),
  "?": () => $("#keys").showModal(),
  ".": () => news && renew(true),
  z: () => $("#undo")?.click(),
  e: () => {
    const edit = document.activeElement?.closest(".question")?.querySelector("details.edit");
    if (!edit) return false;
    edit.open = true;
    $("textarea", edit).focus({ preventScroll: true });
    edit.closest("li").scrollIntoView({ block: "center" });
  },
};
for (const key of "axfcnu") keys[key] ??= () => verdict(key);

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") return void ($("#apply") ?? $("button.strong"))?.click();
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (typing(event)) {
    if (event.key === "Escape") {
      event.target.blur();
      event.target.closest("li.row")?.focus({ preventScroll: true });
    }
    return;
  }
  if (pendingKey === "g" && event.key in go) {
    pendingKey = "";
    location.href = new URL(go[event.key], document.baseURI);
    return event.preventDefault();
  }
  pendingKey = event.key === "g" ? "g" : "";
  if (event.key === "Enter" && event.target.matches("[data-list] > li")) return void openLine();
  const act = keys[event.key];
  if (act && act() !== false) event.preventDefault();
});

// ---- search while typing

let asking = null, timer = 0;
async function ask(field, tries = 3) {
  asking?.abort();
  const address = new URL("ask", document.baseURI);
  address.searchParams.set("q", field.value);
  const asOf = $("#as_of")?.value;
  if (asOf) address.searchParams.set("as_of", asOf);
  asking = load(address);
  const page = await asking.done.catch(() => null);
  if (asking?.address !== address.href) return; // a newer question is under way
  asking = null;
  timer = 0;
  const found = page && $("#found", page);
  if (!found) return void (tries > 1 && (timer = setTimeout(() => ask(field, tries - 1), 10 * SEARCH_AFTER))); // it was busy
  const here = $("#found");
  if (here) here.replaceWith(document.importNode(found, true));
  else {
    for (const part of ["#main", "nav[aria-label=Views]", ".tabs"]) $(part).replaceWith(document.importNode($(part, page), true));
  }
  document.title = page.title;
  current = -1;
  history.replaceState(null, "", address);
}
function asksSoon(event) {
  if (!event.target.matches("#q")) return;
  clearTimeout(timer);
  const field = event.target;
  timer = !event.isComposing && field.value.trim() ? setTimeout(() => ask(field), asking ? SEARCH_AFTER : 0) : 0;
}
document.addEventListener("input", asksSoon);
document.addEventListener("compositionend", asksSoon); // its last input is still part of the composition

// ---- the review: what is decided and not applied yet survives a reload

function pending() {
  const form = $("#review");
  if (!form) return;
  const chosen = $$("input[type=radio]:checked", form).filter((each) => each.value);
  $("#pending").textContent = chosen.length ? `${chosen.length} decided, not applied` : "";
  $$(".question", form).forEach((row) => row.classList.toggle("decided", chosen.some((each) => row.contains(each))));
  const kept = Object.fromEntries(chosen.map((each) => [each.name, each.value]));
  for (const area of $$("textarea", form)) if (area.value !== area.defaultValue) kept[area.name] = area.value;
  sessionStorage.setItem("review", JSON.stringify(kept));
}
function restore() {
  const form = $("#review");
  if (!form) return;
  const kept = JSON.parse(sessionStorage.getItem("review") ?? "{}");
  for (const [name, value] of Object.entries(kept)) {
    const choice = $$("input, textarea", form).find((each) => each.name === name && (each.type !== "radio" || each.value === value));
    if (choice?.type === "radio") choice.checked = true;
    else if (choice) choice.value = value;
  }
  pending();
}
document.addEventListener("change", pending);
document.addEventListener("input", (event) => {
  if (!event.target.matches("textarea")) return;
  const [keep, later] = ["a", "u"].map((key) => $(`input[data-key="${key}"]`, event.target.closest(".question")));
  if (later?.checked && keep) keep.checked = true; // who writes it in other words keeps it
  pending();
});

// ---- live: a page that nobody is writing on is renewed, another says that there is news

const before = (each) => (each.options ? ($("[selected]", each) ?? each.options[0])?.value : each.defaultValue);
const changed = (each) => (each.type === "radio" ? each.checked && each.value : each.value !== before(each));
const ofTeam = () => new URLSearchParams(location.search).get("scope") === "fleet"; // asked for, not at each change of a file
const written = () => ofTeam() || asking || timer || $$("form[data-keep] :is(input, textarea), main select").some(changed) || $("main :is(input, textarea, select):focus") || $(".file.opened") || $("dialog[open]");
const foldOf = (details) => `${details.closest("[data-id]")?.dataset.id ?? ""} ${$("summary", details).textContent}`;
const quiet = () => (news = null, $("#news").hidden = true);
const nowShows = (page) => {
  served = $("#main", page).outerHTML;
  root.dataset.generation = page.documentElement.dataset.generation;
  if (news === root.dataset.generation) quiet(); // told of while this was on its way
};
async function renew(asked = false) {
  quiet();
  const address = location.href;
  const page = await load(address).done.catch(() => null);
  if (!page || !$("#main", page) || location.href !== address || (!asked && written())) return;
  const typed = $$("#main :is(input:not([type=radio]), textarea, select)[id]").filter(changed).map((each) => [each.id, each.value]);
  const at = scrollY, focused = rows().findIndex((row) => row.contains(document.activeElement));
  const folded = new Map($$("#main details").map((each) => [foldOf(each), each.open]));
  for (const part of ["#main", "nav[aria-label=Views]", ".tabs", ".state"]) {
    const fresh = $(part, page), old = $(part);
    if (fresh && old && fresh.outerHTML !== old.outerHTML) old.replaceWith(document.importNode(fresh, true));
  }
  for (const each of $$("#main details")) each.open = folded.get(foldOf(each)) ?? each.open;
  nowShows(page);
  for (const [id, value] of typed) if ($(`#${CSS.escape(id)}`)) $(`#${CSS.escape(id)}`).value = value;
  restore();
  prepare();
  scrollTo(0, at);
  if (focused >= 0) rows()[focused]?.focus({ preventScroll: true });
}
async function heard(generation) {
  if (generation === root.dataset.generation) return quiet();
  news = generation;
  if (document.hidden) return;
  if (!written()) return renew();
  const page = served && !ofTeam() && (await load(location.href).done.catch(() => null));
  if (page && $("#main", page)?.outerHTML === served) return nowShows(page); // what changed is not shown here
  $("#news").hidden = false;
}
// A browser keeps six connections to one host: of all pages that are seen one listens, and tells the others.
function listen() {
  const others = new BroadcastChannel(root.dataset.base);
  others.onmessage = (event) => heard(event.data);
  let ending = null;
  const open = () => {
    ending = new AbortController();
    const { signal } = ending;
    const told = (end) => {
      const events = new EventSource(new URL(`events?since=${root.dataset.generation}`, document.baseURI));
      events.addEventListener("changed", (event) => (others.postMessage(event.data), heard(event.data)));
      signal.addEventListener("abort", () => (events.close(), end()));
    };
    navigator.locks.request(root.dataset.base, { signal }, () => new Promise(told)).catch(() => {});
  };
  document.addEventListener("visibilitychange", () => {
    ending?.abort();
    if (document.hidden) return;
    open();
    if (news) heard(news);
  });
  if (!document.hidden) open();
}
const still = "still" in root.dataset; // what an action answered: to be read, not renewed
function prepare() {
  for (const button of $$("[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.onclick = async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "copied";
    };
  }
}
if ($("#main h1")?.textContent === "Applied") sessionStorage.removeItem("review");
restore();
prepare();
$("#news").onclick = () => renew(true);
if (!still) listen();
