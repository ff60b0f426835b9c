"""The language of a text as BCP 47 names it: browsers choose fonts by it, and screen readers voices."""

from functools import cache, lru_cache

from commonplace.core.tables import table
from commonplace.core.text.known_languages import identify


@lru_cache(maxsize=2_000)
def language_tag(text: str) -> str:
    """Return `en`, `da`, `ja`, `hi`, `ru`, `zh-Hans` or `zh-Hant`; empty where a text in Latin script shows too little.

    Chinese is traditional if more of its characters are only traditional than only simplified, by the pairs of
    `data/han.json`; a text without either is simplified, which most readers have a font for.
    """
    found = identify(text)
    if found.code == "zh":
        simplified, traditional = _written_one_way()
        return (
            "zh-Hant"
            if sum(map(traditional.__contains__, text)) > sum(map(simplified.__contains__, text))
            else "zh-Hans"
        )
    return found.code if found.sure else ""


@cache
def _written_one_way() -> tuple[frozenset[str], frozenset[str]]:
    """The characters of simplified, and those of traditional texts alone."""
    han = table("han")
    return frozenset(han["to"]) - frozenset(han["from"]), frozenset(han["from"]) - frozenset(han["to"])
