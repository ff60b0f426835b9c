"""Regular expressions that are compiled when they are first used: most commands need few of them."""

from __future__ import annotations

import re
from typing import Any, cast


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression for a constant of a module; its methods and attributes are those of `re.Pattern`."""
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))


class _CompiledPattern:
    """Has the methods of a pattern as attributes of its own."""


class _LazyPattern:
    def __init__(self, pattern: str, flags: int) -> None:
        self._arguments = pattern, flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._arguments)
        self.__dict__.update({each: getattr(compiled, each) for each in dir(compiled) if not each.startswith("__")})
        # a class with `__getattr__` has slow attributes, even those that it has
        object.__setattr__(self, "__class__", _CompiledPattern)
        return getattr(compiled, name)
