/** The tools that a model is given: whose word it is what they retain. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { AnyAgentTool, OpenClawPluginApi, OpenClawPluginToolContext } from "openclaw/plugin-sdk/plugin-entry";
import { settings } from "../src/settings.ts";
import { registerTools } from "../src/tools.ts";
import { Workers } from "../src/worker.ts";

const workspace = mkdtempSync(join(tmpdir(), "commonplace-"));
writeFileSync(join(workspace, "MEMORY.md"), "# Memory\n");
const workers = new Workers([], () => {});
after(() => workers.stop());

/** A tool as it is in a session, with a host that has but one workspace. */
function offered(name: string, ctx: Partial<OpenClawPluginToolContext>, chosen: object = {}): AnyAgentTool {
  const made = new Map<string, (ctx: OpenClawPluginToolContext) => unknown>();
  const registerTool = (make: (ctx: OpenClawPluginToolContext) => unknown, { name }: { name: string }) => made.set(name, make);
  const api = { registerTool, runtime: { config: { current: () => ({}) }, agent: { resolveAgentWorkspaceDir: () => workspace } } };
  registerTools(api as unknown as OpenClawPluginApi, workers, settings({ chats: "all", ...chosen }));
  return made.get(name)!({ agentId: "main", workspaceDir: workspace, sessionId: "4f1b", ...ctx }) as AnyAgentTool;
}

/** What `memory_retain` does in a session. */
async function retain(ctx: Partial<OpenClawPluginToolContext>, fields: object): Promise<string> {
  await offered("memory_retain", ctx).execute("1", fields as never);
  const folder = join(workspace, "memory");
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8")).join("").trim().split("\n").at(-1)!;
}

test("what is retained while somebody else speaks is theirs, whatever source the model names", async () => {
  const other = { senderIsOwner: false, messageChannel: "telegram", requesterSenderId: "17" };
  for (const [at, source] of [undefined, null, "web:example.org"].entries()) {
    const line = await retain(other, { text: `W @Ben: Owes Tom ${at} euros.`, ...(source === undefined ? {} : { source }) });
    assert.match(line, new RegExp(`Owes Tom ${at} euros.*src=user:telegram:17`));
  }
});

test("what the owner's session retains carries the session, and the source that the model names", async () => {
  assert.match(await retain({ senderIsOwner: true }, { text: "W @Ben: Sold the boat." }), /Sold the boat.*session=openclaw:4f1b/);
  const line = await retain({ senderIsOwner: true }, { text: "W @Ben: Has a shop.", source: "web:example.org" });
  assert.match(line, /Has a shop.*src=web:example\.org/);
});

test("the model is told how to ask a fleet where that is set, unless somebody else speaks, for whom it is not asked", async () => {
  const other = { senderIsOwner: false, messageChannel: "telegram", requesterSenderId: "17" };
  const cases = [[{ senderIsOwner: true }, true, true], [{ senderIsOwner: true }, false, false], [other, true, false]] as const;
  for (const [ctx, fleet, asks] of cases) {
    const tool = offered("memory_recall", ctx, { fleet });
    const { properties } = tool.parameters as { properties: object };
    assert.equal("scope" in properties, asks);
    const answer = JSON.stringify(await tool.execute("1", { query: "boat", scope: "fleet" } as never));
    assert.equal(/no fleet is named/.test(answer), asks, answer);
  }
});

test("a call without fields is answered, not an error of ours", async () => {
  for (const name of ["memory_recall", "memory_retain", "memory_search", "memory_get"]) {
    const told = await offered(name, { senderIsOwner: true }).execute("1", undefined as never);
    assert.match(JSON.stringify(told), /refused|not_found/, name);
  }
});
