// QMD's search without models, over one small file a line: bench/peers.py starts it.
//
//     node qmd.mjs PACKAGE FOLDER DATABASE QUESTIONS
//
// PACKAGE is the folder of an installed @tobilu/qmd; FOLDER holds zzN.md for line N, a name that no word of a question
// begins; QUESTIONS is a file with {"questions": [text], "k": number, "apart": boolean}. Apart, each word of a question
// is asked by itself and what its 100 best lines score is added up. Prints [[N, …] best first] for each question.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , home, path, dbPath, asked] = process.argv;
const { createStore } = await import(pathToFileURL(resolve(home, "dist/index.js")));
const { questions, k, apart } = JSON.parse(readFileSync(asked, "utf8"));
const store = await createStore({ dbPath, config: { collections: { lines: { path, pattern: "**/*.md" } } } });
await store.update();
const found = [];
for (const question of questions) {
  const sums = new Map();
  for (const asking of apart ? new Set(question.split(/\s+/).filter(Boolean)) : [question]) {
    for (const { filepath, score } of await store.searchLex(asking, { limit: apart ? 100 : k })) {
      const line = Number(/(\d+)\.md$/.exec(filepath)[1]);
      sums.set(line, (sums.get(line) ?? 0) + score / (1 - score)); // QMD gives bm25 as b / (1 + b)
    }
  }
  const best = [...sums].sort((one, other) => other[1] - one[1]).slice(0, k);
  found.push(best.map(([line]) => line));
}
process.stdout.write(JSON.stringify(found));
await store.close();
