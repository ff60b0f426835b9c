/** OpenClaw through its own command line, for setup and removal; its files are not edited. Runs on Node 20. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** A command of the host, or of npm, failed. */
export class Failed extends Error {
  override name = "Failed";
  /** Its output, if it exited with a failure; undefined: it did not start, or was killed. */
  readonly printed: string | undefined;

  constructor(message: string, printed?: string) {
    super(message);
    this.printed = printed;
  }
}

/** Time limit of a command of the host, in milliseconds. */
const PATIENCE = 180_000;

/** Maximum output of a command, in bytes: a list of jobs contains their prompts. */
const MAX_OUTPUT = 64_000_000;

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
    this.#env = { ...env };
  }

  /** Run a command; returns its output. Throws Failed. */
  run(words: readonly string[], input?: string): string {
    const [file, ...first] = this.#program;
    const shell = process.platform === "win32" && file.endsWith(".cmd");
    try {
      const stdio: ["pipe", "pipe", "pipe"] = ["pipe", "pipe", "pipe"];
      return execFileSync(file, [...first, ...words], { env: this.#env, encoding: "utf8", input: input ?? "", stdio, shell, timeout: PATIENCE, maxBuffer: MAX_OUTPUT });
    } catch (error) {
      const { status, stdout = "", stderr = "", message } = error as { status?: number | null; stdout?: string; stderr?: string; message: string };
      const ended = typeof status === "number"; // otherwise its output may be incomplete
      const why = ended ? [stderr.trim(), stdout.trim()] : [message, stderr.trim()];
      throw new Failed([`openclaw ${words.slice(0, 2).join(" ")} failed`, ...why].filter(Boolean).join("\n"), ended ? stdout : undefined);
    }
  }

  /** The JSON output of a command, also if it exits with a failure; undefined if there is none. */
  json<Output>(words: readonly string[]): Output | undefined {
    let output = "";
    try {
      output = this.run([...words, "--json"]);
    } catch (error) {
      if (!(error instanceof Failed) || error.printed === undefined) throw error;
      output = error.printed;
    }
    const start = output.search(/^[[{]/m); // warnings may come first
    try {
      return start < 0 ? undefined : (JSON.parse(output.slice(start)) as Output);
    } catch {
      return undefined;
    }
  }

  /**
   * The `plugins` part of the configuration with the host's defaults, read once: each call takes seconds.
   * Throws Failed if it cannot be read.
   */
  plugins(): Plugins {
    if (this.#plugins) return this.#plugins;
    const found = this.json<Plugins & { ok?: boolean }>(["config", "get", "plugins"]);
    if (!found) throw new Failed("openclaw config get plugins printed no JSON");
    if (found.ok !== false) return (this.#plugins = found);
    if (existsSync(this.#path())) this.run(["config", "validate"]); // fails, unless nothing is set
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

  /** The jobs of the gateway; undefined if no gateway answers. */
  jobs(): Job[] | undefined {
    return this.json<{ jobs?: Job[] }>(["automations", "list", "--all"])?.jobs;
  }

  /** Whether the host's own state contains a text: a gateway that was never configured may have run, too. */
  stateContains(text: string): boolean {
    const folder = join(this.folder(), "state");
    const files = existsSync(folder) ? readdirSync(folder) : [];
    return files.some((name) => readFileSync(join(folder, name)).includes(text));
  }

  /** Start a gateway without channels and jobs, for changes that only a gateway can make. The caller kills it. */
  gateway(): ChildProcess {
    const [file, ...first] = this.#program;
    this.#env.OPENCLAW_GATEWAY_TOKEN ??= randomUUID(); // a gateway without a configuration asks for one; ignored by others
    const env = { ...this.#env, OPENCLAW_SKIP_CHANNELS: "1", OPENCLAW_SKIP_CRON: "1" };
    const words = [...first, "gateway", "run", "--allow-unconfigured"];
    return spawn(file, words, { env, stdio: "ignore", shell: process.platform === "win32" });
  }
}
