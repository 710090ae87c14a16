"""A real browser for tests: Debian's Chromium, driven by Playwright. Where there is none, tests that need it skip.

With TOURNEY_REQUIRE_BROWSER=1 they fail instead.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def chromium() -> str | None:
    """Where Chromium is, if it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser for all tests of this process."""
    path = chromium()
    if path is None:
        reason = "no Chromium is installed: `apt-get install chromium`"
        if os.environ.get("TOURNEY_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A fresh page; `page.requests` are the addresses it asked for, `page.faults` what went wrong on it.

    Options of its context come from `@pytest.mark.parametrize("page", [{…}], indirect=True)`.
    """
    context = browser.new_context(**getattr(request, "param", {}))
    context.set_default_timeout(10_000)
    fresh = context.new_page()
    fresh.requests = []
    fresh.faults = []
    fresh.on("request", lambda asked: fresh.requests.append(asked.url))
    fresh.on("pageerror", lambda error: fresh.faults.append(str(error)))
    fresh.on("console", lambda said: fresh.faults.append(said.text) if said.type == "error" else None)
    yield fresh
    context.close()
