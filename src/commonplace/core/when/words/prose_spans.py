"""The stretches of a text that are prose: digits in code, addresses, paths and file names date nothing."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.when.words.date_lexicon import fold, readings


@cache
def _fences() -> re.Pattern[str]:
    return re.compile(r"`[^`\n]*`|\[\[[^\[\]\n]{1,200}\]\]|\]\([^)\s]{1,400}\)|<!--.{0,400}?-->|《[^《》\n]{1,100}》")


@cache
def _joint() -> re.Pattern[str]:
    """What makes a path, an address or a name of its neighbours; a dot only inside."""
    return re.compile(r"[/\\@_]|\.[A-Za-z]")


@cache
def _run() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z0-9_./\\:@%+~#?=&-]+")


@cache
def _extension() -> re.Pattern[str]:
    return re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")


def prose(text: str) -> str:
    """The text with code, link targets, addresses, paths and file names blanked out, offsets kept."""
    holes: list[tuple[int, int]] = []
    if "`" in text or "](" in text or "[[" in text or "<!--" in text or "《" in text:
        holes.extend(match.span() for match in _fences().finditer(text))
    if "/" in text or "." in text[:-1] or "_" in text or "@" in text or "\\" in text:
        done = 0
        while (joint := _joint().search(text, done)) is not None:
            at = joint.start()
            for match in _run().finditer(text, max(text.rfind(" ", done, at), done)):
                if match.end() > at:
                    done = match.end()
                    if done - match.start() > 4 and _is_path(match.group()):
                        holes.append(match.span())
                    break
    if not holes:
        return text
    parts: list[str] = []
    done = 0
    for start, end in sorted(holes):
        if end > done:
            parts.append(text[done : max(start, done)])
            parts.append("\x00" * (end - max(start, done)))
            done = end
    parts.append(text[done:])
    return "".join(parts)


def _is_path(run: str) -> bool:  # noqa: PLR0911 — a list of cases, one return each
    if "://" in run or "@" in run[1:-1] or run[:4] in {"www.", "WWW."} or "\\" in run:
        return True
    if run.lower() == run.upper():
        return False  # no letters
    bare = run.rstrip(".:?#&=-+~")
    if "/" in bare:
        if _plain_alternative(bare):
            return False
        for part in bare.replace("-", "/").split("/"):
            if part and not part.isdigit() and fold(part.strip(".")) not in _month_words():
                return bare.lower() != bare.upper()
        return bare.count("/") > 2
    if "." in bare and not bare[0].isdigit() and _extension().search(bare) is not None:
        return any(char.isdigit() for char in bare)
    if bare[0].isdigit() and _extension().search(bare) is not None:
        return fold(bare.rsplit(".", 1)[1]) not in _month_words()
    return "_" in bare and any(char.isdigit() for char in bare)


def _plain_alternative(run: str) -> bool:
    """`and/or`, `10/1-11/7`: a slash between words or numbers that is no path."""
    return run.count("/") == 1 and not any(char in run for char in "._:~")


@cache
def _month_words() -> frozenset[str]:
    return frozenset(
        word for language in ("en", "da") for word, known in readings(language).items() if known[0][0] == "month"
    )
