"""A real browser for tests: Debian's Chromium, driven by Playwright. Where there is none, tests that need it skip.

The fixtures `browser` and `page` are known to every test, through conftest.py.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
REQUIRED = "TOURNEY_REQUIRE_BROWSER"  # set to 1: a missing browser is a failure
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
    # no process in reserve, which takes a third of a page's CPU; the others are Playwright's, which this replaces
    "--disable-features=SpareRendererForSitePerProcess,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding,Translate",
)  # fmt: skip
SIZES = ({"width": 1280, "height": 800}, {"width": 1024, "height": 700}, {"width": 390, "height": 844})
PATIENCE = 20_000  # ms, on a machine that does much else


def chromium() -> str | None:
    """Where Chromium is, or None where it is not installed."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        missing = f"no Chromium is installed (looked for {', '.join(NAMES)})"
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(f"{missing}, and {REQUIRED}=1 asks for it")
        pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield started
        started.close()


def faults_of(page: Page, long: bool = False) -> list[str]:
    """What axe finds against a page: on a desk by light and on a phone in the dark, or at every size in both."""
    from axe_playwright_python.sync_playwright import Axe

    found = []
    looks = product(("light", "dark"), SIZES) if long else (("light", SIZES[0]), ("dark", SIZES[2]))
    for scheme, size in looks:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        for rule in Axe().run(page).response["violations"]:
            which = [node["html"][:160] for node in rule["nodes"][:4]]
            found.append(f"{rule['id']}, {scheme}, {size['width']}: {which}")
    return found


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A fresh page that keeps in `page.requests` what it asked for. An error on it fails the test.

    `@pytest.mark.parametrize("page", [{"java_script_enabled": False}], indirect=True)` gives options to its context.
    """
    context = browser.new_context(reduced_motion="reduce", **getattr(request, "param", {}))
    context.set_default_timeout(PATIENCE)
    fresh = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    fresh.requests = asked  # type: ignore[attr-defined, method-assign]
    fresh.on("request", lambda made: asked.append(made.url))
    fresh.on("pageerror", lambda error: wrong.append(str(error)))
    fresh.on("console", lambda said: wrong.append(said.text) if "Security Policy" in said.text else None)
    yield fresh
    context.close()
    assert not wrong
