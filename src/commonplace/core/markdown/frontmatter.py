"""Front matter as text, with a few known keys.

YAML would retype `no`, `12:30` and `0123` and raise on dates out of range. We never rewrite front matter, only add
aliases, so lines are enough (measured traps: docs/decisions/0006).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.core.markdown.syntax import is_front_fence

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_NAMES = ("aliases", "alias")
_MOST = 400
"""Lines of front matter, at most."""
_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])


def read(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """Return the values of each top-level key: one for a scalar, several for `[a, b]` or a block list."""
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
    """Return a scalar without its quotes."""
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def end(lines: Sequence[str]) -> int:
    """Return the position of the line that closes the front matter; 0 if the text has none."""
    if not is_front_fence(lines[0]):
        return 0
    return next((at for at in range(1, min(len(lines), _MOST)) if is_front_fence(lines[at])), 0)


def with_aliases(text: str, names: Sequence[str]) -> str:
    """Return the text with these aliases added to those in its front matter; no other byte changes.

    A list keeps its form, in brackets or in lines; a single name becomes a list.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    raw = text.removeprefix(mark).split("\n")
    close = "\r" if raw[0].endswith("\r") else ""
    lines = [line.removesuffix("\r") for line in raw]
    stop = end(lines)
    known = read(lines[1:stop])
    there = {name for key in _NAMES for name in known.get(key, ())}
    new = [name for name in dict.fromkeys(names) if name not in there]
    if not new:
        return text
    listed = ", ".join(map(_scalar, new))
    if not stop:
        block = "".join(f"{line}{close}\n" for line in ("---", f"aliases: [{listed}]", "---"))
        return mark + block + text.removeprefix(mark)
    at = next((at for at in range(1, stop) if _key(lines[at]) in _NAMES), 0)
    if not at:
        return mark + "\n".join([*raw[:stop], f"aliases: [{listed}]{close}", *raw[stop:]])
    head, colon, value = raw[at].partition(":")
    bare = value.strip()
    if bare.startswith("[") and "]" in bare:
        last = raw[at].rindex("]")
        inside = raw[at][raw[at].index("[") + 1 : last].rstrip()
        comma = "" if not inside.strip() or inside.endswith(",") else ","
        raw[at] = raw[at][:last].rstrip() + comma + (" " if inside.strip() else "") + listed + raw[at][last:]
    elif bare:
        raw[at] = f"{head}{colon} [{bare}, {listed}]{close}"
    else:
        below = at + 1
        while below < stop and lines[below][:1] in ("", " ", "\t", "-", "#"):
            below += 1
        while not lines[below - 1].strip():
            below -= 1
        items = [line for line in lines[at + 1 : below] if line.lstrip().startswith("- ")]
        before = items[-1][: items[-1].index("-")] if items else "  "
        raw[below:below] = [f"{before}- {_scalar(name)}{close}" for name in new]
    return mark + "\n".join(raw)


def aliases(text: str) -> tuple[str, ...]:
    """Return the aliases in the front matter of a text."""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    known = read(lines[1 : end(lines)])
    return tuple(name for key in _NAMES for name in known.get(key, ()))


def less_aliases(text: str, names: Collection[str]) -> str:
    """Return the text without these aliases in its front matter; no other byte changes. A key without values goes, and
    front matter without lines.
    """
    if not {*aliases(text)} & {*names}:
        return text
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    raw = text.removeprefix(mark).split("\n")
    stop = end([line.removesuffix("\r") for line in raw])
    kept: list[str] = []
    head, left = -1, 0  # of the aliases that are read: the position of the key in `kept`, and the values below it
    for line in raw[1:stop]:
        bare, shown = line.strip(), line
        if bare and line[0] not in " \t-#":
            _without_empty(kept, head, left=left)
            head, left = -1, 0
            if _key(line.removesuffix("\r")) in _NAMES:
                head = len(kept)
                shown, left = _less_values(line, names)
        elif head >= 0 and bare.startswith("- "):
            if _plain(bare[2:]) in names:
                continue
            left += 1
        kept.append(shown)
    _without_empty(kept, head, left=left)
    return mark + "\n".join([raw[0], *kept, *raw[stop:]] if kept else raw[stop + 1 :])


def _less_values(line: str, names: Collection[str]) -> tuple[str, int]:
    """Return the line of a key without these values, and how many stay; a comment and an empty list count as one."""
    value = line.partition(":")[2]
    if "[" in value and "]" in value:
        first, last = line.index("["), line.rindex("]")
        items = [part.strip() for part in line[first + 1 : last].split(",") if part.strip()]
        stay = [part for part in items if _plain(part) not in names]
        rest = line[last + 1 :].strip()
        shown = line if len(stay) == len(items) else f"{line[: first + 1]}{', '.join(stay)}{line[last:]}"
        return shown, len(stay) + bool(rest) + (len(items) == 0)
    bare = value.strip()
    return line, int(bool(bare) and _plain(bare) not in names)


def _without_empty(kept: list[str], head: int, *, left: int) -> None:
    if head >= 0 and not left:
        del kept[head]


def without_aliases(lines: Sequence[str]) -> list[str]:
    """Return the lines of front matter except aliases."""
    kept: list[str] = []
    skipping = False
    for line in lines:
        if line.strip() and line[0] not in " \t-#":
            skipping = _key(line) in _NAMES
        if not skipping and line.strip():
            kept.append(line)
    return kept


def _key(line: str) -> str:
    return "" if line[:1] in (" ", "\t", "-", "#") else line.partition(":")[0].strip().casefold()


def _scalar(name: str) -> str:
    """Return a name so that YAML and we read it back the same: in quotes if a character of it has a meaning in YAML."""
    plain = name[0].isalpha() and not set(name) & set(':#{}"&*!|>%@`') and name.casefold() not in _WORDS
    return name if plain else "'" + name + "'" if '"' in name else f'"{name}"'
