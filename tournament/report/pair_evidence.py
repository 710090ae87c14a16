"""From pairs of games to what they are evidence of: the sign test, and the fitted model where there is enough."""

from __future__ import annotations

from tournament.evidence.pairs import FEWEST_DECISIVE, Pairs
from tournament.evidence.verdicts import verdicts
from tournament.report.evidence import Evidence, PairingVerdict
from tournament.report.ratings import ratings_of
from tournament.store import StoredPlayer

ALPHA = 0.05  # of a verdict's false alarms


def evidence_of(pairs: Pairs[StoredPlayer], seed: int) -> Evidence | None:
    """Ratings and verdicts as far as the pairs allow; None where there are no whole pairs."""
    if not pairs.pairings:
        return None
    ratings = ratings_of(pairs, seed) if pairs.decisive >= FEWEST_DECISIVE else None
    return Evidence(dict(pairs.players), pairs.decisive, ratings, _verdicts(pairs))


def _verdicts(pairs: Pairs[StoredPlayer]) -> tuple[PairingVerdict, ...]:
    """A verdict on each pairing, by depth or budget."""
    keys = sorted(pairs.pairings, key=lambda pairing: [pairs.players[key].settings.effort.order for key in pairing])
    found = verdicts([(pairs.pairings[key][0], pairs.pairings[key][1]) for key in keys], ALPHA)
    return tuple(
        PairingVerdict(*key, verdict, pairs.pairings[key][2]) for key, verdict in zip(keys, found, strict=True)
    )
