"""The links of a quoted line lead where they led."""

from __future__ import annotations

import pytest

from commonplace.core.markdown.page_links import moved


@pytest.mark.parametrize(
    ("href", "there"),
    [
        ("pier.md", "../../memory/pier.md"),
        ("%E7%AC%94.md", "../../memory/笔.md"),
        ("a%2Bb.md", "../../memory/a+b.md"),
        ("my%20pier.md#oars", "../../memory/my%20pier.md#oars"),
        ("../2025.11/pier.md", "../../2025.11/pier.md"),
        ("www.example.com", "www.example.com"),
        ("example.com/pier.html", "example.com/pier.html"),
        ("https://example.com/pier.md", "https://example.com/pier.md"),
        ("~/pier.md", "~/pier.md"),
    ],
)
def test_a_link_to_a_file_is_rewritten_and_no_other(href: str, there: str) -> None:
    assert moved(f"[a]({href})", "memory/harbour.md", "bank/entities/Pier.md") == f"[a]({there})"
