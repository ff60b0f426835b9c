"""Roles of a phrase of the lexicon besides framing a value, as bits: one phrase may have several."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_bits: Iterator[int] = (1 << bit for bit in range(31))

DROP = next(_bits)
"""Says nothing that tells things apart: the, currently, 的."""
TURN = next(_bits)
"""Tells of a change: now, moved to, 改到."""
END = next(_bits)
"""Says that it is so no longer."""
DOUBT = next(_bits)
"""Puts the sentence in doubt: not, if, perhaps, plans to."""
JOIN = next(_bits)
"""May begin another clause: and, but."""
CUT = next(_bits)
"""Begins a reason or a time, which tells nothing apart: because, since."""
ASIDE = next(_bits)
"""The same of what is said of people: for a new job, with Anna."""
MONTH = next(_bits)
PAST = next(_bits)
"""Says how it was: was, war, था."""
LINK = next(_bits)
"""Links a noun to its value: is, 是."""
FROM = next(_bits)
"""Stands beside what something changed from: 从, から."""
OPENS = next(_bits)
"""Opens what a verb closes: 在 … 工作."""
OF = next(_bits)
"""Ties what stands before it to a noun: 坏了的打印机."""
TIMED = next(_bits)
"""No phrase's: the fact has what may be a time of day, as in 9:30 and 9 am."""
LED = next(_bits)
"""Makes a number behind it a time of day: at, kl."""
WEEKDAY = next(_bits)
DAYPART = next(_bits)
HOURS = next(_bits)
"""Makes a number before it a time of day: o'clock, 点, बजे."""

SMALL = DROP | PAST | LINK | ASIDE
"""Words that are everywhere, so that they tell nothing of a text."""
PASSED = DROP | TURN | END
"""What may stand between a verb and what it says."""
INNER = DROP | LINK | OPENS
"""Small words that may be part of a name where words are not parted: 华为."""
UNSAID = DROP | TURN | END | JOIN | CUT | ASIDE | MONTH | PAST | LINK | FROM | OPENS | LED | WEEKDAY | DAYPART | HOURS
"""What is not said of the thing that a clause is about."""
