"""How much logs tell about an entity."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from commonplace.core.model import Citation, Line
from commonplace.core.pages.page_quotes import Quote
from commonplace.memory import Memory
from commonplace.ops.beliefs.quotable_lines import Named

if TYPE_CHECKING:
    from tests.conftest import Write


def named(*texts: str) -> Named:
    day = date(2025, 11, 3)
    lines = [Line(text, (), Citation("memory/2025-11-03.md", at), day) for at, text in enumerate(texts, 1)]
    return Named([Quote(line, 1.0, "lately", "lately") for line in lines], {day})


def test_lines_that_begin_with_a_name_tell_more_than_lines_that_mention_it() -> None:
    before = "Everybody went down to the harbour in the evening, where"
    subject = named("The Sloop leaks at the stern.", "The sloop has a new mast.")
    mention = named(f"{before} some saw the Sloop.", f"{before} others drew the Sloop.")
    assert subject.telling("Sloop") == mention.telling("Sloop") + 1


def test_what_only_undated_notes_tell_was_not_lived() -> None:
    told = named("The Sloop leaks.")
    assert told.lived()
    undated = [each._replace(line=each.line._replace(recorded=None)) for each in told.quotes]
    assert not told._replace(quotes=undated).lived()
    assert told._replace(quotes=[each._replace(core=True) for each in undated]).lived()


def test_an_acronym_tells_less() -> None:
    assert named("NASA called.").telling("NASA") < named("Nasa called.").telling("Nasa")


def test_what_everybody_knows_tells_less_and_what_only_a_person_is_called_more() -> None:
    assert named("Gmail is slow.").telling("Gmail") < named("Kmail is slow.").telling("Kmail")
    assert named("藤村さんは来ない").telling("藤村さん") > named("藤村号は来ない").telling("藤村号")


def test_a_fix_is_shown_with_its_problem(workspace: Write) -> None:
    log = (
        "# Boat\n\n## Engine of the ferry\n- **Problem:** the engine stops in the rain\n- **Tried:** new plugs\n"
        "- **Fix:** a rubber cap on the coil, because water came in\n"
        "- **Lesson:** look at the coil before the plugs, because it gets wet first\n\n## Boxes\n"
        "- **Cause:** the lid of the box was left open in the harbour by all of us\n"
    )
    folder = workspace({"memory/2026-03-07.md": log})
    with Memory(str(folder), today=date(2026, 3, 9)) as memory:
        memory.reflect(yes=True)
    page = (folder / "bank" / "experience.md").read_text(encoding="utf-8")
    assert "- 2026-03-07: the engine stops in the rain: **Fix:** a rubber cap on the coil" in page
