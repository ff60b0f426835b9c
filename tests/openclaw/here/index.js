// The sandbox backend `here`: the host takes its sessions for sandboxed, with all its policies, where there is no Docker.

import { spawnSync } from "node:child_process";
import { registerSandboxBackend } from "openclaw/plugin-sdk/sandbox";

export default {
  id: "here",
  register() {
    registerSandboxBackend("here", async ({ scopeKey, workspaceDir }) => ({
      id: "here",
      runtimeId: `here-${scopeKey.replaceAll(/\W/g, "-")}`,
      runtimeLabel: "here",
      workdir: workspaceDir,
      buildExecSpec: async ({ command, workdir, env }) => ({
        argv: ["/bin/sh", "-c", command],
        env: { ...process.env, ...env },
        cwd: workdir ?? workspaceDir,
        stdinMode: "pipe-closed",
      }),
      runShellCommand: async ({ script, args = [], stdin }) => {
        const { stdout, stderr, status } = spawnSync("/bin/sh", ["-c", script, "sh", ...args], { cwd: workspaceDir, input: stdin });
        return { stdout, stderr, code: status ?? 1 };
      },
    }));
  },
};
