/** What was said in a session, as far as it can still be had: what people and the agent said, and nothing of its tools. */

import { open } from "node:fs/promises";

/** Characters of a session's end that a model is shown. */
export const MOST = 24_000;
/** Bytes of the end of a file, and of a whole transcript of the host, that are read for these. */
const MOST_OF_A_FILE = 4_000_000;
const MOST_STORED = 32_000_000;
/** What the plugin put before a message; it is known already. */
const RECALLED = /<(memory-\w+|block)\b[^>]*>[\s\S]*?<\/\1>/g;

interface Message {
  role?: string;
  content?: unknown;
  __openclaw?: { senderIsOwner?: boolean };
}

/** What is left of a session that a gateway before this one had. */
export interface Left {
  text: string;
  /** Whether only its owner spoke, as the host noted it with every message. */
  owned: boolean;
}

/** The end of a conversation, as `user: …` and `assistant: …`. */
export function transcript(messages: readonly unknown[]): string {
  const lines = (messages as Message[])
    .filter(({ role }) => role === "user" || role === "assistant")
    .map(({ role, content }) => `${role}: ${spoken(content).replace(RECALLED, "").trim()}`)
    .filter((line) => !line.endsWith(": "));
  return lines.join("\n\n").slice(-MOST);
}

/** Whether nobody else than the owner spoke, as far as the host noted who did. */
export function ownersAlone(messages: readonly unknown[]): boolean {
  return (messages as Message[]).every(({ __openclaw }) => __openclaw?.senderIsOwner !== false);
}

function spoken(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as { type?: string; text?: string }[]) : [];
  return parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("\n");
}

/** What the host keeps of a session that ended: in the file that it names, else in its own store. Throws why not. */
export async function kept(agentId: string, sessionKey: string, sessionId: string, file: string | undefined): Promise<Left> {
  const stored = file === undefined || file.startsWith("sqlite:");
  return left(stored ? await fromStore(agentId, sessionKey, sessionId) : (await fromFile(file)).split("\n").map(parsed));
}

async function fromStore(agentId: string, sessionKey: string, sessionId: string): Promise<readonly unknown[]> {
  const { loadTranscriptEventsSync, readTranscriptStatsSync } = await import("openclaw/plugin-sdk/session-store-runtime");
  const which = { agentId, sessionKey, sessionId };
  const { sizeBytes } = readTranscriptStatsSync(which);
  if (sizeBytes > MOST_STORED) throw new Error(`its transcript has ${Math.round(sizeBytes / 1e6)} MB, and at most ${MOST_STORED / 1e6} are read`);
  return loadTranscriptEventsSync(which);
}

async function fromFile(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - MOST_OF_A_FILE);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, MOST_OF_A_FILE)), 0, null, start);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // cut off at the start, or empty
  }
}

/** What was said since the reset before the one that ended the session: the host keeps one transcript for all of them. */
export function left(events: readonly unknown[]): Left {
  const entries = events.filter(Boolean) as { type?: string; message?: Message }[];
  if (entries.at(-1)?.type === "reset") entries.pop();
  const messages = entries.slice(entries.findLastIndex(({ type }) => type === "reset") + 1).map(({ message = {} }) => message);
  const senders = messages.filter(({ role }) => role === "user").map(({ __openclaw }) => __openclaw?.senderIsOwner);
  return { text: transcript(messages), owned: senders.length > 0 && senders.every((owner) => owner === true) };
}
