"""Finding a player by what somebody types on a phone: without accents, in any case, in any order."""

from __future__ import annotations

from scoring.texts.folding import folded
from tournament.base.models.people import Player


def fits(player: Player, wanted: str) -> bool:
    """Whether this player is meant: by the number, or by every word in name, team, club, country. Nothing fits all."""
    words = folded(wanted).split()
    if len(words) == 1 and words[0].isdecimal():
        return player.number == int(words[0])
    about = folded(
        f"{player.name} {player.first_name} {player.last_name} {player.team} {player.club} {player.country}"
    )
    return all(word in about for word in words)
