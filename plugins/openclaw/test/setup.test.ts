/** Setting up and leaving, with a host that keeps its configuration and its log: what is put back in which case. */

import assert from "node:assert/strict";
import { chmodSync, existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Plugins, Failed, Host } from "../src/host.ts";
import { isDreamingJob } from "../src/memory-core.ts";
import { removeAll, saveOriginal, setUp } from "../src/setup.ts";

/** What OpenClaw does of its own with these commands, as far as it was seen to. */
const HOST = `#!${process.execPath}
const { readFileSync, appendFileSync, writeFileSync } = require("node:fs");
const [file, words] = [__dirname + "/state.json", process.argv.slice(2)];
const state = JSON.parse(readFileSync(file, "utf8"));
const { plugins, jobs, status, fails } = state;
const command = words.slice(0, 2).join(" ");
const input = words.includes("--stdin") ? readFileSync(0, "utf8") : "";
appendFileSync(__dirname + "/log", JSON.stringify([...words, input].filter(Boolean)) + "\\n");
const merge = (into, from) => {
  for (const [key, value] of Object.entries(from))
    if (value === null) delete into[key];
    else if (typeof value !== "object" || Array.isArray(value)) into[key] = value;
    else merge((into[key] ??= {}), value);
};
const outputs = { "config file": __dirname + "/openclaw.json", "config get": plugins, "automations list": { jobs }, "memory status": status };
const unreadable = state.broken && command.startsWith("config") && command !== "config file";
const failure = unreadable ? { prints: { ok: false, error: { message: "OpenClaw config is invalid" } } } : fails[command];
if (failure) {
  console.log(JSON.stringify(failure.prints));
  if (failure.killed) process.kill(process.pid, "SIGKILL");
  process.exitCode = 1;
} else {
  if (command === "config patch") merge(state, JSON.parse(input));
  if (command === "config set")
    for (const { path, value } of JSON.parse(words[3])) merge(state, path.split(".").reduceRight((inner, key) => ({ [key]: inner }), value));
  if (command === "plugins uninstall") {
    state.broken = false;
    plugins.entries = { ...plugins.entries, commonplace: { enabled: false } };
    if (plugins.slots?.memory === "commonplace") delete plugins.slots.memory;
  }
  writeFileSync(file, JSON.stringify(state));
  const answer = outputs[command] ?? "";
  console.log(typeof answer === "string" ? answer : JSON.stringify(answer));
}
`;

const OURS = [{ status: { provider: "commonplace", files: 3, workspaceDir: "/w" } }];
type Fails = Record<string, { prints: unknown; killed?: boolean }>;

/** A host whose configuration says this of plugins, and what it was told. */
function host(plugins: Plugins, jobs: object[] | null = [], status: unknown = OURS) {
  const folder = mkdtempSync(join(tmpdir(), "host-"));
  const program = join(folder, "openclaw.cjs");
  writeFileSync(program, HOST);
  chmodSync(program, 0o755);
  const file = join(folder, "state.json");
  const read = () => JSON.parse(readFileSync(file, "utf8")) as { plugins: Plugins };
  const put = (change: object) => writeFileSync(file, JSON.stringify({ ...read(), ...change }));
  writeFileSync(file, JSON.stringify({ plugins, jobs, status, fails: {} }));
  const log = () => readFileSync(join(folder, "log"), "utf8").trim().split("\n").map((line) => JSON.parse(line) as string[]);
  return {
    folder,
    log,
    note: join(folder, "openclaw-commonplace.json"),
    says: (now: Plugins) => put({ plugins: now }),
    now: () => read().plugins,
    fails: (fails: Fails) => put({ fails }),
    breaks: () => put({ broken: true }),
    open: () => new Host([program], process.env),
    removeAll: async () => {
      const said: string[] = [];
      await removeAll(new Host([program], process.env), (line) => void said.push(line));
      return said.join("\n");
    },
  };
}

const installed: Plugins = {
  slots: { memory: "commonplace" },
  entries: { commonplace: { enabled: true }, "memory-core": { enabled: false, config: {} } },
};
const LANCE: Plugins = { slots: { memory: "memory-lancedb" }, entries: { "memory-core": { enabled: false } } };
const quiet = () => {};

for (const [before, after] of [
  [{}, { slots: {}, entries: {} }],
  [{ slots: { memory: "none" } }, { slots: { memory: "none" }, entries: {} }],
  [{ entries: { "memory-core": { enabled: false } } }, { slots: {}, entries: { "memory-core": { enabled: false, config: {} } } }],
  [
    { slots: { memory: "memory-lancedb" }, entries: { "memory-core": { enabled: true } } },
    { slots: { memory: "memory-lancedb" }, entries: { "memory-core": { enabled: true, config: {} } } },
  ],
] as [Plugins, Plugins][])
  test(`leaving puts back ${JSON.stringify(before)}, also after a second installation`, async () => {
    const there = host(before);
    saveOriginal(there.open());
    there.says(installed);
    await setUp(there.open(), [], quiet);
    await setUp(there.open(), [], quiet);
    await there.removeAll();
    assert.deepEqual(there.now(), after);
    assert.ok(there.log().some((words) => words.join(" ") === "plugins uninstall commonplace --force"));
    assert.deepEqual(readdirSync(there.folder).filter((name) => name.startsWith("openclaw-commonplace")), []);
  });

for (const theirs of [LANCE, {}, { slots: { memory: "none" } }] as Plugins[])
  test(`where nothing of ours is, leaving says so and leaves ${JSON.stringify(theirs)}`, async () => {
    const there = host(theirs);
    for (let times = 0; times < 2; times++) assert.match(await there.removeAll(), /commonplace is not installed in OpenClaw/);
    assert.deepEqual(there.now(), theirs);
    assert.ok(there.log().every(([, verb]) => ["get", "file"].includes(verb!)));
  });

test("leaving a second time changes nothing", async () => {
  const there = host(structuredClone(LANCE));
  await setUp(there.open(), [], quiet);
  await there.removeAll();
  assert.deepEqual(there.now(), LANCE);
  assert.match(await there.removeAll(), /commonplace is not installed in OpenClaw/);
  assert.deepEqual(there.now(), LANCE);
});

test("what somebody chose since setting up stays", async () => {
  const there = host({});
  await setUp(there.open(), [], quiet);
  const chosen = { slots: { memory: "memory-lancedb" }, entries: { "memory-core": { enabled: true } } };
  there.says({ ...chosen, entries: { ...chosen.entries, commonplace: { enabled: true } } });
  await there.removeAll();
  assert.deepEqual(there.now(), chosen);
});

test("what somebody chose since is put back where setting up took it again", async () => {
  const there = host({ slots: { memory: "none" } });
  await setUp(there.open(), [], quiet);
  there.says({ slots: { memory: "memory-lancedb" }, entries: { "memory-core": { enabled: true } } });
  await setUp(there.open(), [], quiet);
  await there.removeAll();
  assert.deepEqual(there.now(), { slots: { memory: "memory-lancedb" }, entries: { "memory-core": { enabled: true } } });
});

test("a plugin whose files are gone, so that the host takes its configuration for invalid, is removed all the same", async () => {
  const there = host({ slots: { memory: "none" } });
  await setUp(there.open(), [], quiet);
  writeFileSync(join(there.folder, "openclaw.json"), "{}");
  there.breaks();
  await there.removeAll();
  assert.deepEqual(there.now(), { slots: { memory: "none" }, entries: {} });
});

test("a slot that the host unset, as it uninstalled us, is given back; one that somebody unset is not", async () => {
  const there = host({ slots: { memory: "memory-lancedb" } });
  await setUp(there.open(), [], quiet);
  there.says({ slots: {}, entries: { commonplace: { enabled: false }, "memory-core": { enabled: false } } });
  await there.removeAll();
  assert.deepEqual(there.now(), { slots: { memory: "memory-lancedb" }, entries: {} });
  await setUp(there.open(), [], quiet);
  there.says({ slots: {}, entries: { "memory-core": { enabled: true } } });
  await there.removeAll();
  assert.deepEqual(there.now(), { slots: {}, entries: { "memory-core": { enabled: true } } });
});

for (const step of ["plugins uninstall", "config patch", "automations rm"])
  test(`leaving is finished by the next one, where ${step} was interrupted`, async () => {
    const there = host({ slots: { memory: "memory-lancedb" } }, [{ id: "3", name: "Reflect (main)", declarationKey: "commonplace:reflect:main", enabled: true }]);
    await setUp(there.open(), [], quiet);
    there.fails({ [step]: { prints: "", killed: true }, "plugins inspect": { prints: { install: { source: "npm" } } } });
    await assert.rejects(there.removeAll(), Failed);
    there.fails({});
    await there.removeAll();
    assert.deepEqual(there.now(), { slots: { memory: "memory-lancedb" }, entries: {} });
    assert.ok(!existsSync(there.note));
  });

for (const text of ["", '{"slot":', "null", "[]", "7", '{"slot": 7, "memoryCore": null}', '{"slot": "none"}'])
  test(`a damaged note (${text}) is taken for none`, async () => {
    const there = host(structuredClone(installed));
    writeFileSync(there.note, text);
    linkSync(there.note, `${there.note}.linked`);
    assert.deepEqual(saveOriginal(there.open()), { slot: null, memoryCore: false });
    assert.equal(readFileSync(`${there.note}.linked`, "utf8"), text, "it is replaced and never written over");
    writeFileSync(there.note, text);
    assert.match(await there.removeAll(), /the original setting is unknown; to enable it: openclaw config set/);
    assert.deepEqual(there.now(), { slots: {}, entries: { "memory-core": { enabled: false, config: {} } } });
  });

test("a configuration that cannot be read is not taken for an empty one", async () => {
  const there = host(structuredClone(installed));
  writeFileSync(join(there.folder, "openclaw.json"), "{ bad");
  const invalid = { prints: { ok: false, error: { type: "cli_error", message: "OpenClaw config is invalid" } } };
  there.fails({ "config get": invalid, "config validate": invalid });
  assert.throws(() => saveOriginal(there.open()), /config is invalid/);
  await assert.rejects(there.removeAll(), /config is invalid/);
  there.fails({ "config get": { prints: { slots: { memory: "none" } }, killed: true } }); // it may have been about to say more
  assert.throws(() => saveOriginal(there.open()), Failed);
  assert.ok(!existsSync(there.note));
  there.fails({ "config get": invalid }); // the file is valid: so nothing of plugins is set
  assert.deepEqual(saveOriginal(there.open()), { slot: null, memoryCore: null });
});

test("a plugin that the host has no installation of is removed all the same, and another failure is reported", async () => {
  const there = host({ entries: { commonplace: { enabled: false } } });
  const refused = { prints: "Plugin is not associated with a tracked package install." };
  there.fails({ "plugins uninstall": refused, "plugins inspect": { prints: { install: { source: "npm" } } } });
  await assert.rejects(there.removeAll(), /plugins uninstall failed/);
  there.fails({ "plugins uninstall": refused, "plugins inspect": { prints: { ok: false, error: { message: "Plugin not found" } } } });
  await there.removeAll();
  assert.deepEqual(there.now(), { entries: {} });
});

test("where another plugin answers, setting up fails with the next step", async () => {
  const theirs = host(installed, [], [{ status: { provider: "openai" } }]);
  await assert.rejects(setUp(theirs.open(), [], quiet), /answered by another plugin \(its provider is openai\)[^]*openclaw plugins inspect/);
  const neither = host(installed, [], { ok: false, error: { message: "there is no folder that it could be loaded from" } });
  await assert.rejects(setUp(neither.open(), [], quiet), /openclaw plugins inspect/);
});

const NEXT = "OpenClaw creates the workspace in the agent's first turn; to create it now: openclaw memory init";

test("a workspace that is empty, or not there yet, does not fail setup; another error of commonplace does", async () => {
  const says = async (error: object) => {
    const there = host(installed);
    there.fails({ "memory status": { prints: { ok: false, error: { type: "cli_error", ...error } } } });
    const said: string[] = [];
    await setUp(there.open(), [], (line) => void said.push(line));
    return said.at(-1);
  };
  for (const message of ["there is no folder /w", "/w is not a workspace: it contains no Markdown to read"])
    assert.equal(await says({ code: "not-a-workspace", message }), `openclaw memory status: ${message}. ${NEXT}`);
  await assert.rejects(says({ code: "busy", message: "another program writes" }), /^Failed: openclaw memory status failed: another program writes$/);
});

test("where commonplace is missing, nothing is set", async () => {
  const there = host(installed);
  await assert.rejects(setUp(there.open(), ["/nowhere/commonplace"], quiet), /pipx install/);
  assert.ok(there.log().every(([, verb]) => verb === "get"));
});

test("of the gateway's jobs only memory-core's are disabled, and only ours removed", async () => {
  const jobs = [
    { id: "1", name: "Memory Dreaming Promotion", declarationKey: "memory-core:memory-dreaming-promotion", enabled: true },
    { id: "2", name: "Memory Light Dreaming", description: "[managed-by=memory-core.dreaming.light] x", enabled: false },
    { id: "3", name: "Reflect (main)", declarationKey: "commonplace:reflect:main", enabled: true },
    { id: "4", name: "Reflect", declarationKey: "mine", enabled: true },
  ];
  assert.deepEqual(jobs.map(isDreamingJob), [true, true, false, false]);
  const there = host(installed, jobs);
  await setUp(there.open(), [], quiet);
  await there.removeAll();
  const changed = there.log().filter(([group, verb]) => group === "automations" && verb !== "list");
  assert.deepEqual(changed, [["automations", "disable", "1"], ["automations", "rm", "3"]]);
});

test("a gateway that was never configured may have jobs: the host's state tells", async () => {
  for (const [contents, outcome] of [
    ["other jobs", /no gateway ran here, so there are no jobs to remove/],
    ["commonplace:reflect:main", /^Failed: the gateway does not answer, so the jobs named Reflect \(…\) were not removed/],
  ] as [string, RegExp][]) {
    const there = host(installed, null);
    mkdirSync(join(there.folder, "state"));
    writeFileSync(join(there.folder, "state", "openclaw.sqlite"), contents);
    assert.match(await there.removeAll().catch(String), outcome);
  }
});
