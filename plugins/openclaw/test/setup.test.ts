/** Setting up and leaving, with a host that only notes what it is told: what is put back in which case. */

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Plugins, Host } from "../src/host.ts";
import { dreams } from "../src/memory-core.ts";
import { leave, remember, setUp } from "../src/setup.ts";

const HOST = `#!${process.execPath}
const { readFileSync, appendFileSync, writeFileSync } = require("node:fs");
const [file, words] = [__dirname + "/said.json", process.argv.slice(2)];
const { plugins, jobs, status } = JSON.parse(readFileSync(file, "utf8"));
const told = { "config file": __dirname + "/openclaw.json", "config get": plugins, "automations list": { jobs }, "memory status": status };
const input = words.includes("--stdin") ? readFileSync(0, "utf8") : "";
appendFileSync(__dirname + "/log", JSON.stringify([...words, input].filter(Boolean)) + "\\n");
const answer = told[words.slice(0, 2).join(" ")] ?? "";
console.log(typeof answer === "string" ? answer : JSON.stringify(answer));
`;

const OURS = [{ status: { provider: "commonplace", files: 3, workspaceDir: "/w" } }];

/** A host whose configuration says this of plugins, and what it was told. */
function host(plugins: Plugins, jobs: object[] = [], status: unknown = OURS) {
  const folder = mkdtempSync(join(tmpdir(), "host-"));
  const program = join(folder, "openclaw.cjs");
  writeFileSync(program, HOST);
  chmodSync(program, 0o755);
  const says = (now: Plugins) => writeFileSync(join(folder, "said.json"), JSON.stringify({ plugins: now, jobs, status }));
  says(plugins);
  const log = () => readFileSync(join(folder, "log"), "utf8").trim().split("\n").map((line) => JSON.parse(line) as string[]);
  return { folder, says, log, open: () => new Host([program], process.env) };
}

const installed: Plugins = {
  slots: { memory: "commonplace" },
  entries: { commonplace: { enabled: true }, "memory-core": { enabled: false, config: {} } },
};

for (const [before, slot, core] of [
  [{}, null, null],
  [{ slots: { memory: "none" } }, "none", null],
  [{ entries: { "memory-core": { enabled: false } } }, null, { enabled: false }],
  [{ slots: { memory: "memory-lancedb" }, entries: { "memory-core": { enabled: true } } }, "memory-lancedb", { enabled: true }],
] as [Plugins, string | null, object | null][])
  test(`leaving puts back ${JSON.stringify(before)}, also after a second installation`, async () => {
    const there = host(before);
    remember(there.open());
    there.says(installed);
    await setUp(there.open(), [], () => {});
    await setUp(there.open(), [], () => {});
    await leave(there.open(), () => {});
    const patch = JSON.parse(there.log().find(([, verb]) => verb === "patch")!.at(-1)!);
    assert.deepEqual(patch, { plugins: { entries: { commonplace: null, "memory-core": core }, slots: { memory: slot } } });
    assert.ok(there.log().some((words) => words.join(" ") === "plugins uninstall commonplace --force"));
    assert.ok(!existsSync(join(there.folder, "openclaw-commonplace.json")));
  });

test("where another plugin answers, setting up fails with the next step", async () => {
  const theirs = host(installed, [], [{ status: { provider: "openai" } }]);
  await assert.rejects(setUp(theirs.open(), [], () => {}), /answered by another plugin \(its provider is openai\)[^]*openclaw plugins inspect/);
  const neither = host(installed, [], { ok: false, error: { message: "plugin load failed" } });
  await assert.rejects(setUp(neither.open(), [], () => {}), /openclaw plugins inspect/);
});

test("where commonplace is missing, nothing is set", async () => {
  const there = host(installed);
  await assert.rejects(setUp(there.open(), ["/nowhere/commonplace"], () => {}), /pipx install/);
  assert.ok(there.log().every(([, verb]) => verb === "get"));
});

test("of the gateway's jobs only memory-core's are disabled, and only ours removed", async () => {
  const jobs = [
    { id: "1", name: "Memory Dreaming Promotion", declarationKey: "memory-core:memory-dreaming-promotion", enabled: true },
    { id: "2", name: "Memory Light Dreaming", description: "[managed-by=memory-core.dreaming.light] x", enabled: false },
    { id: "3", name: "Reflect (main)", declarationKey: "commonplace:reflect:main", enabled: true },
    { id: "4", name: "Reflect", declarationKey: "mine", enabled: true },
  ];
  assert.deepEqual(jobs.map(dreams), [true, true, false, false]);
  const there = host(installed, jobs);
  await setUp(there.open(), [], () => {});
  await leave(there.open(), () => {});
  const changed = there.log().filter(([group, verb]) => group === "automations" && verb !== "list");
  assert.deepEqual(changed, [["automations", "disable", "1"], ["automations", "rm", "3"]]);
});
