"""The grammar of one bullet: what is read back is what was written."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.core.documents.fact_syntax import (
    ALPHABET,
    LONGEST,
    Defect,
    Head,
    base_id,
    decode,
    encode,
    entity_names,
    read_bullet,
    read_trailer,
    render,
    write_trailer,
)
from commonplace.core.model import Citation, Fact, Kind, Trailer

IDS = st.text(ALPHABET, min_size=1, max_size=10)
NAMES = st.from_regex(r"[A-Za-z王芳ピータ][\w.'-]{0,12}", fullmatch=True)
TEXTS = st.text(max_size=200).filter(lambda text: decode(encode(text)))
TRAILERS = st.builds(
    Trailer,
    supersedes=st.lists(IDS, max_size=2).map(tuple),
    supports=st.lists(IDS, max_size=2).map(tuple),
    contradicts=st.lists(IDS, max_size=2).map(tuple),
    retracts=st.lists(IDS, max_size=1).map(tuple),
    other=st.just((("later", "x"),)) | st.just(()),
    src=st.from_regex(r"[a-z]{0,8}(:[a-z.]{1,10})?", fullmatch=True),
)


@given(
    kind=st.sampled_from(Kind),
    names=st.lists(NAMES, max_size=3, unique=True),
    text=TEXTS,
    confidence=st.none() | st.integers(0, 100).map(lambda percent: percent / 100),
    trailer=TRAILERS,
    id=st.none() | IDS,
)
def test_what_is_rendered_is_read_back(
    *, kind: Kind, names: list[str], text: str, confidence: float | None, trailer: Trailer, id: str | None
) -> None:
    content = decode(encode(text))
    fact = Fact(
        id or "",
        kind,
        content,
        tuple(names),
        Citation("", 0),
        confidence=confidence,
        trailer=trailer,
        block_id=bool(id),
    )
    head = read_bullet(render(fact))
    assert not isinstance(head, Defect)
    assert (head.kind, head.entities, head.content) == (kind, tuple(names), content)
    assert (head.confidence, head.trailer, head.block) == (confidence, trailer, id or "")


@given(st.text(max_size=300))
def test_no_bullet_raises(text: str) -> None:
    assert read_bullet(text) is not None


@given(TRAILERS)
def test_trailers_are_read_as_written(trailer: Trailer) -> None:
    assert read_trailer(write_trailer(trailer)[8:-4]) == trailer


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("O(c=7) @Peter: Likes tea.", "bad-confidence"),
        ("O(c=0,9) @Peter: Likes tea.", "bad-confidence"),
        ("O(c=nan) @Peter: Likes tea.", "bad-confidence"),
        ("W @Peter:", "no-text"),
        ("W @Peter", "no-text"),
        ("X @Peter: Likes tea.", "unknown-kind"),
        ("just some text", "no-kind"),
        ("Note: just some text", "no-kind"),
        ("", "no-kind"),
    ],
)
def test_defects_have_a_code(text: str, code: str) -> None:
    found = read_bullet(text)
    assert isinstance(found, Defect)
    assert found.code == code
    assert found.hint


def test_entities_may_stand_close_together() -> None:
    assert entity_names(" @Peter@warelay, @王芳") == ("Peter", "warelay", "王芳")


def test_an_id_depends_on_what_is_said_and_when_and_on_nothing_else() -> None:
    day = date(2025, 11, 27)
    first = base_id(Kind.WORLD, ("Peter",), content="In  Marrakech", recorded=day)
    assert first == base_id(Kind.WORLD, ("Peter",), content="in marrakech", recorded=day)
    assert first != base_id(Kind.WORLD, ("Peter",), content="in marrakech", recorded=date(2025, 11, 28))
    assert first != base_id(Kind.OPINION, ("Peter",), content="in marrakech", recorded=day)
    assert first == "dfw1q2vymq"
    assert set(first) <= set(ALPHABET)


def test_a_fact_longer_than_the_limit_is_a_defect() -> None:
    longest = "x" * LONGEST
    assert isinstance(read_bullet(f"W @Peter: {longest}"), Head)
    found = read_bullet(f"W @Peter: {longest}y ^k7f3qa")
    assert isinstance(found, Defect)
    assert (found.code, "20,001" in found.message) == ("too-long", True)


@pytest.mark.parametrize(
    "trailer",
    [
        *("SRC=web:x", "Src=web:x", "src = web:x", "src =web:x", "src: web:x", "src:web:x", "src web:x"),
        *("s\u200brc=web:x", "ｓｒｃ＝web:x", "source=web:x", "Source: web:x", "session=a SRC=web:x"),
    ],
)
def test_who_said_it_is_read_in_any_spelling(trailer: str) -> None:
    for comment in (f"<!-- cp: {trailer} -->", f"<!--CP: {trailer}-->", f"<!-- cp : {trailer} -->"):
        read = read_bullet(f"W @Rolf: Lives in Rome. {comment} ^rome01")
        assert isinstance(read, Head)
        assert (read.content, read.trailer.outsider, read.block) == ("Lives in Rome.", "web:x", "rome01")


@pytest.mark.parametrize(
    "comment",
    [
        *("<!-- cp src=web:x -->", "<!--cp src=web:x-->", "<!-- CP SRC = web:x -->", "<!-- cp; src=web:x -->"),
        *("<!-- cp, source: web:x -->", "<!-- cp - src=web:x -->", "<!-- cp= src=web:x -->", "<!-- cp\n src=web:x -->"),
        *("<!-- cp session=a src=web:x -->", "<!-- cp supports=^k7f3qa src=web:x -->"),
    ],
)
def test_who_said_it_is_read_without_the_colon_of_a_trailer(comment: str) -> None:
    read = read_bullet(f"W @Rolf: Lives in Rome. {comment} ^rome01")
    assert isinstance(read, Head)
    assert (read.content, read.trailer.outsider, read.block) == ("Lives in Rome.", "web:x", "rome01")


@pytest.mark.parametrize("comment", ["<!-- cp a.toml ~/b -->", "<!-- cp src/a.py b -->", "<!-- copy: src=web:x -->"])
def test_other_comments_are_no_trailers(comment: str) -> None:
    read = read_bullet(f"W @Rolf: Lives in Rome. {comment}")
    assert isinstance(read, Head)
    assert comment in read.content and not any(read.trailer)


@pytest.mark.parametrize("trailer", ["session=src", "key=source", "later=src:web:x", "srcs=web:x", "screen=2", "src="])
def test_keys_other_than_src_name_no_source(trailer: str) -> None:
    assert read_trailer(trailer).src == ""
