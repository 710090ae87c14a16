"""For random results of tournaments and studies: what a sentence claims stands in a table, and what a table has decided
is not called open. A sentence that is not known here fails too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import records, tables_of
from test_results import RUN, game, player, results
from test_study_tables import CENTRE, move, searches
from test_study_tables import results as study_results

from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.summary import study_summary, summary
from tournament.report.table import shown_cell
from tournament.store import Cost

NAMES = ("ann", "bob", "cyd", "dee", "eve", "fay", "gus")
ABOVE, BELOW = ("above", "better"), ("below", "worse")
TURNED = dict(zip((*ABOVE, *BELOW), (*BELOW, *ABOVE), strict=True))


def table(found: Results | StudyResults, title: str) -> list[dict]:
    return [record for one in tables_of(found) if one.title == title for record in records(one)]


def number(text: str) -> int:
    return int(text.replace(",", ""))


def names_in(text: str) -> list[str]:
    return [name for name in re.split(r", | and | or ", text) if name]


# ── tournaments ──────────────────────────────────────────────────────────────────────────────────


class Tables:
    """What the tables of a tournament say, as sentences are held against it."""

    def __init__(self, found: Results) -> None:
        self.found = found
        self.ratings = {
            one.title.partition(", ")[2]: records(one) for one in tables_of(found) if one.title[:7] == "Ratings"
        }
        rows = {(row["player"], row["against"]): row["verdict"] for row in table(found, "Verdicts")}
        self.verdicts = rows | {(b, a): TURNED.get(word, word) for (a, b), word in rows.items()}
        self.decided = sum(word in TURNED for word in rows.values())
        self.pairings = len(rows)
        self.seats = {row["games of"]: row for row in table(found, "First-player advantage")}
        overall = next(one.title for one in tables_of(found) if one.title.startswith("Standings"))
        self.points = {row["player"]: row["points"] for row in table(found, overall)}

    def on_the_rated(self, where: str, rest: str) -> None:
        """`At depth 2 ann is rated highest, …`, or several, with the table of that depth."""
        rows = {row["player"]: row for row in self.ratings[where]}
        in_pool = self.found.scores.in_pool
        short = {name if in_pool else re.sub(r" \(\d+\)$", "", name): name for name in rows}
        best = next(iter(rows.values()))
        shown = shown_cell(best["Elo"], "elo")
        if tied := re.fullmatch(r"(.+) are rated highest, (\S+) Elo each; which of them is best can't be told\.", rest):
            assert tied[2] == shown
            if not tied[1].endswith(" players"):
                whole = [short[name] for name in names_in(tied[1])]
                assert all(shown_cell(rows[name]["Elo"], "elo") == shown for name in whole)
                assert not any(self.verdicts.get(both) in TURNED for both in permutations(whole, 2))
            return
        head = re.fullmatch(
            r"(\w+(?: \(\d+\))?) is rated highest, (\S+) Elo(?: \((?:95 % interval (.+?)|with no interval)\))?(.*)",
            rest,
        )
        assert head, rest
        leader, elo, interval, tail = short[head[1]], *head.groups()[1:]
        assert (leader, elo) == (best["player"], shown)
        if interval:
            assert interval == shown_cell(best["95 % interval"], "elo")
        words = {name: self.verdicts.get((leader, name)) for name in rows if name != leader}
        above, below = ([name for name, word in words.items() if word in some] for some in (ABOVE, BELOW))
        open_ones = [name for name, word in words.items() if word == "can't tell"]
        if interval and not above:
            assert best["95 % interval"][0] <= 0, "an interval that says more than the verdicts"
        tail = re.sub(
            r"; some [\d,]+ openings would tell it from \w+(?: \(\d+\))?, if they differ as they seem to\.$", ".", tail
        )
        though = re.match(r", though (.+?) (?:is|are) (?:above|better than) it", tail)
        assert sorted(short[name] for name in names_in(though[1] if though else "")) == sorted(below)
        tail = tail[though.end() :] if though else tail
        known: dict[str, Callable[[re.Match[str]], bool]] = {
            r"\.": lambda _: not above and not open_ones,
            r", and (?:above|better than) everybody else\.": lambda _: len(above) == len(words) > 1,
            r", and (?:above|better than) (.+)\.": lambda m: whole_of(m[1]) == above and not open_ones,
            r", but whether it is (?:above|better than) anybody can't be told: compared are .*\.": (
                lambda _: not above and not below and bool(open_ones)
            ),
            r", but whether it is (?:above|better than) (.+) can't be told: compared are .*\.": (
                lambda m: not above and whole_of(m[1]) == open_ones
            ),
            r": (?:above|better than) (\d+) of the (\d+) others; of (\d+) it can't be told\.": (
                lambda m: [number(one) for one in m.groups()] == [len(above), len(words), len(open_ones)]
            ),
            r": (?:above|better than) (\d+) of the (\d+) that it has met; of (\d+) it can't be told\.": (
                lambda m: (
                    [number(one) for one in m.groups()]
                    == [len(above), sum(word is not None for word in words.values()), len(open_ones)]
                )
            ),
            r": (?:above|better than) (.+); whether also (?:above|better than) (.+) can't be told\.": (
                lambda m: (whole_of(m[1]), whole_of(m[2])) == (above, open_ones)
            ),
        }

        def whole_of(text: str) -> list[str]:
            return [short.get(name, name) for name in names_in(text)]

        check(known, tail)

    def on_the_scores(self, who: str, told: str, rest: str) -> None:
        """`ann scored most, 3 of 4 points` and how sure that is, where nobody is rated."""
        most = max(self.points.values())
        assert float(told.split()[0]) == most
        if not who.endswith(" players"):
            assert sorted(names_in(who)) == sorted(name for name, points in self.points.items() if points == most)
        check(
            {
                r"; no opening was played in both seats, .*": lambda _: not self.pairings,
                r"\. One opening can't tell .*": lambda _: not self.decided,
                r", but whether anybody is better can't be told: .*": lambda _: not self.decided,
                r"; (\d+) of (\d+) pairings? (?:has|have) a verdict, by their own pairs\.": (
                    lambda m: (number(m[1]), number(m[2])) == (self.decided, self.pairings)
                ),
                r"; (.*), by their own pairs\.": lambda m: (
                    len(both := re.findall(r"([\w() ]+?) is better than (\w+(?: \(\d+\))?)", m[1])) == self.decided
                    and all(self.verdicts[one.removeprefix(" and ").strip(), other] in ABOVE for one, other in both)
                ),
            },
            rest,
        )

    def on_the_leaders(self, told: str, decided: str, pairings: str) -> None:
        assert (number(decided), number(pairings)) == (self.decided, self.pairings)
        for name, where in re.findall(r"(\w+) at depths? ([\d, and]+)", told):
            for depth in re.findall(r"\d+", where):
                assert self.ratings[f"depth {depth}"][0]["player"] == f"{name} ({depth})"

    def on_the_seat(self, scored: str, games: str, interval: str, word: str) -> None:
        row = self.seats["all"]
        assert scored == shown_cell(row["mover scored"], "percent")
        assert number(games) == row["mover won"] + row["drawn"] + row["mover lost"]
        assert interval == shown_cell(row["95 % by opening"], "interval")
        assert word == self.word_of(row)

    def word_of(self, row: dict) -> str:
        low, high = row["95 % by opening"]
        if low <= 0.5 <= high:
            return "whether moving first was worth anything can't be told"
        return f"moving {'first' if row['mover scored'] > 0.5 else 'second'} was an advantage"

    def on_the_seats_of(self, sentence: str) -> None:
        """In whose games the seat was an advantage: adjusted, so that a row's own interval must say so too."""
        for word, whose in re.findall(
            r"oving (first|second) was an advantage in the games of (.+?)(?: and moving|;|\.$)", sentence
        ):
            for name, scored in re.findall(r"([\w]+(?: \(\d+\))?) \(([\d.]+ %)\)", whose):
                row = self.seats[name]
                assert scored == shown_cell(row["mover scored"], "percent")
                assert self.word_of(row) == f"moving {word} was an advantage"

    def on_most_and_least(self, most: str, its_score: str, least: str, that_score: str) -> None:
        in_pool = self.found.scores.in_pool  # where the seats of a player are those of all its depths
        names = {re.sub(r" \(\d+\)$", "", name) if in_pool else name for name in self.points}
        scored = {name: row["mover scored"] for name, row in self.seats.items() if name in names}
        assert (scored[most], scored[least]) == (max(scored.values()), min(scored.values()))
        assert [its_score, that_score] == [shown_cell(scored[name], "percent") for name in (most, least)]

    def on_depths(self, low: str, first: str, high: str, last: str) -> None:
        shown = [shown_cell(self.seats[f"depth {depth}"]["mover scored"], "percent") for depth in (low, high)]
        assert shown == [first, last]

    def step(self, low: str, high: str) -> dict:
        """The row of a step on average, or of the one player there is."""
        where = number(low), number(high)
        return next(row for row in table(self.found, "What a ply is worth") if (row["from depth"], row["to"]) == where)

    def on_the_end(self, sentence: str) -> None:
        """Up to which depth a ply is told to pay: each step that is named, with its verdict."""
        known = {
            "still pays": "pays",
            "does can't be told": "can't tell",
            "no ply is told to pay": "",
            "that from": "costs",
        }
        for part in sentence.split("; "):
            verdict = next(verdict for words, verdict in known.items() if words in part)
            for low, high in re.findall(r"from (\d+) to (\d+)", part):
                if "no ply" in part:
                    after = [row for row in table(self.found, "What a ply is worth") if row["from depth"] >= int(low)]
                    who = after[0]["player"]
                    verdicts = {row["verdict"] for row in after if row["player"] == who}
                    assert verdicts == {"costs"} if "it costs," in part else "pays" not in verdicts
                else:
                    assert self.step(low, high)["verdict"] == verdict
                if elo := re.search(r"still pays, (\S+) Elo", part):
                    assert elo[1] == shown_cell(self.step(low, high)["Elo"], "elo")

    def on_alike(self, shallow: str, deep: str, elo: str, interval: str) -> None:
        row = table(self.found, "Who plays like whom")[0]
        assert (row["player"], row["plays like"]) == (shallow, deep)
        assert (elo, interval) == (shown_cell(row["Elo apart"], "elo"), shown_cell(row["95 % interval"], "elo"))
        assert max(map(abs, row["95 % interval"])) < 50
        assert self.verdicts.get((shallow, deep)) not in TURNED

    def on_prices(self, told: str) -> None:
        rows = {row["player"]: row for row in table(self.found, "Elo and price")}
        for name, most, unit in re.findall(r"(\w+ \(\d\)) for at most (\S+) (µs|ms|s|ns)", told):
            price = number(most) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]
            assert rows[name]["as good for less"] == "frontier"
            within = [row for row in rows.values() if row["CPU ms"] <= price * 1.001]
            assert rows[name]["Elo"] == max(row["Elo"] for row in within)

    def check(self, sentence: str) -> None:
        """Hold one sentence against the tables."""
        ply = r"From depth (\d+) to (\d+) a ply is worth (\S+) Elo \(95 % interval (.+?)\), "
        alike = r"(\w+) at depth (\d+) plays like (\w+) at depth (\d+), within 50 Elo: "
        scores = r"(.+) scored most, ([\d.]+ points? each|[\d.]+ of [\d,]+ points?)(.*)"
        seat = r"Whoever moved first(?: from the opening)? scored ([\d.]+ %) of ([\d,]+) "
        seat += r"games \(95 % interval (.+?), over .*?\): (.+)\."
        one_opening = (
            r"Whoever moved first(?: from .+)? won ([\d,]+), drew ([\d,]+) and lost ([\d,]+) of .*One opening .*"
        )
        nobodys = (
            r"It scored most in the games of (.+) \((.+ %)\), least in those of (.+) \((.+ %)\); with .* in nobody's\."
        )
        between = r"from ([\d.]+ %) at depth (\d+) to ([\d.]+ %) at depth (\d+)"
        check(
            {
                r"(?:At (depth \d+) )?(.+ (?:is|are) rated highest, .*)": lambda m: self.on_the_rated(m[1] or "", m[2]),
                r"Rated highest (?:is|are) (.*)\. ([\d,]+) of ([\d,]+) pairings? (?:has|have) a verdict\.": (
                    lambda m: self.on_the_leaders(*m.groups())
                ),
                scores: lambda m: self.on_the_scores(*m.groups()),
                seat: lambda m: self.on_the_seat(*m.groups()),
                one_opening: (
                    lambda m: (
                        [number(one) for one in m.groups()]
                        == [self.seats["all"][name] for name in ("mover won", "drawn", "mover lost")]
                        and self.seats["all"]["95 % by opening"] is None
                    )
                ),
                rf"(?:It (?:grew|fell) by .* a ply|That it changes steadily with depth), {between}.*": (
                    lambda m: self.on_depths(m[2], m[1], m[4], m[3])
                ),
                r"Moving (?:first|second) was an advantage in the games of .*": lambda m: self.on_the_seats_of(m[0]),
                nobodys: (lambda m: self.on_most_and_least(*m.groups())),
                r"From the empty board, which is one opening, whoever moved first scored (.+ %) of .* games\.": (
                    lambda m: (
                        m[1]
                        == shown_cell(
                            table(self.found, "First-player advantage, empty board")[-1 - len(self.points)][
                                "mover scored"
                            ],
                            "percent",
                        )
                    )
                ),
                ply + r"(?:on average over \d players|for \w+)\.": lambda m: (
                    (row := self.step(m[1], m[2]))["verdict"] != "can't tell"
                    and shown_cell(row["a ply"], "elo") == m[3]
                ),
                r"(?:Beyond depth|The last step).*": lambda m: self.on_the_end(m[0]),
                r"What a ply is worth can't be told from ([\d,]+) openings?: expected 8 or more\.": lambda m: (
                    number(m[1]) == self.found.evidence.openings < 8
                    and all(one.title != "What a ply is worth" for one in tables_of(self.found))
                ),
                r"Of no single step can it be told that it pays\.": lambda _: (
                    {
                        row["verdict"]
                        for row in table(self.found, "What a ply is worth")
                        if row["player"].startswith("all") and row["to"] - row["from depth"] == 1
                    }
                    <= {"can't tell", "costs"}
                ),
                r"Whether searching deeper than (\d+) is worth anything by depth (\d+) can't be told, .*": lambda m: (
                    self.step(m[1], m[2])["verdict"] == "can't tell"
                ),
                alike + r"(\S+) Elo \(95 % interval (.+)\)\.": (
                    lambda m: self.on_alike(f"{m[1]} ({m[2]})", f"{m[3]} ({m[4]})", m[5], m[6])
                ),
                r"Rated highest at their price: (.+) a move\.": lambda m: self.on_prices(m[1]),
                r"Only ([\d,]+) of ([\d,]+) planned games have been played\.": (
                    lambda m: (number(m[1]), number(m[2])) == (self.found.played, self.found.planned)
                ),
            },
            sentence,
        )


def check(known: dict[str, Callable[[re.Match[str]], object]], sentence: str) -> None:
    """Hold a sentence against the first of these forms that it has."""
    for form, holds in known.items():
        if match := re.fullmatch(form, sentence):
            assert holds(match) is not False, sentence
            return
    raise AssertionError(f"no form is known of: {sentence}")


def random_tournament(random: np.random.Generator) -> Results:
    """Some players at some depths, a round robin or a gauntlet, over few openings or many, in one seat or both."""
    players = int(random.integers(2, len(NAMES) + 1)) if random.random() < 0.3 else int(random.integers(2, 5))
    depths = int(random.choice([1, 1, 2, 4]))
    plies = int(random.choice([0, 2, 3])) if random.random() < 0.5 else 2
    openings = (
        [""]
        if plies == 0
        else [f"{n // 7 % 7 + 1}{n % 7 + 1}{n // 49 + 1}"[:plies] for n in range(random.integers(1, 26))]
    )
    openings += [""] * (plies == 2 and random.random() < 0.3)
    both, robin = random.random() < 0.8, random.random() < 0.7
    met = [
        (one, other)
        for one, other in permutations(range(players), 2)
        if (robin or 0 in (one, other)) and (both or one < other)
    ]
    spread, seat = random.choice([0, 0.5, 1, 3]), random.choice([-1, 0, 0.3, 2])
    games = []
    for depth in range(1, depths + 1):
        strength = spread * random.standard_normal(players)
        for opening in openings:
            worth = seat + random.standard_normal()
            for one, other in sorted(met, key=lambda pair: sorted(pair)):
                won = random.random() < 1 / (1 + np.exp(strength[other] - strength[one] - worth))
                result = "draw" if random.random() < 0.1 else "first" if won else "second"
                games.append(game(player(NAMES[one], depth), player(NAMES[other], depth), result, opening=opening))
    run = RUN._replace(seats="both" if both else "as-listed")
    return results(*games, planned=len(games) + int(random.integers(0, 2)), run=run)


def decided_anew(random: np.random.Generator, found: Results) -> Results:
    """The same with verdicts drawn at random, as other players might have had them."""
    evidence = found.evidence
    if evidence is None:
        return found
    verdicts = [one._replace(word=str(random.choice(["better", "worse", "can't tell"]))) for one in evidence.verdicts]
    return replace(found, evidence=replace(evidence, verdicts=tuple(verdicts)))


@given(st.integers(0, 10**6), st.booleans())
def test_of_tournaments(seed, anew):
    random = np.random.default_rng(seed)
    found = random_tournament(random)
    found = decided_anew(random, found) if anew else found
    told = Tables(found)
    said = summary(found)
    for sentence in said:
        told.check(sentence)
    if found.run.seats != "both":
        assert not any("moved first" in sentence or "oving" in sentence for sentence in said), "seats are not balanced"
    if not anew:
        for title in [one.title for one in tables_of(found) if one.title.startswith("Who beats whom")]:
            for row in table(found, title):
                for heading, cell in row.items():
                    if heading.startswith("against ") and cell:
                        word = told.verdicts.get((row["chance of"], heading.removeprefix("against ")))
                        assert cell.endswith("*") == (word in TURNED)


def random_pool(random: np.random.Generator) -> Results:
    """Some players at some depths, all of whom meet or most, with prices of their own."""
    depths = int(random.integers(2, 5))
    sides = [player(name, depth) for name in NAMES[: random.integers(1, 4)] for depth in range(1, depths + 1)]
    worth = random.choice([0, 0.5, 2]) * np.cumsum(random.random(depths) * (random.random(depths) < 0.6))
    strength = np.array([worth[one.settings.depth - 1] for one in sides]) + 0.2 * random.standard_normal(len(sides))
    price = [Cost(moves=3, cpu_seconds=float(np.exp(random.uniform(-14, 0)))) for _ in sides]
    met = [pair for pair in combinations(range(len(sides)), 2) if random.random() < 0.8]
    games = []
    for opening in range(int(random.integers(2, 20))):
        for pair in met:
            for one, other in (pair, pair[::-1]):
                won = random.random() < 1 / (1 + np.exp(strength[other] - strength[one] - 0.3))
                moves = {"opening": f"{opening // 7 + 1}{opening % 7 + 1}", "first_cost": price[one]}
                result = "first" if won else "second"
                games.append(game(sides[one], sides[other], result, second_cost=price[other], **moves))
    return results(*games, run=RUN._replace(seats="both", config="pool: true"))


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.booleans())
def test_of_pools(seed, anew):
    random = np.random.default_rng(seed)
    found = random_pool(random)
    if not found.played:
        return
    if anew and found.evidence.strength is not None:  # steps as others might have had them
        steps = tuple(
            one._replace(word=str(random.choice(["better", "worse", "can't tell"])))
            for one in found.evidence.strength.steps
        )
        found = replace(found, evidence=replace(found.evidence, strength=replace(found.evidence.strength, steps=steps)))
    told = Tables(found)
    for sentence in summary(found):
        told.check(sentence)


# ── studies ──────────────────────────────────────────────────────────────────────────────────────


ALGORITHMS = ("minimax", "alphabeta", "pvs", CENTRE)


@given(st.integers(0, 10**6))
def test_of_studies(seed):
    random = np.random.default_rng(seed)
    count, places = int(random.integers(2, 5)), int(random.integers(1, 4))
    values, moves = random.choice(2, (places,)), random.choice(2, (4, places))
    wrong = random.random() < 0.3
    found = study_results(
        *(
            searches(
                name,
                2,
                move(
                    generated=int(random.integers(1, 2000)),
                    seconds=float(random.uniform(0.001, 9)),
                    score=float(values[place]) + (wrong and number == 1),
                    chosen=int(moves[number, place]) if name is CENTRE else 0,
                    equals="12",
                ),
                place=f"place {place}",
            )
            for number, name in enumerate(ALGORITHMS[-count:])
            for place in range(places)
        )
    )
    said = study_summary(found)
    (title,) = [one.title for one in tables_of(found) if one.title.startswith("What is saved against")]
    rows = {row["algorithm"]: row for row in table(found, title)}
    first = title.removeprefix("What is saved against ")
    most, fastest = max(row["reduction"] for row in rows.values()), max(row["speed-up"] for row in rows.values())

    def is_fastest(algorithm: str, times: str) -> bool:
        return times == shown_cell(rows[algorithm]["speed-up"], "ratio") and rows[algorithm]["speed-up"] == fastest

    saved = r"At depth 2 (.+) saved (?:the most, )?([\d.]+ %) of the positions that (.+) generates "
    saved += r"\(([\d.,]+) times fewer\)"
    none = r"At depth 2 no algorithm generated fewer positions than .+?"

    def saves(m: re.Match[str]) -> bool:
        row = rows[m[1]]
        shown = shown_cell(row["reduction"], "percent"), first, shown_cell(row["times fewer generated"], "ratio")
        return row["reduction"] == most > 0 and m.groups()[1:4] == shown

    answers = {
        name: [one.moves[0] for one in found.found if one.player.settings.described == name] for name in (first, *rows)
    }
    same_value = all([one.score for one in own] == [one.score for one in answers[first]] for own in answers.values())
    same_move = all([one.chosen for one in own] == [one.chosen for one in answers[first]] for own in answers.values())
    known: dict[str, Callable[[re.Match[str]], object]] = {
        rf"{saved}; it was ([\d.,]+) times as fast\.": lambda m: saves(m) and is_fastest(m[1], m[5]),
        rf"{saved}; none was faster than .*\.": lambda m: saves(m) and fastest <= 1,
        rf"{saved}; (.+) was the fastest, ([\d.,]+) times as fast as .*\.": lambda m: (
            saves(m) and is_fastest(m[5], m[6])
        ),
        rf"{none}(?:; (.+) was the fastest, (.+) times as fast as .+)?\.": (
            lambda m: most <= 0 and (not m[1] or is_fastest(m[1], m[2]))
        ),
        r"The algorithms disagree: .*": lambda _: not same_value or not same_move,
        r"(Both|All \d) algorithms found the same value and the same move on .*": lambda _: same_value and same_move,
        r"(Both|All \d) algorithms found the same value on .*; on \d+ of them another order .*": (
            lambda _: same_value and not same_move
        ),
    }
    for sentence in said:
        check(known, sentence)
