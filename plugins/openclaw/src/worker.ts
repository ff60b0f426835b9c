/**
 * One `commonplace worker` process, spoken to in JSON lines. It starts with the first request, is restarted after a crash,
 * and ends with the gateway.
 *
 * Law: nothing here blocks the event loop, and every request ends with an answer or with an error within a time limit.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Refused, Unavailable, isRefused } from "./errors.ts";
import { type Command, diagnose, program } from "./program.ts";
import { READS } from "./verbs.ts";

/** Milliseconds after which a process that does not answer is killed. */
const PATIENCE = 60_000;
/** Milliseconds to wait before a restart after a crash: none the first time, this the second, then doubled each time. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 60_000;
/** Characters kept from the end of standard error. */
const MAX_STDERR = 500;
const UNKNOWN = "it may or may not have been written: check before you repeat it";

/** The process ended before it answered. */
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
  /** Whether the current process has answered a request. */
  #answers = false;
  #lastDeath = "the memory process ended";

  constructor(workspace: string, command: readonly string[], warn: (message: string) => void) {
    this.#workspace = workspace;
    this.#command = command;
    this.#warn = warn;
  }

  /** Process id of the current process. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Start the process if there is none, and make it open its index, so that the next request is fast. */
  warm(): void {
    if (!this.#process) this.ask("recall", { query: "start" }).catch(() => {}); // the next request reports the error
  }

  /**
   * The result of a verb. A signal ends the waiting, not the work. If the process crashes, a read is sent once more to the
   * next process; a write is never sent twice.
   *
   * Rejects with Refused, Unavailable, or the signal's reason.
   */
  async ask<Result>(verb: string, fields: object, signal?: AbortSignal): Promise<Result> {
    try {
      return await this.#answerTo(verb, fields, signal);
    } catch (error) {
      // An old commonplace does not understand newer requests: then the version is the better message.
      if (isRefused(error) && error.code === "usage") throw (await diagnose(program(this.#command))) ?? error;
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
      const why = `no answer to ${verb} within ${PATIENCE / 1000} s, so the memory process was killed`;
      this.#warn(why);
      this.#questions.get(id)?.reject(new Unavailable(READS.has(verb) ? why : `${why}; ${UNKNOWN}`));
      child.kill("SIGKILL");
    }, PATIENCE); // not unref'd: it keeps a one-shot command alive until the answer arrives
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

  /** End the process; a later request starts another. */
  stop(): void {
    const child = this.#process;
    this.#process = undefined;
    child?.stdin.end();
    if (child) this.#fail(child, new Unavailable("the memory was stopped"));
  }

  #started(): Child {
    if (this.#process) return this.#process;
    const wait = this.#notBefore - Date.now();
    if (wait > 0) throw new Unavailable(`${this.#lastDeath}; it restarts in ${Math.ceil(wait / 1000)} s`);
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
      lastWords = (lastWords + chunk).slice(-MAX_STDERR);
    });
    child.stdin.on("error", () => {}); // "close" reports the end
    child.on("error", ({ message }) => void this.#ended(child, command, message));
    child.on("close", (code, killed) => void this.#ended(child, command, lastWords.trim() || `exit ${killed ?? code}`));
    for (const each of [child, child.stdin, child.stdout, child.stderr]) (each as { unref?(): void }).unref?.();
    return child;
  }

  #answered(line: string): void {
    const { id, result, error } = parsed(line);
    if (id === undefined) return this.#warn(`not a valid answer: ${line.slice(0, MAX_STDERR)}`);
    this.#pause = 0;
    this.#answers = true;
    if (error) this.#questions.get(id)?.reject(new Refused(error));
    else this.#questions.get(id)?.resolve(result);
  }

  /** Reject the open requests of a process that ended; if it never answered, say what is wrong with the program. */
  async #ended(child: Child, command: Command, lastWords: string): Promise<void> {
    if (this.#process !== child) return; // stopped on purpose, or reported twice
    this.#process = undefined;
    this.#notBefore = Date.now() + this.#pause;
    this.#pause = Math.min(LONGEST_PAUSE, this.#pause * 2 || FIRST_PAUSE);
    this.#lastDeath = `the memory process ended: ${lastWords}`;
    const problem = this.#answers ? undefined : await diagnose(command);
    if (problem) this.#lastDeath = problem.message;
    this.#warn(this.#lastDeath);
    this.#fail(child, problem ?? new Died(this.#lastDeath));
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

/** The workers of a gateway, one for each workspace. */
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
