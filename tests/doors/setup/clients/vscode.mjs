// Prints as JSON what VS Code's own code says: the schema of mcp.json and where that lies, and, when the path of such a
// file is given, where it looks for the servers of Claude Desktop on each system, and what it reads there.

import { readFileSync } from "node:fs";
import { createRequire, register } from "node:module";
import { pathToFileURL } from "node:url";

const STYLE = `export async function load(url, context, next) {
  if (url.endsWith(".css")) return { format: "module", source: "export default {}", shortCircuit: true };
  return next(url, context);
}`;
register("data:text/javascript," + encodeURIComponent(STYLE)); // style sheets stand among the imports

const [folder, claude] = process.argv.slice(2);
const resolve = createRequire(folder + "/").resolve;
const load = (name, path) => import(pathToFileURL(resolve(`@codingame/monaco-vscode-${name}/vscode/vs/${path}`)));

const { mcpServerSchema } = await load("api", "workbench/contrib/mcp/common/mcpConfiguration");
const places = await load("api", "workbench/services/configuration/common/configuration");
const { URI } = await load("api", "base/common/uri");
const adapters = await load("mcp-service-override", "workbench/contrib/mcp/common/discovery/nativeMcpDiscoveryAdapters");

const SYSTEMS = { darwin: 1, any: 2, win32: 3 };

async function read(adapter, file) {
  const homedir = URI.file("/home/me");
  const where = ([name, platform]) => [name, adapter.getFilePath({ platform, homedir }).path];
  const servers = await adapter.adaptFile(readFileSync(file), { homedir });
  return { paths: Object.fromEntries(Object.entries(SYSTEMS).map(where)), servers };
}

console.log(
  JSON.stringify({
    schema: mcpServerSchema,
    user: places.USER_STANDALONE_CONFIGURATIONS.mcp,
    workspace: places.WORKSPACE_STANDALONE_CONFIGURATIONS.mcp,
    claude: claude && (await read(new adapters.ClaudeDesktopMpcDiscoveryAdapter(null), claude)),
  }),
);
