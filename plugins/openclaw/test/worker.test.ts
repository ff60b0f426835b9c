/** The worker's process: started when asked, started anew when it died, and never waited for without end. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
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

test("what commonplace refuses is told in its words", async () => {
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
  await assert.rejects(owed, (error) => error instanceof Unavailable && /SIGKILL; it is not known whether/.test(error.message));
  assert.equal((await recall()).hits.length, 1);
  assert.equal(readFileSync(join(workspace, "MEMORY.md"), "utf8"), MEMORY);
});

test("one that cannot live is not started again at once", async () => {
  const dying = new Worker(workspace, [process.execPath, "-e", "process.exit(3)"], () => {});
  await assert.rejects(dying.ask("status", {}), /exit 3/); // a read: a second process was asked too
  await assert.rejects(dying.ask("status", {}), /started again in/);
});

test("where commonplace is missing, it is told how to install it", async () => {
  const missing = new Worker(workspace, [join(workspace, "nothing")], () => {});
  await assert.rejects(missing.ask("status", {}), /in its repository: pipx install \./);
});

test("what is no answer is passed over", async () => {
  const told: string[] = [];
  const code = 'console.log("hello"); process.stdin.once("data", () => console.log(JSON.stringify({id: 1, result: 7})))';
  const chatty = new Worker(workspace, [process.execPath, "-e", code], (message) => void told.push(message));
  assert.equal(await chatty.ask("status", {}), 7);
  assert.match(told[0]!, /not understood: hello/);
  chatty.stop();
});

test("it ends when it is stopped", async () => {
  const { pid } = worker;
  worker.stop();
  for (let waited = 0; !gone(pid!) && waited < 600; waited++) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(gone(pid!));
});
