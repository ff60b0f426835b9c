"""Write the ordinary words of Chinese and Japanese that `core/entities/unspaced_names.py` reads.

    pip download --no-deps jieba==0.42.1 janome==0.5.0      # unpack both here
    python bench/ordinary.py jieba-0.42.1/jieba/dict.txt . > src/commonplace/core/data/ordinary.json

Chinese from jieba's dictionary (MIT), Japanese from IPADIC (NAIST's permissive licence) as Janome (Apache 2.0) contains
it. Left out are names of people, places, organisations and brands, as tagged there, and rare words. What cannot be cut
into these words may be a name.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

NAMES = {"nr", "ns", "nt", "nz", "nrt", "nrfg", "x", "eng", "zg", "ag", "tg"}
"""jieba's tags of names, of foreign text and of single morphemes."""
SEEN = 6
"""Least frequency in jieba's corpus; a lower one brings in names that nobody tagged as such."""
OFTEN = 40
"""Least frequency of a verb: what begins or ends with one is a phrase."""
WORDS = 12_000
"""Japanese words with Han characters, the most frequent ones; more make the file larger, not better."""
PROVENANCE = (
    "Made by bench/ordinary.py from the dictionaries of jieba 0.42.1 (MIT licence; Chinese) and IPADIC 2.7.0 (NAIST's"
    " permissive licence, in Janome 0.5.0, Apache 2.0; Japanese), without names and rare words. han: words with Han"
    " characters; katakana: words of katakana alone; verbs: Chinese verbs among them."
)


def is_han(letter: str) -> bool:
    """Whether this is a Han character."""
    return "\u4e00" <= letter <= "\u9fff"


def is_kana(letter: str) -> bool:
    """Whether this is kana."""
    return "\u3041" <= letter <= "\u30ff" or letter == "々"


def chinese(path: str) -> tuple[set[str], list[str]]:
    """Return the ordinary Chinese words, and which of them are verbs of two characters."""
    rows = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    words = {
        word: (int(seen), tag)
        for word, seen, tag in rows
        if tag not in NAMES and int(seen) >= SEEN and 2 <= len(word) <= 4 and all(map(is_han, word))
    }
    verbs = [word for word, (seen, tag) in words.items() if tag == "v" and seen >= OFTEN and len(word) == 2]
    return {*words}, sorted(verbs)


def japanese(folder: str) -> dict[str, int]:
    """Return the ordinary Japanese words, each with its cost: the rarer the higher."""
    sys.path.insert(0, folder)
    found: dict[str, int] = {}
    for word, _, _, cost, kind, *_ in import_module("janome.sysdic").entries().values():
        speech, detail = kind.split(",")[:2]
        if speech not in ("名詞", "副詞", "連体詞", "接続詞") or detail in ("固有名詞", "数"):
            continue
        if 2 <= len(word) <= 7 and all(is_han(letter) or is_kana(letter) for letter in word):
            found[word] = min(cost, found.get(word, cost))
    return found


def main() -> None:
    """Print the table as JSON."""
    (zh, verbs), ja = chinese(sys.argv[1]), japanese(sys.argv[2])
    katakana = sorted(word for word in ja if all("ァ" <= letter <= "ー" for letter in word))
    han = sorted((word for word in ja if any(map(is_han, word)) and word not in zh), key=lambda word: (ja[word], word))
    table = {
        "provenance": PROVENANCE,
        "han": " ".join(sorted({*zh, *han[:WORDS]})),
        "katakana": " ".join(katakana),
        "verbs": " ".join(verbs),
    }
    print(json.dumps(table, ensure_ascii=False, indent=0))


if __name__ == "__main__":
    main()
