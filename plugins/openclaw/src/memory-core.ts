/**
 * The host's own memory. While it is enabled it comes first with `openclaw memory` and with the names of two tools, and
 * its nightly "dreaming" is a model call that may write with all of our tools. Setting up switches the plugin off; its job
 * stays behind and is switched off here, whenever a gateway starts. Enabled again, memory-core sets its job right by itself.
 */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Job } from "./host.ts";

/** Whether a job is one that memory-core makes, of this version of the host or of an earlier one. */
export function dreams({ declarationKey = "", description = "" }: Partial<Job>): boolean {
  return declarationKey.startsWith("memory-core:") || description.includes("[managed-by=memory-core.");
}

export function registerMemoryCore(api: OpenClawPluginApi): void {
  api.on("gateway_start", async (_event, { getCron }) => {
    const { plugins } = api.runtime.config.current() as OpenClawConfig;
    if (plugins?.entries?.["memory-core"]?.enabled !== false) {
      const first = "memory-core is enabled, so that openclaw memory, memory_search and memory_get are its own";
      api.logger.warn(`commonplace: ${first}. To make them ours: openclaw commonplace setup`);
      return;
    }
    const cron = getCron?.();
    if (!cron) return;
    try {
      for (const job of await cron.list({ includeDisabled: true })) {
        if (!dreams(job) || job.enabled === false) continue;
        await cron.update(job.id, { enabled: false });
        api.logger.info(`commonplace: the job ${job.name} of memory-core, which is off, is disabled`);
      }
    } catch (error) {
      api.logger.warn(`commonplace: memory-core's job is not disabled: ${(error as Error).message}`);
    }
  });
}
