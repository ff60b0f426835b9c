"""Verbs of meaning: recall by embeddings, beside words."""

from commonplace.doors.table.verb_fields import Field, Verb

ROWS = (
    Verb(
        "semantic on",
        "let recall also search by meaning, with a local model or a server",
        (
            Field("url", "text", "--url URL", "a server with OpenAI's embeddings API: http://127.0.0.1:11434"),
            Field("model_name", "text", "--model NAME", "the server's embedding model: nomic-embed-text"),
            Field("query_prefix", "exact", "--query-prefix TEXT", "what this model wants before a question"),
            Field("passage_prefix", "exact", "--passage-prefix TEXT", "what it wants before a line"),
            Field("key_env", "text", "--key-env NAME", "the environment variable with the server's key"),
            Field("allow_remote", "switch", "--allow-remote", "send lines to a server on another machine"),
            Field("later", shell="--later", help="embed nothing now: `commonplace embed` does it, or a running server"),
        ),
        answer=".answers.semantic_answers:semantic_on",
        run=".cli.semantic_commands:semantic_on",
        idempotent=True,
        details="""\
    commonplace semantic on                                 the local model, else a server that is found here
    commonplace semantic on --url http://127.0.0.1:11434 --model bge-m3

It tries the model, writes [semantic] into commonplace.toml, says how long the embedding will take, and begins.
Ctrl-C stops it at any time: `commonplace embed` goes on from there. Nothing leaves this machine unless
--allow-remote says so. docs/semantic.md says more.""",
    ),
    Verb(
        "semantic off",
        "let recall answer by words alone",
        answer=".answers.semantic_answers:semantic_off",
        idempotent=True,
        details="The vectors stay in .memory/vectors, so that turning meaning on again embeds nothing twice.",
    ),
    Verb(
        "semantic status",
        "show whether recall searches by meaning, with what, and how much is embedded",
        answer=".answers.semantic_answers:semantic_status",
        read_only=True,
        details="It also asks the usual ports of this machine for servers with embedding models.",
    ),
    Verb(
        "embed",
        "embed the lines that have no vector yet",
        answer=".answers.semantic_answers:embed",
        idempotent=True,
        details="""\
Facts come first, then the newest lines. It may be interrupted at any time and goes on from there; a line is
embedded once, whatever becomes of its file. `watch`, `worker` and `mcp` do it by themselves.""",
    ),
)
