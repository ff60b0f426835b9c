"""Verbs of a model that answers the open questions."""

from commonplace.doors.table.verb_fields import Field, Verb

ROWS = (
    Verb(
        "model on",
        "name a model that may answer the open questions: reflect --decide asks it",
        (
            Field("url", "text", "--url URL", "a server with OpenAI's chat API: http://127.0.0.1:11434", required=True),
            Field("model_name", "text", "--model NAME", "the server's name of the model: qwen3:8b", required=True),
            Field("key_env", "text", "--key-env NAME", "the environment variable with the server's key"),
            Field("allow_remote", "switch", "--allow-remote", "send lines to a server on another machine"),
            Field("decide", "switch", "--decide", "ask it after every reflect, without --decide there"),
        ),
        answer=".answers.model_answers:model_on",
        idempotent=True,
        details="""\
    commonplace model on --url http://127.0.0.1:11434 --model qwen3:8b
    commonplace reflect --decide

It tries the model and writes [model] into commonplace.toml; no question is asked yet. Nothing leaves this machine
unless --allow-remote says so. docs/models.md says what is sent, what an answer can do, and how to take it back.""",
    ),
    Verb(
        "model off",
        "ask no model any more",
        answer=".answers.model_answers:model_off",
        idempotent=True,
        details="What it answered stands: its lines in bank/review.md have its name.",
    ),
    Verb(
        "model status",
        "try the model: does it keep to a JSON schema, how much does it read at once, how fast is it",
        answer=".answers.model_answers:model_status",
        read_only=True,
        details="It sends one short question of our own, and nothing of yours.",
    ),
)
