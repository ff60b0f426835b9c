/**
 * Where commonplace is: as the settings say, else on PATH, else where pip, pipx and uv install for one user. And what is
 * wrong with it where it does not serve: every door says the same, with what mends it.
 */

import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";
import { Unavailable } from "./errors.ts";

/** The oldest commonplace whose worker takes what is asked here. */
const OLDEST = [0, 1, 0] as const;
/** Milliseconds that a program has to say its version. */
const PATIENCE = 10_000;

const INSTALL =
  "Install it (Python 3.11 or newer) in its repository: pipx install . Or from a wheel: pipx install commonplace-….whl. " +
  "Where it is already: openclaw commonplace setup --command PATH.";

export type Command = readonly [string, ...string[]];

/** Program and first arguments. Throws Unavailable where there is none that can be started. */
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

/** Why a program cannot serve, with what mends it; undefined where it says that it is a commonplace of our version. */
export function ailment([file, ...first]: Command): Promise<Unavailable | undefined> {
  return new Promise((resolve) => {
    const child = spawn(file, [...first, "--version"], { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const late = setTimeout(() => child.kill(), PATIENCE); // spawn's own would go on where nothing was started
    let said = "";
    let complaint = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => void (said = (said + chunk).slice(0, 1_000)));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => void (complaint = (complaint + chunk).slice(-500)));
    // A script whose interpreter is gone is told as a file that is not there, too.
    child.on("error", ({ code, message }: NodeJS.ErrnoException) => {
      clearTimeout(late);
      resolve(missing(`${file} ${unfit(file) || cannot(code, message)}`));
    });
    child.on("close", (code, killed) => {
      clearTimeout(late);
      if (code !== 0) return resolve(missing(`${file} does not start (${complaint.trim().split("\n").pop() || `exit ${killed ?? code}`})`));
      const version = /^commonplace (\d+)\.(\d+)\.(\d+)/.exec(said);
      if (!version) return resolve(missing(`${file} is not commonplace`));
      const old = older(version.slice(1).map(Number));
      resolve(old ? missing(`${file} is ${version[0]}, and ${OLDEST.join(".")} or newer is needed`) : undefined);
    });
  });
}

const NOT_EXECUTABLE = "may not be executed";

function missing(why: string): Unavailable {
  return new Unavailable(`${why}. ${INSTALL}`);
}

function cannot(code: string | undefined, message: string): string {
  return code === "ENOENT" ? "cannot be started: the Python that it was installed with is gone" : `cannot be started: ${message}`;
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

/** Why a file is no program that can be started; empty: it is one. */
function unfit(path: string): string {
  if (path === basename(path)) return ""; // found on PATH by whoever starts it
  const about = statSync(path, { throwIfNoEntry: false });
  if (!about) return "is not there";
  if (!about.isFile()) return "is no program";
  try {
    accessSync(path, constants.X_OK);
    return "";
  } catch {
    return NOT_EXECUTABLE;
  }
}
