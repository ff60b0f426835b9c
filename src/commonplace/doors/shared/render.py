"""Renders answers as text for a terminal and as Markdown for a prompt or a note.

A hit's text is `core.recall.packing.hit_text`, the very lines whose tokens a bundle counts; here they only gain colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonplace.core.recall.packing import hit_text, note_beside_number
from commonplace.core.text.escaping import for_markdown, line_for_model, place_for_model
from commonplace.doors.shared.opinion_lines import opinion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from commonplace.core.markdown.page_sections import PageContent
    from commonplace.core.model import Bundle, Fact, Hit, Problem, SyncReport
    from commonplace.doors.shared.terminal import Screen
    from commonplace.ops.views.belief_history import Told
    from commonplace.ops.views.lookup import EntityView, KnownEntity
    from commonplace.ops.write.edit_files import Written
    from commonplace.ops.write.forget import Forgotten

_MOST_FOLDERS = 12
"""Lines of status about what is left out."""


def bundle(found: Bundle, screen: Screen) -> str:
    """The hits, best first, then the number left out and notes."""
    blocks = [hit(each, screen) for each in found.hits]
    if found.omitted:
        count = "at least " * found.at_least
        left = (
            f"{count}{counted(found.omitted, 'more hit')} left out: raise --k or --budget to see more"
            if found.hits
            else f"{count}{counted(found.omitted, 'hit')} left out: raise --budget to see them"
        )
        blocks.append(screen.paint("dim", f"({left})"))
    if note := note_beside_number(found):
        blocks.insert(len(blocks) if found.hits else 0, screen.paint("yellow", screen.safe(note)))
    if found.status in QUALIFIED:
        blocks.append(screen.paint("yellow", QUALIFIED[found.status]))
    return "\n".join(blocks)


QUALIFIED = {"stale": "this answer may be out of date", "degraded": "this answer may be incomplete"}
"""By the status of a bundle: what a reader should know of all of it; its note says why."""


def hit(found: Hit, screen: Screen) -> str:
    """The lines of `hit_text`, with citation and warnings in colour."""
    place = place_for_model(found.place)
    text = hit_text(found).replace(place, screen.place(place), 1)
    for label in ("said by", "superseded by", "disputed by"):
        text = text.replace(label, screen.paint("yellow", label))
    return text


def bundle_markdown(found: Bundle) -> str:
    """The hits as a Markdown list with links, safe to paste into a note or a prompt."""
    lines = [_bullet(each) for each in found.hits]
    if found.omitted:
        lines.append(f"\n_{'At least ' * found.at_least}{counted(found.omitted, 'more hit')} left out._")
    if note := note_beside_number(found):
        lines.append(f"\n_{for_markdown(note)}_" if lines else f"_{for_markdown(note)}_")
    return "\n".join(lines)


def _bullet(found: Hit) -> str:
    stated = found.line
    names = "".join(f" @{name}" for name in stated.entities)
    when = f", {stated.timestamp}" if stated.timestamp else ""
    sure = f", c={found.confidence:.2f}" if found.confidence is not None else ""
    said = for_markdown(stated.content)
    lines = [f"- **{found.kind}**{for_markdown(names)}{sure}{when}: {said} {_link(found.place)}"]
    if stated.trailer.outsider:
        lines.append(f"  - said by {for_markdown(stated.trailer.outsider)}")
    if found.superseded_by:
        lines.append(f"  - superseded by {_link(str(found.superseded_by))}")
    if found.disputed_by:
        lines.append(f"  - disputed by {_link(str(found.disputed_by))}")
    if found.outdated_by:
        lines.append(f"  - outdated by {_link(str(found.outdated_by))}")
    lines += [
        f"  - {each.stance}: {_link(str(each.source))}" for each in (found.opinion.evidence if found.opinion else ())
    ]
    if found.also:
        lines.append(f"  - also: {', '.join(_link(str(each)) for each in found.also)}")
    return "\n".join(lines)


def _link(citation: str) -> str:
    place = place_for_model(citation).replace("<", "&lt;").replace(">", "&gt;")
    label = place.replace("[", "\\[").replace("]", "\\]")
    return f"[{label}](<{place}>)" if set(place) & set(" ()[]") else f"[{label}]({place})"


def made(
    root: str, created: Sequence[str], screen: Screen, *, included: Sequence[str], unread: Sequence[tuple[str, int]]
) -> str:
    """The created files of a workspace, the globs of further files, and its folders that are not read, each with its
    number of files."""
    lines = [f"workspace {root}: " + (f"created {', '.join(created)}" if created else "nothing to create")]
    if included:
        lines.append(f"read, too: {', '.join(map(screen.safe, included))}")
    if unread:
        named = [f"{screen.safe(folder)} ({counted(number, 'file')})" for folder, number in unread[:_MOST_FOLDERS]]
        more = f" and {len(unread) - len(named)} more" if len(named) < len(unread) else ""
        lines.append(f"not read: {', '.join(named)}{more}")
    return "\n".join(lines)


def retained(stated: Fact, screen: Screen, *, created: bool, notes: Iterable[str]) -> str:
    """The fact with its id and citation, and advice."""
    verb = screen.paint("green", "retained") if created else screen.paint("yellow", "already there")
    lines = [f"{verb} ^{stated.id} {screen.place(stated.source)}", f"  {screen.said(fact_line(stated))}"]
    lines += [_superseding(stated, each, screen=screen) for each in stated.trailer.supersedes]
    return "\n".join([*lines, *(f"  {screen.paint('yellow', 'note')}: {screen.safe(note)}" for note in notes)])


def _superseding(stated: Fact, target: str, *, screen: Screen) -> str:
    """That a fact supersedes another; for somebody else's statement, that it does not."""
    if who := stated.trailer.outsider:
        how = f"to replace it: commonplace correct {target} 'TEXT'"
        stands = f"{_named(target)} is still valid: {who} said otherwise, not you; {how}"
        return f"  {screen.paint('yellow', 'note')}: {screen.safe(stands)}"
    return f"  {screen.paint('dim', 'supersedes')} {_named(target)}"


def _named(target: str) -> str:
    """A fact's citation, or its id with `^`."""
    return target if "#" in target else f"^{target}"


def written(verb: str, done: Written, *, text: str, screen: Screen) -> str:
    """The place of a write, its lines, and the digest for the next write."""
    last = done.source.line + done.lines - 1
    place = str(done.source) + (f"-L{last}" if last > done.source.line else "")
    lines = [f"{screen.paint('green', verb)} {screen.place(place)}"]
    new = text.removesuffix("\n").split("\n") if text else []
    lines += [f"  {screen.safe(line)}".rstrip() for line in new[:_MOST_LINES]]
    if len(new) > _MOST_LINES:
        lines.append(f"  … and {counted(len(new) - _MOST_LINES, 'more line')}")
    return "\n".join([*lines, screen.paint("dim", f"digest {done.digest}")])


_MOST_LINES = 20
"""Lines shown of a long write: enough to see that it went where it should."""


def fact_line(stated: Fact) -> str:
    """`opinion (0.95) @Peter: Prefers concise replies`."""
    sure = f" ({stated.confidence:.2f})" if stated.confidence is not None else ""
    return f"{stated.kind}{sure}{''.join(f' @{name}' for name in stated.entities)}: {stated.content}"


def whole(found: Hit, screen: Screen) -> str:
    """One hit with all its details."""
    stated = found.line
    rows: dict[str, object] = {
        "id": f"^{found.id}",
        "source": stated.source if stated.lines == 1 else f"{stated.source} ({stated.lines} lines)",
        "kind": found.kind,
        "origin": stated.origin,
        "entities": ", ".join(stated.entities),
        "mentions": ", ".join(stated.mentions),
        "recorded": stated.recorded,
        "valid": stated.valid,
        "under": " › ".join(stated.context),
        "said by": stated.speaker or stated.trailer.src,
        "confidence": None if found.confidence is None or found.opinion else f"{found.confidence:.2f}",
        "superseded by": found.superseded_by,
        "disputed by": found.disputed_by,
        "outdated by": found.outdated_by,
        "also": ", ".join(map(str, found.also)),
    }
    text = [screen.paint("bold", screen.safe(stated.content)), table(rows, screen)]
    return "\n".join([*text, opinion(found.opinion, screen, evidence=True)] if found.opinion else text)


def entity(view: EntityView, screen: Screen) -> str:
    """Name, kind, aliases, page, opinions, facts, newest first, and what its page has besides."""
    rows = {"kind": view.kind, "also": ", ".join(view.aliases), "page": view.page}
    related = ", ".join(f"{name} ({times})" for name, times in view.related)
    lines = [screen.paint("bold", screen.safe(view.name))]
    lines += filter(None, [table(rows | {"related": related}, screen)])
    if view.opinions:
        lines += [
            "",
            screen.paint("bold", "Opinions"),
            *(opinion(each, screen) for each in view.opinions),
        ]
    if view.facts:
        lines += [
            "",
            screen.paint("bold", "Facts"),
            *(hit(_plainly(each, view), screen) for each in view.facts[:_MOST_FACTS]),
        ]
    if len(view.facts) > _MOST_FACTS:
        rest = f"({len(view.facts) - _MOST_FACTS:,} older left out: commonplace recall --entity {view.name} '…')"
        lines.append(screen.paint("dim", screen.safe(rest)))
    if not view.opinions and not view.facts:
        lines.append(screen.paint("dim", screen.safe(_unknown(view))))
    lines += _on_page(view.content, screen)
    return "\n".join(lines)


_MOST_LISTED = 60


def _on_page(content: PageContent, screen: Screen) -> list[str]:
    """What a page has besides facts and opinions: a person's words, and the lines of logs that it quotes."""
    words = content.words.split("\n")[:_MOST_LISTED] if content.words else []
    lines = ["", screen.paint("bold", "On its page"), *map(line_for_model, words)] if words else []
    for section in content.sections:
        quotes = [each for each in section.lines if each.path and not (each.id or each.path.startswith("bank/"))]
        if quotes:
            lines += ["", screen.paint("bold", line_for_model(section.title))]
        for each in quotes[:_MOST_LISTED]:
            said = line_for_model(f"{each.lead}: {each.text}" if each.lead else each.text)
            lines.append(f"- {said} ({screen.place(place_for_model(each.path))})")
    return lines


def entities(found: Sequence[KnownEntity], screen: Screen) -> str:
    """One line each: name, kind, days, first and last day, other names, page."""
    if not found:
        return screen.paint("dim", "nobody and nothing is known yet: write logs, or retain a fact with @Name")
    lines = [
        f"{screen.paint('bold', screen.safe(each.name))}  {screen.safe(_seen(each))}" for each in found[:_MOST_LISTED]
    ]
    if rest := len(found) - len(lines):
        lines.append(screen.paint("dim", f"({rest:,} more left out: --json lists all)"))
    return "\n".join(lines)


def _seen(known: KnownEntity) -> str:
    span = f"{known.first} to {known.last}" if known.days > 1 else f"{known.first}"
    days = f"{counted(known.days, 'day')}, {span}" if known.days else "in undated files"
    also = f"also {', '.join(known.aliases)}" if known.aliases else ""
    return "; ".join(filter(None, (known.kind, days, also, known.page)))


_MOST_FACTS = 20


def _unknown(view: EntityView) -> str:
    """What is missing where no fact or opinion names an entity, and the next step."""
    first = f'retain "W @{view.name.replace(" ", "-")}: …" writes the first fact'
    if view.page is None:
        told = "no fact or opinion names it, and it has no page in bank/entities: only other lines mention it"
        return f"  {told}\n  recall {view.name!r} finds them; {first}"
    written = [line for line in view.text.splitlines() if line.strip() and not line.startswith("# ")]
    told = "no fact or opinion names it: what is known is on its page" if written else "its page is empty"
    return f"  {told}\n  {first}"


def _plainly(stated: Fact, view: EntityView) -> Hit:
    from commonplace.core.model import Hit

    return Hit(stated, 0.0, (), (), view.superseded.get(stated.id), view.disputed.get(stated.id))


def forgotten(done: Forgotten, screen: Screen) -> str:
    """The removed fact, and where else its text is."""
    lines = [f"{screen.paint('green', 'forgotten')} ^{done.fact.id}"]
    lines += [f"  {screen.said(fact_line(done.fact))}"] if done.fact.content else []
    lines += [f"  also at {screen.place(each)}" for each in done.elsewhere]
    for each in done.problems:
        lines.append(f"  {screen.paint('red', 'not removed')}: {screen.safe(f'{each.message}: {each.hint}')}")
    return "\n".join([*lines, *(f"  {screen.paint('yellow', 'note')}: {screen.safe(note)}" for note in done.notes)])


def problems(found: Sequence[Problem], screen: Screen) -> str:
    """The problems, each with its place and the next step."""
    if not found:
        return "no problems"
    lines = []
    for each in found:
        lines.append(f"{screen.place(each.source)}: {each.code}: {screen.safe(each.message)}")
        if each.hint:
            lines.append(f"  {screen.safe(each.hint)}")
    return "\n".join([*lines, counted(len(found), "problem")])


def notices(found: Sequence[Problem], screen: Screen) -> list[str]:
    """The notices of a write, one a line."""
    note = screen.paint("yellow", "note")
    return [
        f"{note}: {screen.safe(f'{each.source.path}: {each.code}: {each.message} ({each.hint})')}" for each in found
    ]


def told(found: Told, screen: Screen) -> str:
    """Past changes, two lines each: day, kind and subject; reason and place."""
    lines = []
    for each in found.log:
        about = " ".join(filter(None, (screen.said(each.text), f"^{each.id}" if each.id else "")))
        by = f" by {'a person' if each.by == 'person' else screen.safe(each.by)}" if each.by else ""
        when = screen.paint("bold", f"{each.day or 'undated'!s:10}")
        lines.append(f"{when}  {each.what}{by}{': ' if about else ''}{about}")
        files = ", ".join(each.paths[:5]) + (" …" if len(each.paths) > 5 else "")
        why = screen.said(": ".join(filter(None, (each.why, files))))
        lines.append(f"            {why} {screen.place(each.source)}")
    if found.omitted:
        left = f"{counted(found.omitted, 'older change')} left out: raise --k to see more"
        lines.append(screen.paint("dim", f"({left})"))
    if found.note:
        lines.append(screen.paint("yellow", screen.safe(found.note)))
    return "\n".join(lines) or "no changes yet"


def synced(report: SyncReport) -> str:
    """`3,651 files, 91,004 lines, 18,000 facts (3 added, 1 changed)`.

    Its problems are those of parsing; `check` examines more, and takes longer.
    """
    moved = [(report.added, "added"), (report.changed, "changed"), (report.removed, "removed")]
    what = ", ".join(f"{number:,} {word}" for number, word in moved if number) or "nothing new"
    size = f"{counted(report.files, 'file')}, {counted(report.lines, 'line')}, {counted(report.facts, 'fact')}"
    found = f"{counted(report.problems, 'problem')} in what was read"
    trouble = f"; {found}: commonplace check lists them, and secrets and wrong ids" if report.problems else ""
    return f"{size} ({what}){trouble}"


def diff(path: str, before: str, *, after: str, screen: Screen) -> str:
    """A unified diff of one file, coloured on a terminal."""
    import difflib

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    lines = []
    for line in difflib.unified_diff(old, new, f"a/{path}" if before else "/dev/null", f"b/{path}"):
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[0], "")
        ended = line.rstrip("\r\n")
        shown = screen.safe(ended)
        lines.append(screen.paint(style, shown) if style else shown)
        if not line.endswith("\n"):
            lines.append("\\ No newline at end of file")
    return "\n".join(lines)


def table(rows: Mapping[str, object], screen: Screen) -> str:
    """Names and values in two columns; rows without a value are left out."""
    shown = {name: str(value) for name, value in rows.items() if value is not None and value != ""}
    width = max(map(_columns, shown), default=0)
    names = {name: screen.paint("dim", screen.safe(name)) + " " * (width - _columns(name)) for name in shown}
    return "\n".join(f"  {names[name]}  {screen.safe(value)}" for name, value in shown.items())


def _columns(text: str) -> int:
    """The width of a text on a terminal: two for a wide character, none for a combining mark."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(each) in ("Mn", "Me", "Cf") else 2 if east_asian_width(each) in ("W", "F") else 1 for each in text
    )


def status(data: dict[str, Any], screen: Screen) -> str:
    """The counts, then the indexed and ignored files by folder, servers and notes."""
    lines = [fields({**data, "read": None, "left_out": None, "servers": None, "notes": None}, screen)]
    lines.append(screen.paint("dim", "read") + ":")
    lines += [f"  {screen.safe(path)} {counted(number, 'file')}" for path, number in data["read"].items()]
    if left := data["left_out"]:
        lines.append(screen.paint("dim", "left out") + ":")
        for each in left[:_MOST_FOLDERS]:
            number = f" {counted(each['files'], 'file')}" if each["files"] and each["path"].endswith("/") else ""
            lines.append(f"  {screen.safe(each['path'])}{number}: {screen.safe(each['why'])}")
        if more := left[_MOST_FOLDERS:]:
            lines.append(
                f"  and {counted(len(more), 'more folder')}, {counted(sum(each['files'] for each in more), 'file')}"
            )
        if hint := next((each["hint"] for each in left if each["path"].endswith("/") and each["hint"]), ""):
            lines.append(screen.paint("dim", f"  to read one: {screen.safe(hint)}"))
    for each in data["servers"]:
        what = f"MCP over HTTP at {each['url']}, process {each['pid']}; writes need the token it printed"
        lines.append(f"{screen.paint('dim', 'served')}: {what}")
    lines += [f"{screen.paint('dim', 'note')}: {screen.safe(each)}" for each in data["notes"]]
    return "\n".join(lines)


def fields(value: Any, screen: Screen, *, depth: int = 0) -> str:
    """Nested names and values of any answer, from its JSON form."""
    pad = "  " * depth
    if isinstance(value, dict):
        lines = []
        for name, each in value.items():
            label = pad + screen.paint("dim", name.replace("_", " "))
            if isinstance(each, dict | list) and each:
                lines += [f"{label}:", fields(each, screen, depth=depth + 1)]
            elif each not in (None, "", [], {}):
                lines.append(f"{label}: {fields(each, screen)}")
        return "\n".join(lines)
    if isinstance(value, list):
        return "\n".join(_item(each, screen, pad=pad, depth=depth) for each in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return screen.safe(f"{value:,}" if isinstance(value, int) else str(value))


def _item(value: Any, screen: Screen, *, pad: str, depth: int) -> str:
    if isinstance(value, dict) and "content" in value and "source" in value:
        return f"{pad}- {screen.said(str(value['content']))} {screen.place(value['source'])}"
    if isinstance(value, dict):
        return f"{pad}- " + fields(value, screen, depth=depth + 1).lstrip()
    return f"{pad}- {fields(value, screen)}"


def counted(number: int, noun: str, many: str = "") -> str:
    """`1 fact`, `2,000 facts`; `many` is the plural where an `s` does not make it."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"
