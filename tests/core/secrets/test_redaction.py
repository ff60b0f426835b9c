"""What may not be repeated: lines that are part of a secret, and names that look like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.model import Citation, Fact, Kind
from commonplace.core.secrets.guard import FileChange, may_add
from commonplace.core.secrets.redaction import LEFT_OUT, Withheld, may_tell, parting, secret_names, told_values

TOKEN = "gh" + "p_" + "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0Lzabcd"


def test_a_secret_over_two_lines_is_found_with_its_lines() -> None:
    assert parting(f"# Log\n\nIt is {TOKEN[:20]}\n{TOKEN[20:]} for CI.\nAnd the rest.\n") == [(3, 4)]


@pytest.mark.parametrize("text", ["", f"- It is {TOKEN} for CI.\n", "Two lines\nof one paragraph.\n"])
def test_no_lines_where_each_secret_is_on_one(text: str) -> None:
    assert parting(text) == []


LINES = (
    "",
    "- tea",
    "# Passwords",
    "- Hunter2!x9",
    f"It is {TOKEN[:20]}",
    TOKEN[20:],
    f"- {TOKEN}",
    "- Password:",
    "> a",
)


@given(st.lists(st.sampled_from(LINES), max_size=20))
def test_a_new_page_that_adds_no_secret_parts_none(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert may_add(FileChange("bank/world.md", None, text)) or parting(text) == []


def test_a_fact_on_those_lines_loses_its_words_and_nothing_else() -> None:
    withheld = Withheld({"a.md": [(3, 4)]}, None)
    for line, lines, path, shown in ((1, 2, "a.md", True), (2, 2, "a.md", False), (4, 1, "a.md", False),
                                     (5, 1, "a.md", True), (3, 1, "b.md", True)):  # fmt: skip
        fact = Fact("x", Kind.WORLD, "It is so.", ("Peter",), Citation(path, line), lines=lines)
        assert withheld.shows(fact) == shown
        assert withheld.safe(fact) == (fact if shown else fact._replace(content=LEFT_OUT))


def test_names_are_found_however_their_words_are_joined() -> None:
    names = secret_names(["Peter", "2026-01-31", "The-Castle", "my-password-is-hunter2x9", TOKEN])
    assert names is not None
    for text in (
        "@my-password-is-hunter2x9:",
        "my password is hunter2x9",
        "[x](../My_password_is%20hunter2x9.md)",
        TOKEN,
    ):
        assert names.search(text)
    assert not names.search("Peter met The-Castle on 2026-01-31.")


def test_ordinary_names_are_no_secret_names() -> None:
    assert secret_names(["Peter", "password-policy", "2026-01-31", ""]) is None


def test_of_many_lines_those_that_repeat_a_secret_are_withheld() -> None:
    withheld = Withheld({}, secret_names(["my-password-is-hunter2x9"]))
    lines = [
        "- Peter has a boat.",
        f"- {TOKEN}",
        "",
        "- [log](my-password-is-hunter2x9.md)",
        f"- {LEFT_OUT}",
        "- Last.",
    ]
    assert withheld.among(lines) == {1, 3, 4}
    assert [at for at, line in enumerate(lines) if withheld.repeated(line)] == [1, 3, 4]


VALUE = "Kv" + "27!skovbane"


def test_a_value_that_one_line_tells_is_found_in_every_other() -> None:
    texts = ["- Tea.\n", f"- Password: {VALUE}\n", "- More tea.\n", f"- Tea.\n\n- Router: admin/{VALUE}\n"]
    assert may_tell(texts) == [False, True, False, True]
    names = secret_names([], told_values(texts[1]))
    assert names is not None
    for text in (f"Says {VALUE} to all", f"`{VALUE}`", f"peter/{VALUE}@nas", f"密码是{VALUE}的"):
        assert Withheld({}, names).named(text)
    assert not Withheld({}, names).named(f"x{VALUE[:-1]}x")


def test_of_many_values_each_is_found_and_none_within_a_longer_word() -> None:
    values = [f"{first}{number}!tide{number}" for first in ("K", "Kv", "m", "M", "#") for number in range(20)]
    withheld = Withheld({}, secret_names([], values))
    for value in values:
        assert withheld.named(f"Says {value}, he did")
        assert withheld.named(f"`{value.upper()}`")
        assert not withheld.named(f"Says {value}x")


@pytest.mark.parametrize("said", ["Password: sommer\n", "Password: `Sommer`\n", "PIN: 2024\n", "- Tea.\n"])
def test_a_word_or_a_year_is_withheld_only_where_it_is_said_to_be_one(said: str) -> None:
    assert told_values(said) == set()
