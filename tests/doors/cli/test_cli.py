"""Transcripts of the everyday: argv in, answer out, on a real folder."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Cli, Write

LOG = """
    === memory/2025-11-27.md
    # 2025-11-27

    Walked through the souk with Andy.

    ## Retain
    - W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday of Andy.
    - B @warelay: I fixed the Baileys WS crash by wrapping connection.update handlers in try/catch.
    - O(c=0.95) @Peter: Prefers concise replies on WhatsApp; long content goes into files.
"""
DAY = ("--today", "2025-11-28")
HISTORY = """
    === memory/2025-11-01.md
    ## Retain
    - O(c=0.5) @Rolf: Likes oak. ^b1

    === memory/2025-11-02.md
    ## Retain
    - W @Rolf: Likes oak. ^b2

    === memory/2025-11-03.md
    ## Retain
    - W @Rolf: Does not like oak. ^b3
    - W @Rolf: Does not like oak at all. <!-- cp: contradicts=^b1 --> ^b4

    === memory/2025-11-04.md
    ## Retain
    - W @Rolf: Does not like oak. ^b5

    === bank/tastes.md
    | Opinion | Confidence | Evidence |
    |---|---|---|
    | @Mona prefers pine | 0.8 | memory/2025-11-02.md |
"""


def lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


class TestRecall:
    def test_text(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        done = cli("recall", "Marrakech", *DAY)
        assert (done.status, done.err) == (0, "")
        assert "Currently in Marrakech" in lines(done.out)[0]
        assert "memory/2025-11-27.md#L6" in lines(done.out)[0]

    def test_the_text_is_what_the_budget_counts(self, workspace: Write, cli: Cli) -> None:
        from commonplace.core.recall.packing import count_tokens

        workspace(LOG)
        shown = cli("recall", "Peter", *DAY).out
        told = cli("recall", "Peter", *DAY, "--json").json
        assert sum(count_tokens(line + "\n") for line in lines(shown)[: len(told["hits"])]) == told["tokens"]
        assert told["tokens"] <= told["budget"]

    def test_markdown(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        shown = cli("recall", "WhatsApp", *DAY, "--format", "md").out
        assert "- **opinion** @Peter, c=0.95, 2025-11-27: Prefers concise replies" in shown
        assert "[memory/2025-11-27.md#L8](memory/2025-11-27.md#L8)" in shown

    def test_who_finds_nothing_is_told_where_to_see_what_is_read(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        done = cli("recall", "periscope", terminal=True)
        assert "no match for: periscope" in done.out
        assert "next: commonplace status (which Markdown files here are read" in done.err
        for shown in (cli("recall", "Marrakech", terminal=True), cli("recall", "periscope")):
            assert "commonplace status" not in shown.out + shown.err

    def test_words_need_no_quotes(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert cli("recall", "Baileys", "crash", "--json").json["query"] == "Baileys crash"

    def test_filters_limit_the_hits(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        only = cli("recall", "Peter", "--kind", "O", "--json", *DAY).json["hits"]
        assert {hit["kind"] for hit in only} == {"opinion"}
        about = cli("recall", "--entity", "@warelay", "--json", *DAY).json["hits"]
        assert about[0]["entities"] == ["warelay"]
        assert cli("recall", "Peter", "--until", "2024", "--json", *DAY).json["status"] == "empty"

    def test_nothing_found_is_no_failure(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        done = cli("recall", "zeppelin")
        assert done.status == 0
        assert done.out.strip(), "the note says why"

    def test_a_date_that_cannot_be_read_is_refused(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        done = cli("recall", "Peter", "--since", "some other time")
        assert (done.status, done.out) == (2, "")
        assert "cannot read the date" in done.err

    @pytest.mark.parametrize(
        "query", ['"', "C++", "NEAR(", "*", "AND", "-x", "(", "foo:bar", "^foo", "\x00", "%s", "😀"]
    )
    def test_strange_questions_are_answered(self, workspace: Write, cli: Cli, query: str) -> None:
        workspace(LOG)
        assert cli("recall", "--json", "--", query).json["status"] in ("ok", "empty")


class TestRetain:
    def test_one_bad_fact_of_many_loses_none_of_the_others(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        facts = "W @Zoe: Plays the oboe.\nO(c=9) @Zoe: Bad.\nW @Zoe: Sings.\n"
        done = cli("retain", "-", *DAY, stdin=facts)
        assert done.status == 2
        assert "fact 2 of 3" in done.err
        log = (root / "memory/2025-11-28.md").read_text()
        assert "Plays the oboe." in log
        assert "Sings." in log
        again = cli("retain", "-", "--json", *DAY, stdin=facts)
        assert [sorted(json.loads(line))[0] for line in lines(again.out)][1] == "error"

    def test_an_entity_that_no_bullet_can_hold_is_refused(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        done = cli("retain", "--entity", "a:b", "likes foo", *DAY)
        assert done.status == 2
        assert "a:b" in done.err
        assert not (root / "memory/2025-11-28.md").exists()

    def test_a_fact_is_written_and_shown(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        done = cli("retain", "W @Peter: Landed in Vienna with KP 418.", *DAY)
        assert done.status == 0, done.err
        head, fact = lines(done.out)[:2]
        assert re.fullmatch(r"retained \^[0-9a-z]+ memory/2025-11-28\.md#L\d+", head)
        assert fact == "  world @Peter: Landed in Vienna with KP 418."
        assert "- W @Peter: Landed in Vienna with KP 418." in (root / "memory/2025-11-28.md").read_text()
        again = cli("retain", "W @Peter: Landed in Vienna with KP 418.", *DAY)
        assert lines(again.out)[0] == head.replace("retained", "already there")

    def test_flags(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        told = cli(
            *("retain", "Prefers tea over coffee.", "--kind", "opinion", "--entity", "Peter", "--confidence", "0.8"),
            *("--date", "2025-11-27", "--json"),
        ).json
        assert (told["kind"], told["entities"], told["confidence"]) == ("opinion", ["Peter"], 0.8)
        assert told["created"] is True
        assert told["source"].startswith("memory/2025-11-27.md#L")

    def test_quoted_texts_are_facts_and_words_are_one(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        two = cli("retain", "W @Peter: Likes tea.", "W @Anna: Likes coffee.", "--json", *DAY)
        assert [each["entities"] for each in two.lines] == [["Peter"], ["Anna"]]
        one = cli("retain", "W", "@Peter:", "Likes", "dates.", "--json", *DAY)
        assert [each["content"] for each in one.lines] == ["Likes dates."]

    def test_standard_input(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        text = "- W @Peter: Likes tea\n  with mint.\n\n* W @Anna: Likes coffee.\nW @Zoë: Likes water.\r\n"
        done = cli("retain", "-", "--json", *DAY, stdin=text)
        assert [each["content"] for each in done.lines] == ["Likes tea with mint.", "Likes coffee.", "Likes water."]
        assert (root / "memory/2025-11-28.md").read_text().count("\n- W @") == 3

    def test_text_that_cannot_be_a_fact_is_refused(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert cli("retain", "-", stdin=b"- W @Peter: \xff\n").status == 2
        assert cli("retain", "W @Peter: \udcff", *DAY).status == 2
        assert cli("retain", " ").status == 2
        assert not (cli.root / "memory/2025-11-28.md").exists()
        secret = cli("retain", "W @aws: the key is AKIA" + "Q7RS2TUV4WXY6ZAB", *DAY)
        assert (secret.status, "--allow-secret" in secret.err + secret.out) == (1, True)

    def test_a_fact_is_retracted_then_forgotten(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        made = cli("retain", "W @Peter: Lives at Xanadu Street 9.", "--json", *DAY).json
        done = cli("retract", f"^{made['id']}", "--reason", "moved", *DAY)
        assert done.status == 0, done.err
        assert "Xanadu" in (root / "memory/2025-11-28.md").read_text()
        done = cli("forget", made["id"], *DAY)
        assert done.status == 0, done.err
        assert "Xanadu Street 9." not in (root / "memory/2025-11-28.md").read_text().split("retract")[0]
        missing = cli("forget", "nosuchid", "--json")
        assert (missing.status, missing.json["error"]["code"]) == (1, "not-found")


class TestOthers:
    def test_init_names_the_settings_that_keep_other_folders_in_view(self, workspace: Write, cli: Cli) -> None:
        workspace({"notes/plan.md": "- Plant the apple tree.\n"})
        created = cli("init", "--json").json["created"]
        assert created[0] == "commonplace.toml" and not cli("init", "--json").json["created"]

    def test_init_names_the_folders_that_are_not_read_and_has_them_read(self, workspace: Write, cli: Cli) -> None:
        workspace({"memory/2025-11-27.md": "- Bo likes tea.\n", "notes/plan.md": "- Plant the apple tree.\n"})
        workspace({"my stuff/a/b.md": "- The pear tree stays.\n", "my stuff/node_modules/c.md": "- A plum.\n"})
        done = cli("init")
        assert "not read: my stuff/ (1 file), notes/ (1 file)\n" in done.out
        assert "no match" in cli("recall", "apple").out
        assert "to read one: commonplace init --include 'my stuff'\n" in cli("status").out
        given = cli("init", str(cli.root), "--include", "notes", "--include", str(cli.root / "my stuff"), "--json").json
        assert given["created"] == ["commonplace.toml"] and given["not_read"] == {}
        assert (cli.root / "commonplace.toml").read_text() == 'include = ["notes/**", "my stuff/**"]\n'
        assert "apple tree" in cli("recall", "apple").out and "pear tree" in cli("recall", "pear").out
        assert "no match" in cli("recall", "plum").out
        before = (cli.root / "commonplace.toml").read_bytes()
        done = cli("init", "--include", "notes/")  # it is read already
        assert done.status == 0 and "nothing to create\nread, too: notes/**, my stuff/**\n" in done.out
        (cli.root / "away").symlink_to("/")
        wrongs = (
            ("nosuch", "there is no nosuch"),
            ("../notes", "no folder below"),
            (".", "no folder below"),
            ("/", "below"),
        )
        for wrong, says in (*wrongs, ("", "''"), ("my stuff/node_modules", "never read"), ("away", "leads out")):
            assert says in cli("init", "--include", wrong).err
        assert cli("init", str(cli.root / "new"), "--include", "nosuch").status == 2 and not (cli.root / "new").exists()
        assert (cli.root / "commonplace.toml").read_bytes() == before

    def test_init_includes_by_another_path_and_by_an_odd_name(self, workspace: Write, cli: Cli, tmp_path: Path) -> None:
        workspace({"memory/2025-11-27.md": "- Tea.\n", "notes/plan.md": "- An apple.\n", "*star/a.md": "- A pear.\n"})
        (tmp_path / "alias").symlink_to(cli.root)
        assert cli("init", str(tmp_path / "alias"), "--include", str(cli.root / "notes")).status == 0
        assert cli("init", str(cli.root), "--include", str(tmp_path / "alias" / "*star")).status == 0
        assert cli("status", "--json").json["left_out"] == []
        assert (cli.root / "commonplace.toml").read_text() == 'include = ["notes/**", "?star/**"]\n'

    def test_init_makes_a_workspace_and_changes_none(self, cli: Cli) -> None:
        done = cli("init", *DAY)
        assert done.status == 0
        assert (cli.root / "memory").is_dir()
        before = {path: path.read_bytes() for path in cli.root.rglob("*.md")}
        assert "nothing to create" in cli("init", *DAY).out
        assert {path: path.read_bytes() for path in cli.root.rglob("*.md")} == before
        elsewhere = cli("init", str(cli.root / "deep" / "er"), "--json").json
        assert elsewhere["workspace"] == str(cli.root / "deep" / "er")

    def test_check_lists_problems_and_its_status_says_so(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert cli("check") == (0, "no problems\n", "")
        workspace({"memory/2025-11-28.md": "## Retain\n- O(c=7) @Peter: Likes tea.\n"})
        done = cli("check")
        assert done.status == 1
        assert lines(done.out)[0].startswith("memory/2025-11-28.md#L2: ")
        assert lines(done.out)[-1] == "1 problem"
        assert cli("check", "--json").json["problems"][0].keys() == {"source", "code", "message", "hint"}

    def test_status_and_index_count_files(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert "1 file, " in cli("index").out
        assert cli("index").out.rstrip().endswith("(nothing new)")
        assert "(1 added)" in cli("index", "--rebuild").out
        told = cli("status", "--json", *DAY).json
        assert (told["facts"], told["fresh"], told["today"]) == (3, True, "2025-11-28")
        assert cli("status").status == 0

    def test_index_says_which_problems_it_counts(self, workspace: Write, cli: Cli) -> None:
        secret = "password: " + "Xk9" + "vTq27Lm"
        workspace({"memory/2025-11-27.md": f"## Retain\n- no kind\n\n## Notes\n- {secret}\n"})
        assert "; 1 problem in what was read: commonplace check lists them, and secrets" in cli("index").out
        assert cli("check").out.strip().endswith("2 problems")

    def test_show_finds_a_fact_by_id_and_by_citation(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        found = cli("show", "memory/2025-11-27.md#L6", "--json").json
        assert cli("show", found["id"], "--json").json["content"] == found["content"]
        shown = cli("show", "memory/2025-11-27.md#L6").out
        assert lines(shown)[0] == found["content"]
        assert re.search(r"valid +2025-11-27/2025-12-01", shown)
        assert cli("show", "memory/2025-11-27.md#L99").status == 1

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("Hanna", "it has no page in bank/entities: only other lines mention it\n  recall 'Hanna' finds them"),
            ("Zoe", "its page is empty"),
            ("Ida", "what is known is on its page"),
        ],
    )
    def test_an_entity_without_facts_says_what_is_missing(
        self, workspace: Write, cli: Cli, name: str, told: str
    ) -> None:
        workspace(
            {
                "People/Hanna.md": "# Hanna\n",
                "memory/2025-11-11.md": "- [[Hanna]] likes tea\n",
                "bank/entities/Zoe.md": "# Zoe\n",
                "bank/entities/Ida.md": "# Ida\n\nCall her on Sundays.\n",
            }
        )
        done = cli("entity", name)
        assert (done.status, told in done.out) == (0, True)
        assert f'retain "W @{name}: …" writes the first fact' in done.out

    def test_entity_shows_what_its_page_quotes_and_what_a_person_wrote_there(self, workspace: Write, cli: Cli) -> None:
        root = workspace(
            {
                f"memory/2025-11-{day}.md": f"- [[Ida]] decided that boat {day} gets a blue hull.\n"
                f"- The engine of boat {day} broke because the oil of [[Ida]] was old.\n"
                for day in (11, 12, 13)
            }
        )
        cli("reflect", *DAY)
        page = root / "bank/entities/Ida.md"
        page.write_text(page.read_text().replace("# Ida\n", "# Ida\n\nCall her on Sundays.\n"))
        told = cli("entity", "Ida").out
        assert "\nOn its page\nCall her on Sundays.\n" in told
        assert "Call her on Sundays" in cli("entity", "Ida", "--json").out
        assert "\nCauses and lessons\n- 2025-11-13: The engine of boat 13 broke because" in told
        assert "was old. (memory/2025-11-13.md)\n" in told
        cli("retain", "W @Ida: Lives in Ribe.", *DAY)
        cli("reflect", *DAY)
        told = cli("entity", "Ida").out
        assert told.count("Lives in Ribe") == 1 and told.count("engine of boat 13") == 1

    def test_entity_shows_the_facts_about_a_name(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert cli("entity", "peter", "--json").json["name"] == "Peter"
        assert "Currently in Marrakech" in cli("entity", "Peter").out
        assert cli("entity", "Nobody").status == 1

    def test_days_is_a_line_for_each_day(self, workspace: Write, cli: Cli) -> None:
        two = "- We met.\n- W @Petra: Bought a sloop.\n"
        workspace({"memory/2025-11-03.md": two, "memory/2025-11-05.md": "- Rain.\n"})
        shown = cli("days", *DAY).out.splitlines()
        assert [" ".join(line.split()) for line in shown] == [
            "2025-11-03 2 lines 1 fact memory/2025-11-03.md",
            "2025-11-05 1 line memory/2025-11-05.md",
        ]
        assert cli("days", "--until", "2025-11-04", "--json", *DAY).json == {
            "days": [{"day": "2025-11-03", "lines": 2, "facts": 1, "files": ["memory/2025-11-03.md"]}]
        }
        assert cli("days", "--since", "2025-11-06", *DAY).out == "nothing was recorded on these days\n"

    def test_days_names_three_files_of_a_day_and_counts_the_others(self, workspace: Write, cli: Cli) -> None:
        workspace({f"memory/2025-11-03-{name}.md": "- We met.\n" for name in "abcde"})
        assert cli("days", *DAY).out.endswith("memory/2025-11-03-c.md and 2 more\n")

    def test_many_days_are_a_line_for_each_month(self, workspace: Write, cli: Cli) -> None:
        days = [f"2025-{month:02}-{day:02}" for month in (7, 8, 9) for day in range(1, 29)]
        workspace({f"memory/{day}.md": "- We met.\n- W @Petra: Bought a sloop.\n" for day in days})
        *months, hint = cli("days", *DAY).out.splitlines()
        expected = [f"2025-{month} 28 days 56 lines 28 facts" for month in ("07", "08", "09")]
        assert [" ".join(line.split()) for line in months] == expected
        assert "--since 2025-09 --until 2025-09" in hint
        assert len(cli("days", "--since", "2025-09", "--until", "2025-09", *DAY).out.splitlines()) == 28

    def test_explain_prints_how_a_question_is_read(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        told = cli("explain", "where was peter last week?", "--json", "--today", "2025-12-03").json
        assert told["entities"] == ["peter"] or told["entities"] == ["Peter"]
        assert (told["range"]["from"], told["range"]["to"]) == ("2025-11-24", "2025-11-30")
        assert "2025-11-24" in cli("explain", "where was peter last week?", "--today", "2025-12-03").out

    def test_reflect_writes_what_its_dry_run_shows_and_opinions_lists_it(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        before = sorted(path.name for path in root.rglob("*.md"))
        diff = cli("reflect", "--dry-run", *DAY)
        assert diff.status == 0, diff.err
        assert "--- /dev/null" in diff.out
        assert "+++ b/bank/opinions.md" in diff.out
        assert sorted(path.name for path in root.rglob("*.md")) == before, "a dry run writes nothing"
        done = cli("reflect", "--yes", *DAY)
        assert "bank/opinions.md" in done.out
        assert "nothing new" in cli("reflect", "--yes", *DAY).out
        held = cli("opinions", "Peter", "--json", *DAY).json["opinions"]
        assert held[0].keys() >= {"id", "statement", "entities", "confidence", "last_updated", "evidence"}
        assert held[0]["statement"].startswith("Prefers concise replies")
        assert "history" not in held[0]
        history = cli("opinions", "Peter", "--history", *DAY).out
        assert re.search(r"0\.9\d ▇+·* @Peter: Prefers concise", history)
        assert re.search(r"\n +2025-11-27 0\.95 prior +memory/2025-11-27\.md#L8 ", history)
        undone = cli("reflect", "--undo", *DAY)
        assert undone.status == 0, undone.err
        assert not (root / "bank/opinions.md").exists()

    def test_opinions_show_how_the_confidence_moved(self, workspace: Write, cli: Cli) -> None:
        workspace(HISTORY)
        cli("reflect", *DAY)
        shown = lines(cli("opinions", "--history", *DAY).out)
        assert [line[:45].rstrip() for line in shown[1:6]] == [
            "     2025-11-01 0.50 ████████         prior",
            "     2025-11-02 0.52 ████████▍        for",
            "     2025-11-03 0.48 ███████▋         against",
            "     2025-11-03                       against",
            "     2025-11-04 0.39 ██████▎          against",
        ]
        assert shown[2].endswith("^b2  weight 0.90: it states no confidence")
        assert shown[4].endswith("^b4  weight 0.90 × 0: it states no confidence; another fact of that day counts")
        assert "@Mona" in shown[6], "a number that a person keeps by hand moves no more than they move it"
        assert shown[7:] == ["     prior      0.80", "     2025-11-02 for     memory/2025-11-02.md"]
        (told,) = cli("opinions", "Rolf", "--history", "--json", *DAY).json["opinions"]
        began = {"id": "b1", "day": "2025-11-01", "source": "memory/2025-11-01.md#L2", "confidence": 0.5}
        assert (told["prior"], told["begun"]) == (0.5, began)
        bare, streak = "it states no confidence", "contradicted again, with no strong support between"
        factors = [step.pop("factors") for step in told["history"]]
        assert told["history"] == [
            {"day": "2025-11-02", "confidence": 0.52, "evidence": ["b2"], "by_hand": False, "limited": False},
            {"day": "2025-11-03", "confidence": 0.48, "evidence": ["b3", "b4"], "by_hand": False, "limited": False},
            {"day": "2025-11-04", "confidence": 0.39, "evidence": ["b5"], "by_hand": False, "limited": False},
        ]
        assert factors[0] == [{"id": "b2", "stance": "supports", "weight": 0.9, "times": 1.0, "why": [bare]}]
        assert [(each["id"], each["times"]) for each in factors[1]] == [("b3", 1), ("b4", 0)]
        assert factors[2] == [{"id": "b5", "stance": "contradicts", "weight": 0.9, "times": 2.0, "why": [bare, streak]}]
        assert told["history"][-1]["confidence"] == told["confidence"]
        (kept,) = cli("opinions", "Mona", "--history", "--json", *DAY).json["opinions"]
        assert (kept["confidence"], kept["history"], "begun" in kept) == (0.8, [], False)

    def test_reflect_waits_before_pages_that_people_made(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        page = "# Peter\n\nCall him on Sundays only.\n"
        workspace({"bank/entities/Peter.md": page})
        asked = cli("reflect", *DAY)
        assert "+++ b/bank/entities/Peter.md" in asked.out
        assert lines(asked.out)[-1] == "nothing written yet: add --yes"
        assert (root / "bank/entities/Peter.md").read_text() == page
        assert cli("reflect", "--yes", *DAY).status == 0
        assert (root / "bank/entities/Peter.md").read_text().startswith(page.rstrip())
        undone = cli("reflect", "--undo", "--json").json["undone"]
        assert undone["bank/entities/Peter.md"] == "restored"
        assert (root / "bank/entities/Peter.md").read_text() == page

    def test_columns_align_in_every_script(self) -> None:
        from commonplace.doors.shared.render import table
        from commonplace.doors.shared.terminal import Screen

        shown = table({"abcd": 1, "王芳": 2, "पी": 3}, Screen(sys.stdout, sys.stderr, env={"NO_COLOR": "1"}))
        assert shown == "  abcd  1\n  王芳  2\n  पी    3"

    def test_weigh_prints_the_stance(self, cli: Cli) -> None:
        assert "contradicts" in cli("weigh", "Peter likes tea", "Peter hates tea").out

    def test_verbose_says_what_was_chosen(self, workspace: Write, cli: Cli) -> None:
        root = workspace(LOG)
        done = cli("recall", "Marrakech", "--verbose")
        assert f"workspace: {root} (COMMONPLACE_WORKSPACE)" in done.err
        assert "CPU: " in done.err
        assert "workspace" not in done.out

    def test_an_unknown_zone_is_told(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        workspace({"commonplace.toml": 'timezone = "Mars/Phobos"\n'})
        done = cli("status")
        assert done.status == 0
        assert "unknown time zone 'Mars/Phobos'" in done.err

    def test_wrong_settings_stop_every_verb(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        workspace({"commonplace.toml": "budgett = 3\n"})
        done = cli("recall", "Peter")
        assert done.status == 2
        assert "unknown key 'budgett'" in done.err


class TestTerminal:
    def test_control_characters_are_spelled(self, workspace: Write, cli: Cli) -> None:
        workspace({"memory/2025-11-27.md": "## Retain\n- W @Peter: red \x1b[31malert\x07 and \u202egnirts.\n"})
        shown = cli("recall", "red", terminal=True).out
        assert r"red \x1b[31malert\x07 and \u202egnirts." in shown
        plain = cli("recall", "red", terminal=True, NO_COLOR="1").out
        assert "\x1b" not in plain
        assert "\x1b" in cli("recall", "red", "--json").json["hits"][0]["content"]

    def test_colours_only_on_a_terminal(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert "\x1b[36mmemory/2025-11-27.md#L6\x1b[0m" in cli("recall", "Marrakech", terminal=True).out
        for done in (
            cli("recall", "Marrakech"),
            cli("recall", "Marrakech", "--no-color", terminal=True),
            cli("recall", "Marrakech", terminal=True, NO_COLOR="1"),
            cli("recall", "Marrakech", terminal=True, TERM="dumb"),
        ):
            assert "\x1b" not in done.out

    def test_json_is_never_coloured(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert cli("recall", "Marrakech", "--json", terminal=True).json["hits"]

    def test_what_to_do_next_is_said_at_a_terminal_alone(self, workspace: Write, cli: Cli) -> None:
        workspace({"memory/2025-11-27.md": "# 2025-11-27\n\n- We decided to keep the old boiler.\n"})
        for words, step in ((("init",), "retain"), (("reflect", *DAY), "review lists"), (("review", *DAY), "accept")):
            at_terminal = cli(*words, terminal=True)
            assert at_terminal.err.startswith("next: commonplace ") and step in at_terminal.err, words
            assert not cli(*words).err

    def test_a_diff_is_coloured_on_a_terminal(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        assert "\x1b[32m+" in cli("reflect", "--dry-run", *DAY, terminal=True).out


def spawn(root: Path, *words: str, **given: object) -> subprocess.Popen[bytes]:
    argv = [sys.executable, "-m", "commonplace", "--workspace", str(root), *words]
    return subprocess.Popen(argv, **given)  # type: ignore[call-overload,no-any-return]


class TestProcess:
    def test_a_reader_that_goes_away_ends_it_quietly(self, workspace: Write) -> None:
        root = workspace(LOG)
        with spawn(root, "recall", "-", stdin=-1, stdout=-1, stderr=-1) as running:
            running.stdout.close()  # type: ignore[union-attr]
            _, err = running.communicate(b"Marrakech\n" * 50)
        assert (running.returncode, err) == (141, b"")

    def test_an_interrupt_ends_it(self, workspace: Write) -> None:
        root = workspace(LOG)
        with spawn(root, "recall", "-", "--json", stdin=-1, stdout=-1, stderr=-1) as running:
            assert running.stdin and running.stdout and running.stderr
            running.stdin.write(b"Marrakech\n")
            running.stdin.flush()
            assert running.stdout.readline()
            running.send_signal(signal.SIGINT)
            assert running.wait(timeout=30) == 130
            assert running.stderr.read() == b"interrupted\n"

    def test_a_missing_workspace_is_reported_without_a_traceback(self, tmp_path: Path) -> None:
        with spawn(tmp_path / "missing", "status", stdout=-1, stderr=-1) as running:
            out, err = running.communicate()
        assert (running.returncode, out) == (1, b"")
        assert b"there is no folder" in err

    def test_closed_streams_do_no_harm(self, workspace: Write) -> None:
        root = workspace(LOG)
        command = f"{sys.executable} -m commonplace --workspace {root} recall Marrakech"
        assert subprocess.run(["sh", "-c", f"{command} <&- >&- 2>&-"], check=False).returncode == 0

    def test_a_current_folder_that_is_gone_does_no_harm(self, workspace: Write, tmp_path: Path) -> None:
        root = workspace(LOG)
        gone = tmp_path / "gone"
        gone.mkdir()
        code = f"import os, sys; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r});"
        code += f"sys.argv = ['commonplace', '--workspace', {str(root)!r}, 'recall', 'Marrakech'];"
        code += "from commonplace.doors.cli.main import main; sys.exit(main())"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "memory/2025-11-27.md#L6" in done.stdout

    def test_every_script_is_printed_whatever_the_encoding_of_the_terminal(self, workspace: Write) -> None:
        root = workspace({"memory/2025-11-27.md": "## Retain\n- W @王芳: 搬到了哥本哈根。\n"})
        env = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
        with spawn(root, "recall", "哥本哈根", stdout=-1, env=env) as running:
            out, _ = running.communicate()
        assert running.returncode == 0
        assert "搬到了哥本哈根" in out.decode()

    def test_the_process_ends_with_its_answer_written_and_its_index_closed(self, workspace: Write) -> None:
        root = workspace(LOG)
        with spawn(root, "recall", "Marrakech", stdout=-1, stderr=-1) as running:
            out, err = running.communicate()
        assert (running.returncode, err) == (0, b"")
        assert b"memory/2025-11-27.md#L6" in out
        assert {path.name for path in (root / ".memory").glob("index*")} == {"index.sqlite"}

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["index"], b"100 files"),
            (["recall", "line"], b"a line"),
            (["status"], b"lines"),
            (["retain", "A line."], b"A line."),
            (["import", "."], b"note"),
            (["entity", "merge", "Nadia", "Nadja", "--dry-run"], b""),
            (["review", "accept", "1"], b""),
            (["forget", "k7f3qa"], b""),
        ],
    )
    def test_a_terminal_shows_progress(self, workspace: Write, words: list[str], told: bytes) -> None:
        """A bar appears after a second, whichever verb makes the index; here at once, in a real pseudo-terminal."""
        root = workspace({f"memory/{year}-11-27.md": "- a line\n" * 50 for year in range(1900, 2000)})
        code = (
            "import sys; from commonplace.doors.shared import terminal; terminal.SLOW = 0;"
            f"sys.argv = ['commonplace', '--workspace', {str(root)!r}, *{words!r}];"
            "from commonplace.doors.cli.main import main; sys.exit(main())"
        )
        master, slave = pty.openpty()
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=slave) as running:
            os.close(slave)
            shown = b""
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                try:
                    shown += os.read(master, 65536)
                except OSError:  # the other end was closed
                    break
            out = running.stdout.read() if running.stdout else b""
        os.close(master)
        assert running.returncode == 0 or not told
        assert b"\xe2\x94\x81" in shown or b"/100" in shown
        assert told in out


class TestCompletion:
    def complete(self, cli: Cli, line: str) -> list[str]:
        """What bash offers after `line`."""
        words = line.split(" ")
        script = cli("completion", "bash").out + (
            f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _commonplace;"
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_bash_completes_verbs_flags_and_values(self, cli: Cli) -> None:
        known = ["recall", "reflect", "replace", "retain", "retract", "review"]
        assert sorted(self.complete(cli, "commonplace re")) == known
        assert self.complete(cli, "commonplace recall Peter --si") == ["--since"]
        assert self.complete(cli, "commonplace --today 2025-11-27 recall --kind o") == ["opinion", "observation"]
        assert self.complete(cli, "commonplace completion ")[:3] == ["bash", "zsh", "fish"]
        assert "--rebuild" not in self.complete(cli, "commonplace recall --")

    def test_paths_are_left_to_the_shell(self, cli: Cli) -> None:
        assert self.complete(cli, "commonplace append ") == self.complete(cli, "commonplace append MEM") == []
        assert "--digest" in self.complete(cli, "commonplace append MEMORY.md --")
        assert "complete -o default -F" in cli("completion", "bash").out
        assert "'*:PATH:_files'" in cli("completion", "zsh").out
        assert "from append' -F\n" in cli("completion", "fish").out

    def test_zsh_starts_its_completion_where_nobody_did_and_keeps_colons(self, cli: Cli, tmp_path: Path) -> None:
        script = cli("completion", "zsh").out
        if shutil.which("zsh"):
            argv, env = ["zsh", "-fc", script], {**os.environ, "ZDOTDIR": str(tmp_path)}
            done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, "")
        assert "|| { autoload -Uz compinit && compinit -i }" in script
        assert r"the server'\''s name of the model\: qwen3\:8b" in script

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_every_verb_and_flag_is_in_every_script(self, cli: Cli, shell: str) -> None:
        from commonplace.doors.table.common_fields import COMMON
        from commonplace.doors.table.verb_table import commands

        script = cli("completion", shell).out
        for verb in commands().values():
            assert all(word in script for word in verb.name.split())
            for flag in (*verb.flags, *COMMON):
                assert flag.spelled.removeprefix("--") in script


def test_an_answer_without_a_look_at_changed_files_is_stale(workspace: Write, cli: Cli) -> None:
    root = workspace(LOG)
    cli("index")
    assert cli("recall", "Peter", "--no-sync", "--json").json["status"] == "ok"
    (root / "MEMORY.md").write_text("# Core\n\n- Changed.\n")
    assert cli("recall", "Peter", "--no-sync", "--json").json["status"] == "stale"
    assert cli("recall", "Peter", "--json").json["status"] == "ok"


def test_a_question_is_parsed_without_a_look_at_changed_files(workspace: Write, cli: Cli) -> None:
    root = workspace(LOG)
    cli("index")
    (root / "MEMORY.md").write_text("# Core\n\n## Retain\n\n- W @Zelenka: Keeps the keys.\n")
    assert cli("explain", "where is Zelenka?", "--no-sync", "--json").json["entities"] == []
    assert cli("explain", "where is Zelenka?", "--json").json["entities"] == ["Zelenka"]


class TestNamesAndBudgets:
    """What to do next is said where nothing was found, or too little fits."""

    @pytest.mark.parametrize(
        "words",
        [
            "entity Petr",
            "entity Peterr",
            "entity Pter",
            "opinions Petr",
            "reflect --log Petr",
            "entity merge Petr warelay",
            "recall --entity Petr",
            "recall tea --entity Petr",
        ],
    )
    def test_a_name_that_nobody_has_is_told_what_is_near(self, workspace: Write, cli: Cli, words: str) -> None:
        workspace(LOG)
        done = cli(*words.split(), *DAY)
        assert "similar names: Peter" in done.out + done.err
        assert "Petr" in done.out + done.err or "ter" in words

    def test_the_hint_of_a_name_that_nothing_is_near_is_a_command(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        hint = cli("entity", "souk walk", *DAY).err.splitlines()[1].strip()
        assert hint == "commonplace recall 'souk walk' looks for the words"
        assert cli("recall", "souk walk", *DAY).status == 0

    def test_a_budget_that_nothing_fits_into_is_the_reason_and_comes_first(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        told = lines(cli("recall", "Peter", "--budget", "5", *DAY).out)
        assert told[0].startswith("no hit fits into 5 tokens: the best one takes ")
        assert told[1] == "(2 hits left out: raise --budget to see them)"
        need = told[0].rpartition(" ")[2]
        assert cli("recall", "Peter", "--budget", need, *DAY).out.startswith("- ")

    def test_what_somebody_else_said_is_not_told_to_supersede(self, workspace: Write, cli: Cli) -> None:
        workspace(LOG)
        first = cli("retain", "W @Peter: Lives in Oslo.", "--json", *DAY).json["id"]
        text = "W @Peter: Lives in Bergen."
        done = cli("retain", text, "--supersedes", first, "--source", "web:example.org", *DAY)
        assert "supersedes" not in done.out and f"^{first} is still valid: web:example.org said otherwise" in done.out
        assert cli("correct", first, text, *DAY).out.endswith(f"  supersedes ^{first}\n")
