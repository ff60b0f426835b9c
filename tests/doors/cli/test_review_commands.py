"""The verbs review and judge, and the packet, as they are typed and as programs read them."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write

DAY = ("--today", "2026-02-01")
LIFE = """
=== MEMORY.md
# Core

=== memory/2025-11-27.md
## Retain
- O(c=0.95) @Mona: Prefers short replies on WhatsApp. ^k7f3qa

=== memory/2026-01-20.md
# 2026-01-20

- We decided to keep the old boiler.
- We decided to sell the red chairs.

## Retain
- W @Mona: The replies on WhatsApp, short or not, went to Rolf. <!-- cp: src=user:rolf --> ^vague1
- W @Mona: The short replies on WhatsApp were read by Rolf. ^vague2
- W @Mona: Bought a red lamp for the hall. ^lamp01
"""


@pytest.fixture
def root(workspace: Write, cli: Cli) -> Path:
    tea = [
        f"=== memory/2026-01-{day}.md\n## Retain\n- O(c=0.95) @Mona: Drinks tea. ^tea{day}\n" for day in (21, 22, 23)
    ]
    found = workspace(LIFE + "".join(tea))
    assert cli("reflect", *DAY).status == 0
    return found


def only(cli: Cli, group: str) -> list[str]:
    return [each["id"] for each in cli("review", "--json", *DAY).json[group]]


def test_judge_lists_pairs_with_both_sides(cli: Cli, root: Path) -> None:
    (asked,) = cli("judge", "--json", *DAY).json["judge"]
    assert asked.keys() == {"id", "fact", "opinion", "reason"}
    assert {key: asked["fact"][key] for key in ("id", "content", "source", "recorded")} == {
        "id": "vague2",
        "content": "The short replies on WhatsApp were read by Rolf.",
        "source": "memory/2026-01-20.md#L8",
        "recorded": "2026-01-20",
    }
    assert asked["opinion"].keys() == {"id", "statement", "confidence", "entities"}
    told = cli("judge", *DAY).out
    assert (
        f"^{asked['id']} The short replies on WhatsApp were read by Rolf. (2026-01-20, memory/2026-01-20.md#L8" in told
    )
    assert "on 0.95 Prefers short replies on WhatsApp. ^o-" in told


def test_judge_says_what_moved(cli: Cli, root: Path) -> None:
    (asked,) = cli("judge", "--json", *DAY).json["judge"]
    id, opinion = asked["id"], asked["opinion"]["id"]
    planned = cli("judge", f"^{id}", "against", "--dry-run", *DAY).out
    assert "against (would be done) ^j-" in planned
    assert f"^{opinion} 0.95 → 0.93" in planned
    done = cli("judge", id, "against", *DAY)
    assert re.search(
        rf"^against \^{id} “The short .*” on “Prefers short replies on WhatsApp.”$", done.out, re.MULTILINE
    )
    assert f"  ^{opinion} 0.95 → 0.93 Prefers" in done.out
    assert cli("judge", *DAY).out == "no open questions\n"
    data = cli("judge", opinion, "lamp01", "for", "--json", *DAY).json
    assert (data["answers"][0]["verdict"], data["applied"]) == ("for", True)
    assert data["moved"][0]["id"] == opinion


def test_review_lists_and_answers_in_bulk(cli: Cli, root: Path) -> None:
    told = cli("review", *DAY).out
    assert [line for line in told.split("\n") if line and line[0] not in "^ "] == ["Inferred", "Core", "Judge"]
    first, second = only(cli, "inferred")
    assert cli("review", "accept", first, "--dry-run", *DAY).out.startswith("accepted (would be done) ^i-")
    edited = cli("review", "edit", second, "We", "decided to keep the boiler until spring.", *DAY)
    assert f"accepted ^{second} W: We decided to keep the boiler until spring." in edited.out
    done = cli("review", "accept", "--all", "--kind", "inferred", "--json", *DAY).json
    assert [each["outcome"] for each in done["answers"]] == ["done"]
    log = (root / "memory/2026-01-20.md").read_text()
    assert log.count("src=inferred") == 2
    assert cli("review", "reject", "--all", *DAY).out.startswith("rejected ^c-")
    assert cli("review", "accept", "--all", *DAY).out == "no open questions\n"
    assert (root / "MEMORY.md").read_text().strip() == "# Core"
    cli("judge", *(each["id"] for each in cli("judge", "--json", *DAY).json["judge"]), "neither", *DAY)
    assert cli("review", *DAY).out == "no open questions\n"


def test_review_lists_ten_inferred_facts_and_the_others_if_asked(cli: Cli, root: Path) -> None:
    lines = "".join(f"- We decided to paint door {at} of the boathouse green.\n" for at in range(14))
    (root / "memory/2026-01-21.md").write_text(f"# 2026-01-21\n{lines}")
    told = cli("review", *DAY).out
    assert told.count("^i-") == 10
    assert "6 more wait: commonplace review --all lists them" in told
    data = cli("review", "--json", *DAY).json
    assert (len(data["inferred"]), data["omitted"]) == (10, 6)
    every = cli("review", "--all", "--json", *DAY).json
    assert len(every["inferred"]) == 16
    assert "omitted" not in every
    assert cli("review", "--all", *DAY).out.count("^i-") == 16
    done = cli("review", "reject", "--all", "--kind", "inferred", "--json", *DAY).json
    assert len(done["answers"]) == 16


def test_review_lists_few_of_each_kind_and_counts_all(cli: Cli, root: Path) -> None:
    lines = "".join(f"- We decided to paint door {at} of the boathouse green.\n" for at in range(14))
    (root / "memory/2026-01-21.md").write_text(f"# 2026-01-21\n{lines}")
    every = cli("review", "--all", "--json", *DAY).json
    few = cli("review", "--k", "1", "--json", *DAY).json
    for kind, count in few["counts"].items():
        assert (len(every[kind]), len(few[kind])) == (count, min(count, 1))
        assert few[kind] == every[kind][:1]
    assert few["counts"]["judge"] == 1
    assert (few["counts"]["inferred"], few["omitted"]) == (16, 15)
    assert cli("review", "--json", *DAY).json["counts"] == few["counts"]
    told = cli("review", "--k", "1", *DAY).out
    assert "15 more wait: commonplace review --all lists them" in told
    assert told.count("^i-") == told.count("^j-") == 1
    refused = cli("review", "accept", "i-4k2p7", "--k", "1", *DAY)
    assert refused.status == 2
    assert "--k is only for the list" in refused.err


def test_review_reads_answers_and_tells_of_each_line(cli: Cli, root: Path) -> None:
    first, second = only(cli, "inferred")
    told = f"Sure!\n* `{first} accept`\n{second} reject\n"
    done = cli("review", "-", *DAY, stdin=told)
    assert done.status == 0
    assert done.out.split("\n")[:3] == [
        "1: error: the line has no question id: write an id, then a verdict",
        f"2: accepted ^{first} W: We decided to sell the red chairs.",
        f"3: rejected ^{second} W: We decided to keep the old boiler.",
    ]
    rows = cli("review", "-", "--json", *DAY, stdin=told).lines
    assert [row.get("line") for row in rows] == [1, 2, 3, None]
    assert (rows[0]["error"]["code"], rows[1]["outcome"], rows[3]["applied"]) == ("usage", "done", True)
    assert cli("review", "-", *DAY, stdin="Sorry, no.\n").status == 1
    assert cli("review", "-", *DAY, stdin="\n").status == 2
    assert cli("review", "-", *DAY, stdin=b"\xff").status == 2


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("judge j-nope0 for", "review lists the questions"),
        ("judge for", "commonplace judge j-"),
        ("judge j-nope0 accept", "commonplace judge j-"),
        ("judge o-4m7k a b for", "judge o-… FACT for"),
        ("review for j-9w2e1", "commonplace judge j-9w2e1 for"),
        ("review accept", "review lists the questions"),
        ("review accept --all i-4k2p7", "review lists the questions"),
        ("review accept i-nope0", "review lists the questions"),
        ("review approve i-nope0", "review accept ID"),
        ("review edit i-nope0", "review edit"),
        ("review edit i-nope0 ''", "review edit"),
        ("judge k7f3qa o-4m7k for", "judge o-… FACT for"),
        ("review edit --all", "review accept ID"),
        ("review accept --all --kind judge", "inferred, core"),
        ("reflect --budget 2000", "--packet"),
        ("reflect --packet --dry-run", "leave"),
        ("reflect --packet --budget 10", "at least 1,000"),
    ],
)
def test_a_wrong_request_says_what_to_do(cli: Cli, root: Path, words: str, hint: str) -> None:
    before = (root / "bank/review.md").read_text()
    done = cli(*shlex.split(words), *DAY)
    assert done.status in (1, 2)
    assert hint in done.err
    assert (root / "bank/review.md").read_text() == before


def test_the_packet_is_markdown_or_json(cli: Cli, root: Path) -> None:
    told = cli("reflect", "--packet", "--since", "2026-01-20", *DAY).out
    assert told.startswith("# Questions to decide\n")
    assert "## How to answer" in told
    assert "outsider user:rolf" in told
    data = cli("reflect", "--packet", "--json", "--since", "2026-01-20", *DAY).json
    assert data.keys() == {
        "since", "facts", "judge", "inferred", "core", "same", "names", "changes", "pages", "disputes", "notes",
        "left_out", "how", "text",
    }  # fmt: skip
    assert data["text"] == told
    assert data["judge"][0].keys() == {"id", "fact", "opinion", "reason", "sides"}
    assert {each["id"] for each in data["inferred"]} == set(only(cli, "inferred"))
    answers = "".join(json.dumps({"id": each["id"], "verdict": "accept"}) + "\n" for each in data["inferred"])
    assert cli("review", "-", *DAY, stdin=answers).status == 0
    assert only(cli, "inferred") == []


def test_a_list_of_questions_has_one_name_whichever_verb_tells_it(cli: Cli, root: Path) -> None:
    listed, judged = cli("review", "--json", *DAY).json, cli("judge", "--json", *DAY).json
    packet = cli("reflect", "--packet", "--json", *DAY).json
    assert judged == {"judge": listed["judge"], "notes": listed["notes"]}
    assert [{**each, "sides": []} for each in judged["judge"]] == [{**each, "sides": []} for each in packet["judge"]]
    assert {group: listed[group] for group in ("inferred", "core", "same", "names", "changes")} == {
        group: packet[group] for group in ("inferred", "core", "same", "names", "changes")
    }


def test_a_verdict_that_moves_nothing_says_why(cli: Cli, root: Path) -> None:
    (asked,) = cli("judge", "--json", *DAY).json["judge"]
    done = cli("judge", asked["id"], "neither", *DAY)
    assert done.out.split("\n")[1] == "  no effect: it did not count before, and does not count now"
    answers = cli("judge", asked["opinion"]["id"], "k7f3qa", "for", "--json", *DAY).json["answers"]
    assert [each["why"] for each in answers] == ["it is the prior: the opinion was first stated there"]


def test_ids_are_found_in_any_case(cli: Cli, root: Path) -> None:
    (asked,) = cli("judge", "--json", *DAY).json["judge"]
    assert cli("judge", f"^{asked['id'].upper()}", "for", *DAY).status == 0
    assert cli("judge", asked["opinion"]["id"].upper(), "LAMP01", "for", *DAY).status == 0
    first, second = only(cli, "inferred")
    assert cli("review", "accept", first.upper(), *DAY).status == 0
    assert cli("review", "-", *DAY, stdin=f"{second.upper()} reject\n").status == 0
    assert only(cli, "inferred") == []


def test_two_bullets_are_no_text_of_one_fact(cli: Cli, root: Path) -> None:
    (first, _), log = only(cli, "inferred"), root / "memory/2026-01-20.md"
    before = log.read_text()
    texts = (
        "- W: Sells chairs.\n- W: Keeps the boiler.",
        "Sells chairs.\n* Keeps the boiler",
        "W: One. - O @Mona: Two.",
    )
    for text in texts:
        done = cli("review", "edit", first, text, *DAY)
        assert (done.status, "several bullets" in done.err) == (2, True)
        row = cli("review", "-", "--json", *DAY, stdin=json.dumps({"id": first, "verdict": "edit", "text": text})).json
        assert "several bullets" in row["error"]["message"]
    assert log.read_text() == before
    assert cli("review", "edit", first, "- W: Sells - cheaply - chairs.", *DAY).status == 0
