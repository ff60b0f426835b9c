"""bank/review.md: proposals and questions as task lists, and a person's decisions.

    ## Inferred
    - [ ] W @Peter: Moved to Berlin. ([2026-01-03](../memory/2026-01-03.md), also on 2026-01-02) ^i-4k2p7
    - [ ] W @Ida: Has a boat. ([2026-01-03](../memory/2026-01-03.md)) by=model:qwen3:8b 2026-01-09 k3f9 ^i-7d2k4

    ## Core
    - [ ] Peter: Prefers concise replies. (0.97, [evidence](opinions.md#peter)) ^c-4m7k

    ## Same entity?
    - [ ] Pete is Peter (spelled alike) ^a-7d2k4

    ## Who or what?
    - [ ] Kite Bay is a project ([2026-01-12](../memory/2026-01-12.md), on 3 days) ^e-4k2p7

    ## Replaced?
    - [ ] “W @Al: In Rome.” (according to web:x) replaces “W @Al: In Bergen.” ([2026-01-12](…)) ^r-3k9d1
    - [ ] “Fonts: Sora and Karla” ([2026-02-26](…)) replaces “Fonts: Sora and Inter” ([2026-02-18](…)) ^l-4k2p7

    ## Judge
    - “Asked for it all.” ([2026-01-19](../memory/2026-01-19.md)) on “Prefers short replies.” ^o-4m7k ^t4x6 ^j-9w2e
      - [ ] for ^j-9w2e-for
      - [ ] against ^j-9w2e-against
      - [ ] neither ^j-9w2e-neither

`[ ]` waits, `[x]` accepts, `[-]` rejects. Decisions stay under *Decided*, so that nothing is asked twice; a line
that a person deletes counts as rejected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.fact_syntax import Head, hash_id, read_bullet
from commonplace.core.entities.resolution import same_line
from commonplace.core.extract.infer import Proposal
from commonplace.core.markdown.bank_layout import OPINIONS, REVIEW
from commonplace.core.markdown.page_links import in_quotes, link, quoted, resolve
from commonplace.core.markdown.page_regions import region
from commonplace.core.model import Citation
from commonplace.core.quotes.page_lines import PageLines
from commonplace.core.review.line_changes import change_line
from commonplace.core.review.possible_names import name_line
from commonplace.core.review.replacements import replaced_line
from commonplace.core.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from commonplace.core.entities.resolution import Same
    from commonplace.core.opinions.formation import Undecided
    from commonplace.core.pages.core_proposals import CoreProposal
    from commonplace.core.review.line_changes import LineChange
    from commonplace.core.review.possible_names import PossibleName
    from commonplace.core.review.replacements import Replaced

ACCEPTED, REJECTED = "accepted", "rejected"
FOR, AGAINST, NEITHER = "for", "against", "neither"
VERDICTS = (FOR, AGAINST, NEITHER)
"""Verdicts on evidence; other questions are accepted, perhaps reworded, or rejected."""
MOST_INFERRED = 10
"""Those that the rules found."""
MOST_ADDED = 10
"""Those that a model added: they stand first, and no more of them may wait."""
MOST_JUDGED = 20
_MOST_CORE = 10
_MOST_SAME = 10
_MOST_NAMES = 10
_MOST_REPLACED = 10
_MOST_CHANGES = 5
_ANSWERS = ("x", "X", "✓", "✔", "-")
"""What a person may type into a box as an answer; with anything else, the question waits."""
_TASK = lazy_pattern(r"\s*[-*+] (?:\[([^\[\]]{0,8})\] )?(.*)$")
_TAIL = lazy_pattern(r" \^([icaerlsj]-[a-z0-9]{4,16})(?:-(for|against|neither))?\s*$")
_ID_INSIDE = lazy_pattern(r" \^([icaerlsj]-[a-z0-9]{4,16})(?![a-z0-9])")
_SOURCE = lazy_pattern(r" \((?:[01]\.\d\d, )?\[([^\]]{0,80})\]\(([^)\s]{1,500})\)(?:, (?:also )?on [\w -]{1,80})?\)$")
_BY = lazy_pattern(r" by=(model:[\w.:/@+-]{1,100} \d{4}-\d\d-\d\d) ([a-z0-9]{4})$")
_VERDICT = lazy_pattern(r"(for|against|neither)(?:, no longer (for|against|neither))?: ")
_PAIR = lazy_pattern(r" \^(o-[a-z0-9]{4,16}) \^([A-Za-z0-9-]{1,64})$")


class Decision(NamedTuple):
    """A decision on one line: of a person, unless `by` says that a model answered."""

    id: str
    """`i-…` an inferred fact, `c-…` a core proposal, `a-…` two entities that may be one, `e-…` a possible name,
    `r-…` a fact that may no longer hold, `l-…` a line that a newer one may replace, `s-…` the sentence of a page,
    `j-…` a piece of evidence.
    """
    verdict: str
    """`accepted` or `rejected`; on evidence `for`, `against` or `neither`."""
    text: str
    """The current line, with a person's rewording, without box, source and id."""
    path: str = ""
    """The file that an inferred fact was read from."""
    day: str = ""
    opinion_id: str = ""
    fact_id: str = ""
    number: int = 0
    """Line in the page, from 1."""
    rest: str = ""
    """The current line without its box."""
    was: str = ""
    """The verdict that this one replaced, on evidence that was judged again."""
    by: str = ""
    """The model that decided, and the day: `model:qwen3:8b 2026-11-27`; empty: a person."""


class Parted(NamedTuple):
    """A line of the page that asks something, in its parts."""

    id: str
    choice: str
    """`for`, `against` or `neither`, for a box below a piece of evidence."""
    indent: str
    box: str
    """The content of the box, a space if that is no answer; empty if there is no box."""
    verdict: str
    """For decided evidence."""
    was: str
    text: str
    """The question, without the other parts."""
    source: str
    """` ([2026-01-03](../memory/2026-01-03.md))`; empty for evidence."""
    by: tuple[str, str] = ("", "")
    """The model that answered, with the day, and the sign of what it answered."""


def is_decider(by: str) -> bool:
    """Whether this can stand in a line as the model that decided: `model:qwen3:8b`."""
    return _BY.fullmatch(f" by={by} 2000-01-01 0000") is not None


def signed(by: str, *, verdict: str, text: str) -> str:
    """Return what a line says of the model that decided it, with a sign of the answer: where a person has changed
    verdict or words since, the sign no longer fits, and the answer is theirs.
    """
    return f" by={by} {_sign(by, verdict, text)}" if by else ""


def _sign(by: str, verdict: str, text: str) -> str:
    return hash_id(f"{by}\x1f{verdict}\x1f{text}", 4)


def parted(line: str) -> Parted | None:
    """Split a line into its parts; None if it asks nothing."""
    tail = _TAIL.search(line, max(0, len(line) - 60)) if "^" in line else None
    task = _TASK.match(line[: tail.start()]) if tail else None
    if tail is None or task is None:
        return None
    id, choice, rest = tail[1], tail[2] or "", task[2]
    signed_by = _BY.search(rest) if " by=" in rest else None
    by = (signed_by[1], signed_by[2]) if signed_by else ("", "")
    rest = rest[: signed_by.start()] if signed_by else rest
    box = "" if task[1] is None else mark if (mark := task[1].strip()) and mark in _ANSWERS else " "
    indent = line[: len(line) - len(line.lstrip())]
    if id.startswith("j-"):
        told = _VERDICT.match(rest)
        verdict, was = (told[1], told[2] or "") if told else ("", "")
        return Parted(id, choice, indent, box, verdict, was, rest[told.end() :] if told else rest, "", by)
    source = _SOURCE.search(rest)
    at = source.start() if source else len(rest)
    return Parted(id, choice, indent, box, "", "", rest[:at], rest[at:], by)


def decisions(text: str) -> tuple[Decision, ...]:
    """Return the decisions on the page, wherever a person moved them. Two verdicts on one question decide nothing."""
    found: dict[str, Decision] = {}
    pairs: dict[str, Decision] = {}
    unclear: set[str] = set()
    for number, raw in enumerate(text.split("\n"), 1):
        read = parted(raw.rstrip("\r"))
        if read is None:
            continue
        id, checked = read.id, read.box not in ("", " ", "-")
        if read.choice:
            if checked and id in pairs:
                if id in found:
                    unclear.add(id)
                found[id] = pairs[id]._replace(verdict=read.choice, number=number)
        elif id.startswith("j-"):
            pairs[id] = _evidence(read, number)
            if checked and read.verdict:
                found[id] = pairs[id]
        elif read.box not in ("", " "):
            found[id] = _task_of(read, ACCEPTED if checked else REJECTED, number=number)
    return tuple(decision for id, decision in found.items() if id not in unclear)


def changed_by_hand(text: str, id: str) -> bool:
    """Whether the line of a question is on the page, and not as we wrote it: reworded, marked, copied or moved."""
    if f"^{id}" not in text:
        return False
    found = region(text, "review")
    for number, raw in enumerate(text.split("\n"), 1):
        read = parted(raw.rstrip("\r")) if f"^{id}" in raw else None
        if read is not None and read.id == id:
            at = number - found.start - 1 if found is not None else -1
            if found is None or not 0 <= at < len(found.ours) or found.ours[at] < 0:
                return True
    return False


def ineffective_ticks(text: str) -> tuple[str, ...]:
    """Return messages on lines that a person ticked in our region without effect: which, why, and what to do."""
    found = region(text, "review")
    if found is None:
        return ()
    told: list[tuple[int, str]] = []
    asked: set[str] = set()
    ticked: dict[str, list[int]] = {}
    for at, raw in enumerate(found.body):
        number, line = found.start + 1 + at, raw.rstrip("\r")
        read = parted(line)
        if read is not None and not read.choice:
            asked.add(read.id)
        task = _TASK.match(line)
        if task is None or not (mark := (task[1] or "").strip()) or found.ours[at] >= 0:
            continue
        if read is not None and mark not in _ANSWERS:
            told.append((number, f"[{task[1]}] is not an answer: [x] accepts, [-] rejects"))
        elif read is not None and read.choice and mark != "-":
            ticked.setdefault(read.id, []).append(number)
        elif read is not None and not read.choice and read.id.startswith("j-") and not read.verdict:
            told.append((number, "for, against or neither is ticked below it"))
        elif read is None:
            named = _ID_INSIDE.search(line)
            behind = f"there is text after ^{named[1]}: move it before the id" if named else ""
            told.append((number, behind or "its ^id is missing: restore it, or retain the fact yourself"))
    for id, numbers in ticked.items():
        if id not in asked:
            told += [(number, f"the line with the question ^{id} is missing: restore it") for number in numbers]
        elif len(numbers) > 1:
            lines = " and ".join(map(str, numbers))
            told.append((numbers[0], f"lines {lines} are all ticked for the question ^{id}: leave only one"))
    return tuple(f"ignored: {REVIEW}, line {number}: {why}" for number, why in sorted(told))


def _task_of(read: Parted, verdict: str, *, number: int) -> Decision:
    source = _SOURCE.search(read.source)
    path, day = (resolve(REVIEW, source[2]), source[1]) if source else ("", "")
    by = _decider(read, verdict)
    return Decision(read.id, verdict, read.text, path, day, number=number, rest=read.text + read.source, by=by)


def _decider(read: Parted, verdict: str) -> str:
    by, sign = read.by
    return by if by and sign == _sign(by, verdict, read.text) else ""


def _evidence(read: Parted, number: int) -> Decision:
    """Return the decision on a piece of evidence; lines under *Decided* begin with it: `against, no longer for: …`."""
    pair = _PAIR.search(read.text)
    opinion, fact = (pair[1], pair[2]) if pair else ("", "")
    by = _decider(read, read.verdict)
    return Decision(read.id, read.verdict, read.text, "", "", opinion, fact, number, read.text, read.was, by)


def waiting(text: str) -> tuple[Proposal, ...]:
    """Return the inferred facts that still wait on the page."""
    found = []
    for raw in text.split("\n") if "^i-" in text else ():
        task = parted(raw.rstrip("\r"))
        if task is None or task.box != " " or not task.id.startswith("i-"):
            continue
        read = _task_of(task, "", number=0)
        head = read_bullet(read.text)
        if isinstance(head, Head):
            source = Citation(read.path, 0)
            day, by = day_of(read), read.by
            found.append(Proposal(task.id, head.kind, head.entities, head.content, source, day, by=by))
    return tuple(found)


def pair_of(line: str) -> tuple[str, str] | None:
    """Return the ids of the opinion and the fact in a line on evidence."""
    read = parted(line)
    pair = _PAIR.search(read.text) if read else None
    return (pair[1], pair[2]) if pair else None


def verdicts(decided: Iterable[Decision]) -> dict[tuple[str, str], str]:
    """Return the verdict, `for`, `against` or `neither`, by (opinion, fact)."""
    return {
        (each.opinion_id, each.fact_id): each.verdict
        for each in decided
        if each.opinion_id and each.verdict in VERDICTS
    }


def accepted(text: str) -> tuple[Decision, ...]:
    """Return what a person accepted on this page for a log: inferred facts, perhaps reworded, and replaced facts."""
    return tuple(each for each in decisions(text) if each.id[:2] in ("i-", "r-") and each.verdict == ACCEPTED)


def pair_id(pair: Undecided) -> str:
    """Return the id of the question whether this fact is evidence on this opinion."""
    return id_of_pair(pair.opinion_id, pair.fact.id)


def id_of_pair(opinion: str, fact: str) -> str:
    """As `pair_id`, by the ids of both."""
    return "j-" + hash_id(f"{opinion}\x1f{fact}", 5)


def review_page(
    inferred: Sequence[Proposal],
    core: Sequence[CoreProposal],
    *,
    pairs: Sequence[Undecided],
    left: Sequence[tuple[str, str]],
    decided: Sequence[Decision],
    same: Sequence[Same] = (),
    names: Sequence[PossibleName] = (),
    replaced: Sequence[Replaced] = (),
    changes: Sequence[LineChange] = (),
    full: str = "",
) -> PageLines:
    """Return the lines of the page: what waits, newest first, pages left alone with the reason, and decisions.

    Args:
        same: entities that may be one.
        names: possible names.
        replaced: facts that, according to outsiders, no longer hold.
        changes: lines that newer ones may replace.
        full: the message that the core has no room; empty while it has.
    """
    page = PageLines([], [])
    if not (inferred or core or same or names or replaced or changes or pairs or left or decided or full):
        return page
    page.add("`[x]` accepts, `[-]` rejects, `[ ]` waits; the next reflect acts on it.", "how")
    shown = listed(inferred)
    rows = [(inferred_line(each), each.id) for each in shown]
    page.section("## Inferred", [*rows, *_more("inferred", len(inferred) - len(shown))])
    rows = [(core_line(each), each.id) for each in core[:_MOST_CORE]]
    page.section("## Core", [*rows, *([(f"- {full}", "core-full")] if full else [])])
    rows = [(same_line(each), each.id) for each in same[:_MOST_SAME]]
    page.section("## Same entity?", [*rows, *_more("same", len(same) - _MOST_SAME)])
    rows = [(name_line(each), each.id) for each in names[:_MOST_NAMES]]
    page.section("## Who or what?", [*rows, *_more("names", len(names) - _MOST_NAMES)])
    rows = [(replaced_line(each), each.id) for each in replaced[:_MOST_REPLACED]]
    rows += _more("replaced", len(replaced) - _MOST_REPLACED)
    page.section("## Replaced?", [*rows, *((change_line(each), each.id) for each in changes[:_MOST_CHANGES])])
    rows = []
    for pair in pairs[:MOST_JUDGED]:
        id = pair_id(pair)
        rows.append((f"- {pair_text(pair)} ^{id}", id))
        rows += [(f"  - [ ] {verdict} ^{id}-{verdict}", f"{id}/{id}-{verdict}") for verdict in VERDICTS]
    page.section("## Judge", [*rows, *_more("judge", len(pairs) - MOST_JUDGED)])
    page.section("## Left alone", [(f"- {quoted(path)}: {why}", "") for path, why in left])
    page.section("## Decided", [(_decided_line(each), each.id) for each in decided])
    return page


def listed(inferred: Sequence[Proposal]) -> Sequence[Proposal]:
    """Return the inferred facts that the page lists."""
    return inferred[: MOST_INFERRED + sum(1 for each in inferred if each.by)]


def _more(what: str, count: int) -> list[tuple[str, str]]:
    """Return the row that counts what waits beyond the shown; none if nothing does."""
    return [(f"- {count} more wait behind these", f"more-{what}")] if count > 0 else []


def inferred_line(proposal: Proposal) -> str:
    """Return the task that asks whether to retain a fact inferred from narrative."""
    source = _day_and_more(proposal.source.path, proposal.recorded, also=proposal.also)
    text = quoted(proposal.text)
    return f"- [ ] {text} ({source}){signed(proposal.by, verdict='', text=text)} ^{proposal.id}"


def core_line(proposal: CoreProposal) -> str:
    """Return the task that asks whether to add a statement to the core."""
    if proposal.confidence is None:
        source = _day_and_more(proposal.path, proposal.recorded, also=proposal.also)
    else:
        evidence = link("evidence", REVIEW, OPINIONS)[:-1] + f"#{proposal.anchor})"
        source = f"{proposal.confidence:.2f}, {evidence}"
    return f"- [ ] {quoted(proposal.text)} ({source}) ^{proposal.id}"


def _day_and_more(path: str, day: date | None, *, also: Sequence[date]) -> str:
    """Return `[2026-01-03](../memory/2026-01-03.md), also on 2026-01-02 and 1 more day`."""
    told = link(day.isoformat() if day else "undated", REVIEW, path)
    if also:
        more = len(also) - 1
        told += f", also on {also[0]}" + (f" and {more} more day{'' if more == 1 else 's'}" if more else "")
    return told


def pair_text(pair: Undecided) -> str:
    """Return the fact and the opinion of a question, with their ids."""
    day = pair.fact.recorded.isoformat() if pair.fact.recorded else "undated"
    place = link(day, REVIEW, pair.fact.source.path)
    if outsider := pair.fact.trailer.outsider:
        place += f", according to {quoted(outsider)}"
    said, held = in_quotes(pair.fact.content), in_quotes(pair.statement)
    return f"{said} ({place}) on {held} ^{pair.opinion_id} ^{pair.fact.id}"


def _decided_line(decision: Decision) -> str:
    by = signed(decision.by, verdict=decision.verdict, text=decision.text)
    if decision.id.startswith("j-"):
        was = f", no longer {decision.was}" if decision.was else ""
        return f"- [x] {decision.verdict}{was}: {decision.rest}{by} ^{decision.id}"
    return f"- [{'x' if decision.verdict == ACCEPTED else '-'}] {decision.rest}{by} ^{decision.id}"


def adopted_keys(decided: Iterable[Decision]) -> list[str]:
    """Return the keys of lines with decisions: they become ours again under *Decided*."""
    keys: list[str] = []
    for each in decided:
        keys.append(each.id)
        if each.id.startswith("j-"):
            keys += [f"{each.id}/{each.id}-{verdict}" for verdict in VERDICTS]
    return keys


def content_of(decision: Decision) -> str:
    """Return the content of an inferred fact, perhaps reworded by a person."""
    head = read_bullet(decision.text)
    return head.content if isinstance(head, Head) else decision.text


def day_of(decision: Decision) -> date | None:
    """Return the day of the line that an inferred fact was read from."""
    return iso_day(decision.day)


def iso_day(text: str) -> date | None:
    """Return a day as ISO writes it; None for anything else."""
    from datetime import date

    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
