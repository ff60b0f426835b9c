"""Take pictures of every view of the local page, over the bundled workspace.

    python bench/pictures.py [--all FOLDER]

Writes those that the docs show into docs/pictures: 1280 wide, light. With --all, all views at both widths and in both
schemes into a folder besides. Needs the Chromium of the system, and fonts for six languages (fonts-noto-core,
fonts-noto-cjk).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent
SHOWN = ROOT / "docs" / "pictures"
TODAY = "2025-12-01"
VIEWS = {
    "today": "",
    "ask": "ask?q=when+do+the+backups+at+The+Castle+run%3F",
    "days": "day/2025-11-26",
    "entities": "entities",
    "entity": "entity/Peter",
    "opinions": "opinions",
    "opinion": "opinion/o-6kq0",
    "review": "review",
    "reflect": "reflect",
    "health": "health",
    "line": "at/memory/2025-11-26.md?line=10",
}
"""Name of a picture -> address."""
SIZES = {"wide": (1280, 900), "narrow": (390, 844)}


@contextmanager
def served() -> Iterator[str]:
    """The page of a copy of the bundled workspace, reflected once; gives the address that opens it."""
    with tempfile.TemporaryDirectory() as folder:
        copied = ["sh", str(ROOT / "examples" / "copy.sh"), f"{folder}/quill"]
        root = subprocess.run(copied, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        program = [sys.executable, "-m", "commonplace", "--workspace", root, "--today", TODAY]
        subprocess.run([*program, "reflect", "--yes"], check=True, stdout=subprocess.DEVNULL)
        with open(f"{root}/memory/2025-12-01.md", "a", encoding="utf-8") as log:  # something for reflect to show
            log.write("- W @Peter: Landed in Vienna on December 1, 2025 with KP 418, at 19:52.\n")
        with subprocess.Popen([*program, "serve", "--no-browser"], stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            try:
                yield running.stdout.readline().strip()
            finally:
                running.terminate()


def entered(browser: Browser, address: str, *, size: tuple[int, int], scheme: str) -> Page:
    """A page of the browser that has opened the memory."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=1,
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(lambda url: "/open/" not in url)
    return page


def take(page: Page, base: str, address: str, path: Path) -> None:
    """A picture of a view, once everything in it is known."""
    page.goto(base + address)
    expect(page.locator("main progress")).to_have_count(0, timeout=60_000)
    expect(page.locator(".n.wait").first).to_be_attached(
        timeout=60_000
    )  # the bundled workspace has questions that wait
    expect(page.locator(".state")).not_to_contain_text("renewing", timeout=60_000)
    page.screenshot(path=path)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--all", metavar="FOLDER", type=Path)
    everything: Path | None = asked.parse_args().all
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("there is no Chromium; on Debian: apt-get install chromium fonts-noto-core fonts-noto-cjk")
    SHOWN.mkdir(exist_ok=True)
    with sync_playwright() as driver, served() as address:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        first = entered(browser, address, size=SIZES["wide"], scheme="light")
        base = first.url
        for name, view in VIEWS.items():
            take(first, base, view, SHOWN / f"{name}.png")
        if everything is not None:
            everything.mkdir(parents=True, exist_ok=True)
            state = first.context.storage_state()
            for scheme in ("light", "dark"):
                for width, size in SIZES.items():
                    context = browser.new_context(
                        viewport={"width": size[0], "height": size[1]},
                        color_scheme="dark" if scheme == "dark" else "light",
                        storage_state=state,
                    )
                    page = context.new_page()
                    for name, view in VIEWS.items():
                        take(page, base, view, everything / f"{name}-{width}-{scheme}.png")
                    context.close()
        browser.close()


if __name__ == "__main__":
    main()
