"""A copy's path and what its facts say of where they came from are told from each other."""

from __future__ import annotations

import pytest

from commonplace.core.provenance import COPIES, copied_as, noted_path, source_of


@pytest.mark.parametrize(
    ("copy", "note", "src"),
    [
        ("Vault/People/Sara Holm.md", "Vault/People/Sara Holm.md", "import:Vault/People/Sara_Holm.md"),
        ("memories/prefs.xml.md", "memories/prefs.xml", "import:memories/prefs.xml"),
        ("V/a.TXT.md", "V/a.TXT", "import:V/a.TXT"),
        ("V/<x>.md", "V/<x>.md", "import:V/_x_.md"),
    ],
)
def test_one_name_for_note_copy_and_source(copy: str, note: str, src: str) -> None:
    assert noted_path(COPIES + copy) == note
    assert source_of(note) == copied_as(COPIES + copy) == src


def test_what_is_no_copy_is_no_source() -> None:
    assert copied_as("memory/2025-11-27.md") == copied_as("bank/imported/a.md") == ""
