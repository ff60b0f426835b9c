/** The worker's process: started when asked, started anew when it died, and never waited for without end. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Refused, Unavailable } from "../src/errors.ts";
import { Worker, Workers } from "../src/worker.ts";

const workspace = mkdtempSync(join(tmpdir(), "commonplace-"));
const MEMORY = "- The bicycle code is in the blue notebook.\n";
writeFileSync(join(workspace, "MEMORY.md"), MEMORY);
const warned: string[] = [];
const workers = new Workers([], (message) => void warned.push(message));
const worker = workers.of(workspace);
after(() => workers.stop());

const recall = (signal?: AbortSignal) => worker.ask<{ hits: { content: string }[] }>("recall", { query: "bicycle" }, signal);
const gone = (pid: number) => {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
};

test("one process answers a workspace's questions, in any order asked", async () => {
  assert.equal(worker.pid, undefined);
  const found = await Promise.all([recall(), recall(), recall()]);
  for (const { hits } of found) assert.equal(hits[0]?.content, "The bicycle code is in the blue notebook.");
  assert.equal(workers.of(workspace), worker);
});

test("what commonplace refuses gives its own message", async () => {
  await assert.rejects(worker.ask("recall", { query: "bicycle", k: 0 }), (error) => {
    assert.ok(error instanceof Refused);
    assert.equal(error.code, "usage");
    return true;
  });
});

test("a signal ends the waiting, and later answers find their question", async () => {
  process.kill(worker.pid!, "SIGSTOP"); // or it might answer in time
  await assert.rejects(recall(AbortSignal.timeout(0)), { name: "TimeoutError" });
  process.kill(worker.pid!, "SIGCONT");
  assert.equal((await recall()).hits.length, 1);
});

test("a read outlives the process that owed it", async () => {
  const first = worker.pid!;
  process.kill(first, "SIGSTOP"); // or it might answer before it is killed
  const owed = recall();
  process.kill(first, "SIGKILL");
  assert.equal((await owed).hits.length, 1);
  assert.notEqual(worker.pid, first);
  assert.match(warned.at(-1)!, /SIGKILL/);
});

test("a write that a dead process owed is not asked again, and the next question starts another", async () => {
  const first = worker.pid!;
  process.kill(first, "SIGSTOP");
  const owed = worker.ask("append", { path: "MEMORY.md", text: "- The boat is red." });
  process.kill(first, "SIGKILL");
  await assert.rejects(owed, (error) => error instanceof Unavailable && /SIGKILL; it may or may not have been written/.test(error.message));
  assert.equal((await recall()).hits.length, 1);
  assert.equal(readFileSync(join(workspace, "MEMORY.md"), "utf8"), MEMORY);
});

/** A program that is found where commonplace is looked for. */
function script(code: string, interpreter = "/bin/sh", mode = 0o755): string {
  const path = join(mkdtempSync(join(tmpdir(), "program-")), "commonplace");
  writeFileSync(path, `#!${interpreter}\n${code}\n`);
  chmodSync(path, mode);
  return path;
}

const VERSION = 'case "$*" in *--version*) echo "commonplace 0.1.0"; exit 0;; esac';

test("one that cannot live is not started again at once", async () => {
  const dying = new Worker(workspace, [script(`${VERSION}; exit 3`)], () => {});
  await assert.rejects(dying.ask("status", {}), /exit 3/); // a read: a second process was asked too
  await assert.rejects(dying.ask("status", {}), /exit 3; it restarts in/);
});

const MISSING: [string, () => string, RegExp][] = [
  ["does not exist", () => join(workspace, "nothing"), /nothing does not exist/],
  ["is a folder", () => workspace, /is not a program/],
  ["is not executable", () => script("exit 0", "/bin/sh", 0o644), /commonplace is not executable/],
  ["has lost its Python", () => script("exit 0", "/nowhere/python3"), /commonplace cannot be started: the Python that it was installed with is missing/],
  ["dies at its start", () => script('echo "No module named commonplace" >&2; exit 1'), /commonplace does not start \(No module named commonplace\)/],
  ["is of an older version", () => script('case "$*" in *--version*) echo "commonplace 0.0.9"; exit 0;; esac; exit 2'), /commonplace is commonplace 0\.0\.9, and 0\.1\.0 or newer is needed/],
  ["is another program", () => script("echo hello"), /is not commonplace/],
];

for (const [how, made, why] of MISSING)
  test(`where commonplace ${how}, every question is answered with how to install it`, async () => {
    const warnings: string[] = [];
    const missing = new Worker(workspace, [made()], (message) => void warnings.push(message));
    for (let times = 0; times < 2; times++)
      await assert.rejects(missing.ask("retain", { text: "W: x" }), ({ name, message }: Error) => {
        assert.equal(name, "Unavailable");
        assert.match(message, why);
        assert.match(message, /from its repository: pipx install \./);
        assert.doesNotMatch(message, /ENOENT|EACCES|spawn|the memory process/);
        return true;
      });
    for (const each of warnings) if (!each.startsWith("not a valid answer")) assert.match(each, /pipx install/);
  });

test("nothing is waited for after a program that could not be started", () => {
  const [module, lost] = [new URL("../src/program.ts", import.meta.url).href, script("exit 0", "/nowhere/python3")];
  const code = `import { diagnose } from ${JSON.stringify(module)};
const { message } = await diagnose([${JSON.stringify(lost)}]);
console.log(message.includes("is missing"), process.getActiveResourcesInfo().includes("Timeout"));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  assert.equal(stdout, "true false\n");
});

/** A program of this version that answers each question with this. */
const answering = (version: string, answer: object) => {
  const code = `if (process.argv.includes("--version")) console.log("commonplace ${version}");
else process.stdin.on("data", () => console.log(${JSON.stringify(JSON.stringify({ id: 1, ...answer }))}));`;
  return [process.execPath, "-e", code, "--"];
};

test("what an older commonplace does not understand is reported as a version that is too old, whatever its message", async () => {
  const error = { code: "usage", message: "what is that?", hint: "" };
  const old = new Worker(workspace, answering("0.0.9", { error }), () => {});
  await assert.rejects(old.ask("recall", {}), /commonplace 0\.0\.9, and 0\.1\.0 or newer is needed/);
  old.stop();
  const known = new Worker(workspace, answering("0.1.0", { error }), () => {});
  await assert.rejects(known.ask("recall", {}), { name: "Refused", code: "usage" });
  known.stop();
  const other = new Worker(workspace, answering("0.0.9", { error: { ...error, code: "not-found", message: "there is no verb 'x'" } }), () => {});
  await assert.rejects(other.ask("recall", {}), { name: "Refused", code: "not-found" });
  other.stop();
});

test("a line that is not an answer is ignored", async () => {
  const warnings: string[] = [];
  const code = 'console.log("hello\\nnull"); process.stdin.once("data", () => console.log(JSON.stringify({id: 1, result: 7})))';
  const chatty = new Worker(workspace, [process.execPath, "-e", code], (message) => void warnings.push(message));
  assert.equal(await chatty.ask("status", {}), 7);
  assert.deepEqual(warnings, ["not a valid answer: hello", "not a valid answer: null"]);
  chatty.stop();
});

test("it ends when it is stopped", async () => {
  const { pid } = worker;
  worker.stop();
  for (let waited = 0; !gone(pid!) && waited < 600; waited++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(gone(pid!));
});
