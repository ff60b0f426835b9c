"""A copy's path and what its facts say of where they came from are told from each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.documents.fact_syntax import Head, read_bullet, write_trailer
from commonplace.core.markdown.page_links import relative
from commonplace.core.model import Trailer
from commonplace.core.provenance import (
    COPIES,
    copied_as,
    given_source,
    inferred_from,
    is_authors,
    named,
    noted_path,
    source_of,
    strictest,
)
from commonplace.errors import UsageError


@pytest.mark.parametrize(
    ("copy", "note", "src"),
    [
        ("Vault/People/Sara Holm.md", "Vault/People/Sara Holm.md", "import:Vault/People/Sara_Holm.md"),
        ("memories/prefs.xml.md", "memories/prefs.xml", "import:memories/prefs.xml"),
        ("V/a.TXT.md", "V/a.TXT", "import:V/a.TXT"),
        ("V/<x>.md", "V/<x>.md", "import:V/_x_.md"),
        ("V/10:30?.md", "V/10:30?.md", "import:V/10_30_.md"),
        ("My.Vault/a.md", "My.Vault/a.md", "import:My%2EVault/a.md"),
    ],
)
def test_one_name_for_note_copy_and_source(copy: str, note: str, src: str) -> None:
    assert noted_path(COPIES + copy) == note
    assert source_of(note) == copied_as(COPIES + copy) == src


def test_what_is_no_copy_is_no_source() -> None:
    assert copied_as("memory/2025-11-27.md") == copied_as("bank/imported/a.md") == ""


@pytest.mark.parametrize(
    "src",
    [
        "inferred:memory/2026-01-20.md",
        "inferred:memory/imported/My%20Notes.markdown",
        "import:Vault/People/Sara_Holm.md",
        "import:memories/prefs.xml",
        "import:.openclaw/workspace/a.md",
        "import:v1.2/a.md",
        "import:example.org.md",
        "inferred:memory/example.org/a.md",
    ],
)
def test_our_two_forms_stand_for_the_author(src: str) -> None:
    assert is_authors(src)


@pytest.mark.parametrize("path", ["memory/2026-01-20.md", "My.Vault/notes.org/a.md", "10:30 <x>?/a b.md", "a.b.md"])
def test_what_we_write_of_a_path_is_read_as_the_authors(path: str) -> None:
    assert is_authors(source_of(path))
    assert is_authors(inferred_from(relative("", path)))


@pytest.mark.parametrize(
    "src",
    [
        "inferred",
        "inferred:",
        "inferred-by-mallory",
        "inferred:web",
        "inferred:../x.md",
        "inferred:/etc/x.md",
        "Inferred:memory/2026-01-20.md",
        "import",
        "import:",
        "import:evil",
        "import:a//b.md",
        "import:evil.org/a.md",
        "import:https://evil.org/a.md",
        "inferred:web.example.org/a.md",
        "inferred:web:x.md",
        "inferred:xn--bcher-kva.example/a.md",
        "inferred:例え.jp/a.md",
        "inferred:web?x=a.md",
        "imported:a.md",
        "ｉｍｐｏｒｔ:a.md",
        "openclaw:4f1b",
        "user",
    ],
)
def test_what_only_begins_like_them_is_somebody_else(src: str) -> None:
    assert not is_authors(src)


@pytest.mark.parametrize(
    "given",
    [
        "inferred",
        "inferred:memory/2026-01-20.md",
        " import:Vault/a.md",
        "IMPORT:Vault/a.md",
        "ｉｎｆｅｒｒｅｄ：memory/2026-01-20.md",
        "import :Vault/a.md",
        "\u2028",
        "  ",
        "x" * 300,
    ],
)
def test_a_caller_cannot_name_the_author_or_nobody(given: str) -> None:
    with pytest.raises(UsageError):
        given_source(given)


@given(st.text(max_size=60))
def test_a_source_stays_one_word_of_one_key(source: str) -> None:
    try:
        src = given_source(source)
    except UsageError:
        return
    if not source:
        assert src == ""
        return
    read = read_bullet(f"W: x {write_trailer(Trailer(supersedes=('a1',), src=src, other=(('later', '1'),)))} ^id1")
    assert isinstance(read, Head)
    assert read.trailer == Trailer(supersedes=("a1",), src=src, other=(("later", "1"),))
    assert read.trailer.outsider == named(src) == named(named(src))
    assert (read.content, read.block) == ("x", "id1")


def test_the_strictest_of_several_sources_is_the_first_outsider() -> None:
    own = inferred_from("memory/2026-01-20.md")
    assert strictest(own, "web:x", "web:y") == "web:x"
    assert strictest("", own) == own
    assert strictest() == strictest("", "") == ""
