/**
 * The host made ours, and given back. Installing a memory plugin leaves memory-core enabled, which then still answers
 * `openclaw memory`; so it is switched off, and what stood there before is noted beside the host's configuration. Leaving
 * puts exactly that back, where what we set still stands. Both may be run again, after whatever interrupted them. Runs on
 * Node 20.
 */

import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Failed, type Host, type Job } from "./host.ts";
import { dreams } from "./memory-core.ts";
import { type Command, ailment, program } from "./program.ts";
import { KEY } from "./schedule.ts";

const PLUGIN = "commonplace";
const PACKAGE = "openclaw-commonplace";
const ENTRY = `plugins.entries.${PLUGIN}`;
const CORE = "memory-core";
/** Seconds that a gateway may take to answer. */
const READY = 120;

/** What stood there before us; null: nothing did. */
interface Before {
  slot: string | null;
  memoryCore: boolean | null;
}

const NO_WORKSPACE = "OpenClaw makes the workspace with the agent's first turn; to have it now: openclaw memory init";

type Say = (line: string) => void;

/** Note what stands there now; where that is nothing, or what we set, what was noted earlier stays. */
export function remember(host: Host): Before {
  const file = noteOf(host);
  const noted = known(file);
  const { slots, entries } = host.plugins();
  const enabled = entries?.[CORE]?.enabled ?? null;
  const before: Before = {
    slot: theirs(slots?.memory, PLUGIN) ?? noted?.slot ?? null,
    memoryCore: noted ? (theirs(enabled, false) ?? noted.memoryCore) : enabled,
  };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 }); // a home that OpenClaw never ran in
  writeFileSync(`${file}.new`, `${JSON.stringify(before)}\n`, { flush: true });
  renameSync(`${file}.new`, file); // whole or not at all, however this ends
  return before;
}

/** What somebody else set; null: nobody did, or it is what we set. */
function theirs<Value>(now: Value | null | undefined, ours: Value): Value | null {
  return now === ours ? null : (now ?? null);
}

/** Give the installed plugin all that it needs. Throws Failed or Unavailable, with the next step, where it then does not answer. */
export async function setUp(host: Host, given: readonly string[], say: Say): Promise<void> {
  const plugins = host.plugins();
  const own = plugins.entries?.[PLUGIN]?.config as { command?: string[] } | undefined;
  const command = given.length ? given : (own?.command ?? []);
  const memory: Command = program(command);
  const ill = await ailment(memory);
  if (ill) throw ill;
  remember(host);
  const wanted = [
    { path: "plugins.slots.memory", value: PLUGIN },
    { path: `${ENTRY}.enabled`, value: true },
    { path: `${ENTRY}.hooks.allowConversationAccess`, value: true },
    ...(command.length ? [{ path: `${ENTRY}.config.command`, value: command }] : []),
    { path: `plugins.entries.${CORE}.enabled`, value: false },
  ];
  host.run(["config", "set", "--batch-json", JSON.stringify(wanted)]);
  for (const { path, value } of wanted) say(`set: ${path} ${JSON.stringify(value)}`);
  quiet(host, say);
  say(`memory: ${memory.join(" ")}`);
  say(answering(host));
}

/** Switch off the job of memory-core, where a gateway runs; where none does, the plugin does so at its start. */
function quiet(host: Host, say: Say): void {
  const jobs = host.jobs();
  const dreaming = (jobs ?? []).filter((job) => dreams(job) && job.enabled);
  for (const { id } of dreaming) host.run(["automations", "disable", id]);
  if (!jobs) say("memory-core's nightly job is disabled when the gateway starts next");
  else if (dreaming.length) say(`disabled: memory-core's nightly job (${dreaming.map(({ name }) => name).join(", ")})`);
}

interface Said {
  status?: { provider?: string; files?: number; workspaceDir?: string };
  /** Only our own errors have a code. */
  error?: { code?: string; message: string };
}

/** What `openclaw memory status` says, which must be ours. */
function answering(host: Host): string {
  const said = host.json<Said | Said[]>(["memory", "status"]);
  const { status, error } = (Array.isArray(said) ? said[0] : said) ?? {};
  if (status?.provider === PLUGIN) return `openclaw memory status: ${status.files} files in ${status.workspaceDir}`;
  if (error?.code === "not-a-workspace") return `openclaw memory status: ${error.message}. ${NO_WORKSPACE}`;
  if (error?.code) throw new Failed(`openclaw memory status fails: ${error.message}`);
  const none = error ? `none (it fails: ${error.message})` : "none";
  const who = status?.provider ? `another plugin (its provider is ${status.provider})` : `another plugin, or ${none}`;
  throw new Failed(
    `openclaw memory is answered by ${who}. See who registers it: openclaw plugins inspect ${PLUGIN} --runtime. ` +
      "Disable that plugin (openclaw plugins disable ID), then: openclaw commonplace setup",
  );
}

/** Take away all that installing and setting up brought; the workspaces stay as they are. */
export async function leave(host: Host, say: Say): Promise<void> {
  const file = noteOf(host);
  const before = known(file);
  if (!before && !here(host)) return say("nothing of commonplace is here, so nothing was changed");
  uninstall(host, say); // first: where files of it are gone, the host neither tells nor changes its configuration
  giveBack(host, before, say);
  await withJobs(host, say, (jobs) => {
    for (const { id, name, declarationKey } of jobs) {
      if (!declarationKey?.startsWith(KEY)) continue;
      host.run(["automations", "rm", id]);
      say(`removed: the job ${name}`);
    }
  });
  rmSync(join(host.folder(), "npm", "projects", PACKAGE), { recursive: true, force: true });
  for (const each of [file, `${file}.new`]) rmSync(each, { force: true });
  say("left: your Markdown, and .memory/ beside it, which is an index and may be deleted");
}

/** Whether the configuration names us. */
function here(host: Host): boolean {
  const { slots, entries = {} } = host.plugins();
  return slots?.memory === PLUGIN || PLUGIN in entries;
}

/** Put back what stood there before, where all stands as we left it: what was chosen since is somebody's. */
function giveBack(host: Host, before: Before | undefined, say: Say): void {
  const { slots, entries } = host.plugins();
  const { enabled, config = {}, ...rest } = entries?.[CORE] ?? {};
  const back: { entries: object; slots?: object } = { entries: { [PLUGIN]: null } };
  const reset = before && enabled === false && (slots?.memory ?? CORE) === CORE; // as the host does when it uninstalls us
  const slotIsOurs = slots?.memory === PLUGIN || reset;
  const coreIsOurs = before && before.memoryCore !== false && enabled === false;
  if (slotIsOurs) back.slots = { memory: before?.slot ?? null };
  if (coreIsOurs) {
    const bare = before.memoryCore === null && !Object.keys({ ...config, ...rest }).length; // nothing is there but what we set
    back.entries = { ...back.entries, [CORE]: bare ? null : { enabled: before.memoryCore } };
  }
  host.run(["config", "patch", "--stdin"], JSON.stringify({ plugins: back }));
  const [slot, core] = [slotIsOurs ? before?.slot : slots?.memory, coreIsOurs ? before.memoryCore : enabled];
  say(`${slotIsOurs ? "set back" : "left as it is"}: plugins.slots.memory ${slot ?? "(not set: memory-core)"}`);
  say(`${coreIsOurs ? "set back" : "left as it is"}: plugins.entries.${CORE}.enabled ${core ?? "(not set: true)"}`);
  if (!before && enabled === false) say(`it is not known who switched it off; to switch it on: openclaw config set plugins.entries.${CORE}.enabled true`);
}

/** Have the host uninstall the plugin; one that it has no installation of, as after a time before, is uninstalled. */
function uninstall(host: Host, say: Say): void {
  try {
    host.run(["plugins", "uninstall", PLUGIN, "--force"]);
    say(`uninstalled: the plugin ${PLUGIN}`);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (host.json<{ install?: object }>(["plugins", "inspect", PLUGIN])?.install) throw error;
  }
}

/** The gateway alone can change its jobs: one that runs is asked, else one is started for a moment, without channels. */
async function withJobs(host: Host, say: Say, change: (jobs: Job[]) => void): Promise<void> {
  const jobs = host.jobs();
  if (jobs) return change(jobs);
  if (!/^"?local"?$/m.test(value(host, "gateway.mode"))) return say("no gateway was set up here, so there are no jobs to remove");
  say("the gateway does not run; it is started for a moment, without channels, to remove the plugin's jobs");
  const gateway = host.gateway();
  const ended = once(gateway, "exit");
  try {
    const until = Date.now() + READY * 1000;
    let found: Job[] | undefined;
    while (!(found = host.jobs())) {
      if (gateway.exitCode !== null || Date.now() > until)
        throw new Failed("the gateway does not answer, so the jobs named Reflect (…) are still there. Start it, then run this again");
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
    if (error instanceof Failed && error.printed !== undefined) return ""; // it is not set
    throw error;
  }
}

/** Where it is noted what stood there before. */
function noteOf(host: Host): string {
  return join(host.folder(), `${PACKAGE}.json`);
}

/** What is noted; undefined: nothing that can be read, so that it is not known what stood there. */
function known(file: string): Before | undefined {
  try {
    const { slot, memoryCore } = (JSON.parse(readFileSync(file, "utf8")) ?? {}) as Partial<Before>;
    const whole = (slot === null || typeof slot === "string") && (memoryCore === null || typeof memoryCore === "boolean");
    return whole ? { slot, memoryCore } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Failed(`${file} cannot be read (${(error as Error).message}): mend that, then run this again`);
  }
}
