/** `openclaw memory …`: only a complete answer is printed as one. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

const COMMAND = new URL("../src/command.ts", import.meta.url).href;

/** What the command prints, with a commonplace that prints this and then does that. */
function run(words: readonly string[], prints: string, then: string) {
  const program = `if (process.argv.includes("--version")) { console.log("commonplace 0.1.0"); process.exit(0); }
process.stdout.write(${JSON.stringify(prints)}); ${then}`;
  const command = [process.execPath, "-e", program, "--"];
  const code = `import { run } from ${JSON.stringify(COMMAND)}; process.exitCode = await run(${JSON.stringify({ command })}, ${JSON.stringify(words)});`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" });
  return { status, stdout, stderr };
}

const FOUND = JSON.stringify({ hits: [] });
const REFUSED = JSON.stringify({ error: { code: "usage", message: "the question is empty", hint: "" } });
const KILLED = 'process.kill(process.pid, "SIGKILL")';

test("an answer is converted to the host's shape", () => {
  assert.deepEqual(run(["search", "boat"], FOUND, ""), { status: 0, stdout: "No matches.\n", stderr: "" });
});

test("a refusal is converted to the host's error shape, with our exit status", () => {
  const { status, stdout, stderr } = run(["search", "", "--json"], REFUSED, "process.exit(2)");
  assert.deepEqual([status, stderr, JSON.parse(stdout).error.code], [2, "", "usage"]);
});

for (const [how, then, status] of [["SIGKILL", KILLED, 1], ["exit 3", "process.exit(3)", 3]] as [string, string, number][]) {
  test(`what looks like an answer is none where the memory ended by ${how}`, () => {
    const message = `commonplace ended without an answer (${how})`;
    assert.deepEqual(run(["search", "boat"], FOUND, then), { status, stdout: "", stderr: `${message}\n` });
    const whole = JSON.stringify({ root: "/w", index_path: "/w/.memory/x", files: 3, lines: 9, fresh: true });
    for (const [words, prints] of [[["search", "boat", "--json"], FOUND], [["status", "--json"], whole]] as [string[], string][]) {
      const done = run(words, prints, then);
      assert.deepEqual([done.status, JSON.parse(done.stdout)], [status, { ok: false, error: { type: "cli_error", code: "error", message } }]);
    }
  });
}

test("other answers are printed unchanged, and a killed program is reported", () => {
  assert.deepEqual(run(["check"], "2 problems\n", "process.exit(1)"), { status: 1, stdout: "2 problems\n", stderr: "" });
  const { status, stderr } = run(["check"], "", KILLED);
  assert.deepEqual([status, stderr], [1, "commonplace ended without an answer (SIGKILL)\n"]);
});
