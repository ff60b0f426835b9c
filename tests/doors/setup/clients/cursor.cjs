// Lets Cursor's own library start an agent of the folder that it is run in, with the MCP servers of Cursor's files,
// and prints the answer of the first server that lists its tools. Cursor's service is played by this script: it knows
// one model and lets nobody in, which the library learns after it has asked the servers.

const children = require("node:child_process");
const { createRequire } = require("node:module");

const [folder, settings] = process.argv.slice(2);

function listen(text) {
  for (const [said] of text.matchAll(/\{"jsonrpc".*\}/g))
    if (JSON.parse(said).result?.tools) {
      process.stdout.write(said + "\n", () => process.exit(0));
    }
}

const spawn = children.spawn;
children.spawn = (...words) => {
  const child = spawn(...words);
  let text = "";
  child.stdout?.on("data", (chunk) => listen((text += chunk)));
  return child;
};

const fetch = globalThis.fetch;
globalThis.fetch = async (address, options) => {
  const url = new URL(address.url ?? address);
  if (url.hostname !== "127.0.0.1") return Response.json({ items: [{ id: "auto", displayName: "auto" }] });
  const answer = await fetch(address, options);
  answer.clone().text().then(listen, () => {});
  return answer;
};

(async () => {
  const { Agent } = createRequire(folder + "/")("@cursor/sdk");
  const local = { cwd: process.cwd(), settingSources: [settings] };
  const agent = await Agent.create({ apiKey: "key_" + "0".repeat(40), model: { id: "auto" }, local });
  const run = await agent.send("hello");
  for await (const _ of run.stream());
})();
