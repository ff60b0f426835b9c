"""The public names: `__all__` is what can be imported, and every error can be told from every other."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import commonplace
from commonplace import Memory, errors
from commonplace.errors import CommonplaceError

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent


def test_all_is_what_is_importable() -> None:
    assert sorted(commonplace.__all__) == commonplace.__all__
    assert dir(commonplace) == commonplace.__all__
    for name in commonplace.__all__:
        assert getattr(commonplace, name) is not None
    lazy = {name for name in commonplace.__all__ if name != "__version__"}
    assert lazy == set(commonplace._HOME), "a public name has one home"


def test_other_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'remember'"):
        commonplace.remember  # noqa: B018 - reading it is the test


def test_public_names_are_documented() -> None:
    undocumented = [
        name
        for name in commonplace.__all__
        if inspect.isclass(found := getattr(commonplace, name)) or inspect.isfunction(found)
        if not inspect.getdoc(found)
    ]
    assert not undocumented


def test_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["version"]["path"] == "src/commonplace/__init__.py"
    assert commonplace.__version__.count(".") == 2


def tree(kind: type[CommonplaceError]) -> Iterator[type[CommonplaceError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from tree(below)


def test_a_folder_may_be_a_path(tmp_path: Path) -> None:
    with Memory(tmp_path / "notes") as memory:
        assert memory.root == str(tmp_path / "notes")


def test_error_codes_are_distinct() -> None:
    codes = [kind.code for kind in tree(CommonplaceError)]
    assert len(codes) == len(set(codes)), codes
    assert all(code == code.lower() and " " not in code for code in codes)


def test_errors_are_all_in_their_tree_and_public() -> None:
    for kind in tree(CommonplaceError):
        assert kind.__module__ == "commonplace.errors"
        assert kind.__name__ in (errors.__doc__ or "")
        assert kind.__name__ in commonplace.__all__
        assert kind.exit_status == (2 if issubclass(kind, errors.UsageError) else 1)


def test_an_error_prints_with_its_hint() -> None:
    assert str(errors.NotFound("no fact ^x", "see recall")) == "no fact ^x: see recall"
    assert str(errors.NotFound("no fact ^x")) == "no fact ^x"
    assert isinstance(errors.UsageError("x"), ValueError)


def test_an_error_never_repeats_an_endless_request() -> None:
    long = errors.UsageError("x" * 1_000_000, "y" * 1_000_000)
    assert max(len(long.message), len(long.hint), len(str(long)) // 2) <= 1_001
    assert long.message.endswith("…")


def test_what_a_memory_returns_can_be_named() -> None:
    """The types that its verbs return, for annotations of those who call them."""
    verbs = [each for name, each in inspect.getmembers(Memory, inspect.isfunction) if not name.startswith("_")]
    named = {name for verb in verbs for name in re.findall(r"\b[A-Z]\w+", str(verb.__annotations__["return"]))}
    assert len(named) > 15
    assert named - {"None"} <= set(commonplace.__all__)
