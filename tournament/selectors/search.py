"""Finding a player by what somebody types on a phone: without accents, in any case, in any order."""

from __future__ import annotations

import unicodedata

from tournament.models import Player

_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
"""Letters that Unicode does not take apart into a plain one and an accent."""


def folded(text: str) -> str:
    """
    >>> folded("Håkan ØSTERGAARD"), folded("Đặng"), folded("静")
    ('hakan ostergaard', 'dang', '静')
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char)).translate(_PLAIN)


def fits(player: Player, wanted: str) -> bool:
    """Whether this player is meant: by the number, or by every word in name, team, club, country. Nothing fits all."""
    words = folded(wanted).split()
    if len(words) == 1 and words[0].isdecimal():
        return player.number == int(words[0])
    about = folded(
        f"{player.name} {player.first_name} {player.last_name} {player.team} {player.club} {player.country}"
    )
    return all(word in about for word in words)
