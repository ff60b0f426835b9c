/** The host by its own command line, for setting up and leaving: what it does not offer there is not touched. Runs on Node 20. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";

/** What a command of the host, or of npm, could not do. */
export class Failed extends Error {
  override name = "Failed";
  /** What it printed before it failed by itself; undefined: it was not started, or was ended by somebody. */
  readonly printed: string | undefined;

  constructor(message: string, printed?: string) {
    super(message);
    this.printed = printed;
  }
}

/** Milliseconds that a command of the host may take, and a gateway to be ready. */
const PATIENCE = 180_000;

/** Characters that a command may print: a list of jobs has their prompts. */
const MOST = 64_000_000;

export interface Plugins {
  entries?: Record<string, { enabled?: boolean; config?: object } | undefined>;
  slots?: { memory?: string };
}

export interface Job {
  id: string;
  name: string;
  declarationKey?: string;
  description?: string;
  enabled: boolean;
}

export class Host {
  readonly #program: readonly [string, ...string[]];
  readonly #env: NodeJS.ProcessEnv;
  #plugins: Plugins | undefined;
  #file: string | undefined;

  constructor(program: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
    this.#program = program;
    this.#env = env;
  }

  /** What a command prints that succeeds. */
  run(words: readonly string[], input?: string): string {
    const [file, ...first] = this.#program;
    const shell = process.platform === "win32" && file.endsWith(".cmd");
    try {
      const stdio: ["pipe", "pipe", "pipe"] = ["pipe", "pipe", "pipe"];
      return execFileSync(file, [...first, ...words], { env: this.#env, encoding: "utf8", input: input ?? "", stdio, shell, timeout: PATIENCE, maxBuffer: MOST });
    } catch (error) {
      const { status, stdout = "", stderr = "", message } = error as { status?: number | null; stdout?: string; stderr?: string; message: string };
      const ended = typeof status === "number"; // else what it printed may be cut short
      const why = ended ? [stderr.trim(), stdout.trim()] : [message, stderr.trim()];
      throw new Failed([`openclaw ${words.slice(0, 2).join(" ")} failed`, ...why].filter(Boolean).join("\n"), ended ? stdout : undefined);
    }
  }

  /** What a command says with --json, also where it fails by itself; undefined where it says none. */
  json<Said>(words: readonly string[]): Said | undefined {
    let said = "";
    try {
      said = this.run([...words, "--json"]);
    } catch (error) {
      if (!(error instanceof Failed) || error.printed === undefined) throw error;
      said = error.printed;
    }
    const start = said.search(/^[[{]/m); // warnings may stand before it
    try {
      return start < 0 ? undefined : (JSON.parse(said.slice(start)) as Said);
    } catch {
      return undefined;
    }
  }

  /**
   * What the configuration held of plugins, with the host's own defaults, when it was first asked: each call takes seconds.
   * Throws Failed where it cannot be read: what is there is not known then.
   */
  plugins(): Plugins {
    if (this.#plugins) return this.#plugins;
    const said = this.json<Plugins & { ok?: boolean }>(["config", "get", "plugins"]);
    if (!said) throw new Failed("openclaw config get plugins says nothing that can be read");
    if (said.ok !== false) return (this.#plugins = said);
    if (existsSync(this.#path())) this.run(["config", "validate"]); // or it does not say that nothing is set
    return (this.#plugins = {});
  }

  /** The folder of the host's configuration. */
  folder(): string {
    return dirname(this.#path());
  }

  #path(): string {
    const shown = () => this.run(["config", "file"]).trim().split("\n").pop()!;
    return (this.#file ??= shown().replace(/^~(?=[\\/])/, this.#env.HOME ?? "~"));
  }

  /** The jobs of the gateway; undefined where none answers. */
  jobs(): Job[] | undefined {
    return this.json<{ jobs?: Job[] }>(["automations", "list", "--all"])?.jobs;
  }

  /** Start a gateway that opens no channel and runs no job, for what only a gateway can do; to be ended with `kill`. */
  gateway(): ChildProcess {
    const [file, ...first] = this.#program;
    const env = { ...this.#env, OPENCLAW_SKIP_CHANNELS: "1", OPENCLAW_SKIP_CRON: "1" };
    return spawn(file, [...first, "gateway", "run"], { env, stdio: "ignore", shell: process.platform === "win32" });
  }
}
