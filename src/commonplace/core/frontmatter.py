"""Front matter as text with a few known keys.

YAML would retype `no`, `12:30` and `0123` and raise on dates out of range; nothing here is ever rewritten, so lines
are enough (measured traps: docs/decisions/0006).
"""

from __future__ import annotations


def read(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """The values of each top-level key: one for a scalar, several for `[a, b]` or a block list."""
    values: dict[str, tuple[str, ...]] = {}
    key = ""
    for line in lines:
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if line[0] in " \t-" and key:
            if stripped.startswith("- "):
                values[key] += (_plain(stripped[2:]),)
            continue
        name, colon, value = line.partition(":")
        if not colon:
            key = ""
            continue
        key = name.strip().casefold()
        value = value.strip()
        if value.startswith("[") and "]" in value:
            inside = value[1 : value.rindex("]")]
            values[key] = tuple(item for part in inside.split(",") if (item := _plain(part)))
        else:
            values[key] = (_plain(value),) if value else ()
    return values


def _plain(value: str) -> str:
    """A scalar without its quotes."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
