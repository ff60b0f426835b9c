"""Write a workspace of any size for measuring: six languages, the same bytes for the same arguments.

    python bench/corpus.py OUT DAYS [--seed N]

Sentences are composed from the word lists in `bench/data/`, one file a language. Names of firms and products are made
of syllables, few of them frequent and thousands rare, so that words are spread as they are in real logs. Files have the
shapes of workspaces in use: logs with a subject, logs in folders, several days in one notebook, archived copies,
headings with times, generic headings, nested and labelled bullets, tables, code, ticked and struck lines, and a Retain
section on most days. The last day is 2025-12-31 whatever the size. Prints what was written, as JSON.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import random
import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
LAST = dt.date(2025, 12, 31)
NAMES = 6000
"""How many invented names a language has."""
LETTERS = {"W": 4, "B": 2, "O": 3, "S": 1}
"""Kinds of facts and how often each is drawn."""


@cache
def words(name: str) -> dict[str, Any]:
    """One file of word lists."""
    with open(os.path.join(DATA, f"{name}.json"), encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
        return found


TONGUES = tuple(words("shared")["weights"])


class Voice:
    """Composes sentences of one language, as of one day."""

    def __init__(self, pick: random.Random, tongue: str, day: dt.date) -> None:
        self.pick = pick
        self.day = day
        self._own = words(tongue)
        self._shared = words("shared")

    def say(self, key: str) -> str:
        """A sentence of the list `key` with every blank filled in."""
        return self.fill(self.pick.choice(self._list(key)))

    def fill(self, template: str) -> str:
        """The template with each `{blank}` filled in, as are the blanks in what fills it."""
        # No drawing twice: {noun2}, {other} are blanks of the same lists as {noun}, {who}.
        while "{" in template:
            template = re.sub(r"\{(\w+)\}", lambda blank: self._blank(blank[1]), template)
        return template

    def name(self, key: str = "syllable") -> str:
        """An invented name; a few are frequent, most are rare. The key `stranger` makes names that no line has."""
        syllables = self._own.get(key) or self._own.get("syllable") or self._shared["syllable"]
        number = int(NAMES * self.pick.random() ** 3) + len(syllables)
        made = ""
        while number:
            number, at = divmod(number, len(syllables))
            made += syllables[at]
        return made.capitalize()

    def _list(self, key: str) -> list[str]:
        found: list[str] = self._own.get(key) or self._shared[key]
        return found

    def _blank(self, key: str) -> str:
        pick = self.pick
        if key in ("date", "range"):
            return self._days(key)
        made: dict[str, Callable[[], str]] = {
            "name": self.name,
            "n": lambda: str(pick.randrange(12, 99)),
            "digit": lambda: str(pick.randrange(10)),
            "port": lambda: str(pick.randrange(3000, 9999)),
            "hash": lambda: f"{pick.getrandbits(28):07x}",
            "code": lambda: f"{pick.choice(('ERR', 'E', 'WX', 'SIG'))}-{pick.randrange(100, 9999)}",
            "version": lambda: f"v{pick.randrange(1, 9)}.{pick.randrange(30)}.{pick.randrange(20)}",
            "clock": lambda: f"{pick.randrange(6, 23):02d}:{pick.randrange(60):02d}",
        }
        if key in made:
            return made[key]()
        return pick.choice(self._list({"other": "who", "noun2": "noun"}.get(key, key)))

    def _days(self, key: str) -> str:
        """A day or a range near this day, in the words of the language."""
        first = self.day + dt.timedelta(days=self.pick.randrange(-9, 25))
        second = first + dt.timedelta(days=self.pick.randrange(2, 12))
        months = self._own["month"]
        form: str = self._own["day" if key == "date" else "span"]
        for blank, value in (
            *(("{month2}", months[second.month - 1]), ("{d2}", second.day), ("{y2}", second.year)),
            *(("{month}", months[first.month - 1]), ("{d}", first.day), ("{y}", first.year)),
        ):
            form = form.replace(blank, str(value))
        return form


def log(pick: random.Random, tongue: str, day: dt.date) -> list[str]:
    """The narrative lines of a day, below its own heading."""
    lines: list[str] = []
    for _ in range(pick.randrange(3, 6)):
        voice = Voice(pick, tongue if pick.random() < 0.8 else drawn(pick), day)
        stamp = pick.choice(("## {clock} %s", "## %s ({clock})", "## ⏰ {clock} %s", "## %s"))
        lines += ["", voice.fill(stamp) % voice.say("title"), ""]
        shape = pick.random()
        if shape < 0.5:
            lines += [f"- {mark(pick, said(voice))}" for _ in range(pick.randrange(3, 7))]
        elif shape < 0.65:
            lines += [said(voice), said(voice)]
        elif shape < 0.8:
            lines += [f"- **{voice.say('label')}:** {said(voice)}", f"  - {said(voice)}", f"    - {said(voice)}"]
            lines += ["", f"### {voice.say('generic')}", "", f"- {said(voice)}"]
        elif shape < 0.9:
            lines += ["| No. | What | Who | Cost |", "|---|---|---|---|"]
            for _ in range(pick.randrange(2, 5)):
                lines.append(voice.fill("| D-{n}{digit} | {title} | {who} | {n}{digit} |"))
        else:
            lines += [f"- {said(voice)}", "", "```sh", voice.say("call"), voice.say("call"), voice.say("trace"), "```"]
    return lines


def said(voice: Voice) -> str:
    """One line of narrative; now and then in two languages, or with a command's output pasted into it."""
    chance = voice.pick.random()
    if chance < 0.05:
        return f"{voice.say('line')} ({Voice(voice.pick, 'en', voice.day).fill('see {file}, {kind} {noun}')})"
    if chance < 0.07:
        return voice.say("line") + " " + "\\n".join(voice.say("trace") for _ in range(4))
    return voice.say("line")


def mark(pick: random.Random, line: str) -> str:
    """The line, now and then ticked, warned about or struck out."""
    chance = pick.random()
    for limit, form in ((0.05, "✅ {}"), (0.08, "⚠️ {}"), (0.12, "[x] {}"), (0.14, "~~{}~~")):
        if chance < limit:
            return form.format(line)
    return line


def retain(pick: random.Random, tongue: str, day: dt.date) -> list[str]:
    """The Retain section of a day."""
    lines = ["", "## Retain", ""]
    for _ in range(pick.randrange(3, 8)):
        voice = Voice(pick, tongue if pick.random() < 0.7 else drawn(pick), day)
        letter = pick.choices(tuple(LETTERS), tuple(LETTERS.values()))[0]
        head = letter
        if letter == "O" and pick.random() < 0.8:
            head += f"(c={pick.randrange(55, 96) / 100})"
        about = voice.fill("@{project}" if letter in "BS" else "@{who}")
        if pick.random() < 0.15:
            about += voice.fill(" @{project}")
        lines.append(f"- {head} {about}: {voice.say(letter)}")
    return lines


def drawn(pick: random.Random) -> str:
    """A language, by its share."""
    shares: dict[str, int] = words("shared")["weights"]
    return pick.choices(tuple(shares), tuple(shares.values()))[0]


def heading(pick: random.Random, tongue: str, day: dt.date) -> str:
    """The first line of a day's log."""
    if pick.random() < 0.7:
        return f"# {day}"
    if tongue in ("zh-hans", "zh-hant", "ja"):
        return f"# {day.year}年{day.month}月{day.day}日"
    return f"# Daily Notes — {words('en')['month'][day.month - 1][:3]} {day.day}, {day.year}"


def compose(days: int, seed: int) -> dict[str, str]:
    """Every file of the workspace: its path and its text."""
    pick = random.Random(seed)
    files: dict[str, list[str]] = {}
    for number in range(days):
        day = LAST - dt.timedelta(days=days - 1 - number)
        tongue = drawn(pick)
        body = [*log(pick, tongue, day), *(retain(pick, tongue, day) if pick.random() < 0.85 else [])]
        slug = f"{pick.choice(words('shared')['word'])}-{pick.choice(words('shared')['word'])}"
        chance = pick.random()
        if chance < 0.08:
            notebook = f"memory/notebook-{number // 7 + 1}.md"
            title = f"# Daily Notes — {words('en')['month'][day.month - 1][:3]} {day.day}, {day.year}"
            files.setdefault(notebook, []).extend([title, *body, ""])
            files[f"memory/{day}.md"] = [f"# {day}", "", f"See [the notebook]({os.path.basename(notebook)})."]
            continue
        lines = [heading(pick, tongue, day), *body]
        path = f"memory/{day}.md"
        if chance < 0.2:
            path = f"memory/{day}-{slug}.md"
        elif chance < 0.3:
            path = f"memory/{day:%Y/%m/%d}/{slug}.md"
        elif chance < 0.32:
            files[f"memory/archived/{day:%Y-%m}/{day}.md"] = lines
        files[path] = lines
    files["MEMORY.md"] = ["# Memory", "", *(f"- {who} is a contact." for who in words("en")["who"])]
    for tongue in TONGUES:
        voice = Voice(pick, tongue, LAST)
        for who in words(tongue)["who"][:4]:
            stable = [f"- {voice.say('W')}", "  - Confidence: 0.97", "  - Evidence: USER.md"]
            files[f"memory/people/{who}.md"] = [f"# {who}", "", "## Identity", "", f"- {voice.say('line')}", ""]
            files[f"memory/people/{who}.md"] += ["## Stable Facts", "", *stable]
    return {path: "\n".join(lines) + "\n" for path, lines in files.items()}


def write(out: str, days: int, seed: int = 1) -> dict[str, int | str]:
    """Write the workspace into a folder that need not exist; return what it holds."""
    files = compose(days, seed)
    for path, text in files.items():
        whole = os.path.join(out, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    lines = [line.strip() for text in files.values() for line in text.split("\n") if line.strip()]
    return {
        "files": len(files),
        "lines": len(lines),
        "distinct lines": len(set(lines)),
        "distinct words": len({word for line in set(lines) for word in re.findall(r"\w+", line)}),
        "facts": sum(bool(re.match(r"- [WBOS][ (]", line)) for line in lines),
        "bytes": sum(len(text.encode()) for text in files.values()),
        "last day": str(LAST),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a workspace of any size for measuring.")
    parser.add_argument("out", help="the folder to write")
    parser.add_argument("days", type=int, help="how many days it covers")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps(write(options.out, options.days, options.seed), indent=1))


if __name__ == "__main__":
    main()
