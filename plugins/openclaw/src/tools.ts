/** The tools that a model is given: those of `tools.json`, and the host's own two. */

import { readFileSync } from "node:fs";
import type { AnyAgentTool, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { type ToolResult, answer, told } from "./answer.ts";
import { hostTools } from "./host-tools.ts";
import { mayRead, mayWrite } from "./privacy.ts";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import type { Worker, Workers } from "./worker.ts";

/** A tool as data; its parameters are those of the worker's verb (tests/openclaw/test_tools.py). */
interface Described {
  name: string;
  verb: string;
  label: string;
  description: string;
  parameters: object;
}

const DESCRIBED: readonly Described[] = JSON.parse(readFileSync(new URL("../tools.json", import.meta.url), "utf8"));
const READS = new Set(["recall"]);

export function registerTools(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  const offer = (name: string, writes: boolean, made: (worker: Worker) => object) =>
    api.registerTool(
      (ctx) => {
        const worker = ctx.workspaceDir && mayRead(ctx, settings) && workers.of(ctx.workspaceDir);
        if (!worker || (writes && !mayWrite(ctx))) return null;
        if (writes && ctx.sessionKey) shared.own.add(ctx.sessionKey);
        worker.warm();
        return { catalogMode: "direct-only", ...made(worker) } as AnyAgentTool;
      },
      { name },
    );
  for (const { verb, ...described } of DESCRIBED) {
    const ask = async (worker: Worker, fields: object, signal?: AbortSignal): Promise<ToolResult> => {
      const { text, data } = await worker.ask<{ text: string; data: unknown }>(verb, { ...fields, brief: true }, signal);
      return answer(text, data);
    };
    offer(described.name, !READS.has(verb), (worker) => ({
      ...described,
      execute: (_id: string, fields: object, signal?: AbortSignal) => told(ask(worker, fields, signal)),
    }));
  }
  for (const { execute, ...described } of hostTools)
    offer(described.name, false, (worker) => ({
      ...described,
      execute: (_id: string, fields: never, signal?: AbortSignal) => told(execute(worker, fields, signal)),
    }));
}
