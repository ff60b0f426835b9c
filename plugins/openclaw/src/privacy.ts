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

/** The memory that a session is given. */
export interface Given {
  workspace: string;
  writable: boolean;
}

/**
 * The memory of the session's agent, as far as the host's sandbox shows that session the agent's workspace: with `none`
 * not at all, with `ro` to read, with `rw` whole. The host runs whom it holds shorter than the configuration says in
 * another folder; nothing is written then.
 *
 * @param own the agent's workspace
 */
export function given(ctx: OpenClawPluginToolContext, settings: Pick<Settings, "chats">, own: string): Given | undefined {
  if (!mayRead(ctx, settings)) return undefined;
  if (!ctx.sandboxed) return { workspace: own, writable: true };
  const access = workspaceAccess(ctx.getRuntimeConfig?.() ?? ctx.runtimeConfig ?? ctx.config, ctx.agentId);
  if (access !== "ro" && access !== "rw") return undefined;
  return { workspace: own, writable: access === "rw" && ctx.workspaceDir === own };
}

function workspaceAccess(config: OpenClawConfig | undefined, agent: string | undefined): string | undefined {
  const own = agent === undefined ? undefined : config?.agents?.entries?.[agent];
  return own?.sandbox?.workspaceAccess ?? config?.agents?.defaults?.sandbox?.workspaceAccess;
}
