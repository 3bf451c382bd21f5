"""What an event weighs in the European ranking, with what that is reckoned from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tournament.base.models.tournament import Tournament
from tournament.ema.engine import MOST_SUBSTITUTES, Weight, weight
from tournament.play.selectors.participants import players_of


@dataclass(frozen=True)
class Weighed:
    """Who takes part, from where and how long, and the weight that comes of it."""

    days: int
    players: int
    substitutes: int
    """Those who count as players: at most three, whoever is entered to fill a table and has not withdrawn."""
    countries: tuple[tuple[str, int], ...]
    """(alpha-3, how many), the most first."""
    weight: Weight


def weighed(tournament: Tournament, *, is_championship: bool) -> Weighed:
    everybody = list(players_of(tournament).values_list("country", flat=True))
    theirs = Counter(country for country in everybody if country)
    days = (tournament.ends_on - tournament.starts_on).days + 1
    fill = tournament.players.filter(is_substitute=True, withdrawn_at=None).count()
    substitutes = min(fill, MOST_SUBSTITUTES)
    return Weighed(
        days,
        len(everybody),
        substitutes,
        tuple(sorted(theirs.items(), key=lambda pair: (-pair[1], pair[0]))),
        weight(days, len(everybody), len(theirs), substitutes=substitutes, is_championship=is_championship),
    )
