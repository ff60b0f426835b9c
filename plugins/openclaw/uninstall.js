// Removes the plugin from the OpenClaw on PATH, and puts back what was there before. Runs on Node 20.
//     node uninstall.js
// The same as `openclaw commonplace remove`, also where OpenClaw no longer loads the plugin.

import { withHost } from "./on-path.js";

await withHost((host, { leave }) => leave(host, console.log));
