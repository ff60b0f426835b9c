"""What texts say of facts that are to go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Citation, Fact, Kind, Trailer
from commonplace.core.traces import Bullet, Traces, texts_of, without_bullets, without_traces

SAID = "The kettle <of> Ann & Bo stands on the stove."


def fact(content: str = SAID, id: str = "k7f3qa", trailer: Trailer = Trailer()) -> Fact:  # noqa: B008  # frozen
    return Fact(id, Kind.WORLD, content, (), Citation("memory/2025-11-27.md", 3), trailer=trailer)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"- W: {SAID} ^k7f3qa", [1]),
        ("x\n- The kettle &lt;of&gt; Ann &amp; Bo stands on the stove.", [2]),
        ("x\nThe kettle <of>\n  Ann & Bo stands\n  on the stove.", [2]),
        ("> The kettle &lt;of&gt; Ann\n> &amp; Bo stands on the stove.\n", [1]),
        (f"{SAID}\nno\n{SAID}", [1, 3]),
        ("The kettle <of> Ann & Bo stands on the sto…", []),
        ("The kettle of Ann", []),
        ("", []),
    ],
)
def test_lines_that_hold_a_text(text: str, lines: list[int]) -> None:
    assert Traces([fact()]).lines(text) == lines
    many = [fact(), *(fact(f"Something else, number {number}.", f"f{number}") for number in range(30))]
    found = Traces(many).lines(text)
    assert found == [number for number in lines if SAID in text.split("\n")[number - 1].replace("&lt;of&gt;", "<of>")
                     .replace("&amp;", "&")]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "may"),
    [("see ^k7f3qa", True), ("The kettle <of> Ann & …", True), ("the kettle", False), ("^other1", False)],
)
def test_what_may_be_in_a_text(text: str, may: bool) -> None:
    assert Traces([fact()]).may_be_in(text) is may


def test_many_are_looked_for_at_once() -> None:
    traces = Traces([*(fact(f"Something else, number {number}.", f"f{number}") for number in range(30)), fact("Tea.")])
    assert traces.may_be_in("x\nSomething else, number 7.")
    assert traces.may_be_in("x ^f12")
    assert traces.may_be_in("Tea.")
    assert not traces.may_be_in("Something else, ^f99")


def test_an_imported_fact_is_told_without_its_topic_too() -> None:
    noted = Trailer(src="import:Vault/a.md")
    assert texts_of(fact("Boats: Rolf prefers the oak hull.", trailer=noted)) == (
        "Boats: Rolf prefers the oak hull.", "Rolf prefers the oak hull."
    )  # fmt: skip
    assert texts_of(fact("Boats: oak.", trailer=noted)) == ("Boats: oak.",)
    assert texts_of(fact("Boats: Rolf prefers the oak hull.")) == ("Boats: Rolf prefers the oak hull.",)


def test_a_trailer_no_longer_names_it_and_keeps_the_rest() -> None:
    text = (
        "- W: A. <!-- cp: supersedes=^k7f3qa --> ^aaaaaa\n"
        "- W: B. <!-- cp: supersedes=^k7f3qa,^other1 src=web:x --> ^bbbbbb\n"
        "- W: C. <!-- cp: supersedes=^other1 --> ^cccccc\n"
        "- W: D. --> <!-- cp: open\n"
    )
    assert without_traces(text, Traces([fact()])) == (
        "- W: A. ^aaaaaa\n"
        "- W: B. <!-- cp: supersedes=^other1 src=web:x --> ^bbbbbb\n"
        "- W: C. <!-- cp: supersedes=^other1 --> ^cccccc\n"
        "- W: D. --> <!-- cp: open\n"
    )


LOG = "## Retain\n- W: Tea.\n- W: Between.\n- W: Tea.\n  \n- W: Long\n  told.\n- W: Tea.\n"


@given(st.integers(0, 3), st.integers(0, 3))
def test_of_twins_as_many_stay_as_should_however_often_it_is_done(going: int, again: int) -> None:
    from commonplace.core.parse import parse

    ids = [each.id for each in parse("memory/2025-11-27.md", LOG).facts if each.content == "Tea."]
    bullets = [Bullet(fact("Tea.", ids[0] if at == 0 else f"{ids[0]}-{at + 1}"), 3 - going) for at in range(going)]
    text, missing = without_bullets("memory/2025-11-27.md", LOG, bullets)
    assert (text.count("Tea."), missing) == (3 - going, 0)
    for _ in range(again):
        assert without_bullets("memory/2025-11-27.md", text, bullets) == (text, going)
    assert "- W: Between.\n" in text
    assert "- W: Long\n  told.\n" in text


def test_a_bullet_goes_with_its_continuation_lines() -> None:
    from commonplace.core.parse import parse

    (long,) = (each for each in parse("memory/2025-11-27.md", LOG).facts if each.content == "Long told.")
    text, _ = without_bullets("memory/2025-11-27.md", LOG, [Bullet(long, 0)])
    assert text == LOG.replace("- W: Long\n  told.\n", "")
