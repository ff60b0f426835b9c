/**
 * What a process holds once. The host loads its plugins anew for some runs, modules and all, and a turn, its session's
 * end and the gateway's stop may each be told to another copy: all of them find the same workers and sessions here.
 */

import type { Workers } from "./worker.ts";

interface Shared {
  /** By the command that starts them. */
  workers: Map<string, Workers>;
  /** By the key of a session the workspace whose memory its agent may read. */
  read: Map<string, string>;
  /** Keys of the sessions that were given the memory to write: only these leave facts behind. */
  own: Set<string>;
  /** Keys of the sessions in which somebody else than the owner spoke: what is retained there is theirs. */
  guests: Set<string>;
  /** The end of each of these that goes on, by its key. */
  said: Map<string, { workspace: string; text: string }>;
  /** By workspace the ids of the questions that were put to a model last. */
  put: Map<string, string>;
}

const place = globalThis as { [key: symbol]: Shared | undefined };

export const shared: Shared = (place[Symbol.for("commonplace.openclaw")] ??= {
  workers: new Map(),
  read: new Map(),
  own: new Set(),
  guests: new Set(),
  said: new Map(),
  put: new Map(),
});
