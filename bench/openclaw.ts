// What the plugin adds to a turn: the one question that it asks before it. Milliseconds, as JSON.
//     node bench/openclaw.ts WORKSPACE QUESTIONS.json COLD WARM

import { readFileSync } from "node:fs";
import { Worker } from "../plugins/openclaw/src/worker.ts";

const [workspace = ".", file = "", cold = "9", warm = "300"] = process.argv.slice(2);
const questions: string[] = JSON.parse(readFileSync(file, "utf8"));

async function asked(worker: Worker, at: number): Promise<number> {
  const began = performance.now();
  await worker.ask("context", { query: questions[at % questions.length], k: 6, budget: 1200, shown: ["MEMORY.md", "USER.md"] });
  return performance.now() - began;
}

const found: { cold: number[]; warm: number[] } = { cold: [], warm: [] };
for (let at = 0; at < Number(cold); at++) {
  const worker = new Worker(workspace, [], console.error);
  found.cold.push(await asked(worker, at));
  worker.stop();
}
const worker = new Worker(workspace, [], console.error);
await asked(worker, 0);
for (let at = 0; at < Number(warm); at++) found.warm.push(await asked(worker, at));
worker.stop();
console.log(JSON.stringify(found));
