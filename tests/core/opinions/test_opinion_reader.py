"""Opinions on pages: read leniently, written in one look, identical after a round trip."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.documents.parse import parse
from commonplace.core.markdown.page_links import quoted, relative, resolve, slug
from commonplace.core.model import Citation, Stance
from commonplace.core.opinions.opinion_entry import SET, Entry, Mark, entries, opinion_id, rendered
from commonplace.core.opinions.opinion_reader import may_hold, once, read, read_noting

PAGE = "bank/opinions.md"
OURS = """\
# Opinions

<!-- commonplace: opinions -->
## Mona

- O(c=0.90) @Mona: Prefers short meetings (<20 min); the rest goes into notes. ^o-4m7k
  - disputed by ^o-9t2c, last_updated 2026-01-19
  - prior 0.95: [2025-11-27](../memory/2025-11-27.md) ^k7f3qa
  - for, 0.96: [2025-12-04](../memory/2025-12-04.md) ^p2m8ve
  - against: [2026-01-14](../memory/2026-01-14.md), said by web:example.org ^w9d1zu
  - gone: for, 0.80: [2026-01-15](../memory/2026-01-15.md) ^aaaaaa
- O(c=0.60) @Mona @orbit-ui: Tabs are better than spaces. ^o-9t2c
  - prior 0.70: [2025-11-27](../memory/2025-11-27.md) ^b1
  - for, 0.90: [2025-12-04](../memory/2025-12-04.md) ^b2
  - set 0.60 by hand 2026-02-01
  - against, 0.80: [2026-02-04](../memory/2026-02-04.md) ^b3
<!-- /commonplace 5c1e90b2 -->
"""


def test_our_look_is_read_with_its_evidence() -> None:
    first, second = read(PAGE, OURS)
    assert (first.id, first.entities, first.prior, first.confidence) == ("o-4m7k", ("Mona",), 0.95, 0.9)
    assert first.statement == "Prefers short meetings (<20 min); the rest goes into notes."
    assert (first.disputed_by, first.last_updated) == ("o-9t2c", date(2026, 1, 19))
    assert first.source == Citation(PAGE, 6)
    assert [(e.fact_id, e.stance, e.confidence, e.origin) for e in first.evidence] == [
        ("p2m8ve", Stance.SUPPORTS, 0.96, ""),
        ("w9d1zu", Stance.CONTRADICTS, None, "web:example.org"),
    ]
    assert first.evidence[0].source.path == "memory/2025-12-04.md"
    assert second.entities == ("Mona", "orbit-ui")


def test_a_value_set_by_hand_is_the_prior_and_spends_the_evidence_above() -> None:
    second = read(PAGE, OURS)[1]
    assert second.prior == 0.6
    assert [e.fact_id for e in second.evidence] == ["b3"]
    assert second.last_updated == date(2026, 2, 4)


def test_a_table_with_a_confidence_column_holds_opinions() -> None:
    text = """\
| Opinion | Confidence | Evidence | Updated |
|---|---|---|---|
| [[Mona]] likes **tea** | 0.85 | memory/2026-02-03.md#L4 | 2026-02-06 |
| Rust \\| Go are fine | 90% | | |
| 观点没有数字 | n/a | | |

| 观点 | 置信度 |
|---|---|
| 王芳喜欢茶 | 高 |

| Name | Confidence |
|---|---|
| not an opinion | 0.5 |
"""
    mona, rust, fang = read(PAGE, text)
    assert (mona.statement, mona.confidence, mona.prior) == ("[[Mona]] likes **tea**", 0.85, 0.85)
    assert mona.entities == ("Mona",)
    assert mona.last_updated == date(2026, 2, 6)
    assert [(e.recorded, str(e.source)) for e in mona.evidence] == [(date(2026, 2, 3), "memory/2026-02-03.md#L4")]
    assert (rust.statement, rust.confidence) == ("Rust | Go are fine", 0.9)
    assert (fang.statement, fang.confidence, str(fang.source)) == ("王芳喜欢茶", 0.9, "bank/opinions.md#L9")


@pytest.mark.parametrize(
    "written", ["3. januar 2026", "Jan 3, 2026", "2026年1月3日", "3 जनवरी 2026", "2026/01/03", "2026-01-03 09:12"]
)
def test_the_day_of_a_hand_kept_opinion_is_read_as_people_write_it(written: str) -> None:
    rows = f"| Opinion | Confidence | Updated |\n|---|---|---|\n| Mona likes tea | 0.8 | {written} |\n"
    (tea,) = read(PAGE, rows)
    assert tea.last_updated == date(2026, 1, 3)


def test_bullets_with_labels_below_are_opinions() -> None:
    text = """\
- opinion: @Mona likes tea
  confidence: 0,9
  evidence: USER.md
  updated: 2026-02-01
- Mona dislikes noise
  - **Confidence:** 80 %
- no opinion
  - Evidence: USER.md
```
- fenced
  - confidence: 0.3
```
"""
    tea, noise = read("bank/entities/Mona.md", text)
    assert (tea.statement, tea.confidence, tea.entities, tea.last_updated) == (
        "@Mona likes tea",
        0.9,
        ("Mona",),
        date(2026, 2, 1),
    )
    assert (noise.statement, noise.confidence, noise.entities) == ("Mona dislikes noise", 0.8, ("Mona",))


def test_what_a_person_broke_is_no_opinion_but_the_rest_is() -> None:
    broken = OURS.replace("O(c=0.90) @Mona: Prefers", "Mona: Prefers")
    assert [opinion.id for opinion in read(PAGE, broken)] == ["o-9t2c"]
    annotated = OURS.replace("^o-4m7k", "^o-4m7k (really?)").replace("2026-01-14](", "2026-13-44](")
    first = read(PAGE, annotated)[0]
    assert first.statement.endswith("notes. (really?)")
    assert first.evidence[1].recorded is None


def test_ids_depend_on_what_was_said_of_whom_and_avoid_those_taken() -> None:
    first = opinion_id(("Mona", "The-Castle"), "Likes  tea.")
    assert first == opinion_id(("the castle", "mona"), "likes tea.")
    assert len(first) == 6
    longer = opinion_id(("Mona", "The-Castle"), "Likes tea.", taken={first})
    assert longer.startswith(first)
    assert len(longer) == 7
    assert opinion_id(("Mona",), "Likes tea.") != first


shares = st.none() | st.integers(0, 1000).map(lambda n: n / 1000)
days = st.none() | st.dates(date(2000, 1, 1), date(2100, 1, 1))
ids = st.from_regex(r"[a-z0-9]{4,10}", fullmatch=True)
paths = st.sampled_from(["memory/notes.md", "memory/a (b) %20 c.md", "bank/entities/王芳.md", "MEMORY.md"])
marks = st.builds(
    Mark,
    role=st.sampled_from(["prior", "for", "against"]),
    value=shares,
    day=days,
    path=paths,
    fact_id=ids,
    origin=st.sampled_from(["", "web:x"]),
    gone=st.booleans(),
    number=st.just(0),
)
texts = st.text(min_size=1, max_size=60).map(lambda text: " ".join(text.split())).filter(bool)


@given(texts, st.lists(marks, max_size=4, unique_by=lambda mark: mark.fact_id), st.integers(0, 100), days)
def test_what_is_written_is_read_back(statement: str, below: list[Mark], confidence: int, updated: date | None) -> None:
    by_hand = Mark(SET, 0.6, date(2026, 2, 1))
    entry = Entry("o-4m7k", statement, ("Mona",), confidence / 100, (*below, by_hand), updated, "o-9t2c")
    lines, keys = rendered(entry, PAGE)
    assert len(lines) == len(keys) == len(set(keys))
    (back,) = entries(PAGE, "\n".join(lines))
    bare = tuple(mark._replace(number=0) for mark in back.marks)
    expected = updated or max((mark.day for mark in entry.marks if mark.day), default=None)
    assert back._replace(marks=bare, number=0) == entry._replace(last_updated=expected)


@given(st.text("-*+|: \tO(c=0.9)@Mo^ab\n[]./md", max_size=300))
def test_reading_never_raises(text: str) -> None:
    assert isinstance(read(PAGE, text), tuple)


@given(
    st.lists(
        st.text(st.characters(exclude_characters="/#\0"), min_size=1).filter(lambda p: p not in (".", "..")), min_size=1
    )
)
def test_a_relative_link_resolves_to_the_path_it_was_made_of(parts: list[str]) -> None:
    target = "/".join(parts)
    href = relative("bank/entities/Mona.md", target)
    assert "://" not in href
    assert resolve("bank/entities/Mona.md", href) == target


def test_links_out_of_the_workspace_lead_nowhere() -> None:
    assert resolve(PAGE, "../../x.md") == resolve(PAGE, "https://example.org/x.md") == resolve(PAGE, "/etc/x.md") == ""
    assert resolve(PAGE, "entities/The-Castle.md#history") == "bank/entities/The-Castle.md"
    assert slug("The Castle — 城堡!") == "the-castle--城堡"
    assert slug("प्रिया") == "प्रिया", "vowel signs belong to the word, as GitHub keeps them"
    assert slug("Weißer_Turm") == "weißer_turm"


def test_quoted_text_cannot_end_our_comment_or_pass_for_an_id() -> None:
    assert quoted("a  <!-- b\n--> ^k7") == "a &lt;!-- b --&gt; &#94;k7"


def test_opinions_in_half_broken_shapes_are_still_read() -> None:
    text = """\
- Tea is fine. ^o-abcd
- O(c=0.80) @Mona: No numbers. ^o-efgh
  - disputed by ^o-zzzz
- **Bold statement**
  - Confidence: 0.9

  - Evidence: notes/a.md
- Confidence of nothing
  - confidence: unknown
- W @Mona: Likes chess.
  - confidence: 120
  - confidence: 0.4
| Opinion | Confidence |
| short row |
| | 0.5 |
"""
    assert [(opinion.statement, opinion.confidence) for opinion in read(PAGE, text)] == [
        ("No numbers.", 0.8),
        ("Bold statement", 0.9),
    ]
    assert read(PAGE, "- O @Mona: Bare. ^o-efgh")[0].confidence == 0.7
    assert read(PAGE, "- W @Mona: Likes chess.\n  - confidence: 0.4")[0].entities == ("Mona",)


@pytest.mark.parametrize("typed", ["7.3", "-1", "120", "unknown", "very", "1.5", "0.8.1"])
def test_what_is_no_confidence_is_not_taken_and_remarked_on(typed: str) -> None:
    text = (
        f"- Likes tea\n  - confidence: {typed}\n\n"
        f"| Opinion | Confidence |\n|---|---|\n| Likes rye | {typed} |\n| Likes oats | 0.4 |\n\n"
        f"- O(c={typed}) @Mona: Likes jam. ^o-abcd\n"
    )
    assert [opinion.statement for opinion in read(PAGE, text)] == ["Likes oats"]
    told = read_noting(PAGE, text)[1]
    assert [(each.source.line, each.code) for each in told] == [(line, "bad-confidence") for line in (1, 6, 9)]
    assert all(typed in each.message for each in told)
    assert read_noting("memory/2026-01-01.md", text)[1] == ()


@pytest.mark.parametrize("typed", ["0.9", "0,9", "90%", "90", "high", "1", "0", "7.5 %", "", "-", "–"])
def test_a_confidence_and_none_at_all_are_not_remarked_on(typed: str) -> None:
    text = f"- Likes tea\n  - confidence: {typed}\n\n| Opinion | Confidence |\n|---|---|\n| Likes rye | {typed} |\n"
    assert read_noting(PAGE, text)[1] == ()


KEPT = "| Opinion | Confidence | Evidence | Updated |\n|---|---|---|---|\n| @Mona likes tea | 0.9 | USER.md | |\n"


@pytest.mark.parametrize(
    ("text", "may"),
    [
        (KEPT, True),
        ("| 观点 | 置信度 | 依据 |\n|---|---|---|\n| 茶好喝 | 高 | USER.md |\n", True),
        ("- likes tea\n  - Confidence: 0.9\n  - evidence: USER.md\n", True),
        ("- likes tea\n  **Konfidens:** 0,9\n  Belæg: USER.md\n", True),
        ("- चाय पसंद\n  - विश्वास: 0.9\n  - स्रोत: USER.md\n", True),
        ("- お茶が好き\n  - 確信度：0.9\n  - 根拠：USER.md\n", True),
        ("- likes tea\n- is confident\n\n| Item | Confidence |\n|---|---|\n| x | 0.9 |\n", False),
    ],
)
def test_the_prefilter_agrees_with_the_reader_on_which_files_have_opinions(text: str, may: bool) -> None:
    assert may_hold(parse("memory/2025-11-27.md", text)) is may
    assert bool(read("memory/2025-11-27.md", text)) is may


def test_outside_the_bank_a_confidence_alone_makes_no_opinion() -> None:
    text = "- A cat\n  - confidence: 0.93\n\n| Opinion | Confidence |\n|---|---|\n| A dog | 0.9 |\n"
    assert read("memory/2025-11-27.md", text) == ()
    assert read("memory/2025-11-27.md", f"```\n{KEPT}```\n") == ()
    assert [opinion.statement for opinion in read("bank/animals.md", text)] == ["A cat", "A dog"]


def test_an_opinion_in_a_log_is_as_old_as_the_log() -> None:
    (log,) = read("memory/2025-11-27.md", KEPT)
    (page,) = read("bank/tea.md", KEPT)
    (core,) = read("MEMORY.md", KEPT)
    assert (log.last_updated, page.last_updated, core.last_updated) == (date(2025, 11, 27), None, None)
    assert log.id == page.id == core.id
    assert once([core, log]) == (log,)
    assert once([core, log, page]) == (page,)
    assert once([page, log, core]) == (page,)
