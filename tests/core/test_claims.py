"""Claims: what a fact says of things that can be so in one way only; by example, by labelled pairs, and by law."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.claims import Claim, claims
from commonplace.core.parse import parse
from tests.pairs import LANGUAGES, Pair, pairs, said

LOG = "memory/2025-03-10.md"


def claimed(bullet: str, path: str = LOG) -> list[tuple[str, str, str, str]]:
    """The claims of a bullet: key, slot, value, manner."""
    return [claim[:4] for claim in found(bullet, path)]


def found(bullet: str, path: str = LOG) -> tuple[Claim, ...]:
    return claims(parse(path, f"## Retain\n- {bullet}\n").facts[0])


def figures(chosen: list[Pair], label: str) -> tuple[int, int, int]:
    """(said, right, true)."""
    answers = [(said(pair.older, pair.newer), pair.label) for pair in chosen]
    return (
        sum(answer == label for answer, _ in answers),
        sum(answer == true == label for answer, true in answers),
        sum(true == label for _, true in answers),
    )


@pytest.mark.parametrize("held", [False, True])
def test_the_pairs(held: bool) -> None:
    chosen = [pair for pair in pairs() if pair.held is held]
    assert len(pairs()) >= 90
    assert sum(pair.label == "neither" for pair in pairs()) >= len(pairs()) / 2
    for label in ("supersedes", "disputes"):
        answered, right, true = figures(chosen, label)
        assert right >= 0.95 * answered, label
        assert right >= 0.85 * true, label
    assert not [pair for pair in chosen if said(pair.older, pair.newer) == "reversed"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_and_is_silent(language: str) -> None:
    chosen = [pair for pair in pairs() if pair.language == language]
    assert len(chosen) >= 30
    answered, right, true = figures(chosen, "supersedes")
    assert right >= 0.9 * answered
    assert right >= 0.7 * true
    assert {pair.label for pair in chosen} == {"supersedes", "disputes", "neither"}


@pytest.mark.parametrize(
    ("bullet", "expected"),
    [
        # people: where they live, for whom they work, whom they love
        ("W @Peter: Lives in Vienna.", [("peter", "residence/en", "vienna", "")]),
        ("W @Peter: Peter moved from Vienna to Berlin.", [("peter", "residence/en", "berlin", "c")]),
        ("W @Peter: He no longer lives in Vienna.", [("peter", "residence/en", "vienna", "e")]),
        ("W @Peter: His sister lives in Berlin.", [("peter", "residence/en sister", "berlin", "")]),
        ("W @Peter: Lives in Austria.", [("peter", "residence/en/region", "austria", "")]),
        ("W @Peter @Anna: Peter and Anna live in Vienna.", [("peter", "residence/en", "vienna", ""), ("anna", "residence/en", "vienna", "")]),
        ("W @Anna: Left Acme in August and works for Initech now.", [("anna", "employer/en", "initech", "c")]),
        ("W @Anna: Works as a nurse.", [("anna", "job/en", "nurse", "")]),
        ("W @Clara: Clara and Henrik are divorced.", [("clara", "partner", "is=divorced", "c"), ("henrik", "partner", "is=divorced", "c")]),
        ("W @Clara: Clara is married to Henrik.", [("clara", "partner", "is=married with=henrik", "")]),
        # things: times, amounts, versions, numbers
        ("W @Peter: The flight to Oslo leaves at 9.", [("peter", "start flight oslo", "t=540", "n")]),
        ("W @Peter: The flight to Oslo, KP 417, leaves at 9:05 pm.", [("peter", "start 417 flight kp oslo", "t=1265", "n")]),
        ("W @Peter: Flight to Oslo at 9:00.", [("peter", "start flight oslo", "t=540", "n")]),
        ("W @Peter: The train from Oslo leaves at 9:00.", [("peter", "start from oslo train", "t=540", "n")]),
        ("W @atlas: The review is every Monday at 10:00.", [("atlas", "start review", "t=600 d=1", "")]),
        ("W @atlas: The interview was moved to 10:00.", [("atlas", "start interview", "t=600", "cnw")]),
        ("W @atlas: Dinner is at 19:00 and ends at 23:00.", [("atlas", "start dinner", "t=1140", "nw")]),
        ("W @shop: The shop is open until 22:00.", [("shop", "start open", "t=1320", "")]),
        ("W @flat: The rent was €1,200.50 in 2024.", [("flat", "rent/eur 2024-01-01/2024-12-31", "n=1200.5", "p")]),
        ("W @flat: The rent rose to EUR 950.", [("flat", "rent/eur", "n=950", "c")]),
        ("W @ledgerly: The build server runs Node v22.1.", [("ledgerly", "version build node server", "22.1", "")]),
        ("W @ledgerly: Upgraded from Node 18 to Node 22 on March 3, 2025.", [("ledgerly", "version node", "22", "c")]),
        ("W @Alice: Alice has two cats and a dog.", [("alice", "count cats", "n=2", "")]),
        ("W @Alice: Alice has two meetings.", []),
        # things: what they are called, whose they are, how to reach them
        ("W @Andy: Andy's phone number is +43 660 1234567.", [("andy", "phone", "436601234567", "")]),
        ("W @Andy: Phone: 0660-1234567", [("andy", "phone", "06601234567", "")]),
        ("W @office: The door code is 4471.", [("office", "password door", "4471", "")]),
        ("W @office: The door code is in the safe and in no file.", []),
        ("W @atlas: The owner of atlas is Anna Berg.", [("atlas", "lead:owner/en", "anna berg", "")]),
        ("W @atlas: The deadline of the report is May 2, 2025.", [("atlas", "deadline:deadline report", "on=2025-05-02", "")]),
        ("W @atlas: The deadline of the report is soon.", []),
        ("W @flight: My seat is 12A.", [("flight", "seat:seat", "12a", "n")]),
        # how things are
        ("W @warelay: Release 1.4.0 is blocked by the build.", [("warelay", "state 1.4.0 release", "is=no", "")]),
        ("W @warelay: Release 1.4.0 is no longer blocked.", [("warelay", "state 1.4.0 release", "is=no", "e")]),
        ("W @warelay: Release 1.4.0 was blocked.", [("warelay", "state 1.4.0 release", "is=no", "p")]),
        ("W @warelay: Was repaired.", [("warelay", "state", "is=yes", "c")]),
        ("B @warelay: I fixed the CSV import by hand.", [("warelay", "state csv import", "is=yes", "c")]),
        ("B @warelay: The CSV import is broken.", []),
        ("W @warelay: The broken printer stands in the hall.", []),
        ("W @warelay @Peter: The CSV import is broken, since nobody cared.", [("warelay", "state csv import", "is=no", ""), ("peter", "state csv import", "is=no", "")]),
        # what says nothing sure, or says when it is over
        ("W @Peter: If it snows, the flight leaves at 11:30.", []),
        ("W @Peter: Plans to live in Berlin.", []),
        ("W @Peter: Is it true that he lives in Berlin?", []),
        ("W @Peter: ~~Lives in Berlin.~~", []),
        ("W @Peter: Lives in Berlin (March 1–June 30, 2025).", []),
        ("W @Peter: Currently in Marrakech.", [("peter", "whereabouts/en", "marrakech", "")]),
        ("W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025).", []),
        ("O(c=0.9) @Peter: Lives in Vienna, he thinks.", []),
        ("S @Peter: Lives in Vienna.", []),
        ("W: Peter lives in Vienna.", []),
        ("W @warelay: Lives in Vienna.", []),
        ("W @The-Castle: Moved to Vienna.", []),
        # the other languages
        ("W @Ingrid: Ingrid er flyttet fra Aalborg til Aarhus.", [("ingrid", "residence/da", "aarhus", "c")]),
        ("W @Jeppe: Jeppes mobilnummer er 20 11 22 33.", [("jeppe", "phone", "20112233", "")]),
        ("W @Ingrid: Toget til Hamborg kører kl. 8.15.", [("ingrid", "start hamborg toget", "t=495", "n")]),
        ("W @王芳: 王芳从上海搬到了杭州。", [("王芳", "residence/zh", "杭州", "c")]),
        ("W @李雷: 李雷在华为工作。", [("李雷", "employer/zh", "华为", "")]),
        ("W @林佳穎: 房租調漲到每月 19500 元。", [("林佳颕", "rent/元", "n=19500", "c")]),
        ("W @lagoon: 周例会改到每周四下午三点半。", [("lagoon", "start 周例会", "t=930 d=4", "c")]),
        ("W @lagoon: 坏了的打印机在走廊里。", []),
        ("W @lagoon: 合同的到期日是 2025 年 6 月 1 日。", [("lagoon", "deadline:到期日 合同", "on=2025-06-01", "")]),
        ("W @由紀: 由紀は大阪から福岡に引っ越した。", [("由纪", "residence/ja", "福冈", "c")]),
        ("W @由紀: 家賃は月8万円です。", [("由纪", "rent/円 月", "n=80000", "")]),
        ("W @प्रिया: प्रिया का भाई नई दिल्ली में रहता है।", [("प्रिया", "residence/hi भाई", "दिल्ली", "")]),
        ("W @प्रिया: प्रिया नवी मुंबई में रहती हैं।", [("प्रिया", "residence/hi", "नवी मुंबई", "")]),
        ("W @प्रिया: दिल्ली की ट्रेन शाम 6:30 बजे निकलती है।", [("प्रिया", "start ट्रेन दिल्ली", "t=1110", "n")]),
    ],
)  # fmt: skip
def test_by_example(bullet: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert claimed(bullet) == expected


def test_since_when_and_until_when() -> None:
    (lives,) = found("W @Peter: Lives in Vienna since May 2019.")
    assert (str(lives.begins), lives.ends) == ("2019-05-01", None)
    (moved,) = found("W @Peter: Moved to Vienna on March 3, 2025.")
    assert (str(moved.begins), moved.ends) == ("2025-03-03", None)
    (late,) = found("W @Peter: Moved to Vienna.")
    assert str(late.begins) == "2025-03-10"
    (fee,) = found("W @flat: The rent is 900 EUR in 2025.")
    assert (str(fee.begins), str(fee.ends)) == ("2025-03-10", "2025-12-31")
    (undated,) = found("W @Peter: Lives in Vienna.", "memory/notes.md")
    assert undated.begins is undated.ends is None


def test_an_entity_is_known_by_its_name_in_the_text() -> None:
    assert claimed("W @Peter @Alice: Alice lives in Graz.") == [("alice", "residence/en", "graz", "")]
    assert claimed("W @Peter @The-Castle: The Castle's door code is 4471.") == [("the castle", "password door", "4471", "")]
    assert claimed("W @Alice: Peter lives in Vienna.") == [("peter", "residence/en", "vienna", "")]


BULLETS = st.sampled_from(("W @Peter: ", "B @王芳: ", "W @प्रिया @warelay: "))
WORDS = st.sampled_from(
    "The flight to Oslo leaves at 9:00 now moved to Vienna is no longer blocked by rent 900 EUR ( ) , . : ; and 9 kl. er i "
    "住在 上海 现在 改到 每周四 三点 修好了 に住んでいる は 10時 में रहती है 16:00 बजे Peter's phone number is + 43 — has two cats".split()
)


@given(BULLETS, st.text(max_size=60) | st.lists(WORDS, max_size=14).map(" ".join))
def test_any_text_is_read(head: str, text: str) -> None:
    for fact in parse(LOG, f"## Retain\n- {head}{text}\n").facts:
        made = claims(fact)
        assert made == claims(fact)
        assert len({(claim.key, claim.slot) for claim in made}) == len(made)
        assert all(claim.key and claim.slot and claim.value and claim.slot == claim.slot.strip() for claim in made)


def test_a_very_long_fact_is_no_single_statement_and_costs_nothing() -> None:
    fact = parse(LOG, "## Retain\n- W @Peter: Lives in Vienna.\n").facts[0]
    fact = fact._replace(content="Lives in Vienna " + "and at 9:00 is now moved to " * 40_000)
    began = process_time()
    assert claims(fact) == ()
    assert process_time() - began < 1
