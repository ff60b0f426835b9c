"""Plans one page: merged with what is on disk, or left alone with the reason."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from commonplace.core.markdown.bank_layout import REGIONS, REVIEW
from commonplace.core.markdown.frontmatter import with_aliases
from commonplace.core.markdown.page_regions import read as read_regions
from commonplace.core.markdown.page_regions import region
from commonplace.core.model import Patch
from commonplace.core.pages.entity_pages import entity_page, least_lines
from commonplace.core.pages.region_merge import renew
from commonplace.core.quotes.page_lines import PageLines
from commonplace.core.secrets.guard import FileChange, added, may_add
from commonplace.errors import ChangedUnderneath

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from commonplace.core.pages.current_facts import Known
    from commonplace.core.pages.entity_pages import Subject
    from commonplace.core.pages.region_merge import Renewed
    from commonplace.core.secrets.redaction import Withheld
    from commonplace.ops.beliefs.believe import Gathered

_SHRUNK = 0.3
_WORTH_KEEPING = 10
"""A page with this many lines of ours or more is left alone if less than `_SHRUNK` of them would remain."""


class PagePlanner:
    """The state of one plan."""

    def __init__(self, got: Gathered, *, yes: bool) -> None:
        self.got = got
        self.texts = got.texts
        self.yes = yes
        self.patches: list[Patch] = []
        self.harmless: list[str] = []
        """Paths of pages that contain no secret once they are written."""
        self.notes: list[str] = []
        self.unmarked: list[str] = []
        """Paths of pages made by people: nothing is written before a yes."""
        self.left: list[tuple[str, str]] = []
        """Paths of pages that are left as they are, with the reason."""
        self.open: list[str] = []
        """Paths of pages that are open in an editor."""
        self.moved: dict[str, str] = {}
        """Path of a page -> path of another page that has its region."""
        self.held_back: list[str] = []
        """Paths of pages that are not created for that reason."""
        self._home: bool | None = None

    def page(
        self,
        path: str,
        new: PageLines,
        *,
        title: str = "",
        aliases: Sequence[str] = (),
        adopted: Iterable[str] = (),
        why: str = "",
        due: bool = True,
        answered: str | None = None,
    ) -> None:
        """Plan the renewal of one page; if it is not `due`, only record whether it will have to be left alone.

        Args:
            title: its heading if it is new; empty for the name of its region.
            aliases: for its front matter if it is new.
            answered: the page with answers in it, to be renewed in place of what was read when the facts were.
        """
        text, seen, wrong = self.texts.readable(path)
        new = _unnamed(new, text, withheld=self.got.withheld)
        if not wrong and seen is None and path in self.moved:
            wrong = f"its region is in {self.moved[path]}: move that page back"
            self.held_back.append(path)
        if wrong:
            self.left.append((path, wrong))
            return
        name = REGIONS.get(path, "entity")
        blank = with_aliases(f"# {title or name.capitalize()}\n", aliases)
        start = answered if answered is not None else text if seen is not None else blank
        change = FileChange(path, None if seen is None else text, None)
        renew_lines = partial(renew, start, name, adopted=adopted, whole_sections=path not in REGIONS)
        renewed, repeats = renew_lines(new.lines, new.keys), ""
        harmless = not may_add(change._replace(after=renewed.text))
        if not harmless and _repeats(change._replace(after=renewed.text)):  # only then looked for line by line
            new = _harmless(new, text, withheld=self.got.withheld)
            renewed = renew_lines(new.lines, new.keys)
            repeats = _repeats(change._replace(after=renewed.text))
        if not any(line.strip() for line in new.lines) and region(text, name) is None:
            return
        problem = renewed.problem or ("" if self.yes and due else _shrinks(*renewed.ours)) or repeats
        if problem:
            self.left.append((path, problem))
            return
        if name == "entity" and renewed.untouched:
            self._note(start, renewed)
        if renewed.text == text:
            return
        ours = not text.strip() or region(text, name) is not None
        if not self._must_wait(path, due=due, ours=ours) and due:
            reason = why or _changed(start, renewed.text, new=seen is None)
            self.patches.append(Patch(path, seen, renewed.text, reason))
            self.harmless += [path] if harmless and self.got.looked.is_harmless(path, seen) else []

    def _must_wait(self, path: str, *, due: bool, ours: bool) -> bool:
        """Whether a changed page is left as it is for now, and record why; a person's page needs a yes."""
        if due and self.texts.workspace.open_in_editor(path):
            self.open.append(path)
            return True
        if ours or (self.yes and due):
            return False
        if due and not self._at_home():
            self.unmarked.append(path)
            return False
        self.left.append((path, "somebody else made it: --yes adds our region to it"))
        return True

    def entity(self, subject: Subject, known: Known, *, due: bool) -> None:
        """Plan the renewal of an entity's page; one that is not due is composed only where it may be left alone."""
        # the review page lists what is left alone whatever `since` says: else two reflects would undo each other
        if due or not self._stands(subject):
            self.page(subject.path, entity_page(subject, known), title=subject.name, aliases=subject.aliases, due=due)

    def core(self, patch: Patch | None) -> None:
        """Plan the additions to the core."""
        if patch is None:
            return
        if found := added([FileChange(patch.path, self.texts.text(patch.path), patch.after)]):
            self.notes.append(f"not written to {patch.path}: it looks like {found[1].kind}")
        else:
            self.patches.append(patch)

    def record(self, answered: str) -> None:
        """Plan to write down the answers at least, if the page cannot be renewed or everything waits for a yes."""
        if REVIEW in self.open:
            raise ChangedUnderneath(f"{REVIEW} is open in an editor", "save and close it, then answer again")
        if self.unmarked or REVIEW in (path for path, _ in self.left):
            before = self.texts.page(REVIEW).digest
            self.patches = [] if self.unmarked else [each for each in self.patches if each.path != REVIEW]
            self.patches.append(Patch(REVIEW, before, answered, "answers recorded"))

    def _stands(self, subject: Subject) -> bool:
        """Whether a page that is not due surely need not be left alone; known of most without composing them."""
        text, seen, wrong = self.texts.readable(subject.path)
        if wrong:
            return False
        ours = self.got.findings.page(text)
        return seen is None or (ours is not None and not _shrinks(ours, least_lines(subject)))

    def _note(self, before: str, renewed: Renewed) -> None:
        """Record an entity's page to which nobody else wrote, for the next reflect."""
        for page, ours in zip((before, renewed.text), renewed.ours, strict=True):
            if ours:  # else it may have no region
                self.got.findings.note_page(page, ours)

    def _at_home(self) -> bool:
        """Whether any page of the bank has a region of ours: then a page without one waits alone."""
        if self._home is None:
            pages = (entity.page for entity in self.got.entities.values())
            paths = (*REGIONS, *(path for path in pages if path))
            self._home = any(read_regions(self.texts.text(path)) for path in paths)
        return self._home


def _repeats(change: FileChange) -> str:
    """Return why a page with a secret is not written; empty if it has none."""
    found = added([change])
    return f"it would repeat text that looks like {found[1].kind}: remove that from the log" if found else ""


def _unnamed(new: PageLines, text: str, *, withheld: Withheld) -> PageLines:
    """Return a region without new lines that repeat a name which looks like a secret."""
    stands = frozenset(text.split("\n"))
    return _without(new, {at for at, line in enumerate(new.lines) if line not in stands and withheld.named(line)})


def _harmless(new: PageLines, text: str, *, withheld: Withheld) -> PageLines:
    """Return a region without new lines that repeat a secret."""
    stands = frozenset(text.split("\n"))
    return _without(new, withheld.among(["" if line in stands else line for line in new.lines]))


def _without(new: PageLines, leaking: AbstractSet[int]) -> PageLines:
    """Return a region without these lines, and without the headings below which nothing is left."""
    if not leaking:
        return new
    kept: list[int] = []  # from the last
    for at in reversed(range(len(new.lines))):
        below = new.lines[kept[-1]] if kept else ""
        if new.lines[at].startswith("### ") and (not below or below.startswith("#")):
            continue
        if new.lines[at].startswith("## ") and not below:
            del kept[-1:]
        elif at not in leaking and (new.lines[at] or kept):
            kept.append(at)
    kept.reverse()
    return PageLines([new.lines[at] for at in kept], [new.keys[at] for at in kept])


def _shrinks(was: int, now: int) -> str:
    """Return why a page is left alone that would lose most lines of ours; empty if it would not."""
    if was >= _WORTH_KEEPING and now < _SHRUNK * was:
        return f"only {now} of {was} lines would remain: --yes confirms"
    return ""


def _changed(before: str, after: str, *, new: bool) -> str:
    """Return what changed on a page, in words."""
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
    """Return the lines of a page for readers: neither blank nor our markers."""
    marks = ("<!-- commonplace", "<!-- /commonplace")
    return [line for line in page.split("\n") if line.strip() and not line.startswith(marks)]
