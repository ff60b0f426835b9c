/** What is only translated: the host's commands and shapes, settings, prompts, and who may see what. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { flushPlan } from "../src/capture.ts";
import { rewritten } from "../src/host-command.ts";
import { searchResult } from "../src/host-tools.ts";
import { given, guest, mayRead, mayWrite, provenance } from "../src/privacy.ts";
import { settings } from "../src/settings.ts";
import { sinceReset, storedSession, transcript } from "../src/transcript.ts";

const hit = {
  source: "memory/2025-11-27.md#L12",
  lines: 3,
  score: 3,
  content: "In Marrakech.",
  origin: "retained",
  entities: ["Peter"],
  recorded: "2025-11-27",
  superseded_by: null,
};

test("a hit has the host's keys", () => {
  const { path, startLine, endLine, score, snippet, source, provenance } = searchResult(hit);
  assert.deepEqual([path, startLine, endLine, score, snippet, source], ["memory/2025-11-27.md", 12, 14, 0.75, "@Peter: In Marrakech.", "memory"]);
  assert.deepEqual(provenance, { originClass: "agent", sessionKind: "unknown", observedAt: Date.UTC(2025, 10, 27) });
});

test("a hit with several lines side by side begins at the first", () => {
  const { path, startLine, endLine } = searchResult({ ...hit, source: "memory/Day-L3.md#L12-L14" });
  assert.deepEqual([path, startLine, endLine], ["memory/Day-L3.md", 12, 14]);
});

test("the host's search is a recall", () => {
  const { words, convert } = rewritten(["search", "--query", "where is Peter", "--max-results=3", "--min-score", "0.5", "--agent", "work"]);
  assert.deepEqual(words, ["recall", "where is Peter", "--agent", "work", "--k", "3", "--json"]);
  const answer = JSON.stringify({ hits: [hit, { ...hit, score: 0.1 }] });
  assert.equal(convert!(answer), "0.750 memory/2025-11-27.md:12-14\n@Peter: In Marrakech.");
  assert.equal(convert!(JSON.stringify({ hits: [] })), "No matches.");
  assert.equal(JSON.parse(rewritten(["search", "Peter", "--json"]).convert!(answer)).results.length, 2);
});

test("a failure has the host's envelope", () => {
  const failed = JSON.stringify({ error: { code: "usage", message: "the question is empty", hint: "" } });
  for (const verb of ["search", "status"])
    assert.deepEqual(JSON.parse(rewritten([verb, "--json"]).convert!(failed)), {
      ok: false,
      error: { type: "cli_error", code: "usage", message: "the question is empty" },
    });
});

test("all other words pass as they are", () => {
  for (const words of [["recall", "Peter", "--k", "25", "--since", "30d"], ["review", "accept", "i-4k2p7"], ["--help"], []])
    assert.deepEqual(rewritten(words), { words });
  assert.deepEqual(rewritten(["index", "--force"]), { words: ["index", "--rebuild"] });
  assert.deepEqual(rewritten(["status", "--deep"]), { words: ["status"] });
});

test("what is not set is as the manifest says", () => {
  const manifest = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url), "utf8"));
  const { command, ...stated } = manifest.configSchema.properties as Record<string, { default?: unknown }>;
  assert.equal(command?.default, undefined); // it is looked for
  const defaults = Object.fromEntries(Object.entries(stated).map(([name, { default: value }]) => [name, value]));
  assert.deepEqual(settings(undefined), { command: [], ...defaults });
});

test("only the owner's private conversations see the memory, unless all may", () => {
  const owner = { sessionKey: "agent:main:main", senderIsOwner: true };
  const hidden = [
    { sessionKey: "agent:main:telegram:group:-100", senderIsOwner: true },
    { sessionKey: "agent:main:discord:channel:42:thread:7", senderIsOwner: true },
    { sessionKey: "agent:main:telegram:direct:17", senderIsOwner: false },
  ];
  assert.ok(mayRead(owner, { chats: "private" }));
  assert.ok(mayRead({ sessionKey: "agent:main:cron:1" }, { chats: "private" }));
  for (const each of hidden) {
    assert.ok(!mayRead(each, { chats: "private" }));
    assert.ok(mayRead(each, { chats: "all" }));
  }
});

test("a sandboxed session has as much of the memory as its sandbox has of the workspace", () => {
  const config = (workspaceAccess: "none" | "ro" | "rw", own?: "ro" | "rw") => ({
    agents: {
      defaults: { sandbox: { workspaceAccess } },
      entries: { work: own ? { sandbox: { workspaceAccess: own } } : {} },
    },
  });
  const of = (ctx: object, workspaceDir = "/agents/one") => given({ agentId: "work", workspaceDir, ...ctx }, { chats: "private" }, "/agents/one");
  const whole = { workspace: "/agents/one", writable: true };
  const readable = { workspace: "/agents/one", writable: false };
  assert.deepEqual(of({}, "/agents/one/tree"), whole);
  assert.deepEqual(of({ sandboxed: true, config: config("rw") }), whole);
  assert.deepEqual(of({ sandboxed: true, config: config("none", "rw") }), whole);
  assert.deepEqual(of({ sandboxed: true, config: config("rw") }, "/sandboxes/1"), readable);
  assert.deepEqual(of({ sandboxed: true, config: config("rw", "ro") }, "/sandboxes/1"), readable);
  assert.equal(of({ sandboxed: true, config: config("none") }, "/sandboxes/1"), undefined);
  assert.equal(of({ sandboxed: true }), undefined);
  assert.equal(of({ senderIsOwner: false }), undefined);
});

test("the flush names the user's day, and says nothing where it is off", () => {
  const nowMs = Date.UTC(2025, 10, 27, 23, 30);
  const plan = flushPlan({ nowMs, cfg: { agents: { defaults: { userTimezone: "Asia/Tokyo" } } } })!;
  assert.equal(plan.relativePath, "memory/2025-11-28.md");
  assert.match(plan.prompt, /^Append to memory\/2025-11-28\.md/m);
  assert.match(plan.prompt, /NO_REPLY/);
  assert.equal(flushPlan({ cfg: { agents: { defaults: { compaction: { memoryFlush: { enabled: false } } } } } }), null);
});

test("a transcript is what was said", () => {
  const messages = [
    { role: "user", content: "Peter moved." },
    { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, { type: "text", text: "Noted." }] },
    { role: "user", content: "<memory-7f>\n- W @Peter: Lives in Oslo.\n</memory-7f>\n\n" },
    { role: "toolResult", content: "secret" },
    { role: "assistant", content: [{ type: "toolCall", name: "x" }] },
  ];
  assert.equal(transcript(messages), "user: Peter moved.\n\nassistant: Noted.");
});

test("what was put before a message is taken out of it, and nothing that a person wrote", () => {
  const said = (content: string) => transcript([{ role: "user", content }]);
  const core = '<block label="core" file="MEMORY.md" characters="1" limit="9">\n- Rye <b>bread</b>.\n</block>';
  assert.equal(said(`${core}\n<memory-7f>\n<block>\n- W @Peter\n</memory-7f>\n\nHi <b>all</b>.`), "user: Hi <b>all</b>.");
  assert.equal(said("a <block>x</block> b </block> c <memory-1>d</memory-2>"), "user: a  b </block> c <memory-1>d</memory-2>");
  assert.equal(said("a <blocks>x</blocks>"), "user: a <blocks>x</blocks>");
});

for (const [what, tag] of [
  ["tags that nothing closes", () => "<block>"],
  ["tags that do not end", () => "<block "],
  ["names that are never the same", (at: number) => `<memory-${at}>`],
] as [string, (at: number) => string][])
  test(`a long message of ${what} is read once`, () => {
    const content = `${Array.from({ length: 1_500_000 }, (_, at) => tag(at)).join("")} end`; // it would never end otherwise
    const text = transcript([{ role: "user", content: "lost" }, { role: "user", content }]);
    assert.equal(text.length, 24_000);
    assert.ok(text.endsWith(" end"));
  });

const user = (content: string, senderIsOwner?: boolean) => ({ type: "message", message: { role: "user", content, __openclaw: { senderIsOwner } } });

test("of a session that an earlier gateway had, what was said since the reset before is left", () => {
  const tool = { type: "message", message: { role: "toolResult", content: [{ type: "text", text: "a page" }] } };
  const reply = { type: "message", message: { role: "assistant", content: [{ type: "text", text: "Noted." }] } };
  const events = [{ type: "session" }, user("long ago", true), { type: "reset" }, user("Peter moved.", true), tool, reply, { type: "reset" }];
  assert.deepEqual(sinceReset(events), { text: "user: Peter moved.\n\nassistant: Noted.", owned: true });
  assert.deepEqual(sinceReset(events.slice(0, -1)), sinceReset(events));
  for (const others of [[user("Hi.", false)], [user("Hi.", true), user("Hi.", false)], [user("Hi.")], []])
    assert.equal(sinceReset(others).owned, false);
});

test("the end of a file that the host names is read, however long it is", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "session-")), "1.jsonl");
  const noise = JSON.stringify({ type: "message", message: { role: "toolResult", content: "x".repeat(6_000_000) } });
  writeFileSync(file, [JSON.stringify(user("lost")), noise, JSON.stringify(user("Peter moved.", true))].join("\n"));
  assert.deepEqual(await storedSession("main", "agent:main:main", "1", file), { text: "user: Peter moved.", owned: true });
  await assert.rejects(storedSession("main", "agent:main:main", "1", `${file}.gone`), /ENOENT/);
});

test("what the owner's sessions retain is the author's, and others' is theirs", () => {
  assert.deepEqual(provenance("4f1b", guest({ senderIsOwner: true })), { session: "openclaw:4f1b" });
  assert.deepEqual(provenance("4f1b", guest({})), { session: "openclaw:4f1b" });
  const other = { senderIsOwner: false, messageChannel: "telegram", requesterSenderId: "17" };
  assert.deepEqual(provenance("4f1b", guest(other)), { source: "user:telegram:17" });
});

test("a session whose sandbox may not write is not captured afterwards", () => {
  const config = (sandbox: object) => ({ agents: { defaults: { sandbox } } });
  assert.ok(mayWrite({}, "main"));
  assert.ok(mayWrite(config({ mode: "all", workspaceAccess: "rw" }), "main"));
  assert.ok(!mayWrite(config({ mode: "non-main", workspaceAccess: "ro" }), "main"));
  assert.ok(!mayWrite(config({ mode: "all" }), "main"));
});
