"""What a plain line claims, by the rules of facts: `The relay listens on port 8080`.

A line is read as a fact about nobody in particular, so that only what its own words name keeps two claims apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from commonplace.core.changes.change_lexicon import MARKUP
from commonplace.core.claims.claim_reader import claims
from commonplace.core.claims.succession import FOREVER, TURNS, Standing, differ, supersedes
from commonplace.core.model import Fact, Kind
from commonplace.core.timeline import ordinal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from commonplace.core.model import AnyLine


class LineClaim(NamedTuple):
    """One claim of a line."""

    key: str
    """Of whom or what it is; empty: of what its slot names."""
    standing: Standing

    @property
    def topic(self) -> str:
        """Words that every line with a claim of this slot has."""
        return f"{self.key} {self.standing.slot.partition(' ')[2]}".strip()


def line_claims(line: AnyLine, row: int, known: Iterable[str] = ()) -> tuple[LineClaim, ...]:
    """Return the claims of a line, each with the row of the line.

    Args:
        known: keys of the known names in it.
    """
    text = MARKUP.sub("", line.content)
    told = Fact("", Kind.WORLD, text, (), line.source, line.recorded, line.valid)
    return tuple(
        LineClaim(
            each.key,
            Standing(
                row,
                each.slot,
                each.value,
                each.manner,
                ordinal(each.begins),
                ordinal(each.ends) or FOREVER,
                ordinal(line.recorded),
                False,
                line.trailer.outsider,
            ),
        )
        for each in claims(told, known)
    )


def same_claim(newer: LineClaim, older: LineClaim, *, one_heading: bool) -> bool:
    """Return whether two claims are of one slot.

    Args:
        one_heading: whether the headings above both lines name the same; if not, only what tells of a change may be of
            the same thing.
    """
    told = TURNS in newer.standing.manner
    return newer.key == older.key and newer.standing.slot == older.standing.slot and (one_heading or told)


def claims_anew(newer: LineClaim, older: LineClaim) -> bool:
    """Return whether the newer of two claims of one slot excludes the older."""
    return differ(newer.standing.value, older.standing.value) and supersedes(newer.standing, older.standing)
