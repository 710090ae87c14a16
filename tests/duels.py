"""A duel that has ended, and one that has not: what tests of reports and of commands share."""

from dataclasses import replace

from tournament.engine.settings import Effort
from tournament.evidence.elo import Margin
from tournament.evidence.sprt import Claim, Decision, Terms
from tournament.report.duel import Duel

DECIDED = Duel(
    new="a",
    old="b",
    effort=Effort("depth", 3),
    terms=Terms(),
    decision=Decision("H1", Claim("better"), 2.75, (-2.5, 2.5), 12, 8, 0.75),
    margin=Margin(190.8, (80.2, 330.4), 0.998),
    played=12,
    openings=568,
    most_pairs=None,
    plays_the_same=False,
)
UNDECIDED = replace(DECIDED, decision=DECIDED.decision._replace(accepted=None, claim=None))
