/**
 * `openclaw memory …`: our own command line, word for word, in the agent's workspace. Only `search`, `index` and
 * `status` also understand what the host's own commands of that name took, and answer as those did.
 */

import { spawn } from "node:child_process";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { rewritten } from "./host-command.ts";
import { isUnavailable } from "./errors.ts";
import { type Command, ailment, program } from "./program.ts";
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

/** The exit status of one call of commonplace; where there is none that serves, it says how to install it. */
export async function run(settings: Pick<Settings, "command">, given: readonly string[]): Promise<number> {
  try {
    const command = program(settings.command);
    const status = await called(command, given);
    const ill = status ? await ailment(command) : undefined; // it had the terminal: only its exit status is known
    if (ill) throw ill;
    return status;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    process.stderr.write(`commonplace: ${error.message}\n`);
    return 1;
  }
}

/** The exit status of one call, which has this terminal unless its answer is told in another shape. */
function called([file, ...first]: Command, given: readonly string[]): Promise<number> {
  const { words, told } = rewritten(given);
  return new Promise((resolve) => {
    const child = spawn(file, [...first, ...words], { stdio: ["inherit", told ? "pipe" : "inherit", "inherit"] });
    let answer = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    child.on("error", () => resolve(1)); // what is wrong with it is asked of the program itself
    child.on("close", (code, killed) => {
      if (child.pid === undefined) return; // it never ran
      const none = killed ?? (told && code !== 0 && !refused(answer) ? `exit ${code}` : "");
      const message = `the memory ended without an answer: ${none}`;
      if (none) process.stderr.write(`commonplace: ${message}\n`);
      const whole = none ? JSON.stringify({ error: { code: "error", message } }) : answer; // or half would pass for all
      const shown = told && whole ? reshaped(told, whole) : "";
      if (shown) process.stdout.write(`${shown}\n`);
      resolve(code ?? 1);
    });
  });
}

/** Whether an answer says why there is none. */
function refused(answer: string): boolean {
  try {
    return Boolean(JSON.parse(answer).error);
  } catch {
    return false;
  }
}

/** The answer in another shape; as it is where it was none of ours. */
function reshaped(told: (answer: string) => string, answer: string): string {
  try {
    return told(answer);
  } catch {
    return answer;
  }
}
