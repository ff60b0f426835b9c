"""Our own folder is made once, whoever makes it first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

from commonplace.store.fs.state_dir import NAME, Own

if TYPE_CHECKING:
    from pathlib import Path


def test_threads_that_make_it_at_once_all_find_it(tmp_path: Path) -> None:
    together = Barrier(8)

    def make(root: Path) -> str:
        own = Own(str(root))
        together.wait(60)
        return own.make()

    with ThreadPoolExecutor(8) as threads:
        for number in range(100):
            root = tmp_path / str(number)
            root.mkdir()
            assert {*threads.map(make, [root] * 8)} == {str(root / NAME)}
            assert {path.name for path in (root / NAME).iterdir()} == {".gitignore", "CACHEDIR.TAG"}
