"""What users have keeps working: stores of every version from 3 on, the ids in them, and the reports made from them.

`tests/stores/vN/` holds stores that a tourney with store version N wrote, of runs that were interrupted. What comes out
when they are gone on with is compared with `tests/golden/stores/`, which was written down before version 4.
"""

import csv
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import folders
import pytest
from folders import STORES, TESTS
from played import moves_of

from tournament.cli.show import command as show
from tournament.errors import StoreError
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.report.write import write_reports
from tournament.runs.runner import NullObserver, planned_tasks, run
from tournament.store import Store, file, packing, schema

pytestmark = [pytest.mark.charts, pytest.mark.needs_jit]

GOLDEN = folders.GOLDEN / "stores"
EVERY = [pytest.param(path, id=f"{path.parent.name}-{path.name}") for path in sorted(STORES.glob("v*/*"))]
CSV = {"tournament": "games.csv", "drift": "games.csv", "study": "searches.csv"}

MEASURED = {  # ends of headings
    *("seconds", "ms", "ms per search", "µs per call", "peak memory", "speed-up", "memory", "times faster"),
    *("time saved", "time × depth before", "s a move", "in the evaluator", "of CPU ms"),
    # what stores from before have kept of no search or game: blank or not, as they were interrupted
    *("a level", "all levels", "state", "table", "bytes a node", "untried", "of their moves"),
}
MADE_ON = {"config", "to repeat it", "date", "machine", "versions"}


class Counts(NullObserver):
    """Counts what a run plays."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def finished(self, task, done) -> None:
        self.played.append(task.id)


def is_measured(heading: str) -> bool:
    return any(heading.endswith(name) for name in MEASURED)


def without_time(sentence: str) -> str:
    sentence = re.sub(r"; [^;]*(times as fast|none was faster)[^;]*\.$", "; ….", sentence)
    return re.sub(r"about \d+ s\b", "about … s", sentence)


def masked_cells(headings: list[str], cells: list) -> list:
    if cells and cells[0] in MADE_ON:
        return [cells[0], "…"]
    if cells and cells[0] in ("time (ms)", "memory"):
        return [*cells[:2], "…", "…"]
    return ["…" if is_measured(heading) else cell for heading, cell in zip(headings, cells, strict=True)]


def masked_markdown(text: str) -> str:
    lines, headings = [], []
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not lines[-1].startswith("|"):
                headings = cells
            elif set(line) <= set("|-: "):
                cells = [":--"[: 1 + (cell[-1] != ":")] for cell in cells]
            else:
                cells = masked_cells(headings, cells)
            line = f"| {' | '.join(cells)} |"
        lines.append(line if line.startswith("|") else without_time(line))
    return "\n".join(lines) + "\n"


def masked_json(text: str) -> str:
    tables = json.loads(text)
    tables["summary"] = [without_time(sentence) for sentence in tables["summary"]]
    for table in (table for title, table in tables.items() if title != "summary"):
        table["rows"] = [masked_cells(table["columns"], row) for row in table["rows"]]
    return json.dumps(tables, indent=1, ensure_ascii=False) + "\n"


def masked_csv(text: str) -> str:
    headings, *rows = csv.reader(text.splitlines())
    return "".join(f"{','.join(row)}\n" for row in [headings, *(masked_cells(headings, row) for row in rows)])


def numbers_and_rest(text: str) -> tuple[list[float], object]:
    """The numbers with a point in what is JSON, and the rest of it; in other text there are none."""
    if not text.startswith("{"):
        return [], text
    numbers: list[float] = []
    rest = json.loads(text, parse_float=lambda digits: numbers.append(float(digits)))
    return numbers, rest


MASKS = {".md": masked_markdown, ".json": masked_json, ".csv": masked_csv}


def kept(path: Path) -> dict[str, tuple]:
    """What a store holds: its games with their moves, by id."""
    with closing(sqlite3.connect(path / "games.db")) as connection:
        games = connection.execute("SELECT id, number, moves, plies, fault FROM games").fetchall()
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'moves'").fetchone():  # before version 4
            told = "ply, chosen, played, score, generated, seconds, equals"
            of_game = f"SELECT {told} FROM moves WHERE game = ? ORDER BY ply"
            moves = {id: connection.execute(of_game, (number,)).fetchall() for id, number, *_ in games}
        else:
            names = ("ply", "chosen", "landed", "score", "generated", "seconds", "equals")
            moves = {
                id: [tuple(getattr(move, name) for name in names) for move in found]
                for id, found in moves_of(path).items()
            }
    return {id: (*rest, moves[id]) for id, *rest in games}


@pytest.mark.parametrize("store", EVERY)
def test_a_store_of_an_earlier_version_is_gone_on_with_and_no_game_is_played_again(
    store, tmp_path, monkeypatch, request
):
    shutil.copytree(store, tmp_path / "out")
    before = kept(tmp_path / "out")
    monkeypatch.chdir(TESTS)  # where it was written: messages name files as seen from there
    watch = Counts()
    run(f"stores/{store.name}.yaml", out=tmp_path / "out", observer=watch, jobs=2)
    after = kept(tmp_path / "out")
    assert watch.played, "it was interrupted"
    assert not set(watch.played) & set(before)
    assert {id: after[id] for id in before} == before
    assert set(after) == set(before) | set(watch.played)
    for name in ("report.md", "results.json", CSV[store.name]):
        golden = GOLDEN / store.name / name
        text = MASKS[golden.suffix]((tmp_path / "out" / name).read_text("utf-8"))
        if request.config.getoption("--update-golden"):
            golden.parent.mkdir(parents=True, exist_ok=True)
            golden.write_text(text, "utf-8")
        written = MASKS[golden.suffix](golden.read_text("utf-8"))  # again, for what was measured but once
        (numbers, rest), (expected, others) = map(numbers_and_rest, (text, written))
        assert rest == others, "a meaning or a column that users have has changed"
        # The last digits of a rating are those of how, and on which machine, it was fitted.
        assert numbers == pytest.approx(expected, rel=1e-6), "a meaning or a column that users have has changed"


@pytest.mark.parametrize("store", EVERY)
def test_a_store_of_an_earlier_version_is_reported_though_nothing_may_be_written_to_it(store, tmp_path):
    shutil.copytree(store, tmp_path / "out")
    before = (tmp_path / "out" / "games.db").read_bytes()
    with Store(tmp_path / "out") as opened:
        write_reports(opened, tmp_path)
    assert (tmp_path / "report.md").read_text("utf-8").startswith("# ")
    assert (tmp_path / "out" / "games.db").read_bytes() == before


@pytest.mark.parametrize("name", [*CSV, "ids"])
def test_players_and_games_have_the_ids_under_which_they_are_stored(name, monkeypatch, request):
    monkeypatch.chdir(TESTS)
    plan = make_plan(read_config(Path(f"stores/{name}.yaml")))
    ids = {
        "players": {key: player.name for key, player in plan.players().items()},
        "games": [one.task.id for one in planned_tasks(plan)],
    }
    golden = GOLDEN / name / "ids.json"
    if request.config.getoption("--update-golden"):
        golden.write_text(json.dumps(ids, indent=1) + "\n")
    assert ids == json.loads(golden.read_text()), "every stored game would be orphaned"


# ── migrations ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def old(tmp_path, monkeypatch):
    """A folder with a store that is one version behind, and the function that migrates it."""

    def rename(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE runs SET title = 'As it is now'")

    newest = schema.VERSION
    migrations = schema.MIGRATIONS | {newest: rename}
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    for module in (schema, file):
        monkeypatch.setattr(module, "VERSION", newest + 1)
    shutil.copytree(sorted(STORES.glob("v*"))[-1] / "tournament", tmp_path / "out")
    return tmp_path / "out"


def version_and_title(folder: Path) -> tuple[int, str]:
    connection = sqlite3.connect(folder / "games.db")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (title,) = connection.execute("SELECT title FROM runs").fetchone()
    connection.close()
    return version, title


def test_a_store_that_is_written_to_is_brought_up_to_date_first(old):
    before = version_and_title(old)
    with Store(old, write=True) as store:
        assert store.last_run().title == "As it is now"
    assert version_and_title(old) == (before[0] + 1, "As it is now")


def test_a_store_that_is_only_read_is_brought_up_to_date_in_memory_alone(old):
    before = (old / "games.db").read_bytes()
    with Store(old) as store:
        assert store.last_run().title == "As it is now"
        assert list(store.games())
    assert (old / "games.db").read_bytes() == before


def test_a_migration_that_fails_changes_nothing(old, monkeypatch):
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE runs SET title = 'Half'")
        raise sqlite3.OperationalError("no room")

    before = version_and_title(old)
    monkeypatch.setattr(schema, "MIGRATIONS", {before[0]: fail})
    with pytest.raises(StoreError, match="no room"):
        Store(old, write=True)
    assert version_and_title(old) == before


def test_there_is_a_store_of_every_version_that_can_be_opened():
    versions = {version_and_title(path)[0] for path in STORES.glob("v*/*")}
    assert versions == set(range(schema.FIRST_VERSION, schema.VERSION + 1))
    assert all(version_and_title(path)[0] == int(path.parent.name[1:]) for path in STORES.glob("v*/*"))


# ── what a store has never kept ──────────────────────────────────────────────────────────────────


V3 = STORES / "v3"


def copy_without(store: Path, column: str, out: Path) -> Path:
    """A store of version 3 as a tourney would have left it that does not know this counter."""
    shutil.copytree(store, out)
    with closing(sqlite3.connect(out / "games.db")) as connection:
        connection.execute(f"ALTER TABLE moves DROP COLUMN {column}")
    return out


def layouts(path: Path) -> list[str]:
    with closing(sqlite3.connect(path / "games.db")) as connection:
        return [text for (text,) in connection.execute("SELECT fields FROM layouts ORDER BY number")]


def test_the_store_says_in_words_how_moves_are_packed(tmp_path):
    with Store(tmp_path, write=True):
        pass
    of_games, of_studies = layouts(tmp_path)
    assert of_games == (
        "chosen int16, landed int16, score float64, depth int16, generated int64, expanded int64, evaluated int64,"
        " cutoffs int64, untried int64, seconds float64, cpu_seconds float64, deepest int16"
    )
    assert of_studies == f"{of_games}, memory int64, stack int64, state int64, equals uint64"
    with Store(tmp_path, write=True):
        pass
    assert layouts(tmp_path) == [of_games, of_studies], "each is noted once"


def test_a_counter_that_is_new_is_another_layout_and_not_known_of_earlier_games(tmp_path, monkeypatch):
    shutil.copytree(STORES / "v4" / "tournament", tmp_path / "out")
    before = kept(tmp_path / "out")
    newer = f"{packing.OF_GAMES}, saved int64"
    monkeypatch.setattr(packing, "OF_GAMES", newer)
    monkeypatch.setattr(schema, "OF_GAMES", newer)
    monkeypatch.setattr(packing, "EVERY_NAME", [*packing.EVERY_NAME, "saved"])
    monkeypatch.setattr(packing, "StoredMove", SimpleNamespace)
    monkeypatch.chdir(TESTS)
    run("stores/tournament.yaml", out=tmp_path / "out", jobs=1)
    assert newer in layouts(tmp_path / "out")
    with Store(tmp_path / "out") as store:
        found = [(game.id, move.saved is None) for game, moves in store.games_with_moves() for move in moves]
    assert {(id in before) == unknown for id, unknown in found} == {True}
    assert {unknown for _, unknown in found} == {True, False}


def test_a_counter_that_a_store_has_never_kept_is_not_known(tmp_path, capsys):
    out = copy_without(V3 / "tournament", "cutoffs", tmp_path / "out")
    before = (out / "games.db").read_bytes()
    with Store(out) as store:
        games = [game for game in store.games() if game.first_cost.moves]
        assert games
        for game in games:
            assert game.first_cost.generated == sum(
                move.generated for move in store.moves(game.id) if move.ply % 2 == 0
            )
            assert game.first_cost.cutoffs is None
            assert {move.cutoffs for move in store.moves(game.id)} == {None}
    assert (out / "games.db").read_bytes() == before, "nothing is changed on disk by who only reads"
    show(out, next(game.id for game in games if not game.first.is_agent))
    assert re.search(r"cutoffs +–", capsys.readouterr().out)


def test_what_a_store_has_never_kept_of_a_move_is_kept_from_now_on(tmp_path, monkeypatch):
    out = copy_without(V3 / "study", "cpu_seconds", tmp_path / "out")
    before = kept(out)
    monkeypatch.chdir(TESTS)
    run("stores/study.yaml", out=out, jobs=1)
    with Store(out) as store:
        known = {one.id: {move.cpu_seconds is not None for move in one.moves} for one in store.searches()}
    assert {id: {id not in before} for id in known if known[id]} == {id: told for id, told in known.items() if told}
    assert any(id not in before for id in known)
    found = list(csv.DictReader((out / "searches.csv").read_text().splitlines()))
    assert {row["cpu_seconds"] == "" for row in found} == {True, False}
