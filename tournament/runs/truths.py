"""What perfect play makes of the openings of a run, found out before it begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.errors import ConfigError
from tournament.isolation.limits import Limits
from tournament.plan.source import Source
from tournament.plan.tasks import Plan
from tournament.plugins.perfect import Perfect
from tournament.text import counted
from tournament.truth.judge import values_of_openings
from tournament.truth.scope import is_known
from tournament.truth.verdict import Value

NODES = 2_000 if JIT_DISABLED else 2_000_000  # about half a second: for what nobody has asked for
TOLD_EVERY = 100  # openings

Tell = Callable[[str], None]


def truths_of(plan: Plan, tell: Tell) -> Mapping[str, Value]:
    """What is said of each opening: what was proven already, else what the book knows or a short search proves."""
    if not is_known(plan.rules):
        return {}
    left = [opening for opening in plan.openings if opening not in plan.truths]
    found = values_of_openings(left, plan.rules, nodes=NODES, tell=_telling(len(left), tell)) if left else {}
    return {opening: plan.truths.get(opening) or found[opening] for opening in plan.openings}


def proven_for_the_oracle(plan: Plan, source: Source, limits: Limits, tell: Tell) -> Mapping[str, Value]:
    """The value of every opening, where the oracle plays: a ConfigError where one takes longer than a move may."""
    if not any(isinstance(player.plugin, Perfect) for player in plan.players().values()):
        return plan.truths
    count = len(plan.openings)  # those of a value too: that was proven without a look at the clock
    found = values_of_openings(plan.openings, plan.rules, seconds=limits.move_seconds, tell=_telling(count, tell))
    unproven = [opening for opening, value in found.items() if value == "unknown"]
    if unproven:
        more = f", nor {counted(len(unproven) - 1, 'other')} of them" if len(unproven) > 1 else ""
        what = (
            f"the oracle can't play from opening `{unproven[0] or 'empty'}`{more}: what perfect play makes of it is "
            f"not proven within `move_seconds` of `limits`, {limits.move_seconds:g}: take openings of more plies, "
            "a smaller board, or more time."
        )
        raise ConfigError([source.mistake(("openings",), what)])
    return found


def _telling(count: int, tell: Tell) -> Callable[[int], None]:
    """Tells how many openings are solved, where that takes long enough to be seen."""
    return lambda done: tell(f"solving openings: {done:,} of {count:,}") if done % TOLD_EVERY == 0 else None
