/**
 * Finds commonplace: by the setting `command`, else on PATH, else where pip, pipx and uv install for one user. Diagnoses a
 * program that does not work; commands, tools and the log give the same message, with the next step.
 */

import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { Unavailable } from "./errors.ts";

/** The oldest version of commonplace that understands the requests of this plugin. */
const OLDEST = [0, 1, 0] as const;
/** Time limit for printing the version, in milliseconds. */
const PATIENCE = 10_000;

const INSTALL =
  "Install it (Python 3.11 or newer) from its repository: pipx install . Or from a wheel: pipx install commonplace-….whl. " +
  "If it is installed elsewhere: openclaw commonplace setup --command PATH.";

export type Command = readonly [string, ...string[]];

/** Program and first arguments. Throws Unavailable if there is none that can be started. */
export function program(set: readonly string[]): Command {
  const [first, ...rest] = set;
  if (first !== undefined) {
    const why = first === basename(first) ? "" : unfit(first);
    if (why || (first === basename(first) && !found(first, paths()))) throw missing(`${first} ${why || "is not on PATH"}`);
    return [first, ...rest];
  }
  // A gateway that the system starts at login has a short PATH.
  const usual = [join(homedir(), ".local", "bin"), "/opt/homebrew/bin", "/usr/local/bin"];
  const name = process.platform === "win32" ? "commonplace.exe" : "commonplace";
  const path = found(name, [...paths(), ...usual]);
  if (path) return [path];
  const blocked = [...paths(), ...usual].map((folder) => join(folder, name)).find((each) => unfit(each) === NOT_EXECUTABLE);
  throw missing(blocked ? `${blocked} ${NOT_EXECUTABLE}` : "commonplace is not installed");
}

/** Why a program does not work, with the next step; undefined if it is commonplace in a version that we can use. */
export function diagnose([file, ...first]: Command): Promise<Unavailable | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, [...first, "--version"], { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const late = setTimeout(() => child.kill(), PATIENCE); // spawn's own timeout would keep running if the program does not start
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (output = (output + chunk).slice(0, 1_000)));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => void (errors = (errors + chunk).slice(-500)));
    // A script whose interpreter is missing also gives ENOENT.
    child.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      clearTimeout(late);
      resolve(missing(`${file} ${unfit(file) || cannot(code, message)}`));
    });
    child.on("close", (code, killed) => {
      clearTimeout(late);
      if (code !== 0) return resolve(missing(`${file} does not start (${errors.trim().split("\n").pop() || `exit ${killed ?? code}`})`));
      const version = /^commonplace (\d+)\.(\d+)\.(\d+)/.exec(output);
      if (!version) return resolve(missing(`${file} is not commonplace`));
      const old = older(version.slice(1).map(Number));
      resolve(old ? missing(`${file} is ${version[0]}, and ${OLDEST.join(".")} or newer is needed`) : undefined);
    });
  });
}

const NOT_EXECUTABLE = "is not executable";

function missing(why: string): Unavailable {
  return new Unavailable(`${why}. ${INSTALL}`);
}

function cannot(code: string | undefined, message: string): string {
  return code === "ENOENT" ? "cannot be started: the Python that it was installed with is missing" : `cannot be started: ${message}`;
}

function older(version: readonly number[]): boolean {
  const at = OLDEST.findIndex((part, place) => version[place] !== part);
  return at >= 0 && version[at]! < OLDEST[at]!;
}

function paths(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
}

function found(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => !unfit(path));
}

/** Why a file cannot be started; empty if it can. */
function unfit(path: string): string {
  if (path === basename(path)) return ""; // spawn finds it on PATH
  const about = statSync(path, { throwIfNoEntry: false });
  if (!about) return "does not exist";
  if (!about.isFile()) return "is not a program";
  try {
    accessSync(path, constants.X_OK);
    return "";
  } catch {
    return NOT_EXECUTABLE;
  }
}
