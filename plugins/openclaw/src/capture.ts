/** What a session leaves behind: facts in today's log, before it is shortened and when it ends. */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { prompt } from "./prompts.ts";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import type { Workers } from "./worker.ts";

/** Characters of a session's end that a model is shown, and fewer than which are not worth its call. */
const MOST = 24_000;
const LEAST = 200;
/** Most facts of one session. */
const FACTS = 10;
/** Ends after which a session is over; compaction has the flush, and a gateway that stops does not wait. */
const OVER = new Set(["new", "reset", "idle", "daily", "deleted", "unknown"]);
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
    said.set(sessionKey, { workspace, text: transcript(messages) });
  });
  api.on("session_end", async ({ sessionKey = "", sessionId, reason = "unknown" }) => {
    const session = said.get(sessionKey);
    if (!session || !OVER.has(reason)) return;
    said.delete(sessionKey);
    own.delete(sessionKey);
    if (session.text.length < LEAST) return;
    try {
      const config = api.runtime.config.current() as OpenClawConfig;
      const { text } = await api.runtime.llm.complete({
        purpose: "commonplace.capture",
        systemPrompt: prompt("capture", { day: day(config) }),
        messages: [{ role: "user", content: session.text }],
      });
      const bullets = text.split("\n").filter((line) => line.startsWith("- ")).slice(0, FACTS);
      const source = `openclaw:${sessionId}`;
      for (const bullet of bullets) await workers.of(session.workspace).ask("retain", { text: bullet.slice(2), source });
    } catch (error) {
      api.logger.warn(`commonplace: the session ${sessionKey} left no facts: ${(error as Error).message}`);
    }
  });
}

/** The end of a conversation, as `user: …` and `assistant: …`. */
export function transcript(messages: readonly unknown[]): string {
  const lines = (messages as { role?: string; content?: unknown }[])
    .filter(({ role }) => role === "user" || role === "assistant")
    .map(({ role, content }) => `${role}: ${spoken(content).trim()}`)
    .filter((line) => !line.endsWith(": "));
  return lines.join("\n\n").slice(-MOST);
}

function spoken(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as { type?: string; text?: string }[]) : [];
  return parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("\n");
}
