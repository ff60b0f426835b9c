"""Samples of secrets and of what looks like them, made from the shapes in tests/data/secrets by a seeded generator."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

DATA = Path(__file__).parent / "data" / "secrets"
WALLET = Path(__file__).parents[1] / "src" / "commonplace" / "core" / "data" / "wallet.json"
LOWER, DIGITS = string.ascii_lowercase, string.digits
CLASSES = {
    "an": string.ascii_letters + DIGITS,
    "an_": string.ascii_letters + DIGITS + "_-",
    "lan": LOWER + DIGITS,
    "uan": string.ascii_uppercase + DIGITS,
    "a": string.ascii_letters,
    "d": DIGITS,
    "low": LOWER,
    "bl": "023456789acdefghjklmnpqrstuvwxyz",
    "an58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "hex": DIGITS + "abcdef",
    "b32": string.ascii_uppercase + "234567",
    "b64": string.ascii_letters + DIGITS + "+/",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}
SAID = ["{}", "The key is {}", "key: {}", "- W @Ops: The runner uses {} since May.", 'token = "{}"', "`{}`"]
"""How a sample with marks of its own is written down."""
WORDS = ("tang", "bane", "kaffe", "skov", "river", "maple", "tiger", "orange", "castle", "sommer", "copper", "violet")


class Sample(NamedTuple):
    """One text, and the shape that it was made from."""

    name: str
    shape: str
    text: str
    held: bool


def samples(file: str, *, seed: int = 7, each: int = 3) -> list[Sample]:
    """So many samples of each shape and each way to say it; the same for the same seed."""
    random = Random(seed)
    found = []
    for line in json.loads((DATA / file).read_text(encoding="utf-8"))["shapes"]:
        has_words = re.search(r"\{pw\}|[^\x00-\x7f]|\n|^[a-z-]+ ", line["shape"]) or "{" not in line["shape"]
        says = line.get("say") or (["{}"] if has_words or file != "shapes.json" else SAID)
        for say in says:
            for _ in range(each):
                text = say.replace("{}", filled(line["shape"], random), 1)
                found.append(Sample(line["name"], line["shape"], text, line.get("held", False)))
    return found


def filled(shape: str, random: Random) -> str:
    """A shape with something in place of each of its holes."""
    return re.sub(r"\{([a-z0-9_]*)(?::([^{}]*))?\}", lambda hole: _hole(hole[1], hole[2] or "", random), shape)


def _hole(kind: str, given: str, random: Random) -> str:
    if kind in CLASSES:
        return _mixed(CLASSES[kind], int(given), random)
    made: dict[str, Any] = {"": _nothing, "pw": _password, "word": _word, "uuid": _uuid, "card": _card, "seed": _seed}
    text: str = made[kind](given, random)
    return text


def _mixed(letters: str, length: int, random: Random) -> str:
    """Characters of a class, with a digit where it has digits and there is room: as real ones almost always do."""
    while True:
        text = "".join(random.choices(letters, k=length))
        has_digit = length < 12 or not set(letters) & set(DIGITS) or bool(set(text) & set(DIGITS))
        if has_digit and text[0] not in "-_" and text[-1] not in "-_":
            return text


def _nothing(given: str, random: Random) -> str:
    return ""


def _word(given: str, random: Random) -> str:
    return random.choice(WORDS)


def _password(given: str, random: Random) -> str:
    one, two, number = random.choice(WORDS), random.choice(WORDS), random.randint(10, 9999)
    made = [
        f"{one}{number}",
        f"{one.title()}{two.title()}{number}!",
        f"{one[0].upper()}{two[1]}{number}!{two}-{number % 97}",
        _mixed(CLASSES["an"], 12, random),
        _mixed(CLASSES["an"], 16, random) + "!",
        f"{one}-{two}-{number}",
        one.replace("a", "4").replace("e", "3").replace("i", "1") + f"{two}{number}",
    ]
    return random.choice(made)


def _uuid(given: str, random: Random) -> str:
    digits = "".join(random.choices(CLASSES["hex"], k=32))
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _card(given: str, random: Random) -> str:
    """`prefix:length` and how many digits stand together; the last digit makes the sum right."""
    prefix, length, *groups = given.split(":")
    body = prefix + "".join(random.choices(DIGITS, k=int(length) - len(prefix) - 1))
    total = sum(sum(divmod(int(each) * (2 - at % 2), 10)) for at, each in enumerate(reversed(body)))
    number = body + str(-total % 10)
    if not groups:
        return number
    size = int(groups[0])
    return " ".join(number[at : at + size] for at in range(0, len(number), size))


def _seed(given: str, random: Random) -> str:
    """So many words of the list, and what stands between them; `n` numbers them."""
    count, _, mark = given.partition(":")
    words = json.loads(WALLET.read_text(encoding="utf-8"))["english"].split()
    chosen = random.sample(words, int(count))
    if mark == "n":
        return " ".join(f"{number}. {word}" for number, word in enumerate(chosen, 1))
    return (mark or " ").join(chosen)
