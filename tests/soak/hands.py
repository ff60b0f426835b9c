"""Pages edited by hand between reflects: any line in any way that people edit, several at a time, and words around."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from tests.soak import laws
from tests.soak.traced import aside
from tests.soak.world import free, tree
from tests.test_hand_edits import EDITS, MORE, OPINIONS, PAGES, Bank, Hand, duplicated_at_the_end

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

WORDS = (
    "My own words.",
    "- a bullet",
    "## A heading",
    "> said",
    "| a | b |",
    "王芳と話した",
    "- [ ] to do",
    "",
    "  - below",
)
KINDS = [edit for edit in EDITS if edit is not duplicated_at_the_end]


class Hands:
    """A workspace that was reflected on, edited, and reflected on again."""

    kind = "hands"
    available = True

    def __init__(self, top: Path) -> None:
        self._top = top

    def step(self, number: int, chance: Random) -> tuple[str, str, list[str]]:
        """The page, what was done to it, and what is wrong."""
        folder = self._top / f"hands{number}"
        folder.mkdir(parents=True)
        path, told = chance.choice(PAGES), list[str]()

        def work() -> tuple[list[str], list[str]]:
            try:
                return told, list(self._edited(folder, path, told, chance))
            except Exception:
                return told, [traceback.format_exc()[-1500:]]

        told, found = aside(work)
        if not found:
            free(folder)
        return path, f"{path}: {', '.join(told)}", found

    @staticmethod
    def _edited(root: Path, path: str, told: list[str], chance: Random) -> Iterator[str]:
        bank = Bank(root)
        gone: set[str] = set()
        for number in range(chance.randrange(1, 6)):
            hand = Hand(bank, path)
            hand.gone = gone
            if not (body := bank.body(path)):
                break  # all of it was deleted
            edit, at = chance.choice(KINDS), chance.choice(body)
            told.append(f"{edit.__name__} line {at + 1}")
            hand.edit(edit, at)
            bank.write(f"memory/2026-01-2{number}.md", f"## Retain\n- W @Mona: Bought lamp {number}.\n")
            if chance.random() < 0.5:
                bank.write("memory/2026-01-30.md", MORE)
            words = _words(bank, path, chance, told)
            bank.memory.reflect(since=chance.choice((None, "7d")))
            hand.check(still=False)
            for word, at_page in words.items():
                if bank.read(at_page).count(word) < 1:
                    yield f"{at_page} lost {word!r}"
            bank.memory.reflect()
            if bank.memory.reflect().patches:
                yield "a reflect with nothing new changed something"
        bank.memory.close()
        before = tree(root)
        tripled = sum(each.startswith("duplicated") for each in told) > 1  # of which check tells, as it should
        yield from (each for each in laws.clean(root) if not (tripled and "duplicate-id" in each))
        if before != tree(root):
            yield f"looking changed something: {laws.changes(before, tree(root))}"


def _words(bank: Bank, path: str, chance: Random, told: list[str]) -> dict[str, str]:
    """Write words outside the regions of pages other than the one under test: which, and where."""
    written = {}
    for number in range(chance.randrange(3)):
        page = chance.choice([each for each in (*PAGES, "MEMORY.md") if each not in (path, OPINIONS)])
        word = f"{chance.choice(WORDS)} {chance.randrange(10**6)}{number}"
        text = bank.read(page)
        bank.write(page, f"{word}\n\n{text}" if chance.random() < 0.5 else f"{text}\n{word}\n")
        told.append(f"words on {page}")
        written[word] = page
    return written
