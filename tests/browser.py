"""A real browser for tests: Debian's Chromium, driven by Playwright. `from browser import browser, page`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
REQUIRED = "TOURNEY_REQUIRE_BROWSER"  # set to 1: a missing browser is a failure
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
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
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page. A script's error, or anything that a page's policy forbids, fails the test."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    fresh = context.new_page()
    wrong: list[str] = []
    fresh.on("pageerror", lambda error: wrong.append(str(error)))
    fresh.on("console", lambda said: wrong.append(said.text) if "Security Policy" in said.text else None)
    yield fresh
    context.close()
    assert not wrong
