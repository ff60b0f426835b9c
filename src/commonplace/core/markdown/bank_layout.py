"""Paths of the pages that reflect writes, and the problems of a moved or damaged page, which it does not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown.page_regions import CONFLICT
from commonplace.core.markdown.slug import BANK, FOLDER
from commonplace.core.model import Citation, Problem
from commonplace.core.provenance import COPIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commonplace.core.markdown.page_regions import RegionPage

OPINIONS = "bank/opinions.md"
REVIEW = "bank/review.md"
WORLD = "bank/world.md"
EXPERIENCE = "bank/experience.md"
PREFERENCES = "bank/preferences.md"
DECISIONS = "bank/decisions.md"
REGIONS = {
    OPINIONS: "opinions",
    REVIEW: "review",
    WORLD: "world",
    EXPERIENCE: "experience",
    PREFERENCES: "preferences",
    DECISIONS: "decisions",
}
"""Path to region name, for pages with a fixed path."""


def left_alone(path: str, page: RegionPage) -> Iterator[Problem]:
    """Yield why reflect leaves a page of the bank alone: its markers are damaged, or it was moved from its fixed path.

    A file outside the bank is never our page, whatever markers it has: it may be a note or a copy of another workspace.
    """
    if not path.startswith(BANK):
        if page.ours and not path.startswith(COPIES):
            said = "a page that reflect wrote is outside of the bank: reflect does not change it here"
            hint = f"move the page back below {BANK}, or delete the region here"
            yield Problem(Citation(path, 1), "moved-page", said, hint)
        return
    name = REGIONS.get(path) or ("entity" if path.startswith(FOLDER) else "")
    wrong = page.damage(name) if page.problem != CONFLICT else ""  # reported for every file elsewhere
    if wrong and (name or page.begun):
        hint = "repair it, or delete the whole region with its markers; until then reflect does not change the page"
        line = page.problem_line if page.problem or not page.regions else page.regions[0].start
        yield Problem(Citation(path, line), "bad-marker", wrong, hint)
    for place, region in REGIONS.items():
        if region in page.ours and path != place:
            message = f"the region {region} belongs in {place}: reflect does not change it here"
            hint = f"move the page back to {place}, or delete the region here"
            yield Problem(Citation(path, 1), "moved-page", message, hint)
