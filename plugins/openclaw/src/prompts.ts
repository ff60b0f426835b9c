/** The prompts, which are Markdown files beside the code. */

import { readFileSync } from "node:fs";

/** A prompt with its `{{words}}` filled in. */
export function prompt(name: string, words: Record<string, string> = {}): string {
  const text = readFileSync(new URL(`../prompts/${name}.md`, import.meta.url), "utf8").trim();
  return text.replace(/\{\{(\w+)\}\}/g, (whole, word: string) => words[word] ?? whole);
}
