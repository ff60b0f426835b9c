/** What the user may set below `plugins.entries.commonplace.config`; `openclaw.plugin.json` has checked it. */

export interface Settings {
  /** Program and first arguments that start commonplace; empty: it is looked for. */
  command: readonly string[];
  /** Who sees the memory: the owner's own conversations, or every chat. */
  chats: "private" | "all";
  /** Whether what is known of a message is put before each turn. */
  inject: boolean;
  /** Most tokens of that. */
  tokens: number;
  /** Whether a model is asked, when a session ends, what of it to retain. */
  capture: boolean;
  /** When to reflect, as a cron expression; empty: never. */
  reflect: string;
  /** Whether what a scheduled reflect leaves undecided is put to a model that thinks hard. */
  decide: boolean;
}

const DEFAULTS: Settings = {
  command: [],
  chats: "private",
  inject: true,
  tokens: 1200,
  capture: true,
  reflect: "30 4 * * *",
  decide: false,
};

export function settings(given: Record<string, unknown> | undefined): Settings {
  return { ...DEFAULTS, ...given };
}
