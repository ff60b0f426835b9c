"""Which files are old copies, by their paths alone."""

from __future__ import annotations

import pytest

from commonplace.core.markdown.old_copies import is_old_copy


@pytest.mark.parametrize(
    "path",
    [
        *("MEMORY.old.md", "MEMORY.bak.md", "MEMORY-backup-2026-03-01.md", "Copy of USER.md", "USER (copy).md"),
        *("USER_old2.md", "backup/MEMORY.md", "memory/trash/2026-03-08.md", "memory/.Backups/a.md"),
        *("MEMORY - kopi.md", "MEMORY副本.md", "MEMORY - コピー.md", "MEMORY कॉपी.md", "MEMORY — копия.md"),
    ],
)
def test_an_old_copy_is_told_by_a_folder_or_a_word_of_its_name(path: str) -> None:
    assert is_old_copy(path)


@pytest.mark.parametrize(
    "path",
    [
        *("MEMORY.md", "gold.md", "copywriting.md", "memory/2026-03-01-backup.md", "memory/old.md"),
        *("memory/backups.md", "memory/holdings/2026-03-01.md"),
    ],
)
def test_a_name_that_only_has_its_letters_is_none(path: str) -> None:
    assert not is_old_copy(path)
