/** Recalls what is known about a message and adds it to the prompt of the turn that answers it; in doubt, adds nothing. */

import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import type { Workers } from "./worker.ts";

/** Milliseconds that a turn waits for recall; then it continues without it. */
export const LONGEST = 300;
/** Maximum number of hits; the model can ask for more. */
const HITS = 6;
/** Characters of a message that are used as the query; what follows is usually pasted text. */
const LONGEST_QUESTION = 2_000;
/** Files that define the agent: the host alone decides whether they are shown. */
const PERSONA = ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md"];
/** Core files that the host adds by itself, unless its configuration says never. */
const CORE = ["MEMORY.md", "USER.md"];

export function registerInjection(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  if (!settings.inject) return;
  // With tool authority the host has applied every tool policy: who may not call memory_recall gets nothing injected either.
  api.on(
    "before_prompt_build",
    async (event, ctx) => {
      const { trigger, inputProvenance, toolAuthority, sessionKey = "" } = ctx;
      const workspace = shared.readable.get(sessionKey);
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
        api.logger.warn(`commonplace: the turn continues without recall: ${(error as Error).message}`);
        return;
      }
    },
    { requiresToolAuthority: true },
  );
}
