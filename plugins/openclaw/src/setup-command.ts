/** `openclaw commonplace setup|remove`: makes the settings that the host's installer does not make, and removes everything. */

import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { Failed, Host } from "./host.ts";
import { isUnavailable } from "./errors.ts";
import { removeAll, setUp } from "./setup.ts";

export const DESCRIPTION = "Set up commonplace as the memory, or remove it";

export function registerSetup(api: OpenClawPluginApi): void {
  const host = () => new Host([process.execPath, process.argv[1]!], process.env);
  api.registerCli(
    ({ program: root }) => {
      const command = root.command("commonplace").description(DESCRIPTION);
      command
        .command("setup")
        .description("Take the memory slot, disable memory-core, and check that openclaw memory answers")
        .option("--command <program...>", "the program to start, if it is not found automatically")
        .action(({ command: given = [] }: { command?: string[] }) =>
          orExit(async () => {
            await setUp(host(), given, say);
            say("next: openclaw gateway restart");
          }),
        );
      command
        .command("remove")
        .description("Uninstall the plugin and restore the previous settings; no Markdown changes")
        .action(() => orExit(() => removeAll(host(), say)));
    },
    { descriptors: [{ name: "commonplace", description: DESCRIPTION, hasSubcommands: true }] },
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Print what failed, and exit with status 1. */
async function orExit(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failed) && !isUnavailable(error)) throw error;
    process.stderr.write(`commonplace: ${error.message}\n`);
    process.exitCode = 1;
  }
}
