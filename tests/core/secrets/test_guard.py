"""What a write adds is judged on the lines that come of it, however they are read; what stands there already is not."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.shapes import filled

from commonplace.core.secrets import guard
from commonplace.core.secrets.guard import (
    FileChange,
    added,
    in_name,
    looks_like,
    masked,
    quotable,
    require_harmless,
    secrets_in,
)
from commonplace.errors import SecretRefused

TOKEN = "gh" + "p_" + "Zx9Qw3Er7Ty1Ui5Op2As8Df4Gh6Jk0Lzabcd"
HEAD, TAIL = TOKEN[:20], TOKEN[20:]
PLAIN = "# Notes\n\n- Peter prefers tea.\n- The Castle is closed on Mondays.\n"


def kinds(before: str | None, after: str | None, path: str = "MEMORY.md") -> str:
    found = added([FileChange(path, before, after)])
    return found[1].kind if found else ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"{TOKEN}\n"),
        (PLAIN, f"{PLAIN}- {TOKEN}\n"),
        (PLAIN + "- key: ghp_xxx\n", f"{PLAIN}- key: {TOKEN}\n"),
        (PLAIN + f"- key: {HEAD}\n", f"{PLAIN}- key: {TOKEN}\n"),
        (PLAIN + f"- it is {HEAD}\n", f"{PLAIN}- it is {HEAD}\n{TAIL}\n"),
        (PLAIN + f"- it is {HEAD}\n", f"{PLAIN}- it is {HEAD}\n  {TAIL}\n"),
        (PLAIN + f"> {HEAD}\n", f"{PLAIN}> {HEAD}\n> {TAIL}\n"),
        (PLAIN + f"- {HEAD} {TAIL}\n", f"{PLAIN}- {HEAD}{TAIL}\n"),
        (PLAIN, f"{PLAIN}- W @Peter: x ^abc123 <!-- cp: note={TOKEN} -->\n"),
        (PLAIN, f"{PLAIN}- W @{TOKEN}: x\n"),
        (PLAIN, f"---\naliases: [{TOKEN}]\n---\n{PLAIN}"),
        (PLAIN, PLAIN + f"- {HEAD}&#{ord(TAIL[0])};{TAIL[1:]}\n"),
        (PLAIN, PLAIN + f"- {TOKEN.replace('_', chr(92) + '_')}\n"),
        (PLAIN, PLAIN + f"- {HEAD}\u200b{TAIL}\n"),
        (PLAIN + "- Password:\n", f"{PLAIN}- Password:\n  - Hunter2!x9\n"),
        (PLAIN + "- The password is\n", f"{PLAIN}- The password is\n  Hunter2!x9\n"),
        ("- The password is\n  xxx\n", "- The password is\n  Hunter2!x9\n"),
        (f"- old: {TOKEN}\n", f"- old: {TOKEN}\n- again: {TOKEN}\n"),
        (PLAIN.replace("\n", "\r\n"), f"- {TOKEN}\r\n" + PLAIN.replace("\n", "\r\n")),
    ],
)
def test_what_completes_a_secret_is_known_for_it(before: str | None, after: str) -> None:
    assert kinds(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, PLAIN),
        (PLAIN, ""),
        (f"- {TOKEN}\n{PLAIN}", f"- {TOKEN}\n{PLAIN}- Peter has a boat.\n"),
        (f"- {TOKEN}\n{PLAIN}", f"- {TOKEN}\n- Peter has a boat.\n{PLAIN}"),
        (f"- the key of Bo is {TOKEN}, ask him\n", f"- the key of Bob is {TOKEN}, ask him\n"),
        (f"- {TOKEN}\n{PLAIN}", f"{PLAIN}- {TOKEN}\n"),
        (f"- {TOKEN} and {TOKEN}\n", f"- {TOKEN}\n"),
        (f"- {TOKEN}\n", "- (it is in the vault)\n"),
        (f"- {TOKEN}\n", None),
    ],
)
def test_what_stands_there_already_blocks_nothing(before: str | None, after: str | None) -> None:
    assert kinds(before, after) == ""


def test_what_only_moves_between_files_is_not_added() -> None:
    moved = [FileChange("a.md", None, f"{TOKEN}\n"), FileChange("b.md", f"{TOKEN}\n", None)]
    assert added(moved) is None
    assert added([*moved, FileChange("c.md", "", f"{TOKEN}\n")]) is not None


@pytest.mark.parametrize("path", [f"bank/{TOKEN}.md", f"{TOKEN}/x.md", f"memory/{TOKEN}", f"memory/a-{TOKEN}-b.md"])
def test_a_name_counts_where_it_is_made(path: str) -> None:
    assert kinds(None, "x\n", path) == "a GitHub token"
    assert kinds("x\n", "y\n", path) == kinds("x\n", None, path) == ""
    assert added([FileChange(f"bank/{TOKEN}.md", "x", None), FileChange(f"memory/{TOKEN}.md", None, "x")]) is None


def test_hyphens_of_a_name_may_stand_for_spaces() -> None:
    assert in_name("bank/entities/The-password-is-Hunter2!x.md")
    assert not in_name("bank/entities/The-password-policy.md") + in_name("memory/2025-11-27-api-key-rotation.md")


def test_the_place_is_told_and_the_value_is_not() -> None:
    with pytest.raises(SecretRefused) as refused:
        require_harmless([FileChange(f"bank/{TOKEN}.md", PLAIN, f"{PLAIN}- key {HEAD}\n{TAIL}\n")])
    assert "line 5" in refused.value.message and "a GitHub token" in refused.value.message
    assert HEAD not in str(refused.value)
    text = f"{PLAIN}- {TOKEN}\nThe wifi\npassword is Hunter2!x\n"
    assert [(each.line, each.last) for each in secrets_in(text)] == [(5, 5), (7, 7)]
    assert masked(f"no file bank/{TOKEN}.md") == "no file bank/….md"
    assert masked("no file bank/x.md") == "no file bank/x.md"
    assert masked("The password is Hun\u200bter2!x") == "(left out: it looks like a password)"
    assert quotable(f"I use {TOKEN}") == "(left out: it looks like a GitHub token)"
    assert quotable("I use tea") == "I use tea"


@given(st.integers(1, 33), st.sampled_from(["\n", "\n  ", "\n> ", "\r\n", "\\\n"]), st.booleans())
def test_a_token_broken_anywhere_is_one(at: int, mark: str, head_first: bool) -> None:
    whole = f"- it is {TOKEN[:at]}{mark}{TOKEN[at:]} for now\n"
    before = whole.partition(mark)[0] if head_first else f"- it is \n{TOKEN[at:]} for now\n"
    assert kinds(before, whole)


@given(st.lists(st.text(max_size=30), max_size=8), st.lists(st.text(max_size=30), max_size=8), st.integers(0, 8))
def test_any_change_that_adds_a_token_is_seen_and_its_way_back_is_not(
    some: list[str], others: list[str], at: int
) -> None:
    before = "\n".join(some)
    lines = [*some[:at], *others, "", f"- key {TOKEN}", "", *some[at:]]
    after = "\n".join(lines)
    if not looks_like(before):
        assert kinds(before, after) and not kinds(after, before)
    assert not kinds(after, after + "\n\n- Peter has a boat.\n")


def test_the_words_of_a_wallet_are_known_though_they_come_one_by_one() -> None:
    words = filled("{seed:12}", Random(4)).split()
    lines = [f"{number}. {word}\n" for number, word in enumerate(words, 1)]
    for apart in ("", "\n"):
        before, after = apart.join(lines[:-1]), apart.join(lines)
        assert kinds(before, after) == "the words of a wallet" and not kinds(apart.join(lines[:-2]), before)
        assert not kinds(after, f"{after}\nA boat.\n")


def test_lines_that_only_count_are_no_words_of_a_wallet() -> None:
    lines = [f"- {who} {number}\n" for number in range(30) for who in ("agent", "person")]
    for count in range(len(lines)):
        assert not kinds("".join(lines[:count]), "".join(lines[: count + 1]))


def test_a_change_in_a_long_file_is_looked_at_alone() -> None:
    long = "- Rolf prefers oak over pine.\n" * 100_000
    assert kinds(long, f"{long}- {TOKEN}\n") and not kinds(
        f"{TOKEN}\n\n\n\n\n\n{long}", f"{TOKEN}\n\n\n\n\n\n{long}- x\n"
    )


LINES = (
    "",
    "- tea",
    "- rice",
    "# Passwords",
    "- Hunter2!x9",
    f"- it is {HEAD}",
    f"  {TAIL}",
    TOKEN,
    "- Password:",
    "> a",
)


@given(st.lists(st.sampled_from(LINES), max_size=60), st.lists(st.sampled_from(LINES), max_size=60), st.data())
def test_only_new_neighbours_are_read_and_nothing_is_missed(
    before: list[str], after: list[str], data: st.DataObject
) -> None:
    at, end = sorted((data.draw(st.integers(0, len(before))), data.draw(st.integers(0, len(before)))))
    mixed = [*before[end:], *after, *before[:at], *before[at:end]]
    change = FileChange("MEMORY.md", "\n".join(before), "\n".join(mixed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "may_add", lambda change: True)
        whole = added([change])
    assert (added([change]) is None) == (whole is None)
