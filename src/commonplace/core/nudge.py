"""What keeps a fact from standing alone later: said to the author, never in the way of writing it."""

from __future__ import annotations

import re
from functools import cache

from commonplace.core.fold import fold
from commonplace.core.tables import table


def nudges(content: str) -> tuple[str, ...]:
    """Advice on a fact's text; empty when it will be understood months from now."""
    folded = fold(content)
    found = []
    if word := _starts_with(folded, "pronouns"):
        found.append(f"starts with {word!r}: name who or what is meant, so that it stands alone later")
    if word := _starts_with(folded, "days"):
        found.append(f"starts with {word!r}: write the date, so that it stands alone later")
    if len(folded) < 12 and len(folded.split()) < 3 and folded.isascii():
        found.append("very short: a whole sentence will be easier to understand later")
    return tuple(found)


def _starts_with(folded: str, list_name: str) -> str:
    for language, words in table("nudges")[list_name].items():
        for word in sorted(words, key=len, reverse=True):
            start = fold(word)
            if folded.startswith(start):
                after = folded[len(start) : len(start) + 1]
                if language in ("zh", "ja") or not (after.isalnum() or after == "'"):
                    return str(word)
    return ""


@cache
def _secrets() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Shapes of secrets, by name. Sources: the public formats of the issuers; every quantifier is bounded."""
    shapes = {
        "a private key": r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----",
        "an AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        "a GitHub token": r"\b(?:gh[pousr]_[0-9A-Za-z]{30,255}|github_pat_[0-9A-Za-z_]{40,255})\b",
        "a Slack token": r"\bxox[abprs]-[0-9A-Za-z-]{10,250}",
        "an API key": (
            r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)[-_][0-9A-Za-z_-]{16,250}|\bsk-[0-9A-Za-z]{32,250}\b"
        ),
        "a Google API key": r"\bAIza[0-9A-Za-z_-]{35}\b",
        "a JSON web token": r"\beyJ[0-9A-Za-z_-]{10,500}\.eyJ[0-9A-Za-z_-]{10,2000}\.[0-9A-Za-z_-]{5,1000}",
        "a password": (
            r"(?i)\b(?:password|passwd|pwd|passphrase|secret|api[_-]?key|access[_-]?token|auth[_-]?token|adgangskode)\b"
            r"\s{0,3}(?:[:=]|is\b)\s{0,3}"
            r"[\"'`]?(?=[^\s\"'`]{0,80}[0-9!@#$%^&*])[^\s\"'`<>{}]{8,80}"
        ),
        "a password in a URL": r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,80}:[^\s/:@]{3,80}@",
    }
    return tuple((name, re.compile(shape)) for name, shape in shapes.items())


def secret(text: str) -> str:
    """What kind of secret a text seems to hold, or empty. Examples (`…EXAMPLE`, `<token>`) are none."""
    for name, shape in _secrets():
        found = shape.search(text)
        if found and "EXAMPLE" not in found[0].upper():
            return name
    return ""
