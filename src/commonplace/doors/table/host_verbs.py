"""Verbs that connect other programs: servers, their set-up, hooks, and the shell."""

from commonplace.doors.table.verb_fields import Field, Opens, Verb

SHELLS = ("bash", "zsh", "fish")
CLIENTS = ("claude-code", "claude-desktop", "cursor", "codex", "openclaw", "vscode", "gemini-cli", "opencode")
"""The clients of `clients.json`, which help need not read for their names."""

ROWS = (
    Verb(
        "mcp",
        "serve the memory to an agent's client by the Model Context Protocol",
        (
            Field(
                "http",
                shell="--http PORT",
                help="serve on this port of this machine, to any number of clients; 0 takes a free one",
            ),
        ),
        run=".mcp.serve:mcp",
        details="""\
Over standard input and output unless --http is given; it ends when its client goes. Over HTTP it listens on
127.0.0.1 alone, and answers at /mcp; writes need the token that it prints at its start. Where the official SDK is
missing, it says the command that installs it, such as pipx inject commonplace 'mcp>=2.3,<3'.
docs/mcp.md tells how to add it to a client.""",
    ),
    Verb(
        "worker",
        "serve every verb as JSON lines over standard input, for hosts that keep one process",
        run=".worker:worker",
        details="""\
{"id": 1, "verb": "recall", "query": "…"} in, {"id": 1, "result": {…}} or {"id": 1, "error": {…}} out, one a line,
in order. A line without a verb is a line of the batch form. One workspace a worker; it ends with its standard
input, or when its parent is gone. docs/tools.md lists verbs and keys.""",
    ),
    Verb(
        "setup",
        "connect an agent's program to this memory: print its MCP configuration, or write it",
        (
            Field("client", shell="CLIENT", help=f"one of {', '.join(CLIENTS)}", choices=CLIENTS),
            Field(
                "write",
                shell="--write",
                help="merge it into the client's own file, after a backup; nothing else in it changes",
            ),
            Field("remove", shell="--remove", help="take it out of that file again"),
            Field(
                "project",
                shell="--project",
                help="for the project in this folder only, where the client knows projects",
            ),
            Field(
                "http",
                shell="--http PORT",
                help="connect to a server that you keep running: commonplace mcp --http PORT",
            ),
        ),
        run=".setup.client_setup:setup",
        details="""\
    commonplace setup claude-code
    commonplace setup codex --write --workspace ~/notes
    commonplace setup vscode --write --project

The server is started by an absolute path, with the workspace, so it works from anywhere. Comments, order and
layout of the file stay; one that cannot be read is left alone. Written twice is written once. docs/clients.md
tells where each client keeps its configuration, and how each was tried.""",
    ),
    Verb(
        "watch",
        "keep the index warm, and spare recalls in very large folders the look at every file",
        run=".cli.watch_command:watch",
        details="""\
    commonplace watch --verbose
    commonplace watch &

Never needed: without it, and whenever it cannot be sure, every recall looks for itself. One for each workspace; it
ends by Ctrl-C or a signal. docs/watching.md says when it pays.""",
    ),
    Verb(
        "hook",
        "note in today's log that a host's session ended; for hosts that call a command then",
        (
            Field(
                "input",
                shell="INPUT?",
                help="the host's JSON where it comes as a word; else it is read from standard input",
            ),
        ),
        run=".cli.hook_command:hook",
        details="""\
    commonplace hook --workspace ~/notes

For Claude Code, Codex, Gemini CLI, Cursor, Copilot CLI and their like. It writes one line for each session and
event: who, where, the last request, the files written. It never keeps a host waiting for a second, says nothing on
standard output, and fails with exit status 1 alone, which hosts report and pass over. docs/hooks.md has the
settings of each host.""",
        opens=Opens.FOLDER,
    ),
    Verb(
        "completion",
        "print a script that completes verbs and flags in your shell",
        (Field("shell", shell="SHELL", help="bash, zsh or fish", choices=SHELLS),),
        run=".cli.completion:completion",
        details="""\
    eval "$(commonplace completion bash)"                                       # in ~/.bashrc
    eval "$(commonplace completion zsh)"                                        # in ~/.zshrc
    commonplace completion fish > ~/.config/fish/completions/commonplace.fish""",
    ),
)
