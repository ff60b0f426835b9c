/** What the memory knows of a message, put before the turn that answers it; when in doubt, nothing. */

import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import type { Workers } from "./worker.ts";

/** Milliseconds that a turn waits for its memory; then it goes on without. */
export const LONGEST = 300;
/** Most hits: a few good ones; the model can ask for more. */
const HITS = 6;
/** Characters of a message that are a question; the rest is pasted. */
const LONGEST_QUESTION = 2_000;
/** Files that say who the agent is: whether they are shown is the host's affair alone. */
const PERSONA = ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md"];
/** Files of the core that the host shows by itself, unless it was told to show none. */
const CORE = ["MEMORY.md", "USER.md"];

export function registerInjection(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  if (!settings.inject) return;
  // With tool authority the host has made the tools and applied every policy: whoever may not ask the memory is not told
  // of it either.
  api.on(
    "before_prompt_build",
    async (event, ctx) => {
      const { trigger, inputProvenance, toolAuthority, sessionKey = "" } = ctx;
      const workspace = shared.read.get(sessionKey);
      const said = (event.currentUserMessage ?? event.prompt).trim().slice(0, LONGEST_QUESTION);
      if (!said || !workspace || trigger !== "user" || inputProvenance?.kind === "inter_session") return;
      if (!toolAuthority?.allows("memory_recall")) return;
      const bare = api.runtime.config.current().agents?.defaults?.contextInjection === "never";
      const shown = bare ? PERSONA : [...PERSONA, ...CORE];
      try {
        const { text } = await workers.of(workspace).ask<{ text: string }>(
          "context",
          { query: said, k: HITS, budget: settings.tokens, shown },
          AbortSignal.timeout(LONGEST),
        );
        toolAuthority.assertActive();
        return text ? { prependContext: text } : undefined;
      } catch (error) {
        api.logger.warn(`commonplace: the turn goes on without its memory: ${(error as Error).message}`);
        return;
      }
    },
    { requiresToolAuthority: true },
  );
}
