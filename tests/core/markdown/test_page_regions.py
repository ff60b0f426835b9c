"""Regions: a person's edits survive every renewal, and nothing outside a region changes."""

from __future__ import annotations

from hashlib import blake2b

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commonplace.core.markdown import page_regions, region_marker
from commonplace.core.pages.region_merge import Renewed, renew

PAGE = "# Peter\n\nCall him on Sundays only.\n"
LINES = ["A summary.", "", "## Lately", "- first ^a1", "- second ^a2", "", "## History", "- third ^a3", "  - part ^p1"]
KEYS = ["summary", "", "", "a1", "a2", "", "", "a3", "a3/p1"]


def page(lines: list[str] = LINES, keys: list[str] = KEYS) -> str:
    return renew(PAGE, "entity", lines, keys).text


def again(text: str, lines: list[str] = LINES, keys: list[str] = KEYS) -> str:
    renewed = renew(text, "entity", lines, keys)
    assert not renewed.problem
    assert renew(renewed.text, "entity", lines, keys).text == renewed.text
    return renewed.text


def body(text: str) -> list[str]:
    found = page_regions.region(text, "entity")
    assert found is not None
    return list(found.body)


def test_a_new_region_is_added_behind_what_a_person_wrote() -> None:
    text = page()
    assert text.startswith(PAGE + "\n<!-- commonplace: entity -->\nA summary.\n")
    assert text.endswith(" -->\n")
    assert body(text) == LINES
    assert again(text) == text


def test_lines_as_we_left_them_are_generated_and_others_are_not() -> None:
    text = page().replace("- second ^a2", "- second, he says ^a2\n- mine")
    lines = text.split("\n")
    generated = page_regions.generated_lines(text)
    assert {lines[number - 1] for number in generated if lines[number - 1].startswith("- ")} == {
        "- first ^a1",
        "- third ^a3",
    }
    assert lines.index("<!-- commonplace: entity -->") + 1 in generated
    assert lines.index("- mine") + 1 not in generated
    assert lines.index("# Peter") + 1 not in generated


def test_a_deleted_line_never_returns_also_in_other_words() -> None:
    text = again(page().replace("- second ^a2\n", ""))
    assert "a2" in text.rpartition("dropped")[2]
    reworded = [line.replace("second", "another second") for line in LINES]
    assert "second" not in again(text, reworded)


def test_a_word_taken_out_of_the_dropped_list_brings_the_line_back() -> None:
    text = again(page().replace("- second ^a2\n", ""))
    assert "- second ^a2" in again(text.replace(" dropped a2", ""))


def test_a_line_deleted_while_its_words_were_about_to_change_stays_deleted() -> None:
    changed = [line.replace("second", "second, as of now") for line in LINES]
    assert "second" not in again(page().replace("- second ^a2\n", ""), changed)


def test_a_deleted_parent_takes_its_children_along() -> None:
    text = again(page().replace("- third ^a3\n", ""))
    assert "part" not in text


def test_a_reworded_line_keeps_the_persons_words_and_stays_deleted_when_deleted_later() -> None:
    text = again(page().replace("- second ^a2", "- zweitens ^a2"), [line.replace("second", "2nd") for line in LINES])
    assert "- zweitens ^a2" in text
    assert "2nd" not in text
    assert "second" not in again(text.replace("- zweitens ^a2\n", ""))


def test_an_adopted_rewording_is_replaced_in_place() -> None:
    text = page().replace("- second ^a2", "- zweitens ^a2")
    changed = [line.replace("second", "zweitens, .8") for line in LINES]
    assert body(renew(text, "entity", changed, KEYS, adopted=["a2"]).text) == changed


def test_a_persons_own_line_stays_behind_the_line_above_it() -> None:
    text = again(page().replace("- first ^a1", "- first ^a1\n  really?"))
    grown = ["A summary.", "", "## Lately", "- zeroth ^a0", *LINES[3:]]
    assert body(again(text, grown, [*KEYS[:3], "a0", *KEYS[3:]]))[3:6] == ["- zeroth ^a0", "- first ^a1", "  really?"]


def test_order_is_a_persons_once_they_change_it() -> None:
    text = page().replace("- first ^a1\n- second ^a2\n", "- second ^a2\n- first ^a1\n")
    kept = again(text)
    assert body(kept) == body(text)
    grown = [*LINES[:5], "- new ^a9", *LINES[5:]]
    assert body(again(kept, grown, [*KEYS[:5], "a9", *KEYS[5:]]))[3:6] in (
        ["- second ^a2", "- first ^a1", "- new ^a9"],
        ["- second ^a2", "- new ^a9", "- first ^a1"],
    )


def test_a_new_child_stays_with_its_parent() -> None:
    text = page().replace("  - part ^p1", "  - part ^p1\n- a bullet of my own")
    grown = [*LINES, "  - more ^p2"]
    assert body(again(text, grown, [*KEYS, "a3/p2"]))[-3:] == ["  - part ^p1", "  - more ^p2", "- a bullet of my own"]


def test_a_section_deleted_whole_takes_later_lines_along() -> None:
    text = page().replace("## History\n- third ^a3\n  - part ^p1\n", "")
    grown = [*LINES, "- fourth ^a4"]
    whole = renew(text, "entity", grown, [*KEYS, "a4"], whole_sections=True).text
    assert "fourth" not in whole
    assert renew(whole, "entity", grown, [*KEYS, "a4"], whole_sections=True).text == whole
    assert "fourth" in renew(text, "entity", grown, [*KEYS, "a4"]).text


def test_lines_that_we_no_longer_write_go_and_a_persons_stay() -> None:
    text = again(page().replace("- second ^a2", "- second ^a2\n- mine"), LINES[:4], KEYS[:4])
    assert body(text) == ["A summary.", "", "## Lately", "- first ^a1", "- mine"]


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (lambda text: text.rpartition("<!-- /commonplace")[0], "missing"),
        (
            lambda text: text.replace("<!-- commonplace: entity -->", "<!-- commonplace: entity -->\n" * 2),
            "starts inside",
        ),
        (lambda text: text.replace("<!-- commonplace: entity -->\n", ""), "has no start marker"),
        (lambda text: text + text, "same name"),
        (lambda text: text.replace("<!-- /commonplace ", "<!-- /commonplace 0"), "damaged"),
        (lambda text: f"```\n{text}```\n", "code fence"),
        (lambda text: text.replace("commonplace: entity", "commonplace: enttiy"), "named enttiy"),
        (lambda text: text.replace("- first", "<<<<<<< ours\n- first"), "conflict"),
        (lambda _: "<!-- commonplace: entity -->\n- x\n<!-- /commonplace -->\n", "damaged"),
    ],
)
def test_a_page_that_cannot_be_told_is_left_alone(damaged, reason) -> None:  # type: ignore[no-untyped-def]
    text = damaged(page())
    assert renew(text, "entity", ["other"], []) == Renewed(text, (), (), page_regions.damage(text, "entity"))
    assert reason in page_regions.damage(text, "entity")


def test_an_empty_region_is_a_place_to_write() -> None:
    text = "# P\n<!-- commonplace: entity -->\n<!-- /commonplace -->\nend"
    assert again(text, ["x"], [""]).startswith("# P\n<!-- commonplace: entity -->\nx\n<!-- /commonplace ")


@pytest.mark.parametrize(
    "said",
    [
        "- second <!-- cp: src=web:x --> ^a2",
        "- The page says <!-- cp: src=web:x -->\n  - second ^a2",
        "The page says: <!-- cp: src=web:x -->\n- W @Peter: second ^a2",
        "- W @Peter: second ^a2\n  <!-- cp: src=web:x -->",
    ],
)
def test_an_id_in_what_somebody_else_says_outside_takes_no_line_of_ours_away(said: str) -> None:
    assert "- second ^a2" in body(again(f"{PAGE}\n{said}\n\n## Ours\n"))
    assert "- second ^a2" not in body(again(f"{PAGE}\n{said.replace('src=web:x', 'note=x')}\n\n## Ours\n"))


def test_ids_that_stand_outside_the_region_are_not_written_twice() -> None:
    assert "- first" not in renew("# P\n- my first ^a1\n", "entity", LINES, KEYS).text


@pytest.mark.parametrize("count", [1, 12, 40, 300])
def test_a_region_ends_in_one_line_of_a_few_characters_for_each_of_ours(count: int) -> None:
    lines = [f"- line {number} ^k{number}" for number in range(count)]
    keys = [f"k{number}" for number in range(count)]
    text = again("", lines, keys)
    assert text.count("/commonplace") == 1
    assert len(text.split("\n")[-2]) <= 30 + (6 if count < 100 else 10) * count
    assert len(page_regions.generated_lines(text)) == text.count("\n")


words = st.text("ab ^-#>`<!ü家\t|", max_size=8).map(str.strip)
ends = st.sampled_from(["\n", "\r\n"])


@st.composite
def written(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Lines that we would write, some headings, items and children, with their keys."""
    lines, keys = [], []
    for number in range(draw(st.integers(0, 12))):
        kind = draw(st.sampled_from(["item", "child", "heading", "blank", "plain"]))
        text = f"{draw(st.sampled_from(['x', 'y', 'z']))}{number if kind != 'heading' else ''}"
        lines.append(
            {
                "item": f"- {text} ^i{number}",
                "child": f"  - {text}",
                "heading": f"## {text}",
                "blank": "",
                "plain": text,
            }[kind]
        )
        keys.append(
            {"item": f"i{number}", "child": f"i0/{number}", "heading": "", "blank": "", "plain": "s" + text}[kind]
        )
    return lines, keys


@st.composite
def edited(draw: st.DrawFn, lines: list[str]) -> tuple[list[str], set[str], list[str]]:
    """What a person makes of a body: the body, the lines that went, the lines that are theirs."""
    lines, gone, mine = list(lines), set(), []
    for step in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(lines)))
        what = draw(st.sampled_from(["delete", "add", "move", "reword"]))
        if what == "add":
            mine.append(f"{draw(st.sampled_from(['- ', '', '    ']))}person {step} {draw(words)}".rstrip())
            lines.insert(at, mine[-1])
        elif at < len(lines) and lines[at].strip() and lines[at] not in mine:
            line = lines.pop(at)
            if what == "delete":
                gone.add(line)
            elif what == "move":
                lines.insert(draw(st.integers(0, len(lines))), line)
            elif what == "reword":
                mine.append(line.replace("- ", f"- reworded {step} ") if "- " in line else f"reworded {step} {line}")
                lines.insert(at, mine[-1])
                gone.add(line)
    return lines, gone, mine


@given(st.data(), written(), ends)
def test_edits_inside_a_region_survive_and_the_rest_is_untouched(data, first, end) -> None:  # type: ignore[no-untyped-def]
    lines, keys = first
    before, after = f"# Head{end}words", f"{end}tail  {end}{end}last"
    text = renew("", "r", lines, keys).text.replace("\n", end)
    found = page_regions.region(text, "r")
    assert found is not None
    new_body, gone, mine = data.draw(edited(list(found.body)))
    rows = text.rstrip("\r\n").split(end)
    person = before + end + end.join([rows[0], *new_body, *rows[1 + len(found.body) :]]) + after
    once = renew(person, "r", lines, keys)
    assert not once.problem
    assert once.text.startswith(before + end)
    assert once.text.endswith(after)
    kept = page_regions.region(once.text, "r")
    assert kept is not None
    kept_lines = [line for line in kept.body if line.strip()]
    wanted = [line for line in new_body if line.strip()]
    for line in gone - set(wanted):
        assert line not in kept_lines
    assert [line for line in kept_lines if line in mine] == [line for line in wanted if line in mine]
    rest = iter(wanted)
    assert all(line in rest for line in kept_lines), "in the same order"
    left_out = {line for line, key in zip(lines, keys, strict=True) if "/" in key or line.startswith("#")}
    assert set(wanted) - set(kept_lines) <= left_out, (
        "only what belongs to a line that went, and headings without lines"
    )
    assert renew(once.text, "r", lines, keys).text == once.text


@given(st.data(), written(), written())
def test_renewal_with_other_lines_loses_no_word_of_a_person(data, first, second) -> None:  # type: ignore[no-untyped-def]
    text = renew("", "r", *first).text
    found = page_regions.region(text, "r")
    assert found is not None
    new_body, gone, mine = data.draw(edited(list(found.body)))
    rows = text.split("\n")
    person = "\n".join([rows[0], *new_body, *rows[1 + len(found.body) :]])
    once = renew(person, "r", *second).text
    kept = page_regions.region(once, "r")
    assert kept is not None
    # all of them, but in the order of their neighbours: a line under a heading of ours goes where the heading goes
    assert sorted(line for line in kept.body if line in mine) == sorted(line for line in new_body if line in mine)
    assert not {line for line in gone if line not in new_body and not line.startswith("#")} & set(kept.body)
    assert renew(once, "r", *second).text == once


@given(st.text("<!-/ commonplace:r\n`~abA1=^>", max_size=200))
def test_reading_never_raises(text: str) -> None:
    assert page_regions.generated_lines(text) <= frozenset(range(1, text.count("\n") + 2))
    renewed = renew(text, "r", ["- x"], ["k"])
    if not renewed.problem:
        assert renew(renewed.text, "r", ["- x"], ["k"]).text == renewed.text


def test_reading_is_linear() -> None:
    text = "<!-- commonplace: r -->\n" + "<!-- /commonplace " * 40_000 + "\n" + "^" * 500_000 + " " * 500_000
    assert "missing" not in page_regions.damage(text)


def test_two_lines_with_one_digest_are_told_by_their_keys() -> None:
    seen: dict[str, str] = {}
    for number in range(60_000):
        line = f"- {number} ^i{number}"
        other = seen.setdefault(region_marker.digest(line)[: region_marker.WIDE.text], line)
        if other != line:
            break
    else:
        raise AssertionError("no two of 60,000 lines share 24 bits")
    lines, keys = [other, line], [region_marker.visible_id(other), region_marker.visible_id(line)]
    text = again(renew(PAGE, "entity", lines, keys).text.replace(other + "\n", ""), lines, keys)
    assert body(text) == [line]
    assert f"dropped {keys[0]} -->" in text


def test_a_persons_line_with_the_words_of_a_line_of_ours_further_down_is_theirs() -> None:
    lines, keys = ["- one ^a1", "- two ^a2", "  - so they say ^x9"], ["a1", "a2", "a2/x9"]
    text = again(page(lines, keys).replace("- two ^a2", "  - so they say ^x9\n- two ^a2"), lines, keys)
    assert body(text) == ["- one ^a1", "  - so they say ^x9", "- two ^a2", "  - so they say ^x9"]
    found = page_regions.region(text, "entity")
    assert found is not None
    assert found.ours == (0, -1, 1, 2)
    gone = again(text.replace("  - so they say ^x9\n- two", "- two"), lines, keys)
    assert body(gone) == lines


def test_a_persons_line_that_shows_a_key_we_come_to_write_is_that_line() -> None:
    text = page().replace("- first ^a1", "- first ^a1\n- mine ^a9")
    grown = [*LINES[:5], "- ours ^a9", *LINES[5:]]
    kept = again(text, grown, [*KEYS[:5], "a9", *KEYS[5:]])
    assert "- mine ^a9" in kept
    assert "- ours" not in kept


def test_a_second_end_marker_is_no_part_of_the_first() -> None:
    text = page()
    assert "has no start marker" in page_regions.damage(text + "<!-- /commonplace 00000000 -->\n")


@given(data=st.data(), first=written(), second=written())
def test_two_ends_that_a_merge_left_are_made_one(data, first, second) -> None:  # type: ignore[no-untyped-def]
    ours = renew(PAGE, "entity", *first).text
    theirs = renew(PAGE, "entity", *second).text
    mine = data.draw(st.lists(st.sampled_from(["- by hand", "Of my own.", "- and more"]), max_size=3))
    end = theirs.index("<!-- /commonplace")
    behind = theirs[theirs.index("<!-- commonplace: entity -->\n") + len("<!-- commonplace: entity -->\n") : end]
    both = ours + behind + "".join(f"{line}\n" for line in mine) + theirs[end:] + "Below.\n"
    whole = page_regions.rejoined(both)
    assert page_regions.damage(whole) == ""
    assert whole == ours + "".join(f"{line}\n" for line in mine) + "Below.\n"
    assert page_regions.rejoined(whole) == whole


@given(data=st.data(), first=written(), second=written())
def test_two_regions_that_a_merge_left_are_made_one(data, first, second) -> None:  # type: ignore[no-untyped-def]
    ours, theirs = renew(PAGE, "entity", *first).text, renew(PAGE, "entity", *second).text
    mine = "".join(data.draw(st.lists(st.sampled_from(["- by hand\n", "Of my own.\n"]), max_size=3)))
    start = "<!-- commonplace: entity -->\n"
    both = ours + theirs.replace(start, f"{mine}{start}{mine}") + "Below.\n"
    whole = page_regions.rejoined(both)
    assert page_regions.damage(whole) == ""
    assert whole.startswith(ours) and whole.endswith("Below.\n")
    assert whole.count("- by hand\n") == both.count("- by hand\n")
    assert whole.count("Of my own.\n") == both.count("Of my own.\n")


def test_the_title_above_a_second_region_goes_with_it() -> None:
    whole = renew("# Peter\n", "entity", ["- ours ^a1"], ["a1"]).text
    assert page_regions.rejoined(whole + whole).rstrip() == whole.rstrip()


def test_an_end_that_never_began_is_left_to_the_person() -> None:
    text = "# Peter\n<!-- /commonplace 00000000 -->\n"
    assert page_regions.rejoined(text) == text


def test_a_new_heading_comes_only_with_a_line_below_it() -> None:
    lines = ["A summary.", "", "## Lately", "- first ^a1", "", "## History", "### 2026", "- second ^a2"]
    keys = ["summary", "", "", "a1", "", "", "", "a2"]
    text = page(LINES[:5], KEYS[:5]).replace("- second ^a2", "- second ^a2 <- seen by me")
    once = again(text, lines, keys)
    assert body(once)[:4] == ["A summary.", "", "## Lately", "- first ^a1"]
    assert "- second ^a2 <- seen by me" in body(once) and "## History" not in once and "### 2026" not in once
    assert again(once, lines, keys) == once
    more = again(once, [*lines, "- third ^a3"], [*keys, "a3"])
    assert body(more)[-3:] == ["## History", "### 2026", "- third ^a3"]


def colliding(name: str) -> tuple[str, str]:
    """Two texts with the same short digest."""
    seen: dict[str, str] = {}
    for number in range(10_000):
        text = f"{name}{number}"
        other = seen.setdefault(region_marker.digest(text)[: region_marker.NARROW.key], text)
        if other != text:
            return other, text
    raise AssertionError("no two of 10,000 texts share 18 bits")


def test_lines_whose_short_digests_are_the_same_get_longer_ones() -> None:
    one, two = colliding("k")
    lines, keys = [f"- one ^{one}", f"- two ^{two}"], [one, two]
    text = page(lines, keys)
    assert body(again(text.replace(lines[0] + "\n", ""), lines, keys)) == lines[1:]
    assert body(again(text.replace(lines[1] + "\n", ""), lines, keys)) == lines[:1]
    first, second = colliding("- said ")
    assert body(again(page([first, second], ["", ""]).replace(first + "\n", ""), [first, second], ["", ""])) == [second]


def test_a_new_line_with_the_short_digest_of_a_deleted_one_is_shown() -> None:
    one, two = colliding("k")
    text = page([f"- one ^{one}", "- rest ^r1"], [one, "r1"]).replace(f"- one ^{one}\n", "")
    lines, keys = [f"- two ^{two}", f"- one ^{one}", "- rest ^r1"], [two, one, "r1"]
    assert body(again(text, lines, keys)) == [f"- two ^{two}", "- rest ^r1"]


def test_a_persons_line_with_the_short_digest_of_a_line_on_the_page_is_theirs() -> None:
    ours, mine = colliding("- said ")
    lines = ["- above", ours, "- below"]
    for there in (["- above", ours, mine, "- below"], [mine, "- above", ours, "- below"]):
        text = page(lines, []).replace("\n".join(lines), "\n".join(there))
        kept = body(again(text, ["- above", "- in other words", "- below"], []))
        assert mine in kept
        assert ours not in kept


def old_marker(lines: list[str], keys: list[str]) -> str:
    """The end marker as it was written before: a word a line, several comments of at most 116 columns."""
    words = []
    for line, key in zip(lines, keys, strict=True):
        if line:
            words.append(region_marker.digest(line)[:4] + (region_marker.digest(key) if key else ""))
    out, row = [], "<!-- /commonplace"
    for word in [blake2b(" ".join(words).encode(), digest_size=4).hexdigest(), *words]:
        if len(row) + len(word) > 116:
            out.append(row + " -->")
            row = "<!-- /commonplace +"
        row += " " + word
    return "\n".join([*out, row + " -->"])


@given(st.data(), written(), written())
def test_a_page_with_an_old_end_marker_is_renewed_like_one_with_a_new_one(data, first, second) -> None:  # type: ignore[no-untyped-def]
    lines, keys = first
    assume(len({line for line in lines if line}) == len([line for line in lines if line]))
    new = renew(PAGE, "entity", lines, keys).text
    assume(page_regions.region(new, "entity"))
    marker = new.rstrip("\n").rpartition("\n")[2]
    old = new.replace(marker, old_marker(lines, keys))
    assert page_regions.generated_lines(old) >= page_regions.generated_lines(new)
    assert renew(old, "entity", lines, keys).text == new
    new_body, *_ = data.draw(edited(body(new)))
    was, now = "\n".join(["entity -->", *body(new), "<!--"]), "\n".join(["entity -->", *new_body, "<!--"])
    one, two = (renew(text.replace(was, now), "entity", *second) for text in (old, new))
    assert body(one.text) == body(two.text)
    assert (one.kept, one.dropped) == (two.kept, two.dropped)
    assert one.text.count("/commonplace") == 1


OLD = """# Peter

Call him on Sundays only.

<!-- commonplace: entity -->
A summary.

## Lately
- first ^a1
- zweitens ^a2

- fifth line, in many more words than the others ^b1
- sixth line, in many more words than the others ^b2
- seventh line, in many more words than the others ^b3
- fourth line, in many more words than the others ^b0
- my own
- eighth line, in many more words than the others ^b4
<!-- /commonplace 29bf9e87 xpPpw2C5Xe 8Vfr sbGgioCZ1B =10ksY3 xFm7BUHnnB VAt8GLIcrB OLBt4nY0mg KXc0qme09V! -->
<!-- /commonplace + PVBgTfx1ry dropped a3 a3/p1 ~AE93 -->
"""


def test_an_old_end_marker_with_all_that_it_remembers_is_shortened() -> None:
    words = ["fourth", "fifth", "sixth", "seventh", "eighth"]
    more = [f"- {word} line, in many more words than the others ^b{at}" for at, word in enumerate(words)]
    lines, keys = [*LINES, *more], [*KEYS, *(f"b{at}" for at in range(len(words)))]
    text = again(OLD, lines, keys)
    assert text.split("\n")[:-2] == OLD.split("\n")[:-3]
    assert text.endswith(" dropped a3 a3/p1 ~.AE93Ws -->\n"), text
    reworded = [line.replace("second", "2nd").replace("third", "3rd").replace("fourth", "4th") for line in lines]
    assert body(again(text, reworded, keys)) == [line.replace("fourth", "4th") for line in body(OLD)]
    assert body(again(OLD, reworded, keys)) == body(again(text, reworded, keys))


def test_a_heading_goes_with_its_last_line_unless_a_person_wrote_below_it() -> None:
    lines, keys = ["## Tea", "- Prefers green tea ^i1", "", "## Boats", "- Rows ^i2"], ["", "i1", "", "", "i2"]
    text = renew("# Ida\n", "r", lines, keys).text
    person = text.replace("- Prefers green tea ^i1\n", "")
    once = renew(person, "r", lines, keys)
    assert "## Tea" not in once.text and "## Boats\n- Rows ^i2\n" in once.text
    assert renew(once.text, "r", lines, keys).text == once.text
    more = [*lines[:2], "- Drinks oolong ^i3", *lines[2:]]
    again = renew(once.text, "r", more, [*keys[:2], "i3", *keys[2:]])
    assert "## Tea\n- Drinks oolong ^i3\n" in again.text and "green" not in again.text
    mine = renew(text.replace("- Prefers green tea ^i1", "Asks for milk."), "r", lines, keys)
    assert "## Tea\nAsks for milk.\n" in mine.text
