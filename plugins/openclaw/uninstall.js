// Removes the plugin from the OpenClaw on PATH, and restores the previous settings. Runs on Node 20.
//     node uninstall.js
// The same as `openclaw commonplace remove`, also where OpenClaw no longer loads the plugin.

import { withHost } from "./on-path.js";

await withHost((host, { removeAll }) => removeAll(host, console.log));
