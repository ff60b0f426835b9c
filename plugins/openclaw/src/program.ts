/** Where commonplace is: as the settings say, else on PATH, else where pip, pipx and uv install for one user. */

import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { Unavailable } from "./errors.ts";

export const INSTALL =
  "commonplace is not installed, so there is no memory. Install it (Python 3.11 or newer) in its repository: pipx install . " +
  "Where it is already, say so in plugins.entries.commonplace.config.command.";

/** Program and first arguments. Throws Unavailable where there is none. */
export function program(set: readonly string[]): readonly [string, ...string[]] {
  const [first, ...rest] = set;
  if (first !== undefined) return [first, ...rest];
  const name = process.platform === "win32" ? "commonplace.exe" : "commonplace";
  // A gateway that the system starts at login has a short PATH.
  const usual = [join(homedir(), ".local", "bin"), "/opt/homebrew/bin", "/usr/local/bin"];
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), ...usual]) {
    const path = join(folder, name);
    if (folder && runs(path)) return [path];
  }
  throw new Unavailable(INSTALL);
}

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
