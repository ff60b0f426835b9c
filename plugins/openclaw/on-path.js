// The OpenClaw on PATH, for install.js and uninstall.js. Runs on Node 20.

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const windows = process.platform === "win32";

/** Do something with the host; what cannot be done is told, and the exit status says so. */
export async function withHost(work) {
  try {
    const openclaw = found(windows ? "openclaw.cmd" : "openclaw");
    if (!openclaw) throw failed("openclaw is not on PATH: install it first (npm install --global openclaw)");
    // Beside an openclaw lies the Node that it was installed with; the one on PATH may be too old for it.
    const env = { ...process.env, PATH: [dirname(openclaw), process.env.PATH].join(delimiter) };
    const run = (file, words, needs) => ran(file, words, env, needs);
    if (existsSync(join(here, "src"))) run("node", ["build.js"], "the plugin is built by Node 22.13 or newer; OpenClaw needs 24.16");
    const { Host } = await import("./dist/host.js");
    await work(new Host([openclaw], env), await import("./dist/setup.js"), run);
  } catch (error) {
    if (!["Failed", "Unavailable"].includes(error.name)) throw error;
    console.error(`commonplace: ${error.message}`);
    process.exit(1);
  }
}

/** What a program prints that succeeds. */
function ran(file, words, env, needs) {
  try {
    return execFileSync(file, words, { cwd: here, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell: windows });
  } catch (error) {
    throw failed([`${file} ${words[0]} failed`, needs, error.stderr, error.stdout].filter(Boolean).join("\n"));
  }
}

function failed(message) {
  return Object.assign(new Error(message), { name: "Failed" });
}

function found(name) {
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
