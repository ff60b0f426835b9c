/**
 * `openclaw memory …`: passes all arguments to commonplace's command line, in the agent's workspace. `search`, `index` and
 * `status` also take the options of the host's own commands of that name, and answer in their shape.
 */

import { spawn } from "node:child_process";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { rewritten } from "./host-command.ts";
import { isUnavailable } from "./errors.ts";
import { type Command, diagnose, program } from "./program.ts";
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

/** Run commonplace once; returns its exit status. If it cannot run, prints how to install it. */
export async function run(settings: Pick<Settings, "command">, given: readonly string[]): Promise<number> {
  try {
    const command = program(settings.command);
    const status = await runOnce(command, given);
    const problem = status ? await diagnose(command) : undefined; // its output went to the terminal: only its status is known
    if (problem) throw problem;
    return status;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    process.stderr.write(`commonplace: ${error.message}\n`);
    return 1;
  }
}

/** The exit status of one call, which writes to this terminal unless its answer is converted. */
function runOnce([file, ...first]: Command, given: readonly string[]): Promise<number> {
  const { words, convert } = rewritten(given);
  return new Promise((resolve) => {
    const child = spawn(file, [...first, ...words], { stdio: ["inherit", convert ? "pipe" : "inherit", "inherit"] });
    let answer = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    child.on("error", () => resolve(1)); // `diagnose` finds the reason
    child.on("close", (code, killed) => {
      if (child.pid === undefined) return; // it never ran
      const failure = killed ?? (convert && code !== 0 && !refused(answer) ? `exit ${code}` : "");
      const message = `commonplace ended without an answer (${failure})`;
      if (failure) process.stderr.write(`${message}\n`);
      const whole = failure ? JSON.stringify({ error: { code: "error", message } }) : answer; // never part of an answer as all of it
      const shown = convert && whole ? converted(convert, whole) : "";
      if (shown) process.stdout.write(`${shown}\n`);
      resolve(code ?? 1);
    });
  });
}

/** Whether an answer is an error object. */
function refused(answer: string): boolean {
  try {
    return Boolean(JSON.parse(answer).error);
  } catch {
    return false;
  }
}

/** The converted answer; unchanged if it is not JSON of ours. */
function converted(convert: (answer: string) => string, answer: string): string {
  try {
    return convert(answer);
  } catch {
    return answer;
  }
}
