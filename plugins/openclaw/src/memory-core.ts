/**
 * The host's own memory plugin, memory-core. While it is enabled, `openclaw memory` and two tool names are its own, and its
 * nightly "dreaming" job is a model call that may write with all of our tools. Setup disables the plugin; its job remains
 * and is disabled here at each start of a gateway. If memory-core is enabled again, it enables its job by itself.
 */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Job } from "./host.ts";

/** Whether memory-core created the job, in this version of the host or an earlier one. */
export function isDreamingJob({ declarationKey = "", description = "" }: Partial<Job>): boolean {
  return declarationKey.startsWith("memory-core:") || description.includes("[managed-by=memory-core.");
}

export function registerMemoryCore(api: OpenClawPluginApi): void {
  api.on("gateway_start", async (_event, { getCron }) => {
    const { plugins } = api.runtime.config.current() as OpenClawConfig;
    if (plugins?.entries?.["memory-core"]?.enabled !== false) {
      const conflict = "memory-core is enabled and answers openclaw memory, memory_search and memory_get";
      api.logger.warn(`commonplace: ${conflict}. To let commonplace answer them: openclaw commonplace setup`);
      return;
    }
    const cron = getCron?.();
    if (!cron) return;
    try {
      for (const job of await cron.list({ includeDisabled: true })) {
        if (!isDreamingJob(job) || job.enabled === false) continue;
        await cron.update(job.id, { enabled: false });
        api.logger.info(`commonplace: disabled the job ${job.name} of memory-core, which is disabled itself`);
      }
    } catch (error) {
      api.logger.warn(`commonplace: could not disable memory-core's job: ${(error as Error).message}`);
    }
  });
}
