"""Verbs that connect other programs: servers, their set-up, hooks, and shell completion."""

from commonplace.doors.table.verb_fields import Field, Opens, Verb

SHELLS = ("bash", "zsh", "fish")
CLIENTS = ("claude-code", "claude-desktop", "cursor", "codex", "openclaw", "vscode", "gemini-cli", "opencode")
"""The clients of `clients.json`, repeated here so that help need not read that file."""

ROWS = (
    Verb(
        "mcp",
        "serve the memory to MCP clients (Model Context Protocol)",
        (
            Field(
                "http",
                shell="--http PORT",
                help="serve on this port of this machine, for any number of clients; 0 picks a free port",
            ),
        ),
        run=".mcp.serve:mcp",
        details="""\
Without --http it uses standard input and output, and ends when its client disconnects. With --http it listens only
on 127.0.0.1, at /mcp; writes need the token that it prints when it starts. If the official SDK is missing, it
prints the command that installs it, such as pipx inject commonplace 'mcp>=2.3,<3'. docs/mcp.md describes how to
add it to a client.""",
    ),
    Verb(
        "worker",
        "serve all verbs as JSON lines over standard input, for hosts that keep one process",
        run=".worker:worker",
        details="""\
Each line {"id": 1, "verb": "recall", "query": "…"} is answered by a line {"id": 1, "result": {…}} or {"id": 1,
"error": {…}}, in order. A line without a verb is a question for recall. A worker serves one workspace, and ends
when its standard input closes or its parent exits. docs/tools.md lists verbs and keys.""",
    ),
    Verb(
        "serve",
        "open a local page: what the memory knows, since when, why, what waits for you and what is wrong",
        (
            Field("port", shell="--port PORT", help="the port of this machine to serve it on (default: a free one)"),
            Field("no_browser", shell="--no-browser", help="print the address only"),
        ),
        run=".page.serve_page:serve_page",
        details="""\
    commonplace serve
    commonplace serve --port 7331 --no-browser

It listens only on 127.0.0.1, and the address that it prints opens it once, within a minute. Ctrl-C ends it. If its
packages are missing, it prints the command that installs them. docs/page.md shows each view.""",
    ),
    Verb(
        "setup",
        "connect an MCP client to this memory: print its configuration, or write it",
        (
            Field("client", shell="CLIENT", help=f"one of {', '.join(CLIENTS)}", choices=CLIENTS),
            Field(
                "write",
                shell="--write",
                help="merge it into the client's configuration file, after a backup",
            ),
            Field("remove", shell="--remove", help="remove it from that file"),
            Field(
                "project",
                shell="--project",
                help="only for the project in this folder, if the client supports projects",
            ),
            Field(
                "http",
                shell="--http PORT",
                help="connect to a server that you run yourself: commonplace mcp --http PORT",
            ),
        ),
        run=".setup.client_setup:setup",
        details="""\
    commonplace setup claude-code
    commonplace setup codex --write --workspace ~/notes
    commonplace setup vscode --write --project

The entry has absolute paths of the program and the workspace, so it works from any folder. Comments, order and
layout of the file do not change; a file that cannot be parsed is not changed. docs/clients.md lists the
configuration file of each client, and how each was tested.""",
    ),
    Verb(
        "watch",
        "keep the index up to date in the background; faster recalls in very large folders",
        run=".cli.watch_command:watch",
        details="""\
    commonplace watch --verbose
    commonplace watch &

It is optional: without it every recall checks the files itself. A workspace has one watcher; stop it with Ctrl-C
or a signal. docs/watching.md describes when it is useful.""",
    ),
    Verb(
        "hook",
        "write to today's log that a host's session ended; hosts call it at that moment",
        (
            Field(
                "input",
                shell="INPUT?",
                help="the host's JSON; default: read from standard input",
            ),
        ),
        run=".cli.hook_command:hook",
        details="""\
    commonplace hook --workspace ~/notes

For Claude Code, Codex, Gemini CLI, Cursor, Copilot CLI and similar hosts. It writes one line for each session and
event: who, where, the last request, the files written. It takes less than a second and prints nothing on standard
output; if it fails, its exit status is always 1, which hosts report and ignore. docs/hooks.md has the settings of
each host.""",
        opens=Opens.FOLDER,
    ),
    Verb(
        "completion",
        "print a completion script for your shell",
        (Field("shell", shell="SHELL", help="bash, zsh or fish", choices=SHELLS),),
        run=".cli.completion:completion",
        details="""\
    eval "$(commonplace completion bash)"                                       # in ~/.bashrc
    eval "$(commonplace completion zsh)"                                        # in ~/.zshrc
    commonplace completion fish > ~/.config/fish/completions/commonplace.fish""",
    ),
)
