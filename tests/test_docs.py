"""The docs tell everything there is, and nothing that is not: verbs, flags, settings, error codes, links."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import commonplace
from commonplace.config import Settings
from commonplace.config.fleet_settings import FleetSettings
from commonplace.config.model_settings import ModelSettings
from commonplace.config.semantic_settings import SemanticSettings
from commonplace.doors.table.common_fields import COMMON
from commonplace.doors.table.verb_table import commands
from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from commonplace.doors.table.verb_fields import Verb

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", page, re.M | re.S)
    assert found, f"no section {title}"
    return found[1]


@pytest.mark.parametrize("verb", commands().values(), ids=lambda verb: verb.name)
def test_every_verb_and_flag_is_in_the_docs(verb: Verb) -> None:
    said = section(text("cli.md"), verb.name)
    assert verb.summary[1:] in said
    for flag in (*verb.flags, *COMMON):
        assert flag.spelled in said


def test_every_common_flag_is_in_the_docs() -> None:
    for flag in COMMON:
        assert flag.help in text("cli.md")


def test_every_verb_in_prose_exists() -> None:
    known = {name.partition(" ")[0] for name in commands()} | {"VERB", "COMMAND"}
    for page in PAGES:
        for verb in re.findall(r"^\$? *commonplace ([a-z]+)\b", page.read_text(encoding="utf-8"), re.M):
            assert verb in known, f"{page.name}: commonplace {verb}"


def test_every_verb_and_flag_in_the_table_of_verbs_exists() -> None:
    """Each of them is in the documentation of its verb, which is made from the table of verbs."""
    table = section(text("architecture.md"), "The path of a verb").partition("### ")[0]
    rows = re.findall(r"^\| (.*?) \|", table, re.M)
    named = [each.split() for row in rows for each in re.findall(r"`(.*?)`", row)]
    assert {words[0] for words in named} == {name.partition(" ")[0] for name in commands()}
    for words in named:
        name = next(each for each in (" ".join(words[:2]), words[0]) if each in commands())
        assert {*words} <= {*re.findall(r"[\w-]+", name + section(text("cli.md"), name))}, words


@pytest.mark.parametrize("page", ["architecture.md", "contributing.md"])
def test_every_module_that_the_docs_name_exists(page: str) -> None:
    by_hand = re.sub(r"<!-- \[\[\[cog.*?\[\[\[end\]\]\] -->", "", text(page), flags=re.S)
    files = [each.relative_to(ROOT) for part in ("src", "tests", "bench") for each in (ROOT / part).rglob("*.py")]
    files += [each.relative_to(ROOT) for each in ROOT.glob("*.py")]
    named = re.findall(r"`([\w/*]+\.py)\b", by_hand)
    assert len(named) > 20
    assert [each for each in named if not any(file.match(each) for file in files)] == []


def test_every_setting_is_in_the_docs() -> None:
    page = text("settings.md")
    for name in (*Settings._fields, *SemanticSettings._fields, *ModelSettings._fields, *FleetSettings._fields):
        assert f"| `{name}` |" in page


def test_every_error_code_is_in_the_docs() -> None:
    page = text("cli.md")
    todo = [CommonplaceError]
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__()
        assert f"| `{kind.code}` |" in page


def problem_codes() -> set[str]:
    """The codes that the program gives problems: words with hyphens handed to `Problem`, `Defect` or a warning."""
    found = set()
    for path in Path(commonplace.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and re.search(r"(Problem|Defect|_problem|warn)$", ast.unparse(call.func)):
                texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
                found |= {
                    each for each in texts if isinstance(each, str) and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", each)
                }
    return found


@pytest.mark.parametrize("code", sorted(problem_codes()))
def test_every_problem_code_is_in_the_docs(code: str) -> None:
    """Of the text in the format, of the files beside the verb that lists them, of an import on its page."""
    pages = text("format.md") + section(text("cli.md"), "Problems of files") + text("import.md")
    assert re.search(rf"^\| [^|]*`{code}`[^|]* \|", pages, re.M)


@pytest.mark.parametrize("page", ["cli.md", "settings.md", "tools.md"])
def test_generated_parts_are_current(page: str) -> None:
    cog = [sys.executable, "-m", "cogapp", "--check", str(DOCS / page)]
    done = subprocess.run(cog, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run `make docs`: {done.stdout}{done.stderr}"


def without_code(markdown: str) -> str:
    fenced = re.sub(r"^(```|~~~).*?^\1", "", markdown, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", fenced)


def anchors(markdown: str) -> set[str]:
    """As GitHub makes them of headings."""
    unfenced = re.sub(r"^(```|~~~).*?^\1", "", markdown, flags=re.M | re.S)
    titles = re.findall(r"^#{1,6} (.+)$", unfenced, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page: Path) -> None:
    markdown = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(<?([^)>\s]+)>?\)", without_code(markdown)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), f"{page.name} links to {link}"
        if anchor and target.suffix == ".md" and not re.fullmatch(r"L\d+", anchor):
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{page.name} links to {link}"


def test_every_page_is_reachable() -> None:
    """From the README or the index, by links; a link to a folder leads to its pages."""
    seen: set[Path] = set()
    todo = [ROOT / "README.md", DOCS / "index.md"]
    while todo:
        page = todo.pop().resolve()
        if page in seen or not page.exists():
            continue
        seen.add(page)
        if page.is_dir():
            todo += page.glob("*.md")
        elif page.suffix == ".md":
            links = re.findall(r"\]\(<?([^)>\s#]+)", without_code(page.read_text(encoding="utf-8")))
            todo += [page.parent / link for link in links if not re.match(r"[a-z]+:", link)]
    lost = [str(page.relative_to(ROOT)) for page in PAGES if page.resolve() not in seen]
    assert not lost, f"no link leads to {lost}"


def test_no_page_installs_what_others_may_have_named_alike() -> None:
    """We are in no package index, so `pip install commonplace` there would run somebody else's code."""
    named = re.compile(r"\binstall(?: -\S+)* ['\"]?commonplace(?![\w.-])", re.M)
    assert not [page.name for page in PAGES if named.search(page.read_text(encoding="utf-8"))]


def test_every_test_that_the_docs_name_exists() -> None:
    named = re.findall(r"`(?:tests/)?((?:\w+/)*test_\w+\.py)::(\w+)`", text("faults.md"))
    assert len(named) > 60
    for file, name in named:
        functions = ast.walk(ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8")))
        assert name in {each.name for each in functions if isinstance(each, ast.FunctionDef)}, f"{file}::{name}"


def test_each_decision_has_a_number_of_its_own_in_its_name_and_title() -> None:
    pages = sorted((DOCS / "decisions").glob("*.md"))
    titles = [re.match(r"# (\d+)\. ", page.read_text(encoding="utf-8")) for page in pages]
    assert [title and f"{int(title[1]):04}" for title in titles] == [page.name[:4] for page in pages]
    numbers = [page.name[:4] for page in pages]
    assert len(set(numbers)) == len(numbers), numbers
