/** Warns if the plugin lacks the one permission that the host gives no plugin by default, and says what does not work then. */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Settings } from "./settings.ts";

const KEY = "plugins.entries.commonplace.hooks.allowConversationAccess";

export function registerPermission(api: OpenClawPluginApi, { inject, capture }: Settings): void {
  if (!inject && !capture) return;
  api.on("gateway_start", () => {
    const config = api.runtime.config.current() as OpenClawConfig;
    if (config.plugins?.entries?.commonplace?.hooks?.allowConversationAccess === true) return;
    const missing = "not allowed to see messages, so there is no recall before a turn and no capture of sessions";
    api.logger.warn(`commonplace: ${missing}. To allow it: openclaw config set ${KEY} true`);
  });
}
