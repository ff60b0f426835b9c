/** Schedules reflect as a command in the host's cron, which needs no model call. */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { program } from "./program.ts";
import type { Settings } from "./settings.ts";

/** Prefix of each job's declaration key; the name of the agent follows. */
export const KEY = "commonplace:reflect:";

export function registerSchedule(api: OpenClawPluginApi, settings: Settings): void {
  api.on("gateway_start", async (_event, { getCron }) => {
    const cron = getCron?.();
    if (!cron) return;
    try {
      const wanted = settings.reflect ? jobs(api, settings) : [];
      const there = (await cron.list({ includeDisabled: true })).filter((job) => job.declarationKey?.startsWith(KEY));
      for (const job of there) if (!wanted.some((each) => each.declarationKey === job.declarationKey)) await cron.remove(job.id);
      for (const job of wanted) await cron.add(job);
    } catch (error) {
      api.logger.warn(`commonplace: could not schedule reflect: ${(error as Error).message}`);
    }
  });
}

/** One job for each workspace, named after the first agent that uses it. */
function jobs(api: OpenClawPluginApi, settings: Settings) {
  const config = api.runtime.config.current() as OpenClawConfig;
  const agents = Object.keys(config.agents?.entries ?? {});
  const workspaces = new Map<string, string>();
  for (const agent of agents.length ? agents : ["main"]) {
    const workspace = api.runtime.agent.resolveAgentWorkspaceDir(config, agent);
    if (!workspaces.has(workspace)) workspaces.set(workspace, agent);
  }
  const [...command] = program(settings.command);
  return [...workspaces].map(([workspace, agent]) => ({
    declarationKey: `${KEY}${agent}`,
    name: `Reflect (${agent})`,
    description: "Renews the memory's pages and opinions; made by the plugin commonplace",
    enabled: true,
    schedule: { kind: "cron", expr: settings.reflect },
    sessionTarget: "isolated",
    wakeMode: "now",
    payload: { kind: "command", argv: [...command, "reflect", "--since", "last", "--quiet", "--workspace", workspace] },
    delivery: { mode: "none" },
  }));
}
