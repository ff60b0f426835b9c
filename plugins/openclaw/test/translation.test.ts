/** What is only translated: the host's commands and shapes, settings, prompts, and who may see what. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { flushPlan, transcript } from "../src/capture.ts";
import { rewritten } from "../src/host-command.ts";
import { searchResult } from "../src/host-tools.ts";
import { given, mayRead } from "../src/privacy.ts";
import { settings } from "../src/settings.ts";

const hit = {
  source: "memory/2025-11-27.md#L12",
  lines: 3,
  score: 3,
  content: "In Marrakech.",
  recorded: "2025-11-27",
  superseded_by: null,
};

test("a hit has the host's keys", () => {
  const { path, startLine, endLine, score, snippet, source, provenance } = searchResult(hit);
  assert.deepEqual([path, startLine, endLine, score, snippet, source], ["memory/2025-11-27.md", 12, 14, 0.75, "In Marrakech.", "memory"]);
  assert.deepEqual(provenance, { originClass: "agent", sessionKind: "unknown", observedAt: Date.UTC(2025, 10, 27) });
});

test("the host's search is a recall", () => {
  const { words, told } = rewritten(["search", "--query", "where is Peter", "--max-results=3", "--min-score", "0.5", "--agent", "work"]);
  assert.deepEqual(words, ["recall", "where is Peter", "--agent", "work", "--k", "3", "--json"]);
  const answer = JSON.stringify({ hits: [hit, { ...hit, score: 0.1 }] });
  assert.equal(told!(answer), "0.750 memory/2025-11-27.md:12-14\nIn Marrakech.");
  assert.equal(told!(JSON.stringify({ hits: [] })), "No matches.");
  assert.equal(JSON.parse(rewritten(["search", "Peter", "--json"]).told!(answer)).results.length, 2);
});

test("a failure has the host's envelope", () => {
  const failed = JSON.stringify({ error: { code: "usage", message: "the question is empty", hint: "" } });
  for (const verb of ["search", "status"])
    assert.deepEqual(JSON.parse(rewritten([verb, "--json"]).told!(failed)), {
      ok: false,
      error: { type: "cli_error", message: "the question is empty" },
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
    { role: "toolResult", content: "secret" },
    { role: "assistant", content: [{ type: "toolCall", name: "x" }] },
  ];
  assert.equal(transcript(messages), "user: Peter moved.\n\nassistant: Noted.");
});
