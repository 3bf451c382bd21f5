"""Finding oneself at the door: by name, number or EMA number, or by the link of one's registration."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.web.selectors.search import fits

MOST: Final = 8
"""So many are shown: who sees more types on."""
FEWEST: Final = 2
"""Letters to look for a name by."""


def found_by(tournament: Tournament, wanted: str) -> list[Player]:
    """Who fits, nobody for less than two letters or a figure; one whose EMA number it is alone."""
    people = list(tournament.players.filter(withdrawn_at=None, is_substitute=False))
    if len(wanted) == 8 and (own := [player for player in people if player.ema_number == wanted]):
        return own
    if len(wanted) < FEWEST and not wanted.isdecimal():
        return []
    return [player for player in people if fits(player, wanted)][:MOST]


def of_registration(tournament: Tournament, key: str) -> Player | None:
    """Whose registration has this key, which only their own link knows."""
    try:
        uuid = UUID(key)
    except ValueError:
        return None
    found = tournament.registrations.filter(key=uuid).select_related("player").first()
    return found.player if found and found.player and not found.player.is_withdrawn else None
