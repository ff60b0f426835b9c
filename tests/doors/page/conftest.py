"""The local page as people meet it: a real server over a copy of the bundled workspace, and the system's Chromium."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.doors.page.served import VIEWS, bundled, serving
from tests.doors.page.tabs import RULES, Tabs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser
    from tests.doors.page.served import Served


@pytest.fixture(scope="module")  # while its driver runs, no other test of this process can run an event loop
def chromium(nobodys_home: Path) -> Iterator[Browser]:
    """The Chromium of the system; every test takes contexts of its own."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("not run: Chromium is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0, args=[RULES])
        yield browser
        browser.close()


@pytest.fixture
def tabs(chromium: Browser) -> Iterator[Tabs]:
    """Opens views in Chromium; whatever a page does that none of ours may do fails the test."""
    opened = Tabs(chromium)
    yield opened
    opened.close()
    opened.check()


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled workspace after a reflect, to be copied and left as it is."""
    return bundled(tmp_path_factory.mktemp("page") / "quill")


@pytest.fixture(scope="session")
def reading(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that all tests share, with every view at hand: none of them writes into its folder."""
    with serving(shutil.copytree(original, tmp_path_factory.mktemp("reading") / "quill")) as served:
        for view in VIEWS.values():
            served.ready(view)
        yield served


@pytest.fixture
def writing(original: Path, tmp_path: Path) -> Iterator[Served]:
    """A server of this test's own, over a folder that it may change."""
    with serving(shutil.copytree(original, tmp_path / "quill")) as served:
        yield served
