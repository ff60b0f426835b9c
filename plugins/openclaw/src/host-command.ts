/** Translates the host's own `memory search`, `index` and `status` to commonplace's arguments, and the answers back. */

import { type Hit, searchResult } from "./host-tools.ts";

/** Arguments for commonplace that replace one of the host's commands. */
export interface Rewritten {
  words: readonly string[];
  /** Converts the answer before it is printed; absent: printed as it is. */
  convert?: (answer: string) => string;
}

interface Refusal {
  code: string;
  message: string;
}

export function rewritten([verb, ...words]: readonly string[]): Rewritten {
  if (verb === "search") return search(words);
  if (verb === "status") return status(words);
  if (verb === "index") return { words: ["index", ...words.map((word) => (word === "--force" ? "--rebuild" : word))] };
  return { words: verb === undefined ? [] : [verb, ...words] };
}

function search(words: readonly string[]): Rewritten {
  const { flags, rest } = taken(words, ["--query", "--max-results", "--min-score"]);
  const json = rest.includes("--json");
  const asked = flags["--query"] === undefined ? rest : [flags["--query"], ...rest];
  const k = flags["--max-results"] === undefined ? [] : ["--k", flags["--max-results"]];
  const convert = (answer: string): string => {
    const found: { hits?: Hit[]; error?: Refusal } = JSON.parse(answer);
    if (found.error) return json ? failure(found.error) : "";
    const results = (found.hits ?? []).map(searchResult).filter(({ score }) => score >= Number(flags["--min-score"] ?? 0));
    if (json) return indented({ results });
    if (!results.length) return "No matches.";
    return results.map((each) => `${each.score.toFixed(3)} ${each.path}:${each.startLine}-${each.endLine}\n${each.snippet}`).join("\n\n");
  };
  return { words: ["recall", ...asked, ...k, ...(json ? [] : ["--json"])], convert };
}

function status(words: readonly string[]): Rewritten {
  const ours = words.filter((word) => !["--deep", "--index", "--fix"].includes(word));
  const call = { words: ["status", ...ours] };
  if (!ours.includes("--json")) return call;
  const convert = (answer: string): string => {
    const { error, ...found } = JSON.parse(answer);
    if (error) return failure(error);
    const { root, index_path, files, lines, fresh } = found;
    const shared = { backend: "builtin", provider: "commonplace", files, chunks: lines, dirty: !fresh };
    const agentId = taken(ours, ["--agent"]).flags["--agent"] ?? "main";
    return indented([{ agentId, status: { ...shared, workspaceDir: root, dbPath: index_path, custom: found } }]);
  };
  return { ...call, convert };
}

/** An error in the host's JSON shape, with our code. */
function failure({ code, message }: Refusal): string {
  return indented({ ok: false, error: { type: "cli_error", code, message } });
}

/** The values of some flags (`--flag value` or `--flag=value`), and the other words. */
function taken(words: readonly string[], names: readonly string[]): { flags: Record<string, string>; rest: string[] } {
  const flags: Record<string, string> = {};
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [name = "", ...value] = words[at]!.split("=");
    if (!names.includes(name)) rest.push(words[at]!);
    else flags[name] = value.length ? value.join("=") : (words[++at] ?? "");
  }
  return { flags, rest };
}

function indented(data: unknown): string {
  return JSON.stringify(data, null, 2);
}
