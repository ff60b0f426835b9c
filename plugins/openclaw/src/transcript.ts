/** What was said in a session, as far as it can still be had: what people and the agent said, and nothing of its tools. */

import { open } from "node:fs/promises";

/** Characters of a session's end that a model is shown. */
export const MOST = 24_000;
/** Bytes of the end of a file, and of a whole transcript of the host, that are read for these. */
const MOST_OF_A_FILE = 4_000_000;
const MOST_STORED = 32_000_000;
/** Characters of a message's end that are looked at: more than the plugin ever puts before one. */
const MOST_OF_A_MESSAGE = 400_000;
/** Where something begins, or ends, that the plugin put before a message. No part of it is read twice, whatever follows. */
const TAG = /<(\/?)(memory-\w+|block)\b[^<>]*>/g;

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
  let end = "";
  for (const { role, content } of (messages as Message[]).toReversed()) {
    if (end.length >= MOST) break;
    const text = role === "user" || role === "assistant" ? withoutRecalled(spoken(content).slice(-MOST_OF_A_MESSAGE)) : "";
    if (text) end = `${role}: ${text}${end && "\n\n"}${end}`;
  }
  return end.slice(-MOST);
}

/** A message without what the plugin put before it, which is known already: from each tag to the next that closes it. */
function withoutRecalled(text: string): string {
  const tags = [...text.matchAll(TAG)];
  const closing = new Map<string, number>(); // where the next tag that closes such a one ends
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
