/** Who may see the memory, and who may write it. */

import type { OpenClawConfig, OpenClawPluginToolContext } from "openclaw/plugin-sdk/plugin-entry";
import type { Settings } from "./settings.ts";

/** Session keys of rooms: `agent:main:telegram:group:-100`, `agent:main:discord:channel:42`. */
const ROOM = /:(group|channel|room):/;

/**
 * Whether a turn may read the memory: by default only in a private conversation of the owner, for whoever sits in a
 * group could ask the agent for it. Work that the owner's gateway starts itself (cron, heartbeat) has no sender.
 */
export function mayRead(ctx: OpenClawPluginToolContext, settings: Pick<Settings, "chats">): boolean {
  if (settings.chats === "all") return true;
  return !ROOM.test(ctx.sessionKey?.toLowerCase() ?? "") && ctx.senderIsOwner !== false;
}

/** Whether it may be written: in a sandbox only where that lets the workspace be written. */
export function mayWrite(ctx: OpenClawPluginToolContext): boolean {
  if (!ctx.sandboxed) return true;
  return workspaceAccess(ctx.getRuntimeConfig?.() ?? ctx.runtimeConfig ?? ctx.config, ctx.agentId) === "rw";
}

function workspaceAccess(config: OpenClawConfig | undefined, agent: string | undefined): string | undefined {
  const own = agent === undefined ? undefined : config?.agents?.entries?.[agent];
  return own?.sandbox?.workspaceAccess ?? config?.agents?.defaults?.sandbox?.workspaceAccess;
}
