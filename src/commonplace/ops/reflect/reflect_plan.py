"""Plans a reflect: every page composed from the facts, as patches with their notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.markdown.bank_layout import DECISIONS, EXPERIENCE, OPINIONS, PREFERENCES, REVIEW, WORLD
from commonplace.core.markdown.slug import BANK
from commonplace.core.model import Kind, Reflection
from commonplace.core.opinions.opinion_entry import rendered
from commonplace.core.pages.bank_pages import experience_page, heaviest, topic_page, world_page
from commonplace.core.pages.page_sentence import sentence_id
from commonplace.core.quotes import quote_topics
from commonplace.core.quotes.page_lines import PageLines
from commonplace.core.quotes.quote_topics import CAUSES, OTHER, WHO
from commonplace.core.review import review_page
from commonplace.core.secrets.guard import masked
from commonplace.ops.beliefs.believe import Gathered, answered, gather, moved, remember, unweighed
from commonplace.ops.reflect.page_input import page_input
from commonplace.ops.reflect.page_planner import PagePlanner
from commonplace.ops.reflect.page_sentences import accepted_sentence, decided_sentences, sentence_page
from commonplace.ops.reflect.page_subjects import named
from commonplace.ops.reflect.propose import reviewed
from commonplace.ops.reflect.shared_lines import shared_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from commonplace.core.model import Patch, Problem
    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.core.pages.entity_pages import Subject
    from commonplace.ops.beliefs.change_check import ReflectRequest
    from commonplace.ops.beliefs.file_texts import FileTexts
    from commonplace.ops.reflect.accept import Acted
    from commonplace.ops.reflect.propose import Questions
    from commonplace.store.sqlite import Index


class ReflectPlan(NamedTuple):
    """What a reflect would write, and what it leaves alone."""

    patches: list[Patch]
    notes: list[str]
    left: list[str]
    """Paths of pages that are left as they are."""
    held: Sequence[str] = ()
    """Paths of pages that are open in an editor: the next reflect tries again."""
    unmarked: Sequence[str] = ()
    """Paths of pages made by people, which wait for a yes."""
    held_back: Sequence[str] = ()
    """Paths of pages that are not created, because they were moved."""
    harmless: Sequence[str] = ()
    """Paths of pages that contain no secret once they are written."""

    def reflection(self, *, applied: bool, acted: Sequence[Acted] = ()) -> Reflection:
        """Return the result for the caller, with notes first on what was carried out before."""
        return Reflection(
            tuple(self.patches),
            applied,
            (*(masked(each.note) for each in acted), *self.notes),
            bool(self.unmarked),
            _summary(self),
            (*self.left, *self.held, *self.unmarked),
            refused=not all(each.done for each in acted),
            held_back=tuple(self.held_back),
        )


class Answering(NamedTuple):
    """Answers, written into the review page in the same set of changes as their consequences."""

    marked: Callable[[str], str]
    """Returns the review page with the answers. Raises if the page cannot be written."""
    got: Gathered
    """What the questions were found in, before the answers."""
    found: Questions
    taken_back: Sequence[review_page.Decision] = ()
    """Decisions that wait again: their lines are ours, and the evidence of their verdicts is gone."""


def plan_pages(
    index: Index,
    texts: FileTexts,
    *,
    asked: ReflectRequest,
    answering: Answering | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ReflectPlan:
    """Return every patch that a reflect would make now.

    Args:
        texts: those of the answers, unless files have changed since they were read.
        progress: called with (files, facts, lines or pages done, all of them), one stretch after the other.
    """
    today, since, yes, narrative = asked
    known = answering is not None and answering.got.texts is texts
    got = answering.got if answering is not None and known else gather(index, texts, today=today, progress=progress)
    marked = None
    if answering is not None:
        marked = answering.marked(texts.text(REVIEW))
        got = answered(unweighed(got, answering.taken_back), marked, today=today)
    if not got.facts and got.held and not yes:
        why = "there are no facts left, and pages would become empty: --yes confirms"
        return ReflectPlan([], [why], [OPINIONS])
    planner = PagePlanner(got, yes=yes)
    problems = index.problems()
    for each in problems:
        if each.code == "moved-page" and each.source.path.startswith(BANK):
            planner.left.append((each.source.path, each.message))
    planner.moved = moved(index, texts)
    opinions = _opinion_lines(got)
    planner.page(OPINIONS, opinions, adopted=got.formed.adopted, why=_moved(got.held, got.formed.entries))
    pages = _plan_fact_pages(index, planner, asked=asked, progress=progress)
    text, _, wrong = texts.readable(REVIEW)
    if not wrong:
        text = text if marked is None else marked
        found = answering.found if answering is not None and known else None
        done = reviewed(index, got, left=planner.left, text=text, since=narrative or since, found=found)
        again = () if answering is None else review_page.adopted_keys(answering.taken_back)
        planner.page(REVIEW, done.lines, adopted=(*done.adopted, *again), answered=marked)
        planner.core(done.core)
        # whoever answers by a verb is told by that
        stays = done.stays if answering is None else ()
        planner.notes += [*done.notes, *stays, *review_page.ineffective_ticks(text)]
    planner.notes += [
        f"not changed: {each.source.path}: {each.message}" for each in problems if _concerns_beliefs(each)
    ]
    if progress is not None:
        progress(pages, pages)
    remember(index, got.findings, whole=since is None)
    got.looked.remember(index)
    if marked is not None:
        planner.record(marked)
    return _planned(planner)


def _plan_fact_pages(
    index: Index, planner: PagePlanner, *, asked: ReflectRequest, progress: Callable[[int, int], None] | None
) -> int:
    """Plan the pages of entities, then those of the whole workspace; return the number of pages, with that of review.

    Each is reported before it is planned.
    """
    got, told = planner.got, progress or (lambda *_: None)
    given = page_input(index, got, today=asked.today, since=asked.since, progress=progress)
    quotes, subjects, known = given.quotes, given.subjects, given.known
    with_newer = quotes.outdated.with_newer
    planner.notes += given.notes
    planner.left += given.left
    every = len(subjects) + 5  # world, experience, preferences, decisions, review
    rules, choices = quotes.best(quote_topics.PREFERENCES), quotes.best(quote_topics.DECISIONS)
    shared = shared_lines(subjects, {PREFERENCES: rules, DECISIONS: choices})
    worded = decided_sentences(got.decided)
    read: dict[str, Subject] = {}
    for number, (key, subject) in enumerate(subjects.items()):
        told(number, every)
        due = key in given.renewed
        shown = (given.subject(key) if due else subject)._replace(elsewhere=shared.elsewhere[key])
        if due and sentence_id(key) in worded:
            page = sentence_page(got, key, shown, known)
            shown = shown._replace(sentence=accepted_sentence(page, worded))
        read.update({key: shown} if due else {})
        planner.entity(shown, known, due=due)
    told(every - 5, every)
    everything = [fact for fact in got.everything if fact.kind is not Kind.OPINION]
    weighty = {subject.path for subject in heaviest(subjects.values())}
    listed = [
        read.get(key) or (given.subject(key) if subject.path in weighty else subject)
        for key, subject in subjects.items()
    ]
    told_of = with_newer(quotes.best(WHO, OTHER, but=subjects))
    planner.page(WORLD, world_page(everything, known, subjects=listed, quotes=told_of))
    told(every - 4, every)
    learned = with_newer(quotes.best(CAUSES, but=subjects))
    planner.page(EXPERIENCE, experience_page(everything, known, subjects=listed, quotes=learned))
    told(every - 3, every)
    wanted = topic_page(with_newer(shared.left(rules)), PREFERENCES, known=known, others=shared.holders(rules))
    planner.page(PREFERENCES, wanted, title="Preferences and rules")
    told(every - 2, every)
    decided = with_newer(shared.left(choices))
    planner.page(DECISIONS, topic_page(decided, DECISIONS, known=known, others=shared.holders(choices)))
    told(every - 1, every)
    return every


def _planned(planner: PagePlanner) -> ReflectPlan:
    """Return what was planned, with notes on what waits."""
    notes = [*planner.notes, *(f"not changed: {path}: {why}" for path, why in planner.left)]
    notes += [f"postponed: {path}: it is open in an editor, perhaps with unsaved changes" for path in planner.open]
    if planner.unmarked:
        notes.append("pages that people made would get our region; the rest of them is unchanged")
    return ReflectPlan(
        planner.patches,
        list(map(masked, notes)),
        [path for path, _ in planner.left],
        planner.open,
        planner.unmarked,
        planner.held_back,
        planner.harmless,
    )


def _concerns_beliefs(problem: Problem) -> bool:
    """Whether a confidence that a person typed on a page of the bank is invalid."""
    return problem.code == "bad-confidence" and problem.source.path.startswith("bank/")


def _opinion_lines(got: Gathered) -> PageLines:
    """Return the lines of the opinions page: a section for each first entity."""
    page = PageLines([], [])
    stands = frozenset(got.texts.text(OPINIONS).split("\n"))
    section: str | None = None
    entries = [(entry, *rendered(entry, OPINIONS)) for entry in got.formed.entries]
    leaking = got.withheld.among(["" if lines[0] in stands else lines[0] for _, lines, _ in entries])
    for at, (entry, lines, keys) in enumerate(entries):
        if at in leaking:
            continue
        key = got.canonical(entry.entities[0]) if entry.entities else ""
        if key != section:
            section = key
            if page.lines:
                page.add("")
            page.add(f"## {named(got, key) if entry.entities else 'Everything'}")
            page.add("")
        page.lines.extend(lines)
        page.keys.extend(keys)
    return page


def _moved(before: Sequence[Entry], after: Sequence[Entry]) -> str:
    """Return in words which opinions are new, and which confidences changed or were set by a person."""
    was = {entry.id: entry for entry in before}
    new = [entry for entry in after if entry.id not in was]
    moved = []
    for entry in after:
        if entry.id in was and was[entry.id].confidence != entry.confidence:
            moved.append(f"^{entry.id} {was[entry.id].confidence or 0:.2f} → {entry.confidence or 0:.2f}")
        elif entry.id in was and entry.spent() and was[entry.id].prior != entry.prior:
            moved.append(f"^{entry.id} set {entry.confidence or 0:.2f} by hand")
    parts = [f"{len(new)} new opinions" if len(new) != 1 else "1 new opinion"] if new else []
    more = f" and {len(moved) - 5} more" if len(moved) > 5 else ""
    return "; ".join([*parts, *([", ".join(moved[:5]) + more] if moved else [])])


def _summary(plan: ReflectPlan) -> str:
    done = [f"{masked(patch.path)}: {patch.reason}" for patch in plan.patches] or ["nothing new"]
    return "; ".join([*done, *(f"{path}: not changed" for path in plan.left)])
