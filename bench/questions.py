"""Mixed questions about a workspace: words, identifiers, names, dates and sentences in six languages.

    python bench/questions.py WORKSPACE [--seed N]

Half is drawn from the workspace's own lines, half from the patterns in `bench/data/`. Prints {kind: [question]}.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from typing import TYPE_CHECKING

from floor import lines_of

from corpus import LAST, TONGUES, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable

EACH = 30
"""Questions of each kind."""
CJK = r"[぀-ヿ㐀-鿿]"


def questions(root: str, seed: int = 1) -> dict[str, list[str]]:
    """Questions by kind; a kind that the workspace has nothing for is shorter."""
    pick = random.Random(seed)
    lines = [line for line, _ in lines_of(root)]
    pick.shuffle(lines)
    voices = [Voice(pick, tongue, LAST) for tongue in TONGUES]
    return {
        "word": _first(word for line in lines for word in re.findall(r"[^\W\d_]{5,}", line)[1:2]),
        "words": _first(" ".join(words[2:6]) for line in lines if len(words := line.split()) > 6),
        "CJK": _first(found[0] for line in lines if (found := re.search(CJK + "{4,12}", line))),
        "identifier": _first(
            found[0]
            for line in lines
            if (found := re.search(r"\b(?:[A-Z]{1,3}-\d+|[0-9a-f]{7}|\w+/\w+[\w./-]+)\b", line))
        ),
        "name": _first(found[1] for line in lines if (found := re.search(r"@([\w-]+)", line))),
        "date": [voice.fill("{date}") for voice in voices for _ in range(EACH // len(voices))],
        "sentence": [voice.say("ask") for voice in voices for _ in range(EACH // len(voices))],
    }


def _first(found: Iterable[str]) -> list[str]:
    """The first few that differ."""
    kept: dict[str, None] = {}
    for each in found:
        kept[each] = None
        if len(kept) == EACH:
            break
    return list(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description="Print mixed questions about a workspace, as JSON.")
    parser.add_argument("workspace")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps(questions(options.workspace, options.seed), ensure_ascii=False))


if __name__ == "__main__":
    main()
