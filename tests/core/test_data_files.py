"""The data files of the core: what each of them says counts."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import commonplace.core

DATA = Path(commonplace.core.__file__ or "").parent / "data"


@pytest.mark.parametrize("path", sorted(DATA.rglob("*.json")), ids=lambda path: path.relative_to(DATA).as_posix())
def test_no_key_is_there_twice(path: Path) -> None:
    """Of two the later one counts, whatever is added to the first."""
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return dict(pairs)

    json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)
    assert not twice
