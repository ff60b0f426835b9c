"""Every verb that writes, killed at each of its system calls, or told at each that the disk is full or broken.

Step by step each verb meets each of its calls; what it does without a fault is the measure. After a kill the next
command finds all of it done, or nothing; after an error nothing is changed, and the error says so.
"""

from __future__ import annotations

import errno
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from tests.soak import laws
from tests.soak.traced import WRITES, Fault, aside, can_trace, traced
from tests.soak.world import Done, Verb, World, command, free, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ERRORS = (
    *((code, True) for code in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)),
    *((code, stays) for code in (errno.EIO, errno.EACCES) for stays in (False, True)),
    (errno.ENOSPC, False),
)


class Measure(NamedTuple):
    """What a verb does when nothing goes wrong."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    calls: tuple[str, ...]


class Interrupted:
    """Kills or failing calls; both go through all calls of all verbs by turns."""

    def __init__(self, top: Path, kind: str, seed: str) -> None:
        self.kind = kind
        self._seed = seed
        self.available = can_trace()
        self._top = top
        self._world: World | None = None
        self._measures: dict[str, Measure] = {}

    @property
    def world(self) -> World:
        if self._world is None:
            self._world = World(self._top)
        return self._world

    def step(self, number: int, chance: Random) -> tuple[str, str, list[str]]:
        """The verb, what happened at which call, and what is wrong now."""
        verbs = self.world.verbs
        verb, turn = verbs[number % len(verbs)], number // len(verbs)
        measure = self._measure(verb)
        begin = Random(f"{self._seed}/{verb.name}").randrange(len(measure.calls))
        fault = self._fault(measure.calls, begin, turn, chance)
        folder = self._top / "step"  # one name for all: paths are written into some files
        root = self.world.copy(verb, folder)
        done = traced(lambda: self.world.call(root, verb), fault)
        told = f"{verb.name}: {fault} of {len(measure.calls)} ({done.hit or 'not reached'})"
        answer = done.answer if isinstance(done.answer, Done) else None
        found = [] if answer or done.killed else list(laws.plain(f"Traceback: {done.answer}"))
        after = measure if not answer else measure._replace(calls=())
        found += aside(lambda: list(self._laws(root, verb, after, answer)))
        if found:
            folder.rename(self._top / f"finding-{self.kind}-{number}")
        free(folder)
        return verb.name, told, found

    def _measure(self, verb: Verb) -> Measure:
        if verb.name not in self._measures:
            folder = self._top / "step"
            root = self.world.copy(verb, folder)
            before = _settled(tree(folder))
            aside(lambda: self.world.call(root, verb))  # a first time for what is loaded late
            free(folder)
            self.world.copy(verb, folder)
            done = traced(lambda: self.world.call(root, verb))
            assert isinstance(done.answer, Done) and done.answer.status == 0, (verb, done.answer)
            aside(lambda: command(root, ("index",)))
            self._measures[verb.name] = Measure(before, _settled(tree(folder)), done.calls)
            free(folder)
        return self._measures[verb.name]

    def _fault(self, calls: tuple[str, ...], begin: int, turn: int, chance: Random) -> Fault:
        """Another call each turn, so that each is met once in as many turns as there are calls."""
        stride = next(each for each in (37, 41, 43, 47, 53) if len(calls) % each)
        at = (begin + turn * stride) % len(calls)
        if self.kind == "kills":
            return Fault(at)
        if calls[at] in WRITES and chance.random() < (0.5 if calls[at] == "write" else 0.2):
            return Fault(at, short=True)  # the index writes by pwrite64, all others by write
        code, stays = chance.choice(ERRORS)
        return Fault(at, code, stays)

    def _laws(self, root: Path, verb: Verb, measure: Measure, answer: Done | None) -> Iterator[str]:
        before, after = measure.before, measure.after
        now = tree(root.parent)
        if answer:
            yield from laws.plain(answer.out + answer.err)
            yield from self._kept_its_word(verb, measure, answer, _settled(now))
        if verb.start != "empty" or now:
            recovered = command(root, ("index",))
            if recovered.status and verb.start != "empty":
                yield f"the next command says {recovered}"
        found = _settled(tree(root.parent))
        if verb.whole and not verb.gone and found not in (before, after):
            yield f"neither all nor nothing: {laws.changes(before, found)}"
        persons = {path: text for path, text in before.items() if path in after}
        if not verb.gone:
            kept = {path: text for path, text in persons.items() if text == after[path] or not verb.whole}
            yield from laws.persons_lines(kept, found)
        if verb.gone:
            yield from self._forgotten(root, verb)
        elif verb.again:
            done = self.world.call(root, verb)
            found = _settled(tree(root.parent))
            same = found == after if verb.whole else _by_lines(found) == _by_lines(after)
            if done.status or not same:
                yield f"once more it says {done} and leaves {laws.changes(after, found)}"
        if (root / "memory").exists():
            yield from laws.clean(root)
            if verb.words[0] in ("reflect", "review", "judge", "forget"):
                yield from laws.idempotent(root)
            yield from laws.swept(root)

    @staticmethod
    def _kept_its_word(verb: Verb, measure: Measure, answer: Done, now: dict[str, bytes]) -> Iterator[str]:
        """A verb that says it is done has done it; one that says that nothing was changed has changed nothing."""
        if answer.status not in (0, 1, 2):
            yield f"the exit status {answer.status}: {answer}"
        said = answer.out + answer.err
        if answer.status == 0 and now != measure.after and "wait" not in said:
            yield f"it says it is done: {said[-600:]}\n{laws.changes(measure.after, now)}"
        if "nothing was changed" in said and now != measure.before and verb.whole:
            yield f"it says that nothing was changed: {said[-600:]}\n{laws.changes(measure.before, now)}"

    def _forgotten(self, root: Path, verb: Verb) -> Iterator[str]:
        """One more forget, and no byte is left."""
        done = self.world.call(root, verb)
        yield from laws.plain(done.out + done.err)
        yield from laws.unread(root, verb.gone)


def _by_lines(found: dict[str, bytes]) -> dict[str, list[bytes]]:
    """A tree in which the order of lines does not count."""
    return {path: sorted(content.splitlines()) for path, content in found.items()}


def _settled(found: dict[str, bytes]) -> dict[str, bytes]:
    """A tree without what an interrupted change left, and without the backup of a client's file."""
    beside = ("home/..", "home/.claude.json.")
    return {path: found[path] for path in found if not path.endswith(laws.LEFTOVERS) and not path.startswith(beside)}
