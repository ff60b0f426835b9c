"""A reflect of each night: what the index holds from the nights before changes its time alone."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.memory import Memory
from commonplace.ops.beliefs import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    import pytest
    from tests.conftest import Write

    from commonplace.ops.beliefs.file_texts import FileTexts

FIRST = date(2026, 3, 1)
LINES = (
    "- Kite Bay: decided to repair the pier because of the storm",
    "- The lesson is to moor the ferry at Kite Bay twice, since the crane of Rolf leaks",
    "- Rolf runs the crane of Kite Bay, and Tide Relay sends him each alarm",
    "- Tide Relay fails when the cable is wet",
    "- Decided to leave Tide Relay, because Kite Bay pays for it twice",
    "- Status: 3 of 9 piers repaired",
    "- 桟橋は海猫さんが直した、潮のせいで",
    "- Прилив Релей сломался из-за воды, и Глеб его чинит",
    "## Kite Bay\n\n- the ferry moves on March 20, 2026, because the pier is closed\n",
    "\n## Retain\n\n- W @Rolf: Lives at Pier Street 4. ^home\n- O(c=0.9) @Rolf: Prefers tea.\n",
    "\n## Retain\n\n- W @[[Kite Bay]]: The ferry leaves at nine. ^nine\n- O(c=0.6) @Rolf: Does not like tea.\n",
)
NIGHTS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.lists(st.sampled_from(LINES), min_size=1, max_size=8), st.booleans()),
        st.tuples(st.sampled_from(("edit", "cut", "delete", "forget")), st.integers(0, 5), st.booleans()),
    ),
    min_size=2,
    max_size=5,
)


def change(folder: Path, today: date, what: str, how: Iterable[str] | int) -> None:
    """What a person does on a day: write its log, or edit, cut lines from, delete or forget of an older one."""
    logs = sorted((folder / "memory").glob("*.md"))
    if not isinstance(how, int):
        (folder / f"memory/{today}.md").write_text("\n".join((f"# {today}\n", *how, "")), encoding="utf-8")
    elif what == "forget":
        with Memory(str(folder), today=today) as memory:
            for id in {"home", "nine"} & {each.id for each in memory._access.fresh().facts()}:
                memory.forget(id)
    elif logs:
        log = logs[how % len(logs)]
        lines = log.read_text(encoding="utf-8").split("\n")
        if what == "delete":
            log.unlink()
        elif what == "cut":
            log.write_text("\n".join(lines[::2]), encoding="utf-8")
        else:
            log.write_text("\n".join(line.replace("Kite Bay", "Gull Rock") for line in lines), encoding="utf-8")


def bank(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in folder.rglob("bank/**/*.md")}


def reflected(folder: Path, today: date, *, since: bool) -> dict[str, str]:
    with Memory(str(folder), today=today) as memory:
        memory.reflect(yes=True, since="7d" if since else None)
    return bank(folder)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nights=NIGHTS)
def test_a_night_leaves_the_pages_that_it_leaves_with_an_index_made_anew(
    nights: list[tuple[str, list[str] | int, bool]], workspace: Write, tmp_path: Path
) -> None:
    warm, cold = workspace({}), tmp_path / "cold"
    shutil.rmtree(warm, ignore_errors=True)
    workspace({f"memory/{FIRST - timedelta(n)}.md": "\n".join(LINES[n::2]) for n in range(1, 5)})
    shutil.rmtree(cold, ignore_errors=True)
    shutil.copytree(warm, cold)
    for at, (what, how, since) in enumerate(nights):
        today = FIRST + timedelta(at)
        for folder in (warm, cold):
            change(folder, today, what, how)
        for index in cold.glob(".memory/index.sqlite*"):
            index.unlink()
        assert reflected(warm, today, since=since) == reflected(cold, today, since=since)


def searched(monkeypatch: pytest.MonkeyPatch, folder: Path, day: int) -> set[str]:
    """The paths that a reflect searches for secrets on a day with a log of its own."""
    found: set[str] = set()

    def noted(texts: FileTexts, paths: Iterable[str], *, known: Mapping[str, redact.Parting]) -> object:
        paths = [*paths]
        found.update(paths)
        return search(texts, paths, known=known)

    search = redact._parting
    monkeypatch.setattr(redact, "_parting", noted)
    change(folder, FIRST + timedelta(day), "write", [LINES[day % 3], f"\n## Retain\n\n- W @Rolf: Paid bill {day}.\n"])
    reflected(folder, FIRST + timedelta(day), since=True)
    monkeypatch.setattr(redact, "_parting", search)
    return found


def test_a_page_that_gained_no_secret_is_not_searched_again(workspace: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = workspace({f"memory/{FIRST - timedelta(n)}.md": "\n".join(LINES) for n in range(1, 5)})
    reflected(folder, FIRST, since=False)
    page = folder / "bank/entities/Rolf.md"
    texts = []
    for day in range(1, 4):
        assert searched(monkeypatch, folder, day) == {f"memory/{FIRST + timedelta(day)}.md"}
        texts.append(page.read_text(encoding="utf-8"))
    assert len(set(texts)) == 3
    page.write_text(f"{texts[-1]}\nThe password of the crane is Krabbe-7719-Quay\n", encoding="utf-8")
    assert "bank/entities/Rolf.md" in searched(monkeypatch, folder, 4)
    assert "bank/entities/Rolf.md" in searched(monkeypatch, folder, 5)  # it was renewed, and still has it


def test_what_several_files_tell_of_a_day_is_in_the_order_of_their_paths(workspace: Write) -> None:
    folder = workspace(
        {
            "memory/2026-02-26.md": "- the crane of Quayle leaks\n",
            "memory/2026-02-28.md": "- Quayle was told about it\n",
        }
    )
    with Memory(str(folder), today=FIRST) as memory:
        memory.index()
        late = "# 2026-02-27\n\n## 2026-02-28\n\n- Quayle did not answer\n"
        (folder / "memory/2026-02-27.md").write_text(late, encoding="utf-8")
        memory.index()
        found = memory._access.fresh().possible_names()
        memory.index(rebuild=True)
        assert found == memory._access.fresh().possible_names()
    assert [each.path[-5:-3] for each in found["quayle"]] == ["28", "27", "26"]
