/** `openclaw commonplace setup|remove`: what installing does not do by itself, and how to leave again. */

import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { Failed, Host } from "./host.ts";
import { isUnavailable } from "./errors.ts";
import { leave, setUp } from "./setup.ts";

export const DESCRIPTION = "Set commonplace up as the memory, or remove it again";

export function registerSetup(api: OpenClawPluginApi): void {
  const host = () => new Host([process.execPath, process.argv[1]!], process.env);
  api.registerCli(
    ({ program: root }) => {
      const command = root.command("commonplace").description(DESCRIPTION);
      command
        .command("setup")
        .description("Take the memory slot, switch memory-core off, and see that openclaw memory answers")
        .option("--command <program...>", "what starts commonplace, where it is not found by itself")
        .action(({ command: given = [] }: { command?: string[] }) =>
          told(async () => {
            await setUp(host(), given, say);
            say("next: openclaw gateway restart");
          }),
        );
      command
        .command("remove")
        .description("Uninstall the plugin, and put back what was there before; no Markdown changes")
        .action(() => told(() => leave(host(), say)));
    },
    { descriptors: [{ name: "commonplace", description: DESCRIPTION, hasSubcommands: true }] },
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** What cannot be done is told, as an exit status too. */
async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failed) && !isUnavailable(error)) throw error;
    process.stderr.write(`commonplace: ${error.message}\n`);
    process.exitCode = 1;
  }
}
