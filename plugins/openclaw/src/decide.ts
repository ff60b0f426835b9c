/**
 * What a scheduled reflect leaves undecided, put to a model that thinks hard, and its answers read back. Where there is
 * nothing that it was not asked before, no model is called. It is given no tool, so that nothing quoted can use one.
 */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { prompt } from "./prompts.ts";
import { KEY } from "./schedule.ts";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import type { Workers } from "./worker.ts";

type Questions = { id: string }[];
type Packet = Record<"judge" | "inferred" | "core" | "same", Questions> & { text: string };
type Heard = { lines: { answer: object | null }[] };

export function registerDecide(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  if (!settings.decide) return;
  api.on("cron_changed", async ({ action, status, jobId }, { getCron }) => {
    if (action !== "finished" || status !== "ok") return;
    const jobs = (await getCron?.()?.list({ includeDisabled: true })) ?? [];
    const key = jobs.find(({ id }) => id === jobId)?.declarationKey ?? ""; // the event itself has none
    if (!key.startsWith(KEY)) return;
    const agent = key.slice(KEY.length);
    try {
      const config = api.runtime.config.current() as OpenClawConfig;
      api.logger.info(`commonplace: ${agent}: ${await decide(api, workers, api.runtime.agent.resolveAgentWorkspaceDir(config, agent))}`);
    } catch (error) {
      api.logger.warn(`commonplace: ${agent}: nothing was decided: ${(error as Error).message}`);
    }
  });
}

/** What came of it, in words. */
async function decide(api: OpenClawPluginApi, workers: Workers, workspace: string): Promise<string> {
  const worker = workers.of(workspace);
  const { text, judge, inferred, core, same } = await worker.ask<Packet>("packet", {});
  const ids = [judge, inferred, core, same].flat().map(({ id }) => id);
  const put = ids.sort().join(" ");
  if (!put || shared.put.get(workspace) === put) return "nothing new to decide";
  shared.put.set(workspace, put); // before the call, or a reflect that ends meanwhile would put them, too
  try {
    const answers = await api.runtime.llm.complete({
      purpose: "commonplace.decide",
      reasoning: "high",
      systemPrompt: prompt("decide"),
      messages: [{ role: "user", content: text }],
    });
    if (!answers.text.trim()) throw new Error("the model said nothing"); // so the host tells of a call that was refused
    const { lines } = await worker.ask<Heard>("hear", { text: answers.text });
    return `${lines.filter(({ answer }) => answer).length} of ${ids.length} questions answered`;
  } catch (error) {
    shared.put.delete(workspace); // the next reflect asks again
    throw error;
  }
}
