// The OpenClaw on PATH, for install.js and uninstall.js. Runs on Node 20.

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const windows = process.platform === "win32";

/** Do something with the host; print what failed, and exit with status 1. */
export async function withHost(work) {
  try {
    const openclaw = found(windows ? "openclaw.cmd" : "openclaw");
    if (!openclaw) throw failed("openclaw is not on PATH: install it first (npm install --global openclaw)");
    // The Node that openclaw was installed with is beside it; the one on PATH may be too old.
    const env = { ...process.env, PATH: [dirname(openclaw), process.env.PATH].join(delimiter) };
    const run = (file, words) => ran(file, words, env);
    if (existsSync(join(here, "src"))) run("node", ["build.js"]);
    const { Host } = await import("./dist/host.js");
    await work(new Host([openclaw], env), await import("./dist/setup.js"), run);
  } catch (error) {
    if (!["Failed", "Unavailable"].includes(error.name)) throw error;
    console.error(`commonplace: ${error.message}`);
    process.exit(1);
  }
}

/** The output of a program. Throws Failed. */
function ran(file, words, env) {
  try {
    return execFileSync(file, words, { cwd: here, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell: windows });
  } catch (error) {
    throw failed([`${file} ${words[0]} failed`, error.stderr, error.stdout].filter(Boolean).join("\n"));
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
