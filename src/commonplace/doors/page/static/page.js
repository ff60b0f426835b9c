// Keys, the search while one types, and renewal when something changed. The page is whole without it.
const root = document.documentElement;
const $ = (selector, within = document) => within?.querySelector(selector);
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)];
const on = document.addEventListener.bind(document);
const focused = (selector) => document.activeElement?.closest(selector) ?? null;
const focus = (element) => element?.focus({ preventScroll: true });
const SEARCH_AFTER = 30; // ms, while an answer is on its way
let composing = false, afterG = false, news = null, current = -1, served = "";

// XMLHttpRequest needs no sink of trusted types.
function load(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address);
  request.responseType = "document";
  const done = new Promise((resolve) => (request.onloadend = () => resolve(request.response)));
  request.send();
  return { done, address: String(address), abort: () => request.abort() };
}
function swap(page) {
  for (const part of ["#main", "nav[aria-label=Views]", ".tabs", ".state"]) {
    const fresh = $(part, page), old = $(part);
    if (fresh.outerHTML !== old.outerHTML) old.replaceWith(fresh);
  }
}

const typing = (event) => event.isComposing || composing || event.target.matches("input:not([type=radio]), textarea, select");
on("compositionstart", () => (composing = true));
on("compositionend", () => (composing = false));

// ---- lists: j, k, o, Esc

const rows = () => $$("[data-list] > li").filter((row) => row.offsetParent);
const marked = (all) => all.findIndex((row) => row.contains(document.activeElement));

function move(by) {
  const all = rows();
  if (!all.length) return;
  const at = marked(all), last = all.length - 1;
  if (at >= 0) current = at;
  current = current < 0 ? (by > 0 ? 0 : last) : Math.max(0, Math.min(last, current + by));
  const next = all[current];
  focus($("a", next)?.closest(".op") ? $("a", next) : next);
  next.scrollIntoView({ block: "nearest" }); // clear of the bars
}

async function openLine() {
  const row = focused("[data-list] > li");
  const link = $("a.cite", row);
  if (!link) return $("a", row)?.click();
  const shown = $(".file.opened", row);
  if (shown) return shown.remove();
  const details = $("details", row);
  if (details) {
    details.open = !details.open;
    return row.scrollIntoView({ block: details.open ? "center" : "nearest" });
  }
  const page = await load(link.href).done;
  const figure = $("main .file", page);
  if (!figure) return void (location.href = link.href);
  figure.classList.add("opened");
  $$("[id]", figure).forEach((each) => each.removeAttribute("id"));
  row.append(figure);
}

function close() {
  const shown = $(".file.opened", focused("li")) ?? $(".file.opened");
  shown ? shown.remove() : document.activeElement?.blur();
}

// ---- keys

const choiceOf = (row, key) => $(`input[data-key="${key}"]`, row);
const verdict = (key) => {
  const row = focused(".question");
  if (!row && $(".question")) return focused(".sticky") || move(1), true; // nothing is marked yet, or all is decided
  const choice = choiceOf(row, key);
  if (!choice) return false;
  choice.click();
  if (key !== "u") row === rows().at(-1) ? $(".sticky .btn").focus() : move(1);
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
    const row = focused(".question"), area = $("textarea", row);
    if (!area) return false;
    $("details.edit", row).open = true;
    focus(area);
    area.selectionStart = area.textLength;
    row.scrollIntoView({ block: "center" });
  },
};
for (const key of "axfcnu") keys[key] ??= () => verdict(key);

on("keydown", (event) => {
  const { key, target } = event, control = event.ctrlKey || event.metaKey;
  if (control && key === "Enter") return void ($("#apply") ?? $(".btn.strong"))?.click();
  if (control || event.altKey || $("dialog[open]")) return;
  if (typing(event)) {
    if (key === "Escape") {
      target.blur();
      focus(target.closest("li.row"));
    }
    return;
  }
  const view = afterG && $$("nav [data-key]").find((each) => each.dataset.key === key);
  afterG = key === "g";
  if (view) return view.click(), event.preventDefault();
  if (key === "Enter" && target.matches("[data-list] > li")) return void openLine();
  const act = keys[key];
  if (act && act() !== false) event.preventDefault();
});

// ---- search while typing

let asking = null, timer = 0, shownAt = location.href.split("#")[0];
async function ask(field, tries = 3) {
  asking?.abort();
  const address = new URL("ask", document.baseURI);
  if (field.value.trim()) address.searchParams.set("q", field.value);
  const asOf = $("#as_of")?.value;
  if (asOf) address.searchParams.set("as_of", asOf);
  asking = load(address);
  const page = await asking.done;
  if (asking?.address !== address.href) return; // a newer question is under way
  asking = null;
  timer = 0;
  const found = $("#found", page);
  if (!found) return void (tries > 1 && (timer = setTimeout(() => ask(field, tries - 1), 10 * SEARCH_AFTER))); // it was busy
  const here = $("#found");
  if (here) here.replaceWith(found);
  else swap(page);
  document.title = page.title;
  current = -1;
  history[here ? "replaceState" : "pushState"](null, "", address);
  shownAt = address.href;
}
addEventListener("popstate", () => location.href.split("#")[0] !== shownAt && location.reload());
function asksSoon({ target, isComposing }) {
  if (!target.matches("#q")) return;
  clearTimeout(timer);
  timer = !isComposing && (target.value.trim() || $("#found")) ? setTimeout(() => ask(target), asking ? SEARCH_AFTER : 0) : 0;
}
on("input", asksSoon);
on("compositionend", asksSoon); // its last input is still composed

// ---- the review: decisions not applied yet survive a reload

const kept = () => Object.entries(JSON.parse(sessionStorage.getItem("review") ?? "{}"));
const keep = (answers) => sessionStorage.setItem("review", JSON.stringify(Object.fromEntries(answers)));
const chosen = () => $$("#review input[type=radio]:checked").filter((each) => each.value);
function pending() {
  const form = $("#review"), now = chosen();
  if (!form) return;
  $("#pending").textContent = now.length ? `${now.length} decided, not applied` : "";
  $$(".question", form).forEach((row) => row.classList.toggle("decided", now.some((each) => row.contains(each))));
  const written = $$("textarea", form).filter(changed);
  keep([...now, ...written].map((each) => [each.name, each.value]));
}
function restore() {
  for (const [name, value] of kept()) {
    const choice = $$("#review :is(input, textarea)").find((each) => each.name === name && (each.type !== "radio" || each.value === value));
    Object.assign(choice ?? {}, { checked: true, value });
  }
  pending();
}
on("change", pending);
on("input", (event) => {
  if (!event.target.matches("textarea")) return;
  const row = focused(".question");
  if (choiceOf(row, "u")?.checked) choiceOf(row, "a").checked = true; // other words keep it
  pending();
});
on("submit", (event) => {
  const none = event.target.id === "review" && !chosen().length;
  if (none) $("#pending").textContent = "Nothing is decided yet: choose an answer";
  if (none || "ended" in root.dataset) event.preventDefault();
});

// ---- live: a page that nobody is writing on is renewed, another says that there is news

const before = (each) => (each.options ? ($("[selected]", each) ?? each.options[0])?.value : each.defaultValue);
const changed = (each) => (each.type === "radio" ? each.checked && each.value : each.value !== before(each));
const ofTeam = () => new URLSearchParams(location.search).get("scope") === "fleet"; // asked only by a person
const written = () => ofTeam() || asking || timer || $$("form[data-keep] :is(input, textarea), main select").some(changed) || $("main :is(input, textarea, select):focus") || $(".file.opened") || $("#pending")?.textContent || $("dialog[open]");
const foldOf = (details) => `${details.closest("[data-id]")?.dataset.id ?? ""} ${$("summary", details).textContent}`;
const offer = $("#news button"), offered = offer.textContent;
const quiet = () => (news = null, $("#news").hidden = true, offer.textContent = offered);
const ageOf = (page) => +page?.documentElement.dataset.generation;
const nowShows = (page) => {
  served = $("#main", page).outerHTML;
  root.dataset.generation = ageOf(page);
  if (+news <= ageOf(page)) quiet();
};
async function renew(asked = false) {
  const told = news, address = location.href;
  quiet();
  const page = await load(address).done;
  if (location.href !== address || ageOf(page) < ageOf(document)) return; // a later one was quicker
  const failed = !$("#failed") && $("#failed", page)?.textContent; // a view is worth more than an error
  if (failed || !$("#main", page) || (!asked && written())) {
    news ??= told;
    if (failed) offer.textContent = `This could not be renewed, press . to try again: ${failed}`;
    return void ($("#news").hidden = false);
  }
  const typed = $$("#main :is(input:not([type=radio]), textarea, select)[id]").filter(changed).map((each) => [each.id, each.value]);
  const at = scrollY, row = marked(rows());
  const folded = new Map($$("#main details").map((each) => [foldOf(each), each.open]));
  nowShows(page);
  swap(page);
  for (const each of $$("#main details")) each.open = folded.get(foldOf(each)) ?? each.open;
  for (const [id, value] of typed) Object.assign(document.getElementById(id) ?? {}, { value });
  prepare();
  scrollTo(0, at);
  focus(rows()[row]);
  if (news) heard(news);
}
async function heard(generation) {
  const ended = generation === "ended"; // the program answers no more
  root.toggleAttribute("data-ended", ended);
  if (still || ended || !generation) return;
  if (generation === root.dataset.generation) return quiet();
  news = generation;
  if (document.hidden) return;
  if (!written()) return renew();
  const page = served && !ofTeam() && (await load(location.href).done);
  if (page && $("#main", page)?.outerHTML === served) return nowShows(page); // what changed is not shown here
  $("#news").hidden = false;
}
// A browser keeps six connections: of all pages that are seen one listens and tells the others.
function listen() {
  const others = new BroadcastChannel(root.dataset.base);
  others.onmessage = (event) => heard(event.data);
  let ending = null;
  const open = () => {
    ending = new AbortController();
    const { signal } = ending;
    const told = (end) => {
      const events = new EventSource(new URL(`events?since=${root.dataset.generation}`, document.baseURI));
      const tell = (what) => (others.postMessage(what), heard(what));
      events.addEventListener("changed", (event) => tell(event.data));
      events.onerror = () => tell("ended");
      events.onopen = () => tell("");
      signal.addEventListener("abort", () => (events.close(), end()));
    };
    navigator.locks.request(root.dataset.base, { signal }, () => new Promise(told)).catch(() => {});
  };
  on("visibilitychange", () => {
    ending?.abort();
    if (document.hidden) return;
    open();
    if (news) heard(news);
  });
  if (!document.hidden) open();
}
const still = "still" in root.dataset; // an action's answer is read, not renewed
function prepare() {
  restore();
  for (const button of $$("[data-copy]")) {
    button.hidden = !navigator.clipboard;
    button.onclick = () => navigator.clipboard.writeText(button.dataset.copy).then(() => (button.textContent = "copied"));
  }
}
const applied = $$("[data-applied]").map((each) => each.dataset.applied);
keep(kept().filter(([name]) => !applied.includes(name.slice(2)))); // `v-ID` and `t-ID`
prepare();
$("#news").onclick = () => renew(true);
listen();
