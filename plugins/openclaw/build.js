// Writes dist/: the sources without their types, by Node itself, so that packing needs nothing but Node.

import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import * as modules from "node:module";
import { join } from "node:path";

const { stripTypeScriptTypes } = modules;
if (!stripTypeScriptTypes) {
  console.error(`building the plugin needs Node 22.13 or newer; this is ${process.version}. Put a newer one first on PATH; OpenClaw itself needs 24.16`);
  process.exit(1);
}
const [source, target] = ["src", "dist"].map((folder) => join(import.meta.dirname, folder));
const made = mkdtempSync(`${target}-`); // renamed when complete: several may build at once
for (const name of readdirSync(source)) {
  const code = stripTypeScriptTypes(readFileSync(join(source, name), "utf8"));
  writeFileSync(join(made, name.replace(/ts$/, "js")), code.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
}
for (let left = 10; ; left--) {
  rmSync(target, { recursive: true, force: true });
  try {
    renameSync(made, target);
    break;
  } catch (error) {
    if (!left) throw error; // another build was faster
  }
}
