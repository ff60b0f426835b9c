/**
 * The host made ours, and given back. Installing a memory plugin leaves memory-core enabled, which then still answers
 * `openclaw memory`; so it is switched off, and what stood there before is noted once, beside the host's configuration.
 * Leaving puts exactly that back. Both may be run again, after whatever interrupted them. Runs on Node 20.
 */

import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

type Say = (line: string) => void;

/** Note what stands there now, unless an earlier time is noted: what we set ourselves is never taken for the user's. */
export function remember(host: Host): Before {
  const file = noted(host);
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Before;
  const { slots, entries } = host.plugins();
  const slot = slots?.memory ?? null;
  const before = { slot: slot === PLUGIN ? null : slot, memoryCore: entries?.[CORE]?.enabled ?? null };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 }); // a home that OpenClaw never ran in
  writeFileSync(file, `${JSON.stringify(before)}\n`);
  return before;
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

/** What ours says of a workspace that OpenClaw has not made yet; memory-core makes none and says another thing. */
const NO_FOLDER = /^there is no folder /;

interface Said {
  status?: { provider?: string; files?: number; workspaceDir?: string };
  error?: { message: string };
}

/** What `openclaw memory status` says, which must be ours. */
function answering(host: Host): string {
  const said = host.json<Said | Said[]>(["memory", "status"]);
  const { status, error } = (Array.isArray(said) ? said[0] : said) ?? {};
  if (status?.provider === PLUGIN) return `openclaw memory status: ${status.files} files in ${status.workspaceDir}`;
  if (NO_FOLDER.test(error?.message ?? "")) return `openclaw memory status: ${error!.message} yet`;
  const none = error ? `none (it fails: ${error.message})` : "none";
  const who = status?.provider ? `another plugin (its provider is ${status.provider})` : `another plugin, or ${none}`;
  throw new Failed(
    `openclaw memory is answered by ${who}. See who registers it: openclaw plugins inspect ${PLUGIN} --runtime. ` +
      "Disable that plugin (openclaw plugins disable ID), then: openclaw commonplace setup",
  );
}

/** Take away all that installing and setting up brought; the workspaces stay as they are. */
export async function leave(host: Host, say: Say): Promise<void> {
  const file = noted(host);
  const before: Before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { slot: null, memoryCore: null };
  if (PLUGIN in (host.plugins().entries ?? {})) uninstall(host, say);
  const { enabled: _, config = {}, ...rest } = host.plugins().entries?.[CORE] ?? {};
  const bare = before.memoryCore === null && !Object.keys({ ...config, ...rest }).length; // nothing is there but what we set
  const entries = { [PLUGIN]: null, [CORE]: bare ? null : { enabled: before.memoryCore } };
  host.run(["config", "patch", "--stdin"], JSON.stringify({ plugins: { entries, slots: { memory: before.slot } } }));
  say(`set back: plugins.slots.memory ${before.slot ?? "(not set: memory-core)"}`);
  say(`set back: plugins.entries.${CORE}.enabled ${before.memoryCore ?? "(not set: true)"}`);
  await withJobs(host, say, (jobs) => {
    for (const { id, name, declarationKey } of jobs) {
      if (!declarationKey?.startsWith(KEY)) continue;
      host.run(["automations", "rm", id]);
      say(`removed: the job ${name}`);
    }
  });
  rmSync(join(host.folder(), "npm", "projects", PACKAGE), { recursive: true, force: true });
  rmSync(file, { force: true });
  say("left: your Markdown, and .memory/ beside it, which is an index and may be deleted");
}

function uninstall(host: Host, say: Say): void {
  try {
    host.run(["plugins", "uninstall", PLUGIN, "--force"]);
    say(`uninstalled: the plugin ${PLUGIN}`);
  } catch (error) {
    if (!(error instanceof Failed && /not found|not installed|not managed/i.test(error.message))) throw error;
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
  } catch {
    return "";
  }
}

/** Where it is noted what stood there before. */
function noted(host: Host): string {
  return join(host.folder(), `${PACKAGE}.json`);
}
