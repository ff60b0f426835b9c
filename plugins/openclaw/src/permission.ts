/** The one permission that the host gives no plugin unasked. It names the hooks that it leaves out; what that costs, we say. */

import type { OpenClawConfig, OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Settings } from "./settings.ts";

const KEY = "plugins.entries.commonplace.hooks.allowConversationAccess";

export function registerPermission(api: OpenClawPluginApi, { inject, capture }: Settings): void {
  if (!inject && !capture) return;
  api.on("gateway_start", () => {
    const config = api.runtime.config.current() as OpenClawConfig;
    if (config.plugins?.entries?.commonplace?.hooks?.allowConversationAccess === true) return;
    const lost = "nothing is recalled before a turn and no session leaves facts";
    api.logger.warn(`commonplace: ${lost}, as it may not see messages. To let it: openclaw config set ${KEY} true`);
  });
}
