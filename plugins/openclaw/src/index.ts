/** commonplace as OpenClaw's memory: passes requests to one `commonplace worker` for each workspace. */

import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";
import { flushPlan, registerCapture } from "./capture.ts";
import { registerCommand } from "./command.ts";
import { registerDecide } from "./decide.ts";
import { registerInjection } from "./injection.ts";
import { registerMemoryCore } from "./memory-core.ts";
import { registerPermission } from "./permission.ts";
import { prompt } from "./prompts.ts";
import { registerSchedule } from "./schedule.ts";
import { settings as read } from "./settings.ts";
import { registerSetup } from "./setup-command.ts";
import { shared } from "./shared.ts";
import { registerTools } from "./tools.ts";
import { Workers } from "./worker.ts";

function workersOf(command: readonly string[], warn: (message: string) => void): Workers {
  const key = JSON.stringify(command);
  const workers = shared.workers.get(key) ?? new Workers(command, warn);
  shared.workers.set(key, workers);
  return workers;
}

export default definePluginEntry({
  id: "commonplace",
  name: "commonplace",
  description: "A memory in Markdown: retain, recall and reflect, with citations, without a model or a network",
  kind: "memory",
  register(api) {
    const settings = read(api.pluginConfig);
    const workers = workersOf(settings.command, (message) => api.logger.warn(`commonplace: ${message}`));
    registerCommand(api, settings);
    registerSetup(api);
    registerTools(api, workers, settings);
    registerInjection(api, workers, settings);
    registerCapture(api, workers, settings);
    registerSchedule(api, settings);
    registerMemoryCore(api);
    registerDecide(api, workers, settings);
    registerPermission(api, settings);
    api.registerMemoryCapability({
      deterministicRecallToolName: "memory_search",
      promptBuilder: ({ availableTools }) => (availableTools.has("memory_recall") ? [prompt("system"), ""] : []),
      flushPlanResolver: flushPlan,
    });
    api.registerService({ id: "commonplace-workers", start() {}, stop: () => workers.stop() });
  },
});
