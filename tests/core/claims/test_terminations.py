"""What is over in words of no frame: the denial taken off, the rest compared; by example and by law."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pairs import said

from commonplace.core.claims.claim_reader import claims
from commonplace.core.claims.succession import ENDS, FOREVER, OVER, Standing
from commonplace.core.claims.terminations import folded, may_say, so
from commonplace.core.documents.parse import parse

if TYPE_CHECKING:
    from commonplace.core.model import Fact


def fact(text: str, day: str = "2025-03-10") -> Fact:
    return parse(f"memory/{day}.md", f"## Retain\n- {text}\n").facts[0]


def became(older: str, newer: str, who: str = "W @Ruth: ") -> str:
    """What the second fact makes of the first, half a year later."""
    return said(fact(who + older), fact(who + newer, "2025-09-10"))


OVER_BY_NOW = (
    # whatever is said, without a word of it in any list
    ("Collects stamps.", "No longer collects stamps."),
    ("Ruth is scared of spiders.", "She isn't scared of spiders anymore."),
    ("Wears a hearing aid in her left ear.", "Ruth no longer wears a hearing aid, since the operation."),
    ("Her nephew sleeps badly.", "Her nephew no longer sleeps badly."),
    ("Samler på mønter.", "Samler ikke længere på mønter."),
    ("Går med høreapparat.", "Ruth går ikke med høreapparat mere."),
    ("收集邮票。", "不再收集邮票了。"),
    ("怕蜘蛛。", "她已经不怕蜘蛛了。"),
    ("戴助聽器。", "再也不戴助聽器了。"),
    ("切手を集めている。", "もう切手を集めていない。"),
    ("クモが怖い。", "もうクモは怖くない。"),
    ("डाक टिकट जमा करती है।", "अब डाक टिकट जमा नहीं करती।"),
    ("मकड़ी से डरती है।", "अब मकड़ी से नहीं डरती है।"),
    # said by what was done
    ("Chews gum.", "Gave up chewing gum."),
    ("Keeps a parrot named Kiki.", "Gave away her parrot."),
    ("Is on jury duty until further notice.", "Is back from jury duty."),
    ("Is married to Otto.", "Got divorced from Otto."),
    ("Ruth is a member of the rowing club.", "Left the rowing club."),
    ("Dyrker yoga hver mandag.", "Er stoppet med at dyrke yoga."),
    ("Ejer en scooter.", "Har solgt scooteren."),
    ("有一台钢琴。", "把钢琴卖了。"),
    ("玩游戏。", "戒掉了游戏。"),
    ("原付に乗っている。", "原付を手放しました。"),
    ("ゲームをする。", "ゲームをするのをやめた。"),
    ("मिठाई खाती है।", "मिठाई खाना बंद कर दिया।"),
)
"""What was so, and what tells that it is over."""


@pytest.mark.parametrize(("so_far", "over"), OVER_BY_NOW)
def test_what_is_over_supersedes_what_said_so(so_far: str, over: str) -> None:
    assert became(so_far, over) == "supersedes"


@pytest.mark.parametrize(
    ("so_far", "over"),
    [
        # another thing, another person, only sometimes or somewhere, or only a part of it
        ("Collects stamps.", "No longer collects coins."),
        ("Her nephew collects stamps.", "No longer collects stamps."),
        ("Collects stamps.", "Her nephew no longer collects stamps."),
        ("Collects stamps.", "No longer collects stamps from Peru."),
        ("Owns a piano shop.", "No longer owns a piano."),
        ("Owns a house in Cork.", "Sold the house in Galway."),
        ("Owns a piano.", "Sold a piano to the school."),
        ("Collects stamps and coins.", "No longer collects stamps."),
        ("Is close to retirement.", "Is no longer close."),
        ("Has a piano.", "Is no longer a piano teacher."),
        # in doubt, asked, or said before of how it was
        ("Collects stamps.", "Perhaps no longer collects stamps."),
        ("Collects stamps.", "Says that she no longer collects stamps."),
        ("Collects stamps.", "No longer collects stamps?"),
        ("Used to collect stamps.", "No longer collects stamps."),
        ("Does not collect stamps.", "No longer collects stamps."),
        ("No longer collects stamps.", "Does not collect stamps any more."),
        ("Collects stamps.", "No longer only collects stamps."),
        ("Samler på mønter.", "Samler ikke længere på frimærker."),
        ("Samler på mønter.", "Samler måske ikke længere på mønter."),
        ("Samler på mønter.", "Samler ikke længere på mønter fra Peru."),
        ("收集邮票。", "不再收集硬币了。"),
        ("弟弟收集邮票。", "不再收集邮票了。"),
        ("收集邮票。", "也许不再收集邮票了。"),
        ("切手を集めている。", "もうコインを集めていない。"),
        ("弟は切手を集めている。", "もう切手を集めていない。"),
        ("切手を集めない。", "もう切手を集めない。"),
        ("切手を集めている。", "もう一度切手を集める。"),
        ("डाक टिकट जमा करती है।", "अब सिक्के जमा नहीं करती।"),
        ("भाई डाक टिकट जमा करता है।", "अब डाक टिकट जमा नहीं करती।"),
        ("डाक टिकट जमा करती है।", "अब तक डाक टिकट जमा नहीं करती।"),
    ],
)
def test_what_says_something_else_stays(so_far: str, over: str) -> None:
    assert became(so_far, over) == "neither"


def test_what_begins_again_supersedes_its_termination() -> None:
    assert became("No longer collects stamps.", "Collects stamps again.") == "supersedes"


def test_a_fact_of_somebody_else_stays() -> None:
    one, other = fact("W @Ruth: Collects stamps."), fact("W @Otto: No longer collects stamps.", "2025-09-10")
    assert said(one, other) == "neither"
    named = fact("W @Ruth @Otto: Otto collects stamps.")
    assert said(named, other) == "supersedes"
    assert said(named, fact("W @Ruth @Otto: No longer collects stamps.", "2025-09-10")) == "neither"


@given(
    st.sampled_from(("collects", "paints", "mends")),
    st.sampled_from(("clocks", "old boats", "blue jars")),
    st.sampled_from(("no longer {}", "does not {} any more", "doesn't {} anymore")),
)
def test_the_denial_of_a_statement_is_over_and_neither_denies_itself(verb: str, thing: str, denial: str) -> None:
    over = denial.format(f"{verb} {thing}").replace("  ", " ")
    assert became(f"{verb} {thing}.", f"{over}.") == "supersedes"
    assert became(f"{over}.", f"{over}.") == "neither"


SAID = """
no longer sold the quit any more not since a Volvo | = … er ikke længere har solgt 不再 不 了 把 卖 もう ない
をやめた अब नहीं बेच दिया @ . , ' 's
"""
WORDS = st.lists(st.sampled_from(SAID.split()), max_size=12)


@given(WORDS.map(" ".join) | WORDS.map("".join))
def test_any_text_is_read(text: str) -> None:
    for each in parse("memory/2025-03-10.md", f"## Retain\n- W @Ruth: {text}\n").facts:
        for claim in claims(each):
            if claim.slot.startswith(OVER):
                assert claim.value and claim.manner == ENDS
                end = Standing(2, claim.slot, claim.value, ENDS, 0, FOREVER, 0, False, "")
                so(each, 1, end=end, names=("ruth",))


def ends(text: str) -> list[Standing]:
    """What a fact says is over."""
    found = (claim for claim in claims(fact(f"W @Ruth: {text}")) if claim.slot.startswith(OVER))
    return [Standing(2, claim.slot, claim.value, ENDS, 0, FOREVER, 0, False, "") for claim in found]


@pytest.mark.parametrize(
    ("so_far", "over"),
    [*OVER_BY_NOW, ("Kører på motorcykel", "Kører ikke længere på motorcykel."), ("Drives a VAN.", "Sold the van.")],
)
def test_a_line_that_may_say_so_is_not_passed_over(so_far: str, over: str) -> None:
    line = f"W @Ruth: {so_far}"
    said_over = [end for end in ends(over) if so(fact(line), 1, end=end, names=("ruth",))]
    assert said_over
    for end in said_over:
        assert may_say(folded(f"- {line}"), end.value)


def test_a_line_that_says_something_else_is_passed_over() -> None:
    for over in (
        "No longer drives a van.",
        "Samler ikke længere på mønter.",
        "不再收集邮票了。",
        "もうクモは怖くない。",
    ):
        (end,) = ends(over)
        for other in ("Lives in Oslo.", "जर्मन सीखती है।", "ピアノを弾く。"):
            assert not may_say(folded(f"- W @Ruth: {other}"), end.value)


def test_a_long_text_costs_little() -> None:
    long = fact("W @Ruth: Collects stamps.")._replace(content="no longer " * 30_000 + "a" * 300_000)
    end = Standing(2, f"{OVER}en", "collect stamp", ENDS, 0, FOREVER, 0, False, "")
    began = process_time()
    assert so(long, 1, end=end, names=("ruth",)) is None
    assert claims(long) == ()
    assert process_time() - began < 1  # it takes a twentieth of it
