/**
 * Asks a model with high reasoning effort the questions that a scheduled reflect left open, and carries out its answers. If
 * there is no new question, no model is called. The model gets no tools, so that quoted text cannot use one.
 */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { prompt } from "./prompts.ts";
import { KEY } from "./schedule.ts";
import type { Settings } from "./settings.ts";
import { shared } from "./shared.ts";
import type { Workers } from "./worker.ts";

type Questions = { id: string }[];
type Pages = { id: string; told: { id: string }[] }[];
type Packet = Record<"judge" | "inferred" | "core" | "same" | "names" | "changes", Questions> & { pages: Pages; text: string };
type Heard = { lines: { answer: object | null }[] };

export function registerDecide(api: OpenClawPluginApi, workers: Workers, settings: Settings): void {
  if (!settings.decide) return;
  api.on("cron_changed", async ({ action, status, jobId }, { getCron }) => {
    if (action !== "finished" || status !== "ok") return;
    const jobs = (await getCron?.()?.list({ includeDisabled: true })) ?? [];
    const key = jobs.find(({ id }) => id === jobId)?.declarationKey ?? ""; // the event itself has no key
    if (!key.startsWith(KEY)) return;
    const agent = key.slice(KEY.length);
    try {
      const config = api.runtime.config.current() as OpenClawConfig;
      api.logger.info(`commonplace: ${agent}: ${await decide(api, workers, api.runtime.agent.resolveAgentWorkspaceDir(config, agent))}`);
    } catch (error) {
      api.logger.warn(`commonplace: ${agent}: no question was answered: ${(error as Error).message}`);
    }
  });
}

/** Ask the open questions once; returns a sentence for the log. */
async function decide(api: OpenClawPluginApi, workers: Workers, workspace: string): Promise<string> {
  const worker = workers.of(workspace);
  const { text, pages, judge, inferred, core, same, names, changes } = await worker.ask<Packet>("packet", {});
  const sentences = pages.map(({ id, told }) => [id, ...told.map((line) => line.id)].join(":")); // a new line asks anew
  const ids = [...[judge, inferred, core, same, names, changes].flat().map(({ id }) => id), ...sentences];
  const asked = ids.sort().join(" ");
  if (!asked || shared.askedQuestions.get(workspace) === asked) return "no new question";
  shared.askedQuestions.set(workspace, asked); // before the call: a reflect that ends meanwhile must not ask them, too
  try {
    const answers = await api.runtime.llm.complete({
      purpose: "commonplace.decide",
      reasoning: "high",
      systemPrompt: prompt("decide"),
      messages: [{ role: "user", content: text }],
    });
    if (!answers.text.trim()) throw new Error("the model's answer is empty"); // which is how the host reports a call that was refused
    const { lines } = await worker.ask<Heard>("hear", { text: answers.text, by: "model:openclaw" });
    return `${lines.filter(({ answer }) => answer).length} of ${ids.length} questions answered`;
  } catch (error) {
    shared.askedQuestions.delete(workspace); // the next reflect asks again
    throw error;
  }
}
