/**
 * `openclaw memory …`: our own command line, word for word, in the agent's workspace. Only `search`, `index` and
 * `status` also understand what the host's own commands of that name took, and answer as those did.
 */

import { spawn } from "node:child_process";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { rewritten } from "./host-command.ts";
import { program } from "./program.ts";
import type { Settings } from "./settings.ts";

export function registerCommand(api: OpenClawPluginApi, settings: Settings): void {
  const description = "Retain, recall and reflect over the workspace's Markdown (commonplace)";
  api.registerCli(
    ({ program: root, workspaceDir }) => {
      root
        .command("memory [words...]")
        .description(description)
        .allowUnknownOption()
        .helpOption(false)
        .action(async (words: string[]) => {
          const place = words.some((word) => /^--(workspace|agent)(=|$)/.test(word)) ? [] : ["--workspace", workspaceDir];
          process.exitCode = await run(settings, [...words, ...place.filter((each) => each !== undefined)]);
        });
    },
    { descriptors: [{ name: "memory", description, hasSubcommands: true }] },
  );
}

/** The exit status of one call of commonplace, which has this terminal unless its answer is told in another shape. */
function run(settings: Settings, given: readonly string[]): Promise<number> {
  const { words, told } = rewritten(given);
  const [file, ...first] = program(settings.command);
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...first, ...words], { stdio: ["inherit", told ? "pipe" : "inherit", "inherit"] });
    let answer = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    child.on("error", reject).on("close", (code) => {
      const shown = told && answer ? told(answer) : "";
      if (shown) process.stdout.write(`${shown}\n`);
      resolve(code ?? 1);
    });
  });
}
