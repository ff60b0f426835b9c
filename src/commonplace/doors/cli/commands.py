"""Verbs for which the command line does more than pass words and flags to their answer function."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from commonplace.doors.cli.serve_verb import answer, answered, from_words, given, show
from commonplace.doors.table import requests
from commonplace.doors.table.common_fields import MOST_HITS, MOST_TOKENS
from commonplace.doors.table.recall_verbs import FORMATS
from commonplace.doors.table.verb_table import VERBS
from commonplace.errors import CommonplaceError, NotFound, UsageError

if TYPE_CHECKING:
    from commonplace.doors.shared.verb_call import Call


def init(call: Call) -> int:
    """Create a workspace in the folder that is named; the exit status."""
    if call.options.dir is not None:
        call.options.workspace, call.options.dir = call.options.dir, None
    from commonplace.config import to_make

    to_make(call.place, call.env)
    return answered(call, "init", fields=given(call, VERBS["init"]))


def recall(call: Call) -> int:
    """Recall for a question, or for each line of standard input; `--json` and `--format json` mean the same."""
    options = call.options
    form = requests.choice(options.format or ("json" if options.json else "text"), "format", known=FORMATS)
    if options.json and form != "json":
        raise UsageError("--json and --format cannot be combined", "give only one")
    options.json = form == "json"
    filters = any(getattr(options, flag.name) for flag in VERBS["recall"].flags if flag.name in requests.FILTERS)
    requests.text(" ".join(options.query), "query", empty=filters)  # refused before a workspace is looked for
    if options.query == ["-"]:
        return from_words(call, VERBS["recall"])
    return answered(call, "recall", fields=given(call, VERBS["recall"]))


def retain(call: Call) -> int:
    """Write facts into a day's log; the exit status is that of the last one that failed."""
    from commonplace.doors.shared import wire
    from commonplace.doors.shared.failures import harmless, with_override

    words = call.options.text
    texts = _lines_of_facts(call.stdin) if words == ["-"] else _texts(words)
    if not any(texts):
        raise UsageError("no fact given", "commonplace retain 'W @Peter: …', or - to read standard input")
    texts = [requests.written(text, "fact") for text in texts]
    verb = VERBS["retain"]
    flags = given(call, verb._replace(fields=verb.flags))
    status = 0
    for number, text in enumerate(texts, 1):
        try:
            answered(call, "retain", fields={"text": text, **flags})
        except CommonplaceError as failure:
            if len(texts) == 1:
                raise
            harmless(with_override(failure))
            status = failure.exit_status  # one bad fact of many loses none of the others
            call.screen.note(f"fact {number} of {len(texts)}: {failure.message}\n  {failure.hint}".rstrip())
            call.answer("", wire.error(failure))
    return status


def _texts(words: list[str]) -> list[str]:
    """Facts from words: several quoted texts are several facts, unquoted words are one."""
    return words if all(" " in word.strip() for word in words) else [" ".join(words)]


def _lines_of_facts(stdin: BinaryIO) -> list[str]:
    """Facts from standard input: each top-level bullet with its indented lines, else each non-blank line."""
    from commonplace.doors.shared.batch_form import decoded

    facts: list[str] = []
    bullet = False
    for line in decoded(stdin.read()).split("\n"):
        text = line.strip()
        if not text:
            bullet = False
        elif line[0] in " \t" and bullet:
            facts[-1] += "\n" + line.rstrip("\r")
        else:
            bullet = text[:2] in ("- ", "* ", "+ ")
            facts.append(text[2:].lstrip() if bullet else text)
    return facts


def insert(call: Call) -> int:
    """Insert lines after a line of a file."""
    fields = given(call, VERBS["insert"])
    if not fields["text"]:
        raise UsageError("there is nothing to insert", "give the text")
    return answered(call, "insert", fields=fields)


def replace(call: Call) -> int:
    """Replace a text that occurs once in a file."""
    if call.options.old == "-" and call.options.new == "-":
        raise UsageError("only one of OLD and NEW can be read from standard input", "give the other as a word")
    return answered(call, "replace", fields=given(call, VERBS["replace"]))


def get(call: Call) -> int:
    """Print lines of a file on standard output; their place and the digest go to standard error."""
    target = requests.text(call.options.target, "citation")
    try:
        found = answer(call, "get", fields={"target": call.path(target)})
    except NotFound as failure:
        if set(target) & set("./#"):
            raise
        hint = f"give a path such as MEMORY.md; of a fact: commonplace show {target}"
        raise NotFound(failure.message, hint) from None
    if call.options.json:
        return show(call, found._replace(notes=()))
    if found.text:
        call.screen.print_exactly(found.text.removesuffix("\n"))
    return show(call, found._replace(text=""))


def entity(call: Call) -> int:
    """Show an entity, list all, or merge two."""
    words = call.options.name
    if not words:
        return answered(call, "entities", fields={})
    if words[0] != "merge" or len(words) == 1:
        if call.options.dry_run:
            raise UsageError("--dry-run is only for a merge", "commonplace entity merge NAME OTHER --dry-run")
        return answered(call, "entity", fields={"name": requests.text(" ".join(words), "entity").removeprefix("@")})
    names = [requests.text(word, "entity") for word in words[1:]]
    if len(names) != 2:
        raise UsageError("a merge takes two names", "quote a name of several words: entity merge Peter 'Peter Hansen'")
    return answered(call, "merge", fields={"into": names[0], "other": names[1], "dry_run": call.options.dry_run})


def doctor(call: Call) -> int:
    """Check everything, also if the workspace cannot be determined."""
    try:
        memory = call.memory_as_it_is()
    except UsageError as error:  # a host's configuration names the workspace, and cannot be read
        from commonplace.core.model import Finding, Level
        from commonplace.doors.answers.doctor_answer import found_out

        found = [Finding("workspace", Level.WRONG, f"the workspace cannot be determined: {error.message}", error.hint)]
        return show(call, found_out(found, call.screen))
    given_here = {"env": dict(call.env), "cwd": call.cwd, "why": call.place.why}
    return answered(call, "doctor", fields={"fix": call.options.fix, **given_here}, memory=memory)


def forget(call: Call) -> int:
    """Forget one fact by its id, or list or forget many."""
    fields = given(call, VERBS["forget"])
    filters = fields.keys() - {"target", "yes", "again"}
    if not filters and "target" not in fields:
        raise UsageError(
            "forget needs ID: the fact's id; or --source, --entity, --since …", "see: commonplace forget --help"
        )
    if "target" in fields:
        if filters:
            raise UsageError(
                "an id names one fact and cannot be combined with filters", "leave out the id, or the filters"
            )
        fields.pop("yes", None)
    return answered(call, "forget", fields=fields)


def reflect(call: Call) -> int:
    """Reflect; or undo a change, list changes, or print the packet, by flag."""
    options = call.options
    if options.log:
        return _log(call)
    if options.packet:
        return _packet(call)
    if options.budget is not None:
        raise UsageError("--budget is only for --packet", "commonplace reflect --packet --budget 2000")
    if options.undoable:
        _only_tells(call, "--undoable")
        return answered(call, "changes", fields={})
    if options.k is not None or (options.name and not options.undo):
        raise UsageError("NAME and --k are only for --log", "commonplace reflect --log Peter --k 10")
    if options.undo:
        if options.dry_run or options.since is not None:
            raise UsageError("--undo always undoes a whole change", "leave out --since and --dry-run")
        return answered(call, "undo", fields={"change": " ".join(options.name)})
    return answered(call, "reflect", fields=given(call, VERBS["reflect"]))


def _log(call: Call) -> int:
    _only_tells(call, "--log")
    options, fields = call.options, {"since": call.options.since}
    if options.name:
        fields["name"] = requests.text(" ".join(options.name), "entity").removeprefix("@")
    if options.k is not None:
        fields["k"] = requests.digits(options.k, "--k", most=MOST_HITS)
    return answered(call, "log", fields=fields)


def _packet(call: Call) -> int:
    _only_tells(call, "--packet")
    fields = {"since": call.options.since}
    if call.options.budget is not None:
        fields["budget"] = requests.digits(call.options.budget, "--budget", most=MOST_TOKENS)
    found = answer(call, "packet", fields=fields)
    return show(call, found._replace(text=call.screen.safe(found.text)))


def _only_tells(call: Call, flag: str) -> None:
    options = call.options
    if options.undo or options.dry_run or options.yes or options.commit:
        raise UsageError(f"{flag} writes nothing", "leave out --undo, --dry-run, --yes and --commit")
