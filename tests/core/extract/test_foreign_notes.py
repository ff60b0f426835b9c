"""What a note of another program says: its shape, its statements with day and subject, and nothing that is none."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.core.documents.parse import parse
from commonplace.core.extract.foreign_notes import NoteForm, read_note
from commonplace.core.extract.note_copy import read_record, stated, with_record, without, without_secrets
from commonplace.core.markdown.xml_tags import as_markdown
from commonplace.core.model import Kind

BASIC = """---
title: Coffee Brewing
type: note
permalink: coffee/coffee-brewing
created: 2025-01-10T09:30:00
---

# Coffee Brewing

## Observations
- [method] Pour over highlights subtle flavors
- [preference] French press on Sundays #sunday (since the move)
- [方法] 手冲咖啡水温用 92 度
- [ ] try the other filter

## Relations
- requires [[Grinding Technique]]
- relates_to [[Bean Origins]] (strongly)
"""


def said(path: str, text: str, form: NoteForm | None = None) -> list[tuple[str, ...]]:
    return [(*each.about, each.text) for each in read_note(path, text, form=form).statements]


def test_observations_and_relations_of_basic_memory() -> None:
    note = read_note("bm/coffee.md", BASIC)
    assert (note.form, note.entity) == ("basic-memory", "Coffee-Brewing")
    assert {each.day for each in note.statements} == {date(2025, 1, 10)}
    assert [each.text for each in note.statements] == [
        "Pour over highlights subtle flavors #method",
        "French press on Sundays #sunday (since the move) #preference",
        "手冲咖啡水温用 92 度 #方法",
        "Coffee Brewing requires [[Grinding Technique]]",
        "Coffee Brewing relates to [[Bean Origins]] (strongly)",
    ]
    assert [each.kind for each in note.statements[:2]] == [None, Kind.OPINION]
    assert note.statements[3].entities == ("Coffee-Brewing", "Grinding-Technique")


def test_a_relation_is_one_anywhere_and_a_question_is_no_observation() -> None:
    text = (
        "---\npermalink: p/paul\ntype: person\n---\n# Paul\n\n- works_at [[Kelpworks]]\n- met [[Ida]] in Bergen\n"
        "- [question] Do we need it?\n- [preference] wants memos in PDF\n"
    )
    assert said("bm/paul.md", text) == [
        ("Paul works at [[Kelpworks]]",),
        ("met [[Ida]] in Bergen",),
        ("wants memos in PDF #preference",),
    ]


def test_titles_that_say_no_more_than_the_file_and_footers_say_nothing() -> None:
    text = (
        "# MEMORY.md - Long-Term Memory\n\n- Rents a cabin in Lom\n## Friday\n- Sold the boat\n\n"
        "## User preferences\n- Dark mode everywhere\n## Job\n- **Office:** at Kelpworks (since 2023)\n"
        "  - 6 people\n---\n*Last updated: 2025-11-01*\n最終更新：2025-11-01\n"
    )
    assert said("MEMORY.md", text) == [
        ("Rents a cabin in Lom",),
        ("Sold the boat",),
        ("Dark mode everywhere",),
        ("Job", "**Office:** at Kelpworks (since 2023)"),
        ("Job", "Office", "6 people"),
    ]
    kinds = [each.kind for each in read_note("MEMORY.md", text).statements]
    assert kinds == [None, None, Kind.OPINION, None, None]
    assert said("boats.md", "# Boats\n\n- Prefers oak over pine\n") == [("Boats", "Prefers oak over pine")]


def test_bullets_of_a_memory_stand_with_what_is_above_them() -> None:
    text = (
        "# MEMORY\n\n## Peter\n- Lives in Vienna\n- Food:\n  - no olives\n- ~~likes tea~~\n- [ ] call him\n"
        "## Preferences\n- short answers\n## 2026-02-03\n- Bought the boat\n"
    )
    assert said("MEMORY.md", text) == [
        ("Peter", "Lives in Vienna"),
        ("Peter", "Food", "no olives"),
        ("short answers",),
        ("Bought the boat",),
    ]
    assert read_note("MEMORY.md", text).statements[-1].day == date(2026, 2, 3)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("- We decided to move the backup to Hetzner.", True),
        ("- Vi besluttede at bruge skifer i stedet for tegl.", True),
        ("- 由紀は赤味噌より白味噌を好む。", True),
        ("- 我们决定把备份迁到新机房。", True),
        ("- मीरा हिंदी में लिखना पसंद करती है।", True),
        ("- Met [[Anna Lind]] at the harbour", True),
        ("- milk, eggs", False),
        ("- What about the roof?", False),
        ("- [ ] We decided to paint the door.", False),
        ("- [[Anna Lind]]", False),
        ("- https://example.org/a/long/address", False),
        ("```\n- We decided to move the backup to Hetzner.\n```", False),
        ("## Ideas\n- We decided to move the backup to Hetzner.", False),
    ],
)
def test_which_bullets_of_a_plain_note_are_statements(text: str, kept: bool) -> None:
    assert bool(read_note("v/a.md", text, form=NoteForm.NOTES).statements) is kept


def test_prose_that_says_something_plainly_is_a_statement_on_all_its_lines() -> None:
    note = read_note(
        "Vault/People/Anna Lind.md", "# Anna Lind\n\nAnna works at [[Nordlys]] as a geologist\nand cooks.\n"
    )
    assert [(each.text, each.line, each.height) for each in note.statements] == [
        ("Anna works at [[Nordlys]] as a geologist and cooks.", 3, 2)
    ]
    assert note.entity == "Anna-Lind" and note.statements[0].about == ()


def test_tags_are_headings() -> None:
    text = (
        "<prefs>\n  <talk>\n    <style>Answer briefly</style>\n    - no emojis\n  </talk>\n"
        "  <editor>Helix</editor>\n</prefs>"
    )
    assert len(as_markdown(text).split("\n")) == len(text.split("\n"))
    assert said("memories/p.xml", text) == [
        ("talk", "style: Answer briefly"),
        ("talk", "no emojis"),
        ("prefs", "editor: Helix"),
    ]
    assert said("memories/p.xml", "<a><b>Uses Helix daily</b></a>") == [("a", "b: Uses Helix daily")]


@pytest.mark.parametrize(
    ("path", "text", "day"),
    [
        ("v/2024-06-12.md", "- We decided to sell the boat.", date(2024, 6, 12)),
        ("v/a.md", "---\ncreated: 2024-03-05\n---\n- We decided to sell the boat.", date(2024, 3, 5)),
        ("v/a.md", "---\ndate: 5. marts 2024\n---\n- We decided to sell the boat.", date(2024, 3, 5)),
        ("v/2024-06-12.md", "# 2024-06-13\n- We decided to sell the boat.", date(2024, 6, 13)),
        ("v/a.md", "---\ndate: 2024-13-45\n---\n- We decided to sell the boat.", None),
        ("v/2024-06-12.md", "- 2024-05-03: We decided to sell the boat.", date(2024, 5, 3)),
        ("v/a.md", "- We decided to sell the boat.", None),
    ],
)
def test_the_day_is_the_source_s_own(path: str, text: str, day: date | None) -> None:
    assert [each.day for each in read_note(path, text).statements] == [day]


def test_names_are_taken_where_the_note_says_whose_they_are() -> None:
    front = "---\naliases: [Pete, ピーター]\ntype: person\n---\n# Peter Hansen\n"
    note = read_note("v/Peter Hansen.md", front)
    assert (note.entity, note.aliases) == ("Peter-Hansen", ("Pete", "ピーター"))
    assert read_note("v/Roadmap.md", "---\naliases: [Plan]\n---\n# Roadmap\n").aliases == ()
    assert read_note("v/人物/王芳.md", "- 王芳负责采购").entity == "王芳"


KEY = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----"


@pytest.mark.parametrize("secret", ["the password is: hunter2horse!", KEY])
def test_a_secret_is_left_out_with_its_lines(secret: str) -> None:
    text, found = without_secrets(f"# A\n- fine\n{secret}\n- also fine\n")
    assert [line for line, _ in found] == [3]
    assert "hunter2horse" not in text and "kqhkiG9w0BAQEF" not in text
    assert "- fine\n" in text and text.endswith("- also fine\n") and text.count("\n") == 4 + secret.count("\n")


@pytest.mark.parametrize(
    "note",
    [
        "- The password is: hunter2horse! <!-- cp: src=web:x -->\n  - O(c=0.9) @Ann: Hates tea.\n",
        "- W @Ann: The password is: hunter2horse! <!-- cp: src=web:x -->\n\n  1. O(c=0.9) @Ann: Hates tea.\n",
        "- He says\n  the password is: hunter2horse! <!-- cp: src=web:x -->\n  - O(c=0.9) @Ann: Hates tea.\n",
        "The password is: hunter2horse!, and he says: <!-- cp: src=web:x -->\n- O(c=0.9) @Ann: Hates tea.\n",
    ],
)
def test_what_is_nested_below_somebody_elses_secret_does_not_become_the_authors(note: str) -> None:
    text, found = without_secrets(note)
    assert found and "hunter2horse" not in text and text.count("\n") == note.count("\n")
    assert [(fact.content, fact.trailer.outsider) for fact in parse("a.md", text).facts] == [("Hates tea.", "web:x")]


def test_a_secret_far_down_in_a_long_note_is_left_out() -> None:
    filler = "- Rolf prefers oak over pine.\n" * 4_000
    text, found = without_secrets(f"{filler}- password: hunter2horse!\n")
    assert [line for line, _ in found] == [4_001] and "hunter2horse" not in text and text.startswith(filler)
    assert without_secrets(filler) == (filler, ())


def test_a_copy_whose_lines_cannot_be_told_stays_as_it_is() -> None:
    copy = with_record("<a><b>Uses Helix daily</b><c>Prefers tea over coffee</c></a>", "abc123")
    keys = [said.key for said in read_note("memories/a.xml", copy).statements]
    assert keys and without("memories/a.xml", copy, keys=keys) == copy


def test_what_is_too_long_to_be_a_statement_is_none() -> None:
    assert said("MEMORY.md", f"- Rolf {'really ' * 400}prefers oak.\n- Rolf prefers ash.\n") == [("Rolf prefers ash.",)]
    assert said("v/a.md", f"Rolf moved to Berlin in May 2024. {'word ' * 5_000}\n") == []


TEXTS = st.lists(
    st.sampled_from(
        (
            *("# Anna", "## Food", "- Prefers tea over coffee.", "  - no milk", "- [method] Pour slowly", "```"),
            *("---", "date: 2024-05-06", "aliases: [A, B]", "permalink: a/b", "<a>", "</a>", "<b>x y</b>", "| a | b |"),
            *("", "Anna: I moved to Berlin.", "W @Anna: x", "- 由紀は白味噌を好む。", "## Retain", "<!-- x"),
            *("**Food:**", "- requires [[Oven]]"),
        )
    )
    | st.text(max_size=20),
    max_size=12,
).map("\n".join)
PATHS = st.sampled_from(["v/a.md", "v/2024-01-02.md", "MEMORY.md", "memories/a.xml", "v/People/Anna.md", "v/x.txt"])


@settings(suppress_health_check=[HealthCheck.too_slow])  # of making texts, on a loaded machine
@given(PATHS, TEXTS, st.sampled_from([None, *NoteForm]))
def test_any_text_is_read_and_says_the_same_again(path: str, text: str, form: NoteForm | None) -> None:
    note = read_note(path, text, form=form)
    assert note == read_note(path, text, form=form)
    assert form in (None, note.form)
    keys = [each.key for each in note.statements]
    assert len(keys) == len(set(keys))
    assert all(each.text.strip() and each.line >= 1 for each in note.statements)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(PATHS, TEXTS)
def test_a_copy_knows_whether_it_was_edited_and_gives_statements_up(path: str, text: str) -> None:
    copy = with_record(text, "abc123")
    assert copy.startswith(text) and read_record(copy) == ("abc123", True)
    assert read_record(f"x{copy}") == ("abc123", False)
    for said in read_note(path, copy).statements:
        smaller = without(path, copy, keys=[said.key])
        if smaller != copy:
            assert read_record(smaller) == ("abc123", True)
            assert len(smaller) < len(copy)
            assert stated(path, copy, keys=[said.key])


def test_the_name_of_a_file_is_no_heading_of_an_imported_note() -> None:
    """What was imported before a file's name became a title has the same words, so that it is known already."""
    (said,) = read_note("src/Nadia Holm.md", "---\naliases: [NH]\n---\n- Nadia prefers tea over coffee.\n").statements
    assert said.about == ("Nadia Holm",)
    (said,) = read_note("src/kayak-trip.md", "- Nadia prefers tea over coffee.\n").statements
    assert said.about == ("kayak-trip",)
    assert read_note("src/plans.md", "- Nadia prefers tea over coffee.\n").statements
