/** What the plugin knows of commonplace's verbs: `tools.json`, held to their own table by tests/openclaw/test_package.py. */

import { readFileSync } from "node:fs";

/** A verb as a model is given it; the parameters are the verb's own. */
interface Tool {
  name: string;
  verb: string;
  label: string;
  description: string;
  parameters: object;
}

const { reads, tools }: { reads: string[]; tools: Tool[] } = JSON.parse(
  readFileSync(new URL("../tools.json", import.meta.url), "utf8"),
);

export const TOOLS: readonly Tool[] = tools;

/** Verbs that change no file. */
export const READS: ReadonlySet<string> = new Set(reads);
