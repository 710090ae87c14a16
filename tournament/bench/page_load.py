"""How long a league's report page takes to be there, in a real browser."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tournament.errors import TourneyError
from tournament.plan.bundled import bundled_config
from tournament.runs.runner import run

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPENED = 5  # times
MOST_SECONDS = 60
# The page says it itself: when it was loaded and laid out, in milliseconds since it was asked for.
TOLD = """<script>addEventListener("load", () => {
  document.body.getBoundingClientRect();
  document.documentElement.dataset.loaded = performance.now();
});</script></body>"""


def browser() -> str:
    """Where a browser is that opens pages by itself."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise TourneyError(f"no browser is installed to measure a report page in (looked for {', '.join(BROWSERS)}).")
    return found


def load_seconds(program: str) -> list[float]:
    """What it took each time to open the report of the bundled league, which is played before."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "league.yaml").write_bytes(bundled_config("league"))
        run(folder / "league.yaml", out=folder / "league")
        return [opened(program, folder / "league" / "report.html") for _ in range(OPENED)]


def opened(program: str, report: Path) -> float:
    """The seconds until a report was loaded and laid out."""
    measured = report.with_name("measured.html")
    measured.write_text(report.read_text("utf-8").replace("</body>", TOLD), "utf-8")
    arguments = ("--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,800", "--dump-dom")
    command = [program, *arguments, measured.as_uri()]
    made = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS, check=False)
    told = re.search(r'data-loaded="([0-9.]+)"', made.stdout)
    if told is None:
        raise TourneyError(f"{program} did not open the page: {made.stderr.strip()[-200:]}.")
    return float(told[1]) / 1e3
