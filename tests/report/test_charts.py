"""The charts: valid, labelled, the same for the same results, in colours that stay with a player."""

import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from test_results import by_hand, game, player, results
from test_study_tables import by_hand as study_by_hand
from test_study_tables import move, searches
from test_study_tables import results as study_results

from tournament.engine.settings import Settings
from tournament.engine.values import WIN
from tournament.games.connect4 import Rules
from tournament.report import charts as charts_module
from tournament.report.charts import MOST_IN_MATRIX, charts
from tournament.report.drawing import DARKER, DIVERGING, INK, MADE_BY, Chart, coloured, luminance
from tournament.report.evidence import Estimate, RatedGroup
from tournament.report.longest import GameRecord
from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.study_charts import study_charts
from tournament.report.study_tables import grid_tables
from tournament.report.styles import COLOURS, Styles
from tournament.report.tables import crosstable
from tournament.store import Cost, StoredGame

pytestmark = pytest.mark.charts

SVG = "{http://www.w3.org/2000/svg}"
PAGES = ("#ffffff", "#181e28")  # what charts and names stand on, light and dark, as in look.css


def charts_of(found: Results, record: GameRecord | None = None) -> dict[str, Chart]:
    return {chart.name: chart for chart in charts(replace(found, longest=record))}


def texts(chart: Chart) -> list[str]:
    """Everything that is written on a chart, in order."""
    return [element.text or "" for element in ElementTree.fromstring(chart.svg).iter(f"{SVG}text")]


def studied(found: StudyResults) -> dict[str, Chart]:
    return {chart.name: chart for chart in study_charts(found)}


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def record() -> GameRecord:
    """A game in which the first player sees its win two moves ahead."""
    scores = [3.0, -2.0, 5.5, -4.0, WIN - 3, 1 - WIN + 1, WIN - 1]
    moves = [move(ply, ply % 2, score) for ply, score in enumerate(scores)]
    return GameRecord(game("robert", "john", "first", moves="1212121", plies=7), moves)


# ── a tournament's ───────────────────────────────────────────────────────────────────────────────


def test_every_chart_is_valid_named_and_labelled_with_units():
    _, found = by_hand()
    drawn = charts_of(found, record())
    assert list(drawn) == ["crosstable", "first-player", "cost", "game"]
    labels = {
        "crosstable": ["points of", "against"],
        "first-player": ["score of the first to move", "0 %", "100 %"],
        "cost": ["positions generated per move", "time per move", "depth (plies)"],
        "game": ["its score", "ply"],
    }
    for name, chart in drawn.items():
        root = ElementTree.fromstring(chart.svg)
        assert (root.tag, root.get("role"), root.get("data-made-by")) == (f"{SVG}svg", "img", MADE_BY)
        assert root.findtext(f"{SVG}title") == chart.title
        assert root.findtext(f"{SVG}desc") == chart.caption
        assert set(labels[name]) <= set(texts(chart))
        assert re.fullmatch(r"0 0 [\d.]+ [\d.]+", root.get("viewBox", ""))


def test_a_chart_names_the_players():
    _, found = by_hand()
    drawn = charts_of(found, record())
    for name in ("crosstable", "cost"):
        assert {"robert", "john", "brittany"} <= set(texts(drawn[name]))
    assert {"robert, moving first", "john, moving second"} <= set(texts(drawn["game"]))


def test_the_heat_map_has_the_points_in_percent_and_hatches_the_rest():
    _, found = by_hand()
    chart = charts_of(found)["crosstable"]
    table = crosstable(found.scores)
    points = [cell.split(" of ") for row in table.rows for cell in row[1:-1] if isinstance(cell, str)]
    percent = [f"{100 * float(won) / int(played):.0f}" for won, played in points]
    assert [text for text in texts(chart) if text.isdecimal()] == percent
    assert "url(#crosstable-" in chart.svg


def rated() -> Results:
    """a wins every pair against b, at depth 2."""
    openings = [f"{one}{other}" for one in range(1, 5) for other in range(1, 5)]
    pairs = [(("a", "b", "first"), ("b", "a", "second")) for _ in openings]
    return results(*(game(*one, opening=o) for o, pair in zip(openings, pairs, strict=True) for one in pair))


def test_ratings_are_drawn_with_intervals_where_there_are_any():
    drawn = charts_of(rated())
    assert texts(drawn["ratings"])[-2:] == ["a", "b"]
    assert "Elo against the average player, with the 95 % interval" in texts(drawn["ratings"])
    _, unrated = by_hand()
    assert "ratings" not in charts_of(unrated)


def test_an_interval_without_end_is_drawn_to_the_edge():
    found = rated()
    assert found.evidence is not None
    assert found.evidence.ratings is not None
    a, b = found.evidence.players
    without_end = Estimate(10.0, (float("-inf"), float("inf")))
    group = RatedGroup(None, 16, {a: without_end, b: Estimate(-10.0, (-20.0, 5.0))}, {})
    evidence = replace(found.evidence, ratings=replace(found.evidence.ratings, groups=(group,)))
    chart = charts_of(replace(found, evidence=evidence))["ratings"]
    assert not re.search(r"\b(nan|inf)\b", chart.svg)


def test_the_first_players_score_is_told_with_its_games():
    _, found = by_hand()
    shown = texts(charts_of(found)["first-player"])
    assert [text for text in shown if " % of " in text] == [
        "62.5 % of 4 games",
        "0.0 % of 1 game",
        "50.0 % of 2 games",
        "50.0 % of 7 games",
    ]
    assert {"depth 2", "depth 2 v 8", "depth 8", "all"} <= set(shown)


def test_cost_at_one_depth_lists_the_players_and_within_budgets_names_them():
    cost = Cost(moves=4, depths=8, generated=800, expanded=100, evaluated=700, cutoffs=50, seconds=0.1)
    one = results(game("a", "b", "first", first_cost=cost, second_cost=cost))
    assert {"a", "b"} <= set(texts(charts_of(one)["cost"]))
    limits = [Settings(2), Settings(nodes=200), Settings(seconds=0.05)]
    pairs = [[player(name, limit) for name in "ab"] for limit in limits]
    several = results(*(game(*pair, "first", first_cost=cost, second_cost=cost) for pair in pairs))
    assert {"2", "200 nodes", "0.05 s", "depth or budget"} <= set(texts(charts_of(several)["cost"]))


def test_who_never_searched_has_no_cost_and_no_chart_of_it():
    assert "cost" not in charts_of(results(game("a", "b", "first")))


def test_a_win_that_is_seen_is_a_mark_at_the_edge_and_no_number():
    chart = charts_of(by_hand()[1], record())["game"]
    assert {"win in 3 plies", "loss in 2 plies"} <= set(texts(chart))
    assert not [text for text in texts(chart) if "999" in text]
    assert "Game 01234567: robert against john, depth 2, won by the first player after 7 plies" in chart.caption
    assert "the longest game that one of them won" in chart.caption
    drawn = GameRecord(record().game._replace(result="draw"), record().moves)
    assert "the longest game since neither won any" in charts_of(by_hand()[1], drawn)["game"].caption


def test_without_games_there_are_no_charts():
    assert charts_of(results(planned=12)) == {}


def many(number: int) -> Results:
    names = [f"player-{one:02d}-with-a-name-that-is-rather-long" for one in range(number)]
    cost = Cost(moves=4, depths=8, generated=800, expanded=100, evaluated=700, cutoffs=50, seconds=0.1)
    return results(
        *(
            game(player(one, depth), player(other, depth), "first", first_cost=cost, second_cost=cost)
            for depth in (2, 4)
            for one, other in zip(names, [*names[1:], names[0]], strict=True)
        )
    )


def test_of_many_players_the_best_are_shown_and_it_is_said():
    drawn = charts_of(many(60))
    assert drawn["crosstable"].caption.endswith(f"The best {MOST_IN_MATRIX} of 60.")
    assert drawn["cost"].caption.endswith("The best 10 of 60 have lines of their own.")
    assert "50 others" in texts(drawn["cost"])
    assert max(map(len, texts(drawn["crosstable"]))) <= 26


# ── which game ───────────────────────────────────────────────────────────────────────────────────


def chosen(*games: StoredGame) -> str | None:
    record = results(*games).longest
    return record.game.id if record else None


def test_the_game_that_is_told_is_the_longest_that_one_of_the_best_two_won():
    games = [
        game("a", "b", "first", id="short", plies=7),
        game("b", "a", "second", id="long", plies=31),
        game("a", "b", "draw", id="drawn", plies=42),
        game("a", "c", "first", id="other", plies=41),
        game("c", "a", "second", id="another", plies=41),
        game("b", "c", "first", id="third", plies=40),
    ]
    assert chosen(*games) == "long"
    assert chosen(*games[3:]) == "other"
    assert chosen(games[2]) == "drawn"


def test_each_side_of_a_game_has_its_own_scores_at_the_plies_of_its_moves(monkeypatch):
    drawn = []
    monkeypatch.setattr(charts_module, "_draw_scores", lambda axes, own, colour, mark: drawn.append((own, colour)))
    played = game("robert", "john", "first", opening="4", plies=5, moves="41213")
    scores = {1: 1.5, 2: -2.5, 3: 3.5, 4: None}
    moves = [move(ply, 0, score) for ply, score in scores.items()]
    _, found = by_hand()
    styles = found.styles
    charts_of(found, GameRecord(played, moves))
    assert drawn == [
        ([(3, -2.5)], styles.of("robert").colour),
        ([(2, 1.5), (4, 3.5)], styles.of("john").colour),
    ]


def test_a_game_without_moves_or_with_a_fault_is_not_told():
    assert chosen(game("a", "b", "first", plies=0, moves="")) is None
    assert chosen(game("a", "b", "first", opening="44", plies=2, moves="44")) is None
    assert chosen(game("a", "b", "first", reason="forfeit", fault="a.py:1: …")) is None


# ── colours, names and bytes ─────────────────────────────────────────────────────────────────────


def test_a_colour_stays_with_a_player_through_all_charts():
    _, found = by_hand()
    drawn, styles = charts_of(found, record()), found.styles
    robert, john = styles.of("robert").colour, styles.of("john").colour
    assert robert != john
    for name in ("cost", "game"):
        assert {robert, john} <= set(re.findall("#[0-9a-f]{6}", drawn[name].svg))
    fewer = results(*by_hand()[0][:2]).styles
    assert fewer.of("robert") == styles.of("robert")


def test_72_players_look_different_even_without_colours_ten_lines_do():
    styles = list(Styles(map(str, range(72))))
    assert len({(style.colour, style.mark) for style in styles}) == 72
    assert len({(style.mark, style.line) for style in styles[:45]}) == 45


@pytest.mark.parametrize("colour", COLOURS)
def test_colours_stand_out_from_a_light_and_a_dark_page(colour):
    assert all(contrast(colour, page) >= 3 for page in PAGES)


def test_numbers_on_a_heat_map_can_be_read_on_every_shade():
    assert all(
        contrast(*coloured(step / 100, colours)) >= 4.5 for step in range(101) for colours in (DARKER, DIVERGING)
    )


def test_who_beats_whom_diverges_at_one_half():
    middle, more, less = (coloured(share, DIVERGING)[0] for share in (0.5, 0.8, 0.2))
    assert luminance(middle) > max(luminance(more), luminance(less))
    red, _, blue = (int(more[place : place + 2], 16) for place in (1, 3, 5))
    assert blue > red, "more than half is blue"
    red, _, blue = (int(less[place : place + 2], 16) for place in (1, 3, 5))
    assert red > blue, "less is orange"
    drawn = charts_of(by_hand()[1])["crosstable"]
    assert "blue is more than half, orange less" in drawn.caption
    halves = [cell for cell in re.findall("fill: (#[0-9a-f]{6})", drawn.svg) if cell == middle]
    assert len(halves) == texts(drawn).count("50")


def test_the_same_results_give_the_same_bytes():
    first = charts_of(by_hand()[1], record())
    again = charts_of(by_hand()[1], record())
    assert {name: chart.svg for name, chart in first.items()} == {name: chart.svg for name, chart in again.items()}
    assert not any("Date" in chart.svg or "matplotlib" in chart.svg for chart in first.values())


def test_ids_are_a_charts_own():
    drawn = [*charts_of(by_hand()[1], record()).values(), *studied(study_by_hand()).values()]
    assert len(drawn) > 5
    for chart in drawn:
        root = ElementTree.fromstring(chart.svg)
        ids = [element.get("id", "") for element in root.iter() if "id" in element.attrib]
        assert len(ids) == len(set(ids))
        assert all(id.startswith(f"{chart.name}-") for id in ids)
        used = re.findall(r'(?:url\(|href=")#([^")]+)', chart.svg)
        assert set() < set(used) <= set(ids)


def test_names_may_hold_anything():
    names = ["<script>alert(1)</script>", "$x^2$ & co", 'id="x" url(#y)', "名前", "bell\x07"]
    found = results(*(game(names[0], name, "first") for name in names[1:]))
    shown = texts(charts_of(found)["crosstable"])
    assert {"<script>alert(1)</script>", *names[1:4], "bell�"} <= set(shown)


def test_on_a_page_a_chart_takes_the_colours_of_the_text():
    chart = charts_of(by_hand()[1])["crosstable"]
    assert INK in chart.svg
    assert 'fill="#ffffff"' in chart.svg
    assert INK not in chart.embedded
    assert 'fill="#ffffff"' not in chart.embedded
    ElementTree.fromstring(chart.embedded)


def test_drawing_leaves_matplotlib_as_it_was():
    import matplotlib

    before = dict(matplotlib.rcParams)
    charts_of(by_hand()[1])
    assert dict(matplotlib.rcParams) == before


def test_matplotlib_is_not_imported_before_a_chart_is_drawn():
    program = "import sys, tournament.runs.runner; print(sorted({'matplotlib', 'jinja2'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# ── a study's ────────────────────────────────────────────────────────────────────────────────────


def test_a_study_has_nodes_and_time_with_the_curves_of_theory_and_what_is_saved():
    drawn = studied(study_by_hand())
    assert list(drawn) == [
        *("positions", "width-4", "width-3"),
        *(f"board-{number}-{kind}" for number in (1, 2, 3) for kind in ("cost", "reduction")),
        *("grid-n-size", "grid-n-depth", "grid-depth-size"),
    ]
    shown = texts(drawn["board-1-cost"])
    assert {"positions generated per search", "time per search", "depth (plies)"} <= set(shown)
    assert {"minimax", "alphabeta", "pvs, killers, table 12"} <= set(shown)
    curves = [text.partition(",")[0] for text in shown if text.startswith("b^")]
    assert curves == ["b^d", "b^(3d/4)", "b^(d/2)"]
    assert {"times fewer positions", "times as fast", "1 ×"} <= set(texts(drawn["board-1-reduction"]))


def test_the_grids_have_the_ratios_of_the_tables():
    found = study_by_hand()
    chart = studied(found)["grid-depth-size"]
    tables = [table for table in grid_tables(found.parts[0]) if table.title.startswith("depth × size")]
    ratios = [str(cell).rpartition(" = ")[2] for table in tables for row in table.rows for cell in row[1:] if cell]
    assert ratios
    assert [text for text in texts(chart) if "." in text] == ratios
    assert {"minimax / alphabeta", "depth (plies)", "size of the board (rows × columns)"} <= set(texts(chart))


def test_what_costs_more_than_it_saves_stands_below_one():
    pair = [searches("minimax", 2, move(generated=100)), searches("alphabeta", 2, move(generated=150))]
    assert {"0.3 ×", "1 ×"} <= set(texts(studied(study_results(*pair))["reduction"]))


def test_one_algorithm_alone_has_its_cost():
    assert list(studied(study_results(searches("minimax", 2, move(seconds=0.1))))) == ["cost"]


def test_a_study_in_which_everything_fails_has_no_charts():
    assert studied(study_results(searches("minimax", 2, fault="a.py:1: …"))) == {}


def test_searches_with_chance_stand_in_one_chart_with_those_without():
    drift = Rules(drift=0.6)
    kinds = (("minimax", "A", Rules()), ("alphabeta", "A", Rules()), ("expectiminimax", "B", drift))
    found = [searches(name, 2, move(seconds=0.1), part=part, rules=rules) for name, part, rules in kinds]
    shown = texts(studied(study_results(*found))["chance"])
    assert {"nodes per search", "time per search", "positions saved", "minimax", "expectiminimax"} <= set(shown)
    again = [*found, *(one._replace(part="C") for one in found if one.part == "A")]
    named = texts(studied(study_results(*again))["chance"])
    assert {"A: minimax", "C: minimax", "expectiminimax"} <= set(named), "of two parts with one algorithm"


def test_growth_projection_and_random_orders_are_drawn_with_their_time_and_their_spread():
    sizes = [(Settings(depth), 5) for depth in (2, 3, 4)]
    sizes += [(Settings(depth, order="random", order_seed=seed), 3 + seed) for depth in (2, 3, 4) for seed in (1, 2)]
    found = []
    for settings, size in sizes:
        depth = settings.depth or 0
        found.append(searches(settings, depth, move(generated=size**depth, seconds=size**depth / 1e6)))
    drawn = studied(study_results(*found))
    assert {"nodes × depth before", "time × depth before"} <= set(texts(drawn["growth"]))
    assert "times a random order's positions" in texts(drawn["random"])
    assert drawn["random"].caption.startswith("Positions generated, as many times the mean of alphabeta, random")
    bars = [drawn[name].svg.count("opacity: 0.6") for name in ("projection", "random", "growth")]
    assert bars == [2, 3, 0], "an interval for each algorithm, a spread for each depth"


def test_parts_have_charts_of_their_own():
    parts = [searches("minimax", 2, move(seconds=0.1), part=part) for part in ("One", "Two")]
    drawn = studied(study_results(*parts))
    assert list(drawn) == ["part-1-cost", "part-2-cost"]
    assert drawn["part-2-cost"].title.startswith("Two: ")
