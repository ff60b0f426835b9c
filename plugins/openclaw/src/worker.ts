/**
 * One `commonplace worker`: JSON lines to a process that is started when it is first asked, started anew when it has
 * died, and ended with the gateway.
 *
 * Law: nothing here waits on the event loop's thread, and every question ends: with an answer, or an error in time.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Refused, Unavailable, isRefused } from "./errors.ts";
import { type Command, ailment, program } from "./program.ts";
import { READS } from "./verbs.ts";

/** Milliseconds after which a process that owes an answer is taken for stuck, and ended. */
const PATIENCE = 60_000;
/** Milliseconds before a process is started again that died without an answer: none at first, this, then twice as long. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
/** Characters kept of what a process says on standard error. */
const LAST_WORDS = 500;
const UNKNOWN = "it is not known whether this was written: look, and only then ask again";

/** A process died that owed an answer. */
class Died extends Unavailable {}

type Child = ChildProcessWithoutNullStreams;

interface Question {
  of: Child;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class Worker {
  readonly #workspace: string;
  readonly #command: readonly string[];
  readonly #warn: (message: string) => void;
  #process: Child | undefined;
  #questions = new Map<number, Question>();
  #asked = 0;
  #pause = 0;
  #notBefore = 0;
  /** Whether the process that serves now has answered. */
  #answers = false;
  #lastDeath = "the memory process died";

  constructor(workspace: string, command: readonly string[], warn: (message: string) => void) {
    this.#workspace = workspace;
    this.#command = command;
    this.#warn = warn;
  }

  /** The process that serves now, for tests and status. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Start the process, if there is none, and have it open its index, so that the next question need not wait for that. */
  warm(): void {
    if (!this.#process) this.ask("recall", { query: "start" }).catch(() => {}); // what fails is told to whoever asks
  }

  /**
   * The result of a verb. A signal ends the waiting, not the work. A read outlives one process: it is asked again of the
   * next, as nothing could be written twice. Whatever may write is never sent twice.
   *
   * Rejects with Refused, Unavailable, or the signal's reason.
   */
  async ask<Result>(verb: string, fields: object, signal?: AbortSignal): Promise<Result> {
    try {
      return await this.#answerTo(verb, fields, signal);
    } catch (error) {
      // What it does not understand may only be newer than it.
      if (isRefused(error) && error.code === "usage") throw (await ailment(program(this.#command))) ?? error;
      if (!(error instanceof Died)) throw error;
      if (!READS.has(verb)) throw new Unavailable(`${error.message}; ${UNKNOWN}`);
      return this.#answerTo(verb, fields, signal);
    }
  }

  async #answerTo<Result>(verb: string, fields: object, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const child = this.#started();
    const id = ++this.#asked;
    const answer = new Promise<unknown>((resolve, reject) => this.#questions.set(id, { of: child, resolve, reject }));
    const stuck = setTimeout(() => {
      const why = `no answer to ${verb} for ${PATIENCE / 1000} s: the memory process is ended`;
      this.#warn(why);
      this.#questions.get(id)?.reject(new Unavailable(READS.has(verb) ? why : `${why}; ${UNKNOWN}`));
      child.kill("SIGKILL");
    }, PATIENCE); // not unref'd: it is what keeps a one-shot command alive for its answer
    const abort = () => this.#questions.get(id)?.reject(signal?.reason as Error);
    signal?.addEventListener("abort", abort, { once: true });
    child.stdin.write(`${JSON.stringify({ ...fields, id, verb })}\n`);
    try {
      return (await answer) as Result;
    } finally {
      clearTimeout(stuck);
      signal?.removeEventListener("abort", abort);
      this.#questions.delete(id);
    }
  }

  /** End the process; a later question starts another. */
  stop(): void {
    const child = this.#process;
    this.#process = undefined;
    child?.stdin.end();
    if (child) this.#fail(child, new Unavailable("the memory was stopped"));
  }

  #started(): Child {
    if (this.#process) return this.#process;
    const wait = this.#notBefore - Date.now();
    if (wait > 0) throw new Unavailable(`${this.#lastDeath}; it is started again in ${Math.ceil(wait / 1000)} s`);
    const command = program(this.#command);
    const [file, ...first] = command;
    const child = spawn(file, [...first, "worker", "--workspace", this.#workspace], { windowsHide: true });
    this.#process = child;
    this.#answers = false;
    let lastWords = "";
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#answered(line);
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      lastWords = (lastWords + chunk).slice(-LAST_WORDS);
    });
    child.stdin.on("error", () => {}); // its end is told by "close"
    child.on("error", ({ message }) => void this.#ended(child, command, message));
    child.on("close", (code, killed) => void this.#ended(child, command, lastWords.trim() || `exit ${killed ?? code}`));
    for (const each of [child, child.stdin, child.stdout, child.stderr]) (each as { unref?(): void }).unref?.();
    return child;
  }

  #answered(line: string): void {
    const { id, result, error } = parsed(line);
    if (id === undefined) return this.#warn(`not understood: ${line.slice(0, LAST_WORDS)}`);
    this.#pause = 0;
    this.#answers = true;
    if (error) this.#questions.get(id)?.reject(new Refused(error));
    else this.#questions.get(id)?.resolve(result);
  }

  /** Fail what the process owed; one that never answered may be no commonplace at all, which is told with what mends it. */
  async #ended(child: Child, command: Command, lastWords: string): Promise<void> {
    if (this.#process !== child) return; // it was stopped, or told twice
    this.#process = undefined;
    this.#notBefore = Date.now() + this.#pause;
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2 || FIRST_PAUSE);
    this.#lastDeath = `the memory process ended: ${lastWords}`;
    const ill = this.#answers ? undefined : await ailment(command);
    if (ill) this.#lastDeath = ill.message;
    this.#warn(this.#lastDeath);
    this.#fail(child, ill ?? new Died(this.#lastDeath));
  }

  #fail(child: Child, error: Error): void {
    for (const question of this.#questions.values()) if (question.of === child) question.reject(error);
  }
}

function parsed(line: string): { id?: number; result?: unknown; error?: ConstructorParameters<typeof Refused>[0] } {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}

/** The workers of a gateway: one for each workspace that is asked for. */
export class Workers {
  readonly #command: readonly string[];
  readonly #warn: (message: string) => void;
  readonly #workers = new Map<string, Worker>();

  constructor(command: readonly string[], warn: (message: string) => void) {
    this.#command = command;
    this.#warn = warn;
  }

  of(workspace: string): Worker {
    let worker = this.#workers.get(workspace);
    if (!worker) this.#workers.set(workspace, (worker = new Worker(workspace, this.#command, this.#warn)));
    return worker;
  }

  stop(): void {
    for (const worker of this.#workers.values()) worker.stop();
    this.#workers.clear();
  }
}
