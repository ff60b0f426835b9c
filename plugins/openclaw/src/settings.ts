/** Settings below `plugins.entries.commonplace.config`; the host checks them by `openclaw.plugin.json`. */

export interface Settings {
  /** Program and first arguments that start commonplace; empty: searched for. */
  command: readonly string[];
  /** Which conversations see the memory: the owner's private ones, or all. */
  chats: "private" | "all";
  /** Whether to recall before each turn. */
  inject: boolean;
  /** Maximum number of tokens recalled before a turn. */
  tokens: number;
  /** Whether to ask the model at the end of a session which facts to retain. */
  capture: boolean;
  /** When to reflect, as a cron expression; empty: never. */
  reflect: string;
  /** Whether to ask the model the questions that a scheduled reflect leaves open. */
  decide: boolean;
  /** Whether the model may ask across the workspaces of the team, where a fleet is on. */
  fleet: boolean;
}

const DEFAULTS: Settings = {
  command: [],
  chats: "private",
  inject: true,
  tokens: 1200,
  capture: true,
  reflect: "30 4 * * *",
  decide: false,
  fleet: false,
};

export function settings(given: Record<string, unknown> | undefined): Settings {
  return { ...DEFAULTS, ...given };
}
