// QMD's search without models, over one small file a line: bench/peers.py starts it.
//
//     node qmd.mjs PACKAGE FOLDER DATABASE QUESTIONS
//
// PACKAGE is the folder of an installed @tobilu/qmd; FOLDER holds zzN.md for line N, a name that no word of a question
// begins; QUESTIONS is a file with {"questions": [text], "k": number}. Prints [[N, …] best first] for each question.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , home, path, dbPath, asked] = process.argv;
const { createStore } = await import(pathToFileURL(resolve(home, "dist/index.js")));
const { questions, k } = JSON.parse(readFileSync(asked, "utf8"));
const store = await createStore({ dbPath, config: { collections: { lines: { path, pattern: "**/*.md" } } } });
await store.update();
const found = [];
for (const question of questions) {
  const hits = await store.searchLex(question, { limit: k });
  found.push(hits.map((hit) => Number(/(\d+)\.md$/.exec(hit.filepath)[1])));
}
process.stdout.write(JSON.stringify(found));
await store.close();
