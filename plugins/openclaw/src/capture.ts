/** What a session leaves behind: facts in today's log, before it is shortened and when it ends. */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { isRefused } from "./errors.ts";
import { mayRead, mayWrite, provenance } from "./privacy.ts";
import { prompt } from "./prompts.ts";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import { kept, ownersAlone, transcript } from "./transcript.ts";
import type { Workers } from "./worker.ts";

/** Fewer characters of a session are not worth a model's call. */
const LEAST = 200;
/** Most facts of one session. */
const FACTS = 10;
/** Ends after which a session is over; compaction has the flush, and a gateway that stops does not wait. */
const OVER = new Set(["new", "reset", "idle", "daily", "deleted", "unknown"]);
/** Keys of sessions that no person speaks in. */
const NOT_OURS = /:(cron|hook|heartbeat|subagent|acp)(:|$)/;
const HOST_FLUSH = { softThresholdTokens: 4_000, forceFlushTranscriptBytes: 2 * 1024 * 1024, reserveTokensFloor: 20_000 };

/** How the host saves a conversation before it shortens it; the host lets that turn only read, and append to this day's log. */
export function flushPlan({ cfg, nowMs }: { cfg?: OpenClawConfig; nowMs?: number }) {
  const { memoryFlush = {} } = cfg?.agents?.defaults?.compaction ?? {};
  if (memoryFlush.enabled === false) return null;
  const path = `memory/${day(cfg, nowMs)}.md`;
  return {
    ...HOST_FLUSH,
    ...(memoryFlush.softThresholdTokens === undefined ? {} : { softThresholdTokens: memoryFlush.softThresholdTokens }),
    ...(memoryFlush.model === undefined ? {} : { model: memoryFlush.model }),
    prompt: prompt("flush", { path }),
    systemPrompt: prompt("flush-system"),
    relativePath: path,
  };
}

/** A day as the user's clock has it: 2025-11-27. */
function day(config: OpenClawConfig | undefined, now = Date.now()): string {
  const zone = config?.agents?.defaults?.userTimezone;
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", ...(zone ? { timeZone: zone } : {}) }).format(now);
}

export function registerCapture(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  if (!settings.capture) return;
  const { read, own, said } = shared;
  api.on("agent_end", ({ messages }, { sessionKey = "", trigger }) => {
    const workspace = read.get(sessionKey);
    if (!workspace || trigger !== "user" || !own.has(sessionKey)) return;
    if (!ownersAlone(messages)) shared.guests.add(sessionKey); // an earlier gateway may have heard them
    said.set(sessionKey, { workspace, text: transcript(messages) });
  });
  api.on("session_end", async ({ sessionKey = "", sessionId, reason = "unknown", sessionFile }, { agentId = "main" }) => {
    if (!OVER.has(reason)) return;
    const none = (why: string) => api.logger.info(`commonplace: the session ${sessionKey} left no facts: ${why}`);
    const guests = shared.guests.delete(sessionKey);
    const here = shared.said.get(sessionKey);
    shared.said.delete(sessionKey);
    shared.own.delete(sessionKey);
    try {
      const session = here ?? (await before(sessionKey, sessionId, sessionFile, agentId));
      if (typeof session === "string") return none(session);
      if (session.text.length < LEAST) return none(`it has fewer than ${LEAST} characters`);
      const config = api.runtime.config.current() as OpenClawConfig;
      const { text } = await api.runtime.llm.complete({
        purpose: "commonplace.capture",
        systemPrompt: prompt("capture", { day: day(config) }),
        messages: [{ role: "user", content: session.text }],
      });
      const bullets = text.split("\n").filter((line) => line.startsWith("- ")).slice(0, FACTS);
      const from = provenance(sessionId, guests || ("guests" in session && session.guests) ? `openclaw:${sessionId}` : undefined);
      const refused: string[] = [];
      for (const bullet of bullets)
        await workers.of(session.workspace).ask("retain", { text: bullet.slice(2), ...from }).catch((error: Error) => {
          if (!isRefused(error)) throw error;
          refused.push(error.message); // a secret, perhaps; the others are none
        });
      if (!bullets.length) none("the model named none");
      else if (refused.length === bullets.length) none(`all were refused: ${refused[0]}`);
    } catch (error) {
      api.logger.warn(`commonplace: the session ${sessionKey} left no facts: ${(error as Error).message}`);
    }
  });

  /** The session as the host keeps it, where this gateway saw nothing of it: in words, why not. */
  async function before(sessionKey: string, sessionId: string, file: string | undefined, agent: string) {
    const config = api.runtime.config.current() as OpenClawConfig;
    if (config.plugins?.entries?.commonplace?.hooks?.allowConversationAccess !== true) return "it may not see messages";
    if (NOT_OURS.test(sessionKey)) return "no person spoke there";
    if (!mayRead({ sessionKey }, settings)) return "it was no private conversation of the owner";
    if (!mayWrite(config, agent)) return "its sandbox may not write the workspace";
    const { text, owned } = await kept(agent, sessionKey, sessionId, file);
    if (!text) return "the host keeps nothing that was said in it";
    if (!owned && settings.chats !== "all") return "it was no private conversation of the owner";
    return { workspace: api.runtime.agent.resolveAgentWorkspaceDir(config, agent), text, guests: !owned };
  }
}
