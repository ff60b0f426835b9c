/** Captures facts of a session in today's log: before the host compacts it, and when it ends. */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { isRefused } from "./errors.ts";
import { mayRead, mayWrite, provenance } from "./privacy.ts";
import { prompt } from "./prompts.ts";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import { onlyOwnerSpoke, storedSession, transcript } from "./transcript.ts";
import type { Workers } from "./worker.ts";

/** Minimum number of characters of a session that justifies a model call. */
const LEAST = 200;
/** Maximum number of facts of one session. */
const FACTS = 10;
/** Reasons of an end that are captured; compaction has the flush, and a stopping gateway does not wait. */
const OVER = new Set(["new", "reset", "idle", "daily", "deleted", "unknown"]);
/** Keys of sessions without a person. */
const NO_PERSON = /:(cron|hook|heartbeat|subagent|acp)(:|$)/;
const HOST_FLUSH = { softThresholdTokens: 4_000, forceFlushTranscriptBytes: 2 * 1024 * 1024, reserveTokensFloor: 20_000 };

/** The host's memory flush before compaction: that turn may only read, and append to the day's log. */
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

/** The day in the user's time zone: 2025-11-27. */
function day(config: OpenClawConfig | undefined, now = Date.now()): string {
  const zone = config?.agents?.defaults?.userTimezone;
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", ...(zone ? { timeZone: zone } : {}) }).format(now);
}

export function registerCapture(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  if (!settings.capture) return;
  const { readable, writable, transcripts } = shared;
  api.on("agent_end", ({ messages }, { sessionKey = "", trigger }) => {
    const workspace = readable.get(sessionKey);
    if (!workspace || trigger !== "user" || !writable.has(sessionKey)) return;
    if (!onlyOwnerSpoke(messages)) shared.guests.add(sessionKey); // also guests that an earlier gateway saw
    transcripts.set(sessionKey, { workspace, text: transcript(messages) });
  });
  api.on("session_end", async ({ sessionKey = "", sessionId, reason = "unknown", sessionFile }, { agentId = "main" }) => {
    if (!OVER.has(reason)) return;
    const none = (why: string) => api.logger.info(`commonplace: no facts captured from the session ${sessionKey}: ${why}`);
    const guests = shared.guests.delete(sessionKey);
    const seen = transcripts.get(sessionKey);
    transcripts.delete(sessionKey);
    writable.delete(sessionKey);
    try {
      const session = seen ?? (await ofEarlierGateway(sessionKey, sessionId, sessionFile, agentId));
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
          refused.push(error.message); // probably a secret; the other bullets are still retained
        });
      if (!bullets.length) none("the model listed none");
      else if (refused.length === bullets.length) none(`all were refused, the first because: ${refused[0]}`);
    } catch (error) {
      api.logger.warn(`commonplace: no facts captured from the session ${sessionKey}: ${(error as Error).message}`);
    }
  });

  /** The session from the host's own transcript, if this gateway saw nothing of it; a string says why it is not captured. */
  async function ofEarlierGateway(sessionKey: string, sessionId: string, file: string | undefined, agent: string) {
    const config = api.runtime.config.current() as OpenClawConfig;
    if (config.plugins?.entries?.commonplace?.hooks?.allowConversationAccess !== true) return "the plugin is not allowed to see messages";
    if (NO_PERSON.test(sessionKey)) return "no person took part";
    if (!mayRead({ sessionKey }, settings)) return "it was not a private conversation of the owner";
    if (!mayWrite(config, agent)) return "its sandbox may not write to the workspace";
    const { text, owned } = await storedSession(agent, sessionKey, sessionId, file);
    if (!text) return "the host's transcript has no messages";
    if (!owned && settings.chats !== "all") return "it was not a private conversation of the owner";
    return { workspace: api.runtime.agent.resolveAgentWorkspaceDir(config, agent), text, guests: !owned };
  }
}
