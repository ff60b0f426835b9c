/** Who may read the memory, and who may write to it. */

import type { OpenClawConfig, OpenClawPluginToolContext } from "openclaw/plugin-sdk/plugin-entry";
import type { Settings } from "./settings.ts";

/** Session keys of rooms: `agent:main:telegram:group:-100`, `agent:main:discord:channel:42`. */
const ROOM = /:(group|channel|room):/;

/**
 * Whether a turn may read the memory. By default only in a private conversation of the owner: anybody in a group could
 * ask the agent for it. Work that the gateway itself starts (cron, heartbeat) has no sender and may read.
 */
export function mayRead(ctx: OpenClawPluginToolContext, settings: Pick<Settings, "chats">): boolean {
  if (settings.chats === "all") return true;
  return !ROOM.test(ctx.sessionKey?.toLowerCase() ?? "") && ctx.senderIsOwner !== false;
}

/**
 * The source of a fact that a session retains: the author, if the owner or nobody speaks; otherwise the guest, whose
 * statements change no opinion. What the model read elsewhere is known only if the model gives a `source`.
 */
export function provenance(session: string, guest: string | undefined): { session: string } | { source: string } {
  return guest === undefined ? { session: `openclaw:${session}` } : { source: guest };
}

/** The sender, if it is not the owner: `user:telegram:17`. */
export function guest(ctx: OpenClawPluginToolContext): string | undefined {
  if (ctx.senderIsOwner !== false) return undefined;
  return ["user", ctx.messageChannel, ctx.requesterSenderId ?? "unknown"].filter(Boolean).join(":");
}

/** The memory that a session may use. */
export interface Given {
  workspace: string;
  writable: boolean;
}

/**
 * The memory that a session may use, by the host's sandbox access to the agent's workspace: `none`: no memory; `ro`: read
 * only; `rw`: all of it. If the host restricts a session further, it runs in another folder; then the memory is read-only.
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

/** Whether every session of an agent may write, by the configuration alone: any sandbox is assumed to apply to the session. */
export function mayWrite(config: OpenClawConfig, agent: string): boolean {
  const mode = config.agents?.entries?.[agent]?.sandbox?.mode ?? config.agents?.defaults?.sandbox?.mode ?? "off";
  return mode === "off" || workspaceAccess(config, agent) === "rw";
}

function workspaceAccess(config: OpenClawConfig | undefined, agent: string | undefined): string | undefined {
  const own = agent === undefined ? undefined : config?.agents?.entries?.[agent];
  return own?.sandbox?.workspaceAccess ?? config?.agents?.defaults?.sandbox?.workspaceAccess;
}
