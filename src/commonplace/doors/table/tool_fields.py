"""The types of fields: how a JSON value is checked, and its JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace.doors.table import requests
from commonplace.doors.table.common_fields import KINDS
from commonplace.doors.table.parser import meant
from commonplace.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from commonplace.doors.table.verb_fields import Field


class Type(NamedTuple):
    """The type of a field."""

    schema: dict[str, Any]
    check: Callable[[Field, Any], Any]
    """The value as `Memory` takes it; raises UsageError."""


def _short(field: Field, value: object) -> str:
    return requests.short(value, field.name)


_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}

TYPES: dict[str, Type] = {
    "question": Type(_TEXT, lambda field, value: requests.text(value, field.name, empty=True)),
    "text": Type(_TEXT, lambda field, value: requests.text(value, field.name)),
    "written": Type(_TEXT, lambda field, value: requests.written(value, field.name)),
    "exact": Type(_TEXT, lambda field, value: requests.exact(value, field.name)),
    "name": Type(_TEXT, _short),
    "path": Type(_TEXT, _short),
    "when": Type(_TEXT, lambda field, value: requests.when(value, field.name)),
    "day": Type(_TEXT, lambda field, value: requests.day(value, field.name)),
    "entity": Type(_TEXT, lambda field, value: _short(field, value).removeprefix("@")),
    "choice": Type(_TEXT, lambda field, value: requests.choice(_short(field, value), field.name, known=field.choices)),
    "count": Type(
        {"type": "integer", "minimum": 1}, lambda field, value: requests.count(value, field.name, most=field.most)
    ),
    "line": Type({"type": "integer", "minimum": 0}, lambda field, value: requests.number(value, field.name)),
    "share": Type({"type": "number"}, lambda field, value: requests.fraction(value, field.name)),
    "switch": Type({"type": "boolean"}, lambda field, value: requests.switch(value, field.name)),
    "entities": Type(_TEXTS, lambda field, value: requests.entities(requests.texts(value, field.name))),
    "ids": Type(_TEXTS, lambda field, value: requests.ids(requests.texts(value, field.name), field.name)),
    "paths": Type(_TEXTS, lambda field, value: requests.texts(value, field.name)),
    "kinds": Type(
        {"type": "array", "items": {"type": "string", "enum": list(KINDS)}},
        lambda field, value: requests.kinds(requests.texts(value, field.name)),
    ),
}
"""A `question` may be empty if filters are given; a `text` is parsed, `written` becomes a fact, `exact` is written
unchanged; a `name` is short, such as an id or a citation."""


def schema(fields: Sequence[Field]) -> dict[str, Any]:
    """The JSON Schema of an object with these fields."""
    shown: dict[str, Any] = {"type": "object", "properties": {field.name: _schema(field) for field in fields}}
    required = [field.name for field in fields if field.required]
    return {**shown, "required": required} if required else shown


def _schema(field: Field) -> dict[str, Any]:
    shape = dict(TYPES[field.type].schema)
    if field.type == "choice":
        shape["enum"] = list(field.choices)
    return {**shape, "description": field.note} if field.note else shape


def checked(fields: Sequence[Field], arguments: object) -> dict[str, Any]:
    """The arguments as `Memory` takes them; keys with the value null count as absent. Raises UsageError."""
    if not isinstance(arguments, dict):
        raise UsageError("the arguments are not an object", _keys(fields))
    known = {field.name: field for field in fields}
    for key in arguments:
        if key not in known:
            shown = requests.shown(key)
            raise UsageError(f"unknown key {shown}", meant(str(key)[:100], known, otherwise=_keys(fields)))
    given = {name: value for name, value in arguments.items() if value is not None}
    for field in fields:
        if field.required and field.name not in given:
            raise UsageError(f"{field.name} is missing", _keys(fields))
    return {name: TYPES[known[name].type].check(known[name], value) for name, value in given.items()}


def _keys(fields: Sequence[Field]) -> str:
    return f"keys: {', '.join(field.name for field in fields)}" if fields else "it takes no keys"
