// Installs the plugin from this checkout into the OpenClaw on PATH, or renews it there; the same command does both.
//     node install.js [COMMONPLACE]
// COMMONPLACE is the program that the plugin is to start; without it the plugin looks for one. Runs on Node 20.

import { execFileSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const windows = process.platform === "win32";
const [command] = process.argv.slice(2);

const openclaw = onPath(windows ? "openclaw.cmd" : "openclaw");
if (!openclaw) fail("openclaw is not on PATH: install it first (npm install --global openclaw)");
// Beside an openclaw lies the Node that it was installed with; the one on PATH may be too old for it.
const env = { ...process.env, PATH: [dirname(openclaw), process.env.PATH].join(delimiter) };

const folder = mkdtempSync(join(tmpdir(), "commonplace-"));
try {
  run("node", ["build.js"], "the plugin is built by Node 22.13 or newer; OpenClaw needs 24.16");
  const packed = run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]).trim().split("\n").pop();
  run(openclaw, ["plugins", "install", `npm-pack:${join(folder, packed)}`, "--force", "--accept-capabilities"]);
  console.log(`installed: ${packed}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const entry = "plugins.entries.commonplace";
const wanted = [
  { path: "plugins.slots.memory", value: "commonplace" },
  { path: `${entry}.enabled`, value: true },
  { path: `${entry}.hooks.allowConversationAccess`, value: true },
  ...(command ? [{ path: `${entry}.config.command`, value: [command] }] : []),
];
run(openclaw, ["config", "set", "--batch-json", JSON.stringify(wanted)]);
for (const { path, value } of wanted) console.log(`set: ${path} ${JSON.stringify(value)}`);

const { program } = await import("./dist/program.js");
try {
  console.log(`memory: ${program(command ? [command] : []).join(" ")}`);
} catch (error) {
  fail(error.message);
}
console.log("next: openclaw gateway restart, then openclaw memory status");

/** What a program prints that succeeds. */
function run(file, words, needs) {
  try {
    return execFileSync(file, words, { cwd: here, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell: windows });
  } catch (error) {
    return fail([`${file} ${words[0]} failed`, needs, error.stderr, error.stdout].filter(Boolean).join("\n"));
  }
}

function onPath(name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((each) => join(each, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function fail(why) {
  console.error(`commonplace: ${why}`);
  process.exit(1);
}
