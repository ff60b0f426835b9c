/** The messages of a session, of people and of the agent, without tool calls. */

import { open } from "node:fs/promises";

/** Maximum number of characters, from the end of a session, that the model sees. */
export const MAX_CHARS = 24_000;
/** Bytes that are read from the end of a file. */
const MAX_FILE = 4_000_000;
/** Maximum size of a transcript in the host's store, in bytes. */
const MAX_STORED = 32_000_000;
/** Characters that are read from the end of a message: more than the plugin ever injects. */
const MAX_MESSAGE = 400_000;
/** An opening or closing tag of text that the plugin injected. Linear time on any input. */
const TAG = /<(\/?)(memory-\w+|block)\b[^<>]*>/g;

interface Message {
  role?: string;
  content?: unknown;
  __openclaw?: { senderIsOwner?: boolean };
}

/** A session that an earlier gateway ran. */
export interface StoredSession {
  text: string;
  /** Whether only the owner spoke, by the host's mark on every message. */
  owned: boolean;
}

/** The end of a conversation, as `user: …` and `assistant: …`. */
export function transcript(messages: readonly unknown[]): string {
  let end = "";
  for (const { role, content } of (messages as Message[]).toReversed()) {
    if (end.length >= MAX_CHARS) break;
    const text = role === "user" || role === "assistant" ? withoutRecalled(spoken(content).slice(-MAX_MESSAGE)) : "";
    if (text) end = `${role}: ${text}${end && "\n\n"}${end}`;
  }
  return end.slice(-MAX_CHARS);
}

/** A message without the text that the plugin injected: removes from each opening tag to its closing tag. */
function withoutRecalled(text: string): string {
  const tags = [...text.matchAll(TAG)];
  const closing = new Map<string, number>(); // by name: where the next closing tag ends
  const ends = tags.map(() => 0);
  for (const [at, [tag, slash, name = ""]] of [...tags.entries()].reverse())
    if (slash) closing.set(name, tags[at]!.index + tag.length);
    else ends[at] = closing.get(name) ?? 0;
  let left = "";
  let from = 0;
  for (const [at, { index }] of tags.entries()) {
    if (index < from || !ends[at]) continue;
    left += text.slice(from, index);
    from = ends[at];
  }
  return (left + text.slice(from)).trim();
}

/** Whether no message is marked as somebody else's than the owner's. */
export function onlyOwnerSpoke(messages: readonly unknown[]): boolean {
  return (messages as Message[]).every(({ __openclaw }) => __openclaw?.senderIsOwner !== false);
}

function spoken(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as { type?: string; text?: string }[]) : [];
  return parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("\n");
}

/** A session that ended, from the file that the host names, else from the host's store. Throws if it cannot be read. */
export async function storedSession(agentId: string, sessionKey: string, sessionId: string, file: string | undefined): Promise<StoredSession> {
  const stored = file === undefined || file.startsWith("sqlite:");
  return sinceReset(stored ? await fromStore(agentId, sessionKey, sessionId) : (await fromFile(file)).split("\n").map(parsed));
}

async function fromStore(agentId: string, sessionKey: string, sessionId: string): Promise<readonly unknown[]> {
  const { loadTranscriptEventsSync, readTranscriptStatsSync } = await import("openclaw/plugin-sdk/session-store-runtime");
  const which = { agentId, sessionKey, sessionId };
  const { sizeBytes } = readTranscriptStatsSync(which);
  if (sizeBytes > MAX_STORED) throw new Error(`its transcript has ${Math.round(sizeBytes / 1e6)} MB; the limit is ${MAX_STORED / 1e6} MB`);
  return loadTranscriptEventsSync(which);
}

async function fromFile(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - MAX_FILE);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, MAX_FILE)), 0, null, start);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // the first line may be cut off; others may be empty
  }
}

/** The messages since the last reset but the final one: the host keeps one transcript across resets. */
export function sinceReset(events: readonly unknown[]): StoredSession {
  const entries = events.filter(Boolean) as { type?: string; message?: Message }[];
  if (entries.at(-1)?.type === "reset") entries.pop();
  const messages = entries.slice(entries.findLastIndex(({ type }) => type === "reset") + 1).map(({ message = {} }) => message);
  const senders = messages.filter(({ role }) => role === "user").map(({ __openclaw }) => __openclaw?.senderIsOwner);
  return { text: transcript(messages), owned: senders.length > 0 && senders.every((owner) => owner === true) };
}
