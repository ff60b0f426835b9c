"""Reflect: facts -> patches of the bank; applied all together, or only shown.

Laws: daily logs are never written, and the core only where a person accepted it in the review page; reflecting twice
changes nothing; nothing that we wrote is evidence; a page that cannot be told is left alone, and the review page says
so.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.documents.region_merge import renew
from commonplace.core.markdown.bank_layout import EXPERIENCE, OPINIONS, REVIEW, WORLD
from commonplace.core.markdown.page_regions import read as read_regions
from commonplace.core.markdown.page_regions import region
from commonplace.core.markdown.slug import BANK
from commonplace.core.model import Kind, Patch, Reflection
from commonplace.core.opinions.opinion_entry import rendered
from commonplace.core.pages.compose import PageLines, entity_page, experience_page, least_lines, world_page
from commonplace.core.pages.current_facts import Known
from commonplace.core.review import review_page
from commonplace.core.secrets.guard import FileChange, added, masked
from commonplace.core.stance import prepare
from commonplace.errors import ChangedUnderneath, CommonplaceError, WorkspaceError
from commonplace.ops.beliefs.believe import Gathered, answered, believe, gather, moved, readable, remember
from commonplace.ops.beliefs.change_check import ReflectRequest, note_read_to, settle, what_is_read
from commonplace.ops.beliefs.page_subjects import named, subjects_of
from commonplace.ops.beliefs.unreadable import held_back, left_all
from commonplace.ops.reflect.propose import join_accepted, recent, retain_accepted, reviewed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import date

    from commonplace.core.documents.region_merge import Renewed
    from commonplace.core.model import Problem, Unread
    from commonplace.core.opinions.opinion_entry import Entry
    from commonplace.core.pages.compose import Subject
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.ops.reflect.propose import Acted, Questions
    from commonplace.store.sqlite import Index
    from commonplace.store.workspace import Workspace

__all__ = ["believe", "diff", "reflect"]

_ATTEMPTS = 3
"""Plans made anew when somebody saves a page meanwhile, before we give up."""
_SHRUNK = 0.3
_WORTH_KEEPING = 10
"""Lines of ours from which a page that would keep less than `_SHRUNK` of them is left alone."""


class _Plan(NamedTuple):
    patches: list[Patch]
    notes: list[str]
    left: list[str]
    """Paths of pages that are left as they are."""
    held: Sequence[str] = ()
    """Paths of pages that wait for an editor: the next reflect must look again."""
    unmarked: Sequence[str] = ()
    """Paths of pages that people made, which wait for a yes."""
    held_back: Sequence[str] = ()
    """Paths of pages that are not made, for they were moved."""

    def reflection(self, *, applied: bool, acted: Sequence[Acted] = ()) -> Reflection:
        """What there is to say of it, and first of what was acted on before it."""
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
    """Answers that are written into the review page in the same set as what follows from them."""

    marked: Callable[[str], str]
    """The review page as answered. Raises where the page cannot be written, and nothing is then."""
    got: Gathered
    """What was read to find the questions, the page still unmarked."""
    found: Questions


def reflect(
    index: Index,
    workspace: Workspace,
    asked: ReflectRequest,
    *,
    dry_run: bool = False,
    sync: Callable[[], Index] | None = None,
    answering: Answering | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Reflection:
    """Renew opinions, entity pages, world, experience and review from the facts.

    Args:
        asked: with `since` only pages of entities that facts of this day or later name are renewed, with the numbers of
            a full reflect; with `yes` also pages that people made, and pages that would shrink.
        dry_run: only plan.
        sync: brings the index up to date with what was written; then the next reflect need not look for itself when
            nothing changes. Without it what a person accepted waits.
        answering: first answer what waits.
        progress: told (pages planned, pages to plan), the last time before anything is written.

    Raises what `Workspace.apply` raises; nothing was written then but facts that were accepted.
    """
    before = what_is_read(index, workspace)
    plan = None
    if missed := held_back(index, workspace):
        return _nothing_changed(missed, answering)
    if answering is None:
        plan = _plan(index, workspace, asked, progress=progress)
        if plan.unmarked or dry_run:
            return plan.reflection(applied=False)
    acted: list[Acted] = []
    if sync is not None:
        acted, index = _act(index, workspace, asked, sync, answering)
        before = what_is_read(index, workspace) if acted else before
    try:
        if acted or plan is None:
            plan = _plan(index, workspace, asked, answering, fresh=bool(acted))
        plan = _applied(index, workspace, asked, answering, plan)
    except CommonplaceError as error:
        if done := [each.note for each in acted if each.done]:
            error.although(f"done before it, and not done twice: {'; '.join(done)}")
        raise
    if sync is not None:
        index = sync() if plan.patches else index
        if REVIEW not in (*plan.left, *plan.held):
            note_read_to(index, asked.today)
        refused = not all(each.done for each in acted)  # what the next reflect tries again
        if not refused and not plan.held and not plan.unmarked:
            said = plan._replace(patches=[]).reflection(applied=False)
            settle(index, workspace, asked, said, before=before, patches=plan.patches, narrative=recent(index))
    return plan.reflection(applied=bool(plan.patches), acted=acted)


def _applied(
    index: Index, workspace: Workspace, asked: ReflectRequest, answering: Answering | None, plan: _Plan
) -> _Plan:
    """The plan that was written: a new one where somebody saved a page meanwhile."""
    for attempt in range(_ATTEMPTS):
        try:
            if plan.patches:
                workspace.apply(plan.patches, label="reflect", day=asked.today)
            break
        except ChangedUnderneath:
            if attempt == _ATTEMPTS - 1:
                raise
            plan = _plan(index, workspace, asked, answering, fresh=True)
    return plan


def _nothing_changed(missed: Sequence[Unread], answering: Answering | None) -> Reflection:
    """What there is to say where all pages are left as they are; raises WorkspaceError where answers were given."""
    why = left_all(missed)
    if answering is not None:
        raise WorkspaceError(why, "mend what cannot be read, and answer again; delete it if it is to be forgotten")
    return Reflection((), applied=False, notes=(why,), needs_yes=False, summary=why, unread=tuple(missed))


def _act(
    index: Index, workspace: Workspace, asked: ReflectRequest, sync: Callable[[], Index], answering: Answering | None
) -> tuple[list[Acted], Index]:
    """Retain and merge what was accepted: what was done, and the index with it. Facts are all written, then read."""
    text, _, _ = readable(workspace, REVIEW)
    if answering is not None:
        text = answering.marked(text)
    retention = retain_accepted(index, workspace, text, today=asked.today)
    if retention.written:
        index = sync()
    joined = join_accepted(index, workspace, text, sync)
    return [*retention.acts, *joined], sync() if joined else index


def diff(patches: Iterable[Patch], read: Callable[[str], str]) -> str:
    """The unified diff of all patches; `read` gives the text that a path holds now, empty for a new file."""
    from difflib import unified_diff

    out: list[str] = []
    for patch in patches:
        before = "" if patch.before is None else read(patch.path)
        old, new = before.split("\n"), (patch.after or "").split("\n")
        source = "/dev/null" if patch.before is None else f"a/{patch.path}"
        target = "/dev/null" if patch.after is None else f"b/{patch.path}"
        out += unified_diff(old, new, source, target, lineterm="")
    return "\n".join(out) + ("\n" if out else "")


def _summary(plan: _Plan) -> str:
    done = [f"{masked(patch.path)}: {patch.reason}" for patch in plan.patches] or ["nothing new"]
    return "; ".join([*done, *(f"{path}: left alone" for path in plan.left)])


class _Planner:
    """The state of one plan."""

    def __init__(self, workspace: Workspace, got: Gathered, *, yes: bool) -> None:
        self.workspace = workspace
        self.got = got
        self.yes = yes
        self.patches: list[Patch] = []
        self.notes: list[str] = []
        self.unmarked: list[str] = []
        """Paths of pages that people made, and that wait for a yes before anything is written."""
        self.left: list[tuple[str, str]] = []
        """Paths of pages that are left as they are, with the reason."""
        self.open: list[str] = []
        """Paths of pages that wait until an editor lets go of them."""
        self.moved: dict[str, str] = {}
        """Path of a page to that of another one that has its region."""
        self.held_back: list[str] = []
        """Paths of pages that are not made for that reason."""
        self._home: bool | None = None

    def page(
        self,
        path: str,
        title: str,
        name: str,
        new: PageLines,
        *,
        adopted: Iterable[str] = (),
        why: str = "",
        due: bool = True,
        answered: str | None = None,
    ) -> None:
        """Plan the renewal of one page; of one that is not `due`, only say whether it will have to be left alone.

        Args:
            answered: the page with answers in it, to be renewed in place of what was read when the facts were.
        """
        yes = self.yes and due
        text, seen, wrong = readable(self.workspace, path)
        new = _unnamed(new, text, self.got.withheld)
        if not wrong and seen is None and path in self.moved:
            wrong = f"{self.moved[path]} has its region: move that page back"
            self.held_back.append(path)
        if wrong:
            self.left.append((path, wrong))
            return
        start = text if seen is not None else f"# {title}\n"
        if answered is not None:
            start, seen = answered, self.got.pages[path][1]
        whole = name == "entity"
        before = None if seen is None else text

        def renewed_with(lines: PageLines) -> Renewed:
            return renew(start, name, lines.lines, lines.keys, adopted=adopted, whole_sections=whole)

        renewed = renewed_with(new)
        if _repeats(FileChange(path, before, renewed.text)):  # looked for line by line only then: mostly there is none
            new = _harmless(new, text, self.got.withheld)
            renewed = renewed_with(new)
        if not any(line.strip() for line in new.lines) and region(text, name) is None:
            return
        problem = renewed.problem or ("" if yes else _shrinks(*renewed.ours))
        problem = problem or _repeats(FileChange(path, before, renewed.text))
        if problem:
            self.left.append((path, problem))
            return
        if whole and renewed.untouched:
            self._note(start, renewed)
        if renewed.text == text:
            return
        if due and self.workspace.open_in_editor(path):
            self.open.append(path)
            return
        if text.strip() and region(text, name) is None and not yes:
            if not due or self._at_home():
                self.left.append((path, "somebody made it, and none of it is ours: say --yes to have a region in it"))
                return
            self.unmarked.append(path)
        if due:
            reason = why or _changed(start, renewed.text, new=seen is None)
            self.patches.append(Patch(path, seen, renewed.text, reason))

    def entity(self, subject: Subject, known: Known, *, due: bool) -> None:
        """Plan the renewal of an entity's page; one that is not due is composed only where it may be left alone."""
        # the review page lists what is left alone whatever `since` says: else two reflects would undo each other
        if due or not self._stands(subject):
            self.page(subject.path, subject.name, "entity", entity_page(subject, known), due=due)

    def core(self, patch: Patch | None) -> None:
        """Plan what the core gains."""
        if patch is None:
            return
        if found := added([FileChange(patch.path, readable(self.workspace, patch.path)[0], patch.after)]):
            self.notes.append(f"not written to {patch.path}: it looks like {found[1].kind}")
        else:
            self.patches.append(patch)

    def record(self, answered: str) -> None:
        """Plan that answers are at least written down, where the page cannot be renewed or all wait for a yes."""
        if REVIEW in self.open:
            raise ChangedUnderneath(f"an editor has opened {REVIEW}", "save and close it, then answer again")
        if self.unmarked or REVIEW in (path for path, _ in self.left):
            before = self.got.pages[REVIEW][1]
            self.patches = [] if self.unmarked else [each for each in self.patches if each.path != REVIEW]
            self.patches.append(Patch(REVIEW, before, answered, "answers recorded"))

    def _stands(self, subject: Subject) -> bool:
        """Whether a page that is not due need surely not be left alone: told of most without composing them."""
        text, seen, wrong = readable(self.workspace, subject.path)
        if wrong:
            return False
        ours = self.got.findings.page(text)
        return seen is None or (ours is not None and not _shrinks(ours, least_lines(subject)))

    def _note(self, before: str, renewed: Renewed) -> None:
        """Note what is known of a page of an entity to which nobody else wrote, for the next reflect."""
        for page, ours in zip((before, renewed.text), renewed.ours, strict=True):
            if ours:  # else it may have no region
                self.got.findings.note_page(page, ours)

    def _at_home(self) -> bool:
        """Whether some page of the bank has a region of ours: then a page without one waits alone."""
        if self._home is None:
            pages = (entity.page for entity in self.got.entities.values())
            paths = (OPINIONS, REVIEW, WORLD, EXPERIENCE, *(path for path in pages if path))
            self._home = any(read_regions(readable(self.workspace, path)[0]) for path in paths)
        return self._home


def _repeats(change: FileChange) -> str:
    """Why a page is not written that would repeat a secret; empty where it does not."""
    found = added([change])
    return f"it would repeat what looks like {found[1].kind}: take that out of the log" if found else ""


def _unnamed(new: PageLines, text: str, withheld: Withheld) -> PageLines:
    """The lines of a region without those that would repeat a name that looks like a secret; what stands may stay."""
    stands = frozenset(text.split("\n"))
    return _without(new, {at for at, line in enumerate(new.lines) if line not in stands and withheld.named(line)})


def _harmless(new: PageLines, text: str, withheld: Withheld) -> PageLines:
    """The lines of a region without those that would repeat a secret; what stands there may stay."""
    stands = frozenset(text.split("\n"))
    return _without(new, withheld.among(["" if line in stands else line for line in new.lines]))


def _without(new: PageLines, leaking: AbstractSet[int]) -> PageLines:
    """The lines of a region but for some, counted from 0."""
    if not leaking:
        return new
    kept = [at for at in range(len(new.lines)) if at not in leaking]
    return PageLines([new.lines[at] for at in kept], [new.keys[at] for at in kept])


def _shrinks(was: int, now: int) -> str:
    """Why a page that has so many lines of ours would lose most of them; empty when it would not."""
    if was >= _WORTH_KEEPING and now < _SHRUNK * was:
        return f"of {was} lines only {now} would be left: say --yes if that is right"
    return ""


def _changed(before: str, after: str, *, new: bool) -> str:
    """What happened to a page, in words."""
    old, fresh = _told(before), _told(after)
    if new:
        return f"new page, {len(fresh)} lines"
    added, removed = Counter(fresh), Counter(old)
    if added != removed:
        return f"+{(added - removed).total()} −{(removed - added).total()} lines"
    from difflib import SequenceMatcher

    stayed = sum(block.size for block in SequenceMatcher(None, old, fresh, autojunk=False).get_matching_blocks())
    moved = len(fresh) - stayed
    return f"{moved} line{'' if moved == 1 else 's'} moved" if moved else "marks renewed"


def _told(page: str) -> list[str]:
    """The lines of a page that say something to a reader: neither blank nor our markers."""
    marks = ("<!-- commonplace", "<!-- /commonplace")
    return [line for line in page.split("\n") if line.strip() and not line.startswith(marks)]


def _likes(got: Gathered) -> Callable[[str], bool]:
    """Whether a statement states a preference, remembered by its text."""
    return partial(got.findings.in_text, "likes", find=lambda text: prepare(text).likes)


def _plan(
    index: Index,
    workspace: Workspace,
    asked: ReflectRequest,
    answering: Answering | None = None,
    *,
    fresh: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> _Plan:
    """Every patch that a reflect of now would make.

    Args:
        fresh: files have changed since the answers were read.
        progress: told (pages planned, pages to plan).
    """
    today, since, yes, narrative = asked
    told = progress or (lambda *_: None)
    got = gather(index, workspace, today=today) if answering is None or fresh else answering.got
    marked = None
    if answering is not None:
        marked = answering.marked(got.pages[REVIEW][0])
        got = answered(got, marked, today=today)
    if not got.facts and got.held and not yes:
        return _Plan([], ["there is no fact left, and pages would be emptied: say --yes if that is right"], [OPINIONS])
    planner = _Planner(workspace, got, yes=yes)
    for each in index.problems():
        if each.code == "moved-page" and each.source.path.startswith(BANK):
            planner.left.append((each.source.path, each.message))
    planner.moved = moved(index, workspace)
    opinions = _opinion_lines(got)
    planner.page(
        OPINIONS, "Opinions", "opinions", opinions, adopted=got.formed.adopted, why=_moved(got.held, got.formed.entries)
    )
    subjects, without, twins = subjects_of(index, got)
    planner.notes += without
    planner.left += twins
    renewed = subjects.keys() if since is None else subjects.keys() & _touched(got, since)
    there = renewed | {key for key, entity in got.entities.items() if entity.page}
    pages = {key: (subject.name, subject.path if key in there else "") for key, subject in subjects.items()}
    known = Known(today, got.superseded, pages, got.canonical, _likes(got), got.disputed, index.lasting(today))
    for number, (key, subject) in enumerate(subjects.items()):
        told(number, len(subjects) + 1)
        planner.entity(subject, known, due=key in renewed)
    everything = [fact for fact in got.everything if fact.kind is not Kind.OPINION]
    planner.page(WORLD, "World", "world", world_page(everything, known, list(subjects.values())))
    planner.page(EXPERIENCE, "Experience", "experience", experience_page(everything, known, list(subjects.values())))
    text, _, wrong = readable(workspace, REVIEW)
    if not wrong:
        text = text if marked is None else marked
        found = None if answering is None or fresh else answering.found
        done = reviewed(index, workspace, got, left=planner.left, text=text, since=narrative or since, found=found)
        adopted = review_page.adopted_keys(done.settled)
        planner.page(REVIEW, "Review", "review", done.lines, adopted=adopted, answered=marked)
        planner.core(done.core)
        planner.notes += [*done.notes, *review_page.unheard(text)]
    planner.notes += [
        f"left as it is: {each.source.path}: {each.message}" for each in index.problems() if _concerns_beliefs(each)
    ]
    told(len(subjects) + 1, len(subjects) + 1)
    remember(index, got.findings, whole=since is None)
    got.looked.remember(index)
    if marked is not None:
        planner.record(marked)
    notes = [*planner.notes, *(f"left alone: {path}: {why}" for path, why in planner.left)]
    notes += [f"not yet: {path}: an editor holds it, with changes that it may not have saved" for path in planner.open]
    if planner.unmarked:
        notes.append("pages that people made would get a region of ours; nothing in them is changed otherwise")
    left = [path for path, _ in planner.left]
    notes = list(map(masked, notes))
    return _Plan(planner.patches, notes, left, planner.open, planner.unmarked, planner.held_back)


def _concerns_beliefs(problem: Problem) -> bool:
    """Whether what a person typed for a confidence on a page of the bank could not be read."""
    return problem.code == "bad-confidence" and problem.source.path.startswith("bank/")


def _opinion_lines(got: Gathered) -> PageLines:
    """The lines of the opinions page: a section for each first entity."""
    page = PageLines([], [])
    stands = frozenset(got.pages[OPINIONS][0].split("\n"))
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
    """Which opinions are new, and whose confidence moved or was set by a person."""
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


def _touched(got: Gathered, since: date) -> set[str]:
    """Entities that facts of this day or later name."""
    return {
        got.canonical(name)
        for fact in (*got.everything, *got.retracted.values())
        if fact.recorded and fact.recorded >= since
        for name in (*fact.entities, *fact.mentions)
    }
