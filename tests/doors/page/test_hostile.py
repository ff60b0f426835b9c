"""Text of a workspace that wants to be more than text, and folders that are not as they were.

Whoever may write a line of the log, a name of a file or of an entity may try all of this: it stays text, on every view.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.doors.page.served import PATIENCE, TODAY, VIEWS, Served, commonplace, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.doors.page.tabs import Tabs

LINES = [
    '<img src=x onerror=alert(1)> <script>alert(1)</script> <svg onload=alert(1)> <iframe srcdoc="<script>x()">',
    "[a](javascript:alert(1)) <a href=javascript:alert(1)>b</a> <data:text/html,<b>> //evil.example/x",
    "![x](http://evil.example/x.png) <link rel=stylesheet href=//evil.example/x.css> <base href=//evil.example/>",
    '" onmouseover="alert(1)" autofocus onfocus=\'alert(1)\' \' x=` style="position:fixed" >',
    "{{7*7}} {% raw %} ${7*7} #{7*7} {{ config }} <%= 7*7 %>",
    "[[../../etc]] @../../etc-passwd %2e%2e%2f",
    "turned \u202eevil\u202c and \u2066hidden\u2069 \u200b\u00ad",
    "\x1b]0;owned\x07 \x1b]8;;http://evil.example\x07link\x1b]8;;\x07 \x1b[2J",
    "nothing \x00 none \ufffe \U000e0041 line \u2028 paragraph \u2029 mark \ufeff",
    "long " + "x" * 100_000 + " combining " + "a" + "\u0301" * 10_000,
    "<form id=csrf><input name=field id=q value=x></form><a id=main name=review></a><img name=body id=undo>",
    "<button name=do value=apply>Accept</button> <label><input type=radio name=v-x value=accept checked>Accept</label>",
    "</title><script>alert(1)</script></textarea></style>]]></svg><script>alert(1)</script><!-- --!> <![CDATA[",
    "</bdi></p></li></ol></main><h1>Owned</h1><meta http-equiv=refresh content=0;url=//evil.example>",
]
"""The words of facts; each is also a name, an opinion and a line of the core."""
NAMES = [
    *(
        "q\"uo'te<img src=x onerror=alert(1)>.md",
        "per%2e%2e%41cent.md",
        "ha#sh #Lisbon.md",
        "so#L3.md",
        "qu?e=1&x=2.md",
    ),
    *(
        "new\nevent: changed\ndata: 9\r\n\r\nSet-Cookie: x=y.md",
        "ユニ—𝒳 .md",
        "café.md",
        "cafe\u0301.md",
        "back\\slash.md",
    ),
    *(
        "semi;colon:x.md",
        "am&lt;p.md",
        "{{7*7}}.md",
        "</title><script>alert(1)<",
        "\u202egnp.md",
        "javascript:alert(1).md",
    ),
]
"""Names of files; all are below memory/odd."""
ELEMENTS = (
    "iframe, object, embed, img, style, link[href*='evil'], [onerror], [onload], [onclick], [style], [onmouseover]"
)
FOUND = """() => ({
  made: [...document.querySelectorAll(ELEMENTS)].map(each => each.outerHTML.slice(0, 200)),
  scripts: [...document.scripts].filter(each => !/\\/static\\/page\\.js\\?/.test(each.src)).length,
  links: [...document.querySelectorAll("a, form")].map(each => each.href ?? each.action)
    .map(each => each.baseVal ?? String(each)).filter(each => !new URL(each, document.baseURI).href.startsWith(BASE)),
  twice: [...document.querySelectorAll("[id]")].map(each => each.id).filter((each, n, all) => all.indexOf(each) !== n),
  forms: [...document.forms].filter(each => ![null, "post", "dialog"].includes(each.getAttribute("method"))).length,
  ours: document.querySelectorAll("input[name=field]").length === document.querySelectorAll("form[method=post]").length,
  base: document.baseURI,
  computed: document.body.textContent.includes("pelican 4 49"),
  heading: [...document.querySelectorAll("h1")].map(each => each.textContent).filter(each => each === "Owned"),
  numbers: [...document.querySelectorAll("svg *")].flatMap(each => [...each.attributes])
    .filter(each => /^(x|y|r|[cxy][xy12]|d|points|width|height|viewBox)$/.test(each.name))
    .filter(each => /nan|inf|e\\+?\\d{3}/i.test(each.value)).map(each => each.name + "=" + each.value.slice(0, 80)),
  unseen: /[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\u200b]/.test(document.body.textContent),
})"""
NOTHING = {
    **{"made": [], "scripts": 0, "links": [], "twice": [], "forms": 0, "ours": True, "heading": [], "numbers": []},
    **{"computed": False, "unseen": False},
}


def poisoned(root: Path) -> Path:
    """The same workspace, with all of it."""
    facts = [f"- W @Mallory: pelican {number} {text}" for number, text in enumerate(LINES)]
    opinions = [f"- O(c=0.{number % 9 + 1}) @Mallory: Prefers pelican {text}" for number, text in enumerate(LINES)]
    bounds = [f"- O(c={each}) @Mallory: Prefers heron {each}" for each in ("NaN", "1e999", "-1e999", "inf", "0x1", "")]
    names = [f"- W @{text[:60].replace(' ', '-')}: pelican of {number}" for number, text in enumerate(LINES)]
    more = ["- W @a/b?c=d#e: pelican", "- W @..: pelican", "- W @%2e%2e: pelican", "- W [[a/../../b?x=1]]: pelican"]
    told = [*facts, *opinions, *bounds, *names, *more, f"- W @Mallory: pelican {'y' * 4_000_000}"]
    log = root / "memory" / f"{TODAY}.md"
    log.write_text("## Retain\n" + "\n".join(told) + "\n", encoding="utf-8", newline="\n")
    with (root / "MEMORY.md").open("a", encoding="utf-8", newline="\n") as core:
        core.write("\n" + "\n".join(f"- {each}" for each in LINES) + "\n")
    (root / "memory" / "odd").mkdir()
    for number, name in enumerate(NAMES):
        path = root / "memory" / "odd" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# odd\n\n- W @Odd{number}: heron {number} answers.\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def hostile(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = poisoned(shutil.copytree(original, tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert(1)>"))
    commonplace(root, "reflect", "--yes")
    (root / "memory" / "odd" / "<b>half.md").write_bytes(
        b"- W @Mallory: half \xed\xa0\x80 of a pelican, <b>bytes</b> \xff\n"
    )
    with serving(root) as served:
        yield served


def links(body: str, pattern: str) -> list[str]:
    """The addresses of a view that begin so, as a browser would ask for them."""
    return list(
        dict.fromkeys(html.unescape(each).partition("#")[0] for each in re.findall(f'href="({pattern}[^"]*)"', body))
    )


def test_4_the_fifteen_hostile_lines_are_inert_on_every_view(tabs: Tabs, hostile: Served) -> None:
    page = tabs.open(hostile)
    looked = FOUND.replace("ELEMENTS", repr(ELEMENTS)).replace("BASE", repr(hostile.at("")))
    views = [
        *VIEWS.values(),
        f"day/{TODAY}",
        "entity/Mallory",
        "ask?q=pelican&k=50",
        "ask?q=heron&k=50",
        "ask?q=%3C/title%3E%3Cscript%3Ealert(1)%3C/script%3E",
    ]
    views += [f"at/memory/{TODAY}.md?line={number}" for number in (2, 12, 20)] + [f"at/memory/{TODAY}.md?all=1"]
    views += links(hostile.ready("ask?q=heron&k=50"), "at/memory/odd/")[::4]
    views += links(hostile.ready("opinions"), "opinion/")[: len(LINES)]
    views += [each for each in links(hostile.ready("entities"), "entity/") if "%" in each][:8]
    wrong = []
    for view in dict.fromkeys(views):
        hostile.ready(view)
        page.goto(hostile.at(view))
        found = page.evaluate(looked)
        if found.pop("base") != hostile.at("") or found != NOTHING:
            wrong.append((view, {name: value for name, value in found.items() if NOTHING[name] != value}))
    assert not wrong, wrong
    assert page.context.cookies()[0]["name"] == "commonplace"
    assert len(page.context.cookies()) == 1
    assert len(views) > 40


def test_every_line_of_an_oddly_named_file_opens(hostile: Served) -> None:
    found = links(hostile.view("ask?q=heron&k=50").body, "at/memory/odd/")
    assert len(found) >= len(NAMES) - 2
    for each in found:
        answer = hostile.view(each)
        assert answer.status == 200, each
        assert re.search(r'class="here" id="here">.*heron', answer.body), each


def test_every_entity_and_opinion_of_the_lists_opens(hostile: Served) -> None:
    for name, pattern in (("entities", "entity/"), ("opinions", "opinion/")):
        found = links(hostile.ready(name), pattern)
        assert found
        for each in found:
            control = re.search("%[01][0-9A-F]", each)  # no verb takes a name with control characters
            assert hostile.view(each).status == (400 if control else 200), each


def test_a_line_of_four_megabytes_is_cut(hostile: Served) -> None:
    for view in (
        "ask?q=pelican&k=50",
        f"day/{TODAY}",
        "entity/Mallory",
        f"at/memory/{TODAY}.md?all=1",
        "health",
        "reflect",
    ):
        assert len(hostile.ready(view)) < 1_000_000, view


# ---------------------------------------------------------------------- folders that change


def test_a_file_that_is_gone_is_told(writing: Served) -> None:
    view = "at/memory/2025-11-26.md?line=10"
    assert writing.view(view).status == 200
    (writing.root / "memory/2025-11-26.md").unlink()
    gone = writing.view(view)
    assert gone.status == 404
    assert "memory/2025-11-26.md" in gone.body
    assert writing.view("day/2025-11-26").status == 200


def test_an_index_that_is_gone_is_made_anew(writing: Served) -> None:
    before = writing.view("ask?q=backups").body.count('<li class="row')
    (writing.root / ".memory").rename(writing.root.with_name("first"))
    for view in VIEWS.values():
        assert writing.view(view).status in (200, 400, 404), view
    assert writing.view("ask?q=backups").body.count('<li class="row') == before > 0
    (writing.root / ".memory").rename(writing.root.with_name("second"))
    assert "Landed" not in writing.ready("opinions")
    assert writing.view("review").status == 200


def test_a_workspace_that_is_gone_and_comes_back_is_told(writing: Served) -> None:
    away = writing.root.with_name("away")
    writing.root.rename(away)
    for view in ("", "ask?q=backups", "entity/Peter", "at/MEMORY.md?line=1"):
        answer = writing.view(view)
        assert answer.status in (200, 404, 500, 503), view
        assert "Traceback" not in answer.body
        assert "a bug in commonplace" not in answer.body, answer.body
    away.rename(writing.root)
    assert "backup" in writing.view("ask?q=backups").body
    assert writing.view("entity/Peter").status == 200


def test_a_folder_without_markdown_says_what_would_fill_it(tmp_path: Path) -> None:
    root = tmp_path / "empty"
    (root / "memory").mkdir(parents=True)
    with serving(root) as served:
        for name, view in VIEWS.items():
            answer = served.view(view)
            assert answer.status in (200, 400, 404), (name, answer)
            assert "a bug in" not in answer.body, name
        for view in ("", "ask", "entities", "opinions", "review", "reflect", f"day/{TODAY}"):
            assert 'class="nothing"' in served.ready(view), view


def test_a_watcher_and_a_second_server_beside_disturb_nothing(writing: Served) -> None:
    words = [sys.executable, "-m", "commonplace", "watch", "--workspace", str(writing.root), "--today", TODAY]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as watcher:
        try:
            with serving(writing.root) as other:
                with (writing.root / "memory" / f"{TODAY}.md").open("a", encoding="utf-8") as log:
                    log.write("\n## Retain\n- W @Peter: The pelican sings at noon.\n")
                for served in (writing, other):
                    assert "The pelican sings at noon." in served.view("ask?q=pelican+noon").body
                    assert served.view("review").status == 200
        finally:
            watcher.terminate()
            watcher.communicate(timeout=PATIENCE)
