/** `memory_search` and `memory_get` with the host's own fields and result shapes. */

import { type ToolResult, answer } from "./answer.ts";
import { isRefused } from "./errors.ts";
import type { Worker } from "./worker.ts";

/** Default number of lines of `memory_get`. */
const DEFAULT_LINES = 120;

export interface Hit {
  source: string;
  lines?: number;
  score: number;
  content: string;
  entities?: string[];
  recorded: string | null;
  src?: string;
  [key: string]: unknown;
}

/** The host's `MemorySearchResult` with further keys of a commonplace hit. */
export interface SearchResult {
  path: string;
  startLine: number;
  endLine: number;
  score: number;
  textScore: number;
  snippet: string;
  source: "memory";
  provenance: { originClass: "agent" | "untrusted"; sessionKind: "unknown"; observedAt: number };
  [key: string]: unknown;
}

export interface SearchFields {
  query: string;
  maxResults?: number;
  minScore?: number;
  corpus?: "memory" | "wiki" | "all" | "sessions";
}

/** A hit of recall in the host's shape. Our scores have no upper bound; they are mapped to 0..1 by s / (1 + s). */
export function searchResult({ source, lines = 1, score, content, entities = [], src, ...rest }: Hit): SearchResult {
  const [path = source, place = "1"] = source.split("#L");
  const line = Number.parseInt(place, 10); // of lines side by side (`12-L14`) the first
  const share = score / (1 + score);
  return {
    path,
    startLine: line,
    endLine: line + lines - 1,
    score: share,
    textScore: share,
    snippet: rest.origin === "retained" && entities.length ? `@${entities.join(" @")}: ${content}` : content,
    source: "memory",
    provenance: {
      originClass: src ? "untrusted" : "agent",
      sessionKind: "unknown",
      observedAt: rest.recorded ? Date.parse(rest.recorded) : 0,
    },
    kind: rest.kind,
    entities,
    timestamp: rest.timestamp,
    superseded_by: rest.superseded_by ?? undefined,
    disputed_by: rest.disputed_by ?? undefined,
  };
}

async function search(worker: Worker, fields: SearchFields, signal?: AbortSignal): Promise<ToolResult> {
  const { query, maxResults, minScore = 0, corpus = "memory" } = fields;
  if (corpus === "wiki" || corpus === "sessions") {
    const warning = `commonplace searches the workspace's Markdown, not ${corpus}.`;
    return json({ results: [], disabled: true, unavailable: true, error: warning, warning, action: "Search memory instead." });
  }
  const found = await worker.ask<{ hits: Hit[]; note: string }>("recall", { query, k: maxResults }, signal);
  const results = found.hits.map(searchResult).filter((each) => each.score >= minScore);
  return json({ results, provider: "commonplace", citations: "auto", mode: "lexical", note: found.note || undefined });
}

export interface GetFields {
  path: string;
  from?: number;
  lines?: number;
  corpus?: string;
}

async function get(worker: Worker, { path, from = 1, lines = DEFAULT_LINES }: GetFields, signal?: AbortSignal): Promise<ToolResult> {
  try {
    const target = `${path}#L${from}-L${from + lines - 1}`;
    const read = await worker.ask<{ text: string; last: number; total: number }>("get", { target }, signal);
    const more = read.last < read.total ? { truncated: true, nextFrom: read.last + 1 } : {};
    return json({ status: "ok", path, text: read.text, from, lines: read.last - from + 1, ...more });
  } catch (error) {
    if (isRefused(error) && error.code === "not-found") return json({ status: "not_found", text: "", path });
    throw error;
  }
}

function json(details: object): ToolResult {
  return answer(JSON.stringify(details, null, 2), details);
}

// minScore and corpus of the host's own tools are accepted but not described: each key costs tokens in every request.
export const hostTools = [
  {
    name: "memory_search",
    label: "Memory Search",
    description: "As memory_recall, without filters; gives paths, lines and scores.",
    parameters: {
      type: "object",
      properties: { query: { type: "string" }, maxResults: { type: "integer" } },
      required: ["query"],
    },
    execute: search,
  },
  {
    name: "memory_get",
    label: "Memory Get",
    description: "Read lines of a file that memory cites; more begins at nextFrom.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, from: { type: "integer" }, lines: { type: "integer" } },
      required: ["path"],
    },
    execute: get,
  },
];
