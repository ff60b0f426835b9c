/** commonplace's verbs, from `tools.json`, which tests/openclaw/test_package.py compares with commonplace's own table. */

import { readFileSync } from "node:fs";

/** A verb as a tool of the model. */
interface Tool {
  name: string;
  verb: string;
  label: string;
  description: string;
  parameters: { properties: object };
}

const { reads, tools, fleet }: { reads: string[]; tools: Tool[]; fleet: object } = JSON.parse(
  readFileSync(new URL("../tools.json", import.meta.url), "utf8"),
);

export const TOOLS: readonly Tool[] = tools;

/** Verbs that change no file. */
export const READS: ReadonlySet<string> = new Set(reads);

/** Keys of recall by which a fleet is asked. */
export const FLEET = fleet;
