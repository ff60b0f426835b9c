/** Registers the tools for the model: those of `tools.json`, and two with the host's own names. */

import type { AnyAgentTool, OpenClawConfig, OpenClawPluginApi, OpenClawPluginToolContext } from "openclaw/plugin-sdk/plugin-entry";
import { type ToolResult, answer, errorsAsAnswers } from "./answer.ts";
import { hostTools } from "./host-tools.ts";
import { given, guest, provenance } from "./privacy.ts";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import { FLEET, READS, TOOLS } from "./verbs.ts";
import type { Worker, Workers } from "./worker.ts";

export function registerTools(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  const own = ({ agentId, workspaceDir = "" }: OpenClawPluginToolContext): string => {
    const { config, agent } = api.runtime;
    return agentId === undefined ? workspaceDir : agent.resolveAgentWorkspaceDir(config.current() as OpenClawConfig, agentId);
  };
  const offer = (name: string, writes: boolean, made: (worker: Worker, ctx: OpenClawPluginToolContext) => object) =>
    api.registerTool(
      (ctx) => {
        const memory = ctx.workspaceDir ? given(ctx, settings, own(ctx)) : undefined;
        const { sessionKey } = ctx;
        if (sessionKey && memory) shared.readable.set(sessionKey, memory.workspace);
        else if (sessionKey) shared.readable.delete(sessionKey);
        if (!memory || (writes && !memory.writable)) return null;
        const from = guest(ctx);
        if (from && writes && name !== "memory_retain") return null; // the other tools write as the author
        if (from && sessionKey) shared.guests.add(sessionKey);
        if (writes && sessionKey) shared.writable.add(sessionKey);
        const worker = workers.of(memory.workspace);
        worker.warm();
        return { catalogMode: "direct-only", ...made(worker, ctx) } as AnyAgentTool;
      },
      { name },
    );
  for (const { verb, ...described } of TOOLS) {
    const ask = async (worker: Worker, fields: object, signal?: AbortSignal): Promise<ToolResult> => {
      const { text, data } = await worker.ask<{ text: string; data: unknown }>(verb, { ...fields, brief: true }, signal);
      return answer(text, data);
    };
    offer(described.name, !READS.has(verb), (worker, ctx) => {
      const team = verb === "recall" && settings.fleet && !guest(ctx); // the team's notes are not for whoever writes in a group
      return {
        ...described,
        parameters: team ? withKeys(described.parameters, FLEET) : described.parameters,
        execute: (_id: string, { scope, ...fields }: { scope?: unknown } = {}, signal?: AbortSignal) => {
          const where = team && scope !== undefined ? { scope } : {};
          const from = verb === "retain" ? provenance(ctx.sessionId ?? ctx.sessionKey ?? "session", guest(ctx)) : {};
          return errorsAsAnswers(ask(worker, { ...fields, ...where, ...from }, signal)); // the sender's source wins over the model's
        },
      };
    });
  }
  for (const { execute, ...described } of hostTools)
    offer(described.name, false, (worker) => ({
      ...described,
      execute: (_id: string, fields = {} as never, signal?: AbortSignal) => errorsAsAnswers(execute(worker, fields, signal)),
    }));
}

/** The schema of a tool with further keys. */
function withKeys(parameters: { properties: object }, further: object): object {
  return { ...parameters, properties: { ...parameters.properties, ...further } };
}
