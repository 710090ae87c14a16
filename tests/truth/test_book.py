"""The book of the standard board: published totals, our solver, the package of others, and what is told of damage."""

import numpy as np
import pytest

from tournament.errors import TourneyError
from tournament.games.connect4 import STANDARD, Position, Rules, read_position
from tournament.truth import bitbully
from tournament.truth.book import (
    FILE,
    PLIES,
    Book,
    book,
    each_move,
    following,
    layers,
    mirrored,
    packed,
    positions,
    unpacked,
    wins_at_once,
)
from tournament.truth.solver import Solver

# Of the first player, won, drawn and lost, of all positions of so many plies, mirror images and decided ones included.
PUBLISHED = {
    0: (1, 0, 0),
    4: (690, 200, 230),
    5: (1_080, 697, 2_486),
    6: (10_889, 1_943, 3_590),
    7: (17_507, 5_944, 31_408),
    8: (124_624, 14_676, 44_975),
}


def count(keys):
    """How many positions these are, mirror images counted too."""
    return len(np.unique(np.concatenate([keys, mirrored(keys)])))


def ended(plies):
    """The positions of so many plies in which the last move has made a line."""
    layer = layers()[plies - 1]
    keys = [((layer.mine ^ layer.mask) + (layer.mask | move))[wins] for move, wins in each_move(layer)]
    return count(np.concatenate(keys))


@pytest.mark.parametrize("plies", PUBLISHED)
def test_the_totals_by_ply_are_the_published_ones(plies):
    layer, values = layers()[plies], book().values(plies)
    won, drawn, lost = (count(layer.keys[values == sign]) for sign in (1, 0, -1))
    if plies == PLIES:  # the book leaves out those in which the side to move can win at once
        whole = following(layers()[plies - 1])
        won += count(whole.keys[wins_at_once(whole)])
    if plies:
        lost += ended(plies)
    assert (won, drawn, lost)[:: -1 if plies % 2 else 1] == PUBLISHED[plies]


def test_it_has_77715_values_in_some_15_kb():
    assert len(positions().keys) == 77_715
    assert FILE.stat().st_size < 16_000
    assert packed(unpacked(FILE.read_bytes(), 77_715)) == FILE.read_bytes()


@pytest.mark.parametrize("written", [b"", b"short", FILE.read_bytes()[:-1], FILE.read_bytes()[:-1] + b"\0"])
def test_a_book_that_is_damaged_is_one_sentence(written):
    with pytest.raises(TourneyError, match="the book of positions is damaged"):
        Book(written)


def test_it_knows_positions_of_up_to_eight_plies_and_their_mirror_images_and_no_others():
    position = read_position("444444")
    assert book().value(position) == 1
    assert book().value(read_position("11112222")) == book().value(read_position("77776666")) == -1
    assert book().value(read_position("111122223")) is None
    assert book().value(read_position("44", Rules(5, 7))) is None
    assert book().value(Position(STANDARD, STANDARD.cell(0, 0) | STANDARD.cell(0, 2))) is None  # which no game reaches


@pytest.mark.needs_jit
def test_our_solver_finds_what_the_book_says(long):
    """Positions from all over the book; in short, those with little to search."""
    layer, solver = positions(), Solver(STANDARD)
    values = unpacked(FILE.read_bytes(), len(layer.keys))
    proven = 0
    for number in range(0, len(layer.keys), 777):
        mine, mask = int(layer.mine[number]), int(layer.mask[number])
        solver.limit(most_nodes=None if long else 20_000)
        found = solver.score(Position(STANDARD, mine, mine ^ mask))
        if found is not None:
            proven += 1
            assert found == values[number]
    assert proven == 101 if long else proven > 2


@pytest.mark.skipif(bitbully.database() is None, reason="bitbully-databases is not installed")
def test_the_values_of_others_at_twelve_plies_lead_to_the_book():
    file = bitbully.database()
    assert file is not None
    assert packed(bitbully.values_from(file)) == FILE.read_bytes()
