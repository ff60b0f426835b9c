/** The host by its own command line, for setting up and leaving: what it does not offer there is not touched. Runs on Node 20. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { dirname } from "node:path";

/** What a command of the host, or of npm, could not do. */
export class Failed extends Error {
  override name = "Failed";
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
  #folder: string | undefined;

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
      const { stdout = "", stderr = "", message } = error as { stdout?: string; stderr?: string; message: string };
      throw new Failed([`openclaw ${words.slice(0, 2).join(" ")} failed`, stderr.trim(), stdout.trim()].filter(Boolean).join("\n") || message);
    }
  }

  /** What a command says with --json; undefined where it fails or says none. */
  json<Said>(words: readonly string[]): Said | undefined {
    let said = "";
    try {
      said = this.run([...words, "--json"]);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      said = error.message;
    }
    const start = said.search(/^[[{]/m); // warnings may stand before it
    try {
      return start < 0 ? undefined : (JSON.parse(said.slice(start)) as Said);
    } catch {
      return undefined;
    }
  }

  /** What the configuration held of plugins, with the host's own defaults, when it was first asked: each call takes seconds. */
  plugins(): Plugins {
    if (this.#plugins) return this.#plugins;
    const said = this.json<Plugins & { ok?: boolean }>(["config", "get", "plugins"]);
    return (this.#plugins = said && said.ok !== false ? said : {});
  }

  /** The folder of the host's configuration. */
  folder(): string {
    const shown = () => this.run(["config", "file"]).trim().split("\n").pop()!;
    return (this.#folder ??= dirname(shown().replace(/^~(?=[\\/])/, this.#env.HOME ?? "~")));
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
