"""What texts say of facts that are to go."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.core.documents.fact_syntax import may_name_other, trailed
from commonplace.core.documents.fact_traces import (
    FORGOTTEN,
    Bullet,
    Traces,
    texts_of,
    without_bullets,
    without_lines,
    without_traces,
)
from commonplace.core.model import Citation, Fact, Kind, Trailer

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
def test_every_line_that_contains_a_forgotten_fact_is_found(text: str, lines: list[int]) -> None:
    assert Traces([fact()]).lines(text) == lines
    many = [fact(), *(fact(f"Something else, number {number}.", f"f{number}") for number in range(30))]
    assert Traces(many).lines(text) == lines


@pytest.mark.parametrize(
    ("text", "may"),
    [("see ^k7f3qa", True), ("The kettle <of> Ann & …", True), ("the kettle", False), ("^other1", False)],
)
def test_the_prefilter_rules_out_texts_without_a_trace(text: str, may: bool) -> None:
    assert Traces([fact()]).may_be_in(text) is may


def test_traces_of_many_facts_are_found_in_one_search() -> None:
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


def test_trailers_of_every_shape_lose_the_name_and_code_keeps_its_own() -> None:
    text = (
        "- W: A. <!--cp: supersedes=^k7f3qa --> <!-- cp: supports=^k7f3qa,^other1 -->  \n"
        "- W: B. <!-- seen --> <!-- cp: contradicts=^k7f3qa\n  src=web:x -->\n"
        "`<!-- cp: supersedes=^k7f3qa -->`\n```\n- W: C. <!-- cp: supersedes=^k7f3qa -->\n```\n"
    )
    assert without_traces(text, Traces([fact()])) == (
        "- W: A. <!-- cp: supports=^other1 -->  \n"
        "- W: B. <!-- seen --> <!-- cp: src=web:x -->\n"
        "`<!-- cp: supersedes=^k7f3qa -->`\n```\n- W: C. <!-- cp: supersedes=^k7f3qa -->\n```\n"
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("- 2025-11-27: Tea ([log](x.md)) ^k7f3qa", True),
        ("- Tea ^other1", True),
        ("- 2025-11-27: Tea ([log](x.md)) ^other1", True),
        ("- [ ] “Tea” or “Coffee”? ^other1 ^other2", True),
        ("- Teaches maths ^other1", False),
        ("- Leads the Teapot project", False),
        ("- Prefers Tea with oat milk ^other1", False),
        ("- Prefers Tea with oat milk", True),
    ],
)
def test_a_line_of_ours_tells_of_it_and_not_of_another_whose_words_hold_its_own(line: str, told: bool) -> None:
    assert Traces([fact("Tea")]).stated_in(line) is told
    many = [fact("Tea"), *(fact(f"Something else, number {number}.", f"f{number}") for number in range(30))]
    assert Traces(many).stated_in(line) is told


def test_a_line_that_quotes_a_fact_cut_short_is_one_of_its_traces() -> None:
    long = fact("The kettle that Ann brought from Lisbon whistles at noon.")
    assert Traces([long]).stated_in("- [ ] “The kettle that Ann brought from Lis…” (^other1)")
    assert not Traces([long]).stated_in("- [ ] “The kettle that Ann brought to Lis…” (^other1)")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Lives in “Plugh Tower” now.", "- [ ] “Lives in 'Plugh Tower' now.” (web:x) replaces “Lives in Rome.” ^r-4k"),
        ('Says "Plugh" and ‘no’.', "- [ ] “Says 'Plugh' and 'no'.” or “Lives in Rome.”: which? ^j-4k2p7"),
        ("Prefers &lt;br&gt; over Plugh.", "- 0.90: Prefers &lt;br&gt; over Plugh. ([evidence](../opinions.md#peter))"),
        ("Prefers &lt;br&gt; over Plugh.", "- O(c=0.90) @Peter: Prefers &amp;lt;br&amp;gt; over Plugh. ^o-hj5m"),
        ("Says &amp;amp;quot;Plugh.", "- Says &amp;quot;Plugh. ([log](../x.md)) ^other1"),
        ("> Plugh is quoted.", "- 2026-01-02: &gt; Plugh is quoted. ([log](../x.md))"),
        ("Plugh\x1fTower\u2028is\u00a0here", "- Plugh Tower is here ([log](../x.md)) ^other1"),
        ("Plugh " + "&lt;" * 24, "- “Plugh " + "&lt;" * 16 + "&l…” ([log](../x.md)) ^other1"),
        ("Plugh &" + "amp;" * 30, "- “Plugh…” ([log](../x.md))"),
    ],
)
def test_a_line_of_ours_tells_of_it_however_it_spells_it(content: str, line: str) -> None:
    """Quotes in quotes, entities of entities, white space, an entity that was cut."""
    many = [fact(f"Something else, number {number}.", f"f{number}") for number in range(30)]
    for told in ([fact(content)], [fact(content), *many]):
        assert Traces(told).stated_in(line)
        assert Traces(told).may_be_in(f"# Page\n<!-- commonplace: world -->\n{line}\n<!-- /commonplace -->\n")
    assert not Traces(many).stated_in(line)


def test_the_end_marker_forgets_the_lines_so_that_what_others_say_comes_back() -> None:
    from commonplace.core.markdown.page_regions import read
    from commonplace.core.pages.region_merge import renew

    lines, keys = ["- Tea ^k7f3qa", "- Tea ^other1", "- Coffee ^other2"], ["k7f3qa", "other1", "other2"]
    page = renew("# Page\n\nMine.\n", "world", lines, keys).text
    left = without_traces(page, Traces([fact("Tea")]))
    assert "Tea" not in left and "Coffee" in left and "Mine." in left
    assert [len(each.entries) for each in read(left)] == [1] and not read(left)[0].dropped
    again = renew(left, "world", lines[1:], keys[1:]).text
    assert "- Tea ^other1" in again and "dropped" not in again
    assert without_traces(page.replace("\n", "\r\n"), Traces([fact("Tea")])) == left.replace("\n", "\r\n")


def test_what_stands_below_a_bullet_stays_below_its_place_and_is_named() -> None:
    text = "- W: A.\n- W: Tea. <!-- cp: src=web:x -->\n\n  - in the cellar\n- W: B.\n* W: Tea.\n"
    cut = without_lines(text, {2: 1, 6: 1})
    assert cut.text == "- W: A.\n- ~~forgotten~~ <!-- cp: src=web:x -->\n\n  - in the cellar\n- W: B.\n"
    assert cut.hanging == (4,)


def test_who_said_the_bullet_around_a_forgotten_one_is_kept_and_nothing_of_that() -> None:
    for more in ("", "    The gate opens with 9922.\n", "  9922\n"):
        text = f"- W @Ann: Tea.\n  - W @Bo: Milk.\n  <!-- cp: src=web:p supersedes=^abc1234567 -->\n{more}- W: B.\n"
        cut = without_lines(text, {2: 2 + bool(more)}).text
        assert cut == "- W @Ann: Tea. <!-- cp: src=web:p -->\n- W: B.\n"
    own = "- W @Ann: Tea.\n  - W @Bo: Milk.\n    <!-- cp: src=web:p -->\n- W: B.\n"
    assert without_lines(own, {2: 2}).text == "- W @Ann: Tea.\n- W: B.\n"


def test_a_forgotten_bullet_keeps_who_a_trailer_below_it_names() -> None:
    text = "- W @Ann: Tea.\n  - in the cellar\n<!-- cp: src=web:o -->\n- W: B.\n"
    cut = without_lines(text, {1: 1}).text
    assert cut.startswith("- ~~forgotten~~ <!-- cp: src=web:o -->\n")


_LINES = st.sampled_from(
    ["", "", "- W @Ann: Walks{}.", "- W @Ann: Sits{}. ^id{}", "- W @Ann: Says{}. <!-- cp: src=web:x -->", "Plain{}.",
     "- W @Ann: Says{}. <!-- cp: src=web:y --> ^by{}", "- bullet{}", "- bullet{} <!-- cp: src=web:z -->", "# Head{}",
     "## Retain", "  - nested{}", "  - W @Bo: Nested{}. <!-- cp: src=web:n -->", "    - deeper{}",
     "  text{}", "```x{}", "<!-- cp: src=web:o -->", "  <!-- cp: src=web:p -->", "| cell{} |", "1. W @Ann: First{}.",
     "Ann: says{}"]
)  # fmt: skip


@given(st.lists(_LINES, min_size=2, max_size=14), st.sets(st.integers(0, 9), min_size=1, max_size=3), st.booleans())
@settings(max_examples=200, deadline=None)
def test_what_is_left_is_read_as_before_and_as_said_by_whom(drawn: list[str], going: set[int], returns: bool) -> None:
    """No line of an outsider's becomes the author's, none joins another, and no fact differs.

    A line that is no fact may come to be read as said by whoever else said what stands above it.
    """
    from commonplace.core.documents.parse import parse

    def read(text: str, *, but: frozenset[int] = frozenset()) -> dict[tuple[str, bool], str]:
        found = {}
        for at, line in enumerate(parse(path, text).lines):
            who = line.fact.trailer.outsider if line.fact else line.outsider
            if at not in but and FORGOTTEN not in line.text and not line.text.startswith("<!--"):
                found[line.fact.content if line.fact else line.text, line.fact is not None] = who
        return found

    path = "memory/2025-11-27.md"
    text = "\n".join(line.replace("{}", str(at)) for at, line in enumerate(["# Day", "## Retain", *drawn], 10))
    text = text.replace("\n", "\r\n") if returns else text
    lines = parse(path, text).lines
    facts = [(at, line) for at, line in enumerate(lines) if line.fact]
    gone = [facts[at] for at in going if at < len(facts)]
    spans = {line.number: line.height for _, line in gone}
    cut = without_lines(text, spans)
    before, after = read(text, but=frozenset(at for at, _ in gone)), read(cut.text)
    assert before.keys() == after.keys()
    assert all(after[each] == who if each[1] else after[each] or not who for each, who in before.items())

    def bare(line: str) -> str:
        """A line without what says whose it is, which may move; with its end."""
        return line.partition(" <!-- cp: src=")[0].rstrip("\r") + "\r" * line.endswith("\r")

    left = [bare(each) for each in cut.text.split("\n") if each.strip()]
    assert [each for each in left if FORGOTTEN not in each] == [
        bare(each)
        for number, each in enumerate(text.split("\n"), 1)
        if each.strip() and not any(start <= number < start + height for start, height in spans.items())
    ]


_PIECES = st.sampled_from(
    ["\n", "\n", "\n- ", "\n  - ", "\n  ", "W @Ann: Tea.", "Tea", "## Retain", "```", "|", "Ann: ", "`", "<!--", "-->",
     "cp:", "cp", " src", "=", "web:x", " src=web:x", " s\u200brc=", " source: Bo", " src=inferred:memory/a.md",
     " supersedes=^abc1", " <!-- cp: src=web:y -->", " <!-- cp: supersedes=^abc1 -->", " <!-- cp source=web:z -->",
     " <!-- note -->"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=24).map("".join))
@settings(max_examples=400, deadline=None)
def test_where_no_trailer_may_name_an_outsider_no_line_has_one(text: str) -> None:
    from commonplace.core.documents.hearsay import said_by_other
    from commonplace.core.documents.parse import parse

    assert may_name_other(text) or not trailed(text) or not any(map(said_by_other, parse("", text).lines))


@pytest.mark.parametrize(
    ("trailer", "other"),
    [
        ("", False),
        ("<!-- cp: supersedes=^abc1234567 -->", False),
        ("<!-- cp: src=inferred:memory/2025-11-27.md -->", False),
        ("<!-- src=web:x -->", False),
        ("<!-- cp: src=web:x -->", True),
        ("<!-- CP Source = web:x -->", True),
        ("<!-- cp: supersedes=^abc1234567\n  src=web:x -->", True),
        ("<!-- cp: supersedes=^abc1234567 --> <!--\n x -->", True),
        (f"<!-- cp: supersedes=^abc1234567 --> <!-- cp by{' ' * 250}src=web:x -->", True),
    ],
)
def test_a_text_may_name_an_outsider(trailer: str, other: bool) -> None:
    assert may_name_other(f"## Retain\n\n- W @Ann: Tea. {trailer} ^k7f3qa\n- W: Milk.\n") == other


def test_a_large_log_in_which_nobody_else_speaks_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def parsed(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("commonplace.core.documents.fact_traces.parse", parsed)
    text = "- W: Tea.\n- W: Milk. <!-- cp: supersedes=^abc1234567 -->\n"
    assert without_lines(text, {1: 1}).text == "- W: Milk. <!-- cp: supersedes=^abc1234567 -->\n"
    with pytest.raises(AssertionError):
        without_lines(text + "- W: Rain. <!-- cp: src=web:x -->\n", {1: 1})


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_stood_below_somebody_elses_bullet_does_not_become_the_authors(end: str) -> None:
    from commonplace.core.documents.parse import parse

    src = "<!-- cp: src=web:x -->"
    text = end.join(
        ("## Retain", f"- W: Tea. {src}", "", "  - W @Ann: Spills it.", f"- W: Milk. {src}", "- W: Mine.", "")
    )
    cut = without_lines(text, {2: 1, 5: 1})
    assert cut.text.count("forgotten") == 1 and "Tea" not in cut.text and "Milk" not in cut.text
    document = parse("memory/2025-11-27.md", cut.text)
    assert [(fact.content, fact.trailer.src) for fact in document.facts] == [("Spills it.", "web:x"), ("Mine.", "")]
    assert document.problems == ()


LOG = "## Retain\n- W: Tea.\n- W: Between.\n- W: Tea.\n  \n- W: Long\n  told.\n- W: Tea.\n"


@given(st.integers(0, 3), st.integers(0, 3))
def test_of_twins_as_many_stay_as_should_however_often_it_is_done(going: int, again: int) -> None:
    from commonplace.core.documents.parse import parse

    ids = [each.id for each in parse("memory/2025-11-27.md", LOG).facts if each.content == "Tea."]
    bullets = [Bullet(fact("Tea.", ids[0] if at == 0 else f"{ids[0]}-{at + 1}"), 3 - going) for at in range(going)]
    text, missing, _ = without_bullets("memory/2025-11-27.md", LOG, bullets=bullets)
    assert (text.count("Tea."), missing) == (3 - going, 0)
    for _ in range(again):
        assert without_bullets("memory/2025-11-27.md", text, bullets=bullets)[:2] == (text, going)
    assert "- W: Between.\n" in text
    assert "- W: Long\n  told.\n" in text


def test_a_bullet_goes_with_its_continuation_lines() -> None:
    from commonplace.core.documents.parse import parse

    (long,) = (each for each in parse("memory/2025-11-27.md", LOG).facts if each.content == "Long told.")
    text, *_ = without_bullets("memory/2025-11-27.md", LOG, bullets=[Bullet(long, 0)])
    assert text == LOG.replace("- W: Long\n  told.\n", "")
