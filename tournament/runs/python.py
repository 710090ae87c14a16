"""What a program or a notebook calls: a run, a search, a duel, with evaluators by name, file or function."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tournament.engine.result import SearchResult
from tournament.engine.searcher import search as search_with
from tournament.engine.settings import Settings, settings_for
from tournament.errors import TourneyError
from tournament.evidence.sprt import Terms
from tournament.games.connect4 import STANDARD, Rules, read_position, undecided
from tournament.isolation.limits import Isolation
from tournament.options import options
from tournament.plan.from_dict import write_config
from tournament.plan.openings import parse_suite
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator, load_file
from tournament.plugins.written import write_function
from tournament.report.duel import Duel
from tournament.report.notebook import StudyRun, TournamentRun, in_notebook
from tournament.runs import duel as duels
from tournament.runs import runner
from tournament.text import nearest

AnEvaluator = str | Path | Callable[..., Any]


def run(
    config: str | Path | Mapping[str, Any],
    *,
    jobs: int | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
    isolation: Isolation | None = None,
    scheduler: str | None = None,
) -> TournamentRun | StudyRun:
    """Play a tournament or make a study, from a config's file or from its keys and values."""
    if isinstance(config, Mapping):
        title = re.sub(r"[^a-z0-9]+", "-", str(config.get("title", "")).lower()).strip("-")
        out = Path(out) if out is not None else Path("reports") / (title or "notebook")
        config = write_config(config, out)
    how: dict[str, Any] = {"jobs": jobs, "out": out, "fresh": fresh, "isolation": isolation, "scheduler": scheduler}
    return in_notebook(runner.run(config, **how))


def search(
    position: str, evaluator: AnEvaluator, *, depth: int | None = None, rules: Rules = STANDARD, **settings: Any
) -> SearchResult:
    """Search one position, as `tourney search` does; the settings are its options."""
    known = [option.name for option in options(Settings)]
    for name in settings:
        if name not in known:
            raise TourneyError(f"a search has no `{name}`{nearest(name, known)} Known are {', '.join(known)}.")
    how = settings_for(rules, {"depth": depth, **settings})
    with TemporaryDirectory() as folder:
        scorer = Scorer(_evaluator(evaluator, Path(folder)), rules)
        return search_with(undecided(read_position(position, rules)), scorer, how)


def duel(
    new: AnEvaluator,
    old: AnEvaluator,
    *,
    depth: int = 4,
    openings: str = "plies=2",
    elo0: float = 0,
    elo1: float = 30,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> Duel:
    """Play pairs until it can be told whether NEW is better than OLD, as `tourney duel` does."""
    with TemporaryDirectory() as of_new, TemporaryDirectory() as of_old:  # functions may have one name
        one, other = _evaluator(new, Path(of_new)), _evaluator(old, Path(of_old))
        return duels.duel(
            one,
            other,
            settings=settings_for(STANDARD, {"depth": depth}),
            suite=parse_suite(openings, STANDARD, 1),
            terms=Terms(elo0, elo1, 0.05, 0.05),
            out=Path(out) if out is not None else Path("reports") / f"{one.name}-{other.name}",
            jobs=jobs or runner.default_jobs(),
        )


def _evaluator(evaluator: AnEvaluator, folder: Path) -> Evaluator:
    """The evaluator of a name, a file, or a function that is written into that folder; run once."""
    if not callable(evaluator):
        return Catalogue().load(str(evaluator))
    return load_file(write_function(evaluator, folder), "a function")
