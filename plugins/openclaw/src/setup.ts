/**
 * Setup and removal. Installing a memory plugin leaves memory-core enabled, which then still answers `openclaw memory`; so
 * setup disables it and saves the original settings beside the host's configuration. Removal restores them, except those
 * that somebody changed since. Both can be repeated after an interruption. Runs on Node 20.
 */

import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Failed, type Host, type Job } from "./host.ts";
import { isDreamingJob } from "./memory-core.ts";
import { type Command, diagnose, program } from "./program.ts";
import { KEY } from "./schedule.ts";

const PLUGIN = "commonplace";
const PACKAGE = "openclaw-commonplace";
const ENTRY = `plugins.entries.${PLUGIN}`;
const CORE = "memory-core";
/** Seconds that a gateway may take to start. */
const READY = 120;

/** The settings before ours; null: not set. */
interface Original {
  slot: string | null;
  memoryCore: boolean | null;
}

const NO_WORKSPACE = "OpenClaw creates the workspace in the agent's first turn; to create it now: openclaw memory init";

type Say = (line: string) => void;

/** Save the current settings as the original ones; where they are ours already, keep what was saved earlier. */
export function saveOriginal(host: Host): Original {
  const file = originalFile(host);
  const saved = readOriginal(file);
  const { slots, entries } = host.plugins();
  const enabled = entries?.[CORE]?.enabled ?? null;
  const before: Original = {
    slot: unlessOurs(slots?.memory, PLUGIN) ?? saved?.slot ?? null,
    memoryCore: saved ? (unlessOurs(enabled, false) ?? saved.memoryCore) : enabled,
  };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 }); // OpenClaw may never have run here
  writeFileSync(`${file}.new`, `${JSON.stringify(before)}\n`, { flush: true });
  renameSync(`${file}.new`, file); // atomic
  return before;
}

/** A setting; null if it is not set, or is the value that we set. */
function unlessOurs<Value>(now: Value | null | undefined, ours: Value): Value | null {
  return now === ours ? null : (now ?? null);
}

/** Make all settings of the installed plugin. Throws Failed or Unavailable, with the next step, if it does not answer then. */
export async function setUp(host: Host, given: readonly string[], say: Say): Promise<void> {
  const plugins = host.plugins();
  const own = plugins.entries?.[PLUGIN]?.config as { command?: string[] } | undefined;
  const command = given.length ? given : (own?.command ?? []);
  const memory: Command = program(command);
  const problem = await diagnose(memory);
  if (problem) throw problem;
  saveOriginal(host);
  const wanted = [
    { path: "plugins.slots.memory", value: PLUGIN },
    { path: `${ENTRY}.enabled`, value: true },
    { path: `${ENTRY}.hooks.allowConversationAccess`, value: true },
    ...(command.length ? [{ path: `${ENTRY}.config.command`, value: command }] : []),
    { path: `plugins.entries.${CORE}.enabled`, value: false },
  ];
  host.run(["config", "set", "--batch-json", JSON.stringify(wanted)]);
  for (const { path, value } of wanted) say(`set: ${path} ${JSON.stringify(value)}`);
  disableDreaming(host, say);
  say(`memory: ${memory.join(" ")}`);
  say(checkStatus(host));
}

/** Disable memory-core's job if a gateway runs; otherwise the plugin does so when one starts. */
function disableDreaming(host: Host, say: Say): void {
  const jobs = host.jobs();
  const dreaming = (jobs ?? []).filter((job) => isDreamingJob(job) && job.enabled);
  for (const { id } of dreaming) host.run(["automations", "disable", id]);
  if (!jobs) say("memory-core's nightly job will be disabled when the gateway starts");
  else if (dreaming.length) say(`disabled: memory-core's nightly job (${dreaming.map(({ name }) => name).join(", ")})`);
}

interface Status {
  status?: { provider?: string; files?: number; workspaceDir?: string };
  /** Only errors of commonplace have a code. */
  error?: { code?: string; message: string };
}

/** Check that commonplace answers `openclaw memory status`; returns a line about it. */
function checkStatus(host: Host): string {
  const output = host.json<Status | Status[]>(["memory", "status"]);
  const { status, error } = (Array.isArray(output) ? output[0] : output) ?? {};
  if (status?.provider === PLUGIN) return `openclaw memory status: ${status.files} files in ${status.workspaceDir}`;
  if (error?.code === "not-a-workspace") return `openclaw memory status: ${error.message}. ${NO_WORKSPACE}`;
  if (error?.code) throw new Failed(`openclaw memory status failed: ${error.message}`);
  const none = error ? `none (error: ${error.message})` : "none";
  const who = status?.provider ? `another plugin (its provider is ${status.provider})` : `another plugin, or ${none}`;
  throw new Failed(
    `openclaw memory is answered by ${who}. To see which: openclaw plugins inspect ${PLUGIN} --runtime. ` +
      "Disable it (openclaw plugins disable ID), then run: openclaw commonplace setup",
  );
}

/** Uninstall the plugin and restore the settings; workspaces do not change. */
export async function removeAll(host: Host, say: Say): Promise<void> {
  const file = originalFile(host);
  const before = readOriginal(file);
  if (!before && !isConfigured(host)) return say("commonplace is not installed in OpenClaw; nothing was changed");
  uninstall(host, say); // first: if files of the plugin are missing, the host cannot read or change its configuration
  restore(host, before, say);
  await withJobs(host, say, (jobs) => {
    for (const { id, name, declarationKey } of jobs) {
      if (!declarationKey?.startsWith(KEY)) continue;
      host.run(["automations", "rm", id]);
      say(`removed: the job ${name}`);
    }
  });
  rmSync(join(host.folder(), "npm", "projects", PACKAGE), { recursive: true, force: true });
  for (const each of [file, `${file}.new`]) rmSync(each, { force: true });
  say("not removed: your Markdown, and .memory/ beside it, which is an index and may be deleted");
}

/** Whether the configuration contains our plugin. */
function isConfigured(host: Host): boolean {
  const { slots, entries = {} } = host.plugins();
  return slots?.memory === PLUGIN || PLUGIN in entries;
}

/** Restore the original settings, except those that were changed since setup. */
function restore(host: Host, before: Original | undefined, say: Say): void {
  const { slots, entries } = host.plugins();
  const { enabled, config = {}, ...rest } = entries?.[CORE] ?? {};
  const back: { entries: object; slots?: object } = { entries: { [PLUGIN]: null } };
  const reset = before && enabled === false && (slots?.memory ?? CORE) === CORE; // the host's own uninstall resets the slot
  const slotIsOurs = slots?.memory === PLUGIN || reset;
  const coreIsOurs = before && before.memoryCore !== false && enabled === false;
  if (slotIsOurs) back.slots = { memory: before?.slot ?? null };
  if (coreIsOurs) {
    const bare = before.memoryCore === null && !Object.keys({ ...config, ...rest }).length; // the entry has nothing but our value
    back.entries = { ...back.entries, [CORE]: bare ? null : { enabled: before.memoryCore } };
  }
  host.run(["config", "patch", "--stdin"], JSON.stringify({ plugins: back }));
  const [slot, core] = [slotIsOurs ? before?.slot : slots?.memory, coreIsOurs ? before.memoryCore : enabled];
  say(`${slotIsOurs ? "restored" : "not changed"}: plugins.slots.memory ${slot ?? "(not set: memory-core)"}`);
  say(`${coreIsOurs ? "restored" : "not changed"}: plugins.entries.${CORE}.enabled ${core ?? "(not set: true)"}`);
  if (!before && enabled === false) say(`memory-core is disabled, and the original setting is unknown; to enable it: openclaw config set plugins.entries.${CORE}.enabled true`);
}

/** Uninstall the plugin through the host; one that is not installed any more is no failure. */
function uninstall(host: Host, say: Say): void {
  try {
    host.run(["plugins", "uninstall", PLUGIN, "--force"]);
    say(`uninstalled: the plugin ${PLUGIN}`);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (host.json<{ install?: object }>(["plugins", "inspect", PLUGIN])?.install) throw error;
  }
}

/** Change jobs, which only a gateway can do: the running one, or one that is started for this, without channels. */
async function withJobs(host: Host, say: Say, change: (jobs: Job[]) => void): Promise<void> {
  const jobs = host.jobs();
  if (jobs) return change(jobs);
  const mode = /^"?(\w+)"?$/m.exec(value(host, "gateway.mode"))?.[1];
  if (mode !== "local" && !(mode === undefined && host.stateContains(KEY))) return say("no gateway ran here, so there are no jobs to remove");
  say("no gateway is running; starting one without channels, to remove the plugin's jobs");
  const gateway = host.gateway();
  const ended = once(gateway, "exit");
  try {
    const until = Date.now() + READY * 1000;
    let found: Job[] | undefined;
    while (!(found = host.jobs())) {
      if (gateway.exitCode !== null || Date.now() > until)
        throw new Failed("the gateway does not answer, so the jobs named Reflect (…) were not removed. Start it, then run this again");
      await pause(500);
    }
    change(found);
  } finally {
    gateway.kill();
    await Promise.race([ended, pause(30_000, undefined, { ref: false })]);
    if (gateway.exitCode === null) gateway.kill("SIGKILL");
  }
}

function value(host: Host, path: string): string {
  try {
    return host.run(["config", "get", path]);
  } catch (error) {
    if (error instanceof Failed && error.printed !== undefined) return ""; // not set
    throw error;
  }
}

/** The file with the original settings. */
function originalFile(host: Host): string {
  return join(host.folder(), `${PACKAGE}.json`);
}

/** The saved original settings; undefined if there are none or the file is not valid. */
function readOriginal(file: string): Original | undefined {
  try {
    const { slot, memoryCore } = (JSON.parse(readFileSync(file, "utf8")) ?? {}) as Partial<Original>;
    const whole = (slot === null || typeof slot === "string") && (memoryCore === null || typeof memoryCore === "boolean");
    return whole ? { slot, memoryCore } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Failed(`${file} cannot be read (${(error as Error).message}): make it readable, then run this again`);
  }
}
