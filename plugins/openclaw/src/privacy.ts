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

/**
 * Who a fact is from that a session retains: the author, in this session, where the owner speaks or nobody; else whoever
 * does, whose word moves no belief. What the model itself read elsewhere cannot be known, but that it says so (`source`).
 */
export function provenance(session: string, guest: string | undefined): { session: string } | { source: string } {
  return guest === undefined ? { session: `openclaw:${session}` } : { source: guest };
}

/** Who speaks where that is not the owner: `user:telegram:17`. */
export function guest(ctx: OpenClawPluginToolContext): string | undefined {
  if (ctx.senderIsOwner !== false) return undefined;
  return ["user", ctx.messageChannel, ctx.requesterSenderId ?? "unknown"].filter(Boolean).join(":");
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

/** Whether a session of an agent could surely write, told by the configuration alone: any sandbox counts as its session's. */
export function mayWrite(config: OpenClawConfig, agent: string): boolean {
  const mode = config.agents?.entries?.[agent]?.sandbox?.mode ?? config.agents?.defaults?.sandbox?.mode ?? "off";
  return mode === "off" || workspaceAccess(config, agent) === "rw";
}

function workspaceAccess(config: OpenClawConfig | undefined, agent: string | undefined): string | undefined {
  const own = agent === undefined ? undefined : config?.agents?.entries?.[agent];
  return own?.sandbox?.workspaceAccess ?? config?.agents?.defaults?.sandbox?.workspaceAccess;
}
