// Installs the plugin from this checkout into the OpenClaw on PATH, or renews it there; the same command does both.
//     node install.js [COMMONPLACE]
// COMMONPLACE is the program that the plugin is to start; without it the plugin looks for one. Runs on Node 20.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withHost } from "./on-path.js";

await withHost(async (host, { saveOriginal, setUp }, run) => {
  saveOriginal(host); // before the host's installer gives us the slot
  const folder = mkdtempSync(join(tmpdir(), "commonplace-"));
  try {
    const packed = run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]).trim().split("\n").pop();
    host.run(["plugins", "install", `npm-pack:${join(folder, packed)}`, "--force", "--accept-capabilities"]);
    console.log(`installed: ${packed}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await setUp(host, process.argv.slice(2), console.log);
  console.log("next: openclaw gateway restart");
});
