"""The stretches of a text that are prose: digits in code, addresses, paths and file names date nothing."""

from __future__ import annotations

from functools import cache

from commonplace.core.text.known_languages import LATIN
from commonplace.core.text.lazy_pattern import lazy_pattern
from commonplace.core.when.words.date_lexicon import fold, readings

_FENCES = lazy_pattern(r"`[^`\n]*`|\[\[[^\[\]\n]{1,200}\]\]|\]\([^)\s]{1,400}\)|<!--.{0,400}?-->|《[^《》\n]{1,100}》")
_JOINT = lazy_pattern(r"[/\\@_]|\.[A-Za-z]")
"""What makes a path, an address or a name of its neighbours; a dot only inside."""
_RUN = lazy_pattern(r"[A-Za-z0-9_./\\:@%+~#?=&-]+")
_EXTENSION = lazy_pattern(r"\.[A-Za-z][A-Za-z0-9]{0,5}$")


def prose(text: str) -> str:
    """Return the text with code, link targets, addresses, paths and file names blanked out; offsets stay."""
    holes: list[tuple[int, int]] = []
    if "`" in text or "](" in text or "[[" in text or "<!--" in text or "《" in text:
        holes.extend(match.span() for match in _FENCES.finditer(text))
    if "/" in text or "." in text[:-1] or "_" in text or "@" in text or "\\" in text:
        done = 0
        while (joint := _JOINT.search(text, done)) is not None:
            at = joint.start()
            for match in _RUN.finditer(text, max(text.rfind(" ", done, at), done)):
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
    if "." in bare and not bare[0].isdigit() and _EXTENSION.search(bare) is not None:
        return any(char.isdigit() for char in bare)
    if bare[0].isdigit() and _EXTENSION.search(bare) is not None:
        return fold(bare.rsplit(".", 1)[1]) not in _month_words()
    return "_" in bare and any(char.isdigit() for char in bare)


def _plain_alternative(run: str) -> bool:
    """Whether a slash is between words or numbers and makes no path: `and/or`, `10/1-11/7`."""
    return run.count("/") == 1 and not any(char in run for char in "._:~")


@cache
def _month_words() -> frozenset[str]:
    return frozenset(word for language in LATIN for word, known in readings(language).items() if known[0][0] == "month")
