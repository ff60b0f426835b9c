/**
 * State that exists once in a process. The host loads its plugins again for some runs, and a turn, the end of its session
 * and the stop of the gateway may each reach another copy of the plugin: all copies share these workers and sessions.
 */

import type { Workers } from "./worker.ts";

interface Shared {
  /** By command. */
  workers: Map<string, Workers>;
  /** Workspace that a session may read, by session key. */
  readable: Map<string, string>;
  /** Keys of sessions that may write the memory: only these are captured. */
  writable: Set<string>;
  /** Keys of sessions in which somebody other than the owner spoke: facts from there are not the author's. */
  guests: Set<string>;
  /** The end of the transcript of each writable session that has not ended, by session key. */
  transcripts: Map<string, { workspace: string; text: string }>;
  /** The ids of the questions that the model was asked last, by workspace. */
  askedQuestions: Map<string, string>;
}

const place = globalThis as { [key: symbol]: Shared | undefined };

export const shared: Shared = (place[Symbol.for("commonplace.openclaw")] ??= {
  workers: new Map(),
  readable: new Map(),
  writable: new Set(),
  guests: new Set(),
  transcripts: new Map(),
  askedQuestions: new Map(),
});
