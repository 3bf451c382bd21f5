"""Where everybody sits in a hand, and in which wind round it is."""

from __future__ import annotations

from typing import Any

from tournament.base.engine.rotation import HANDS_PER_SESSION, position, prevalent_wind, seat_wind
from tournament.base.models.play import Table
from tournament.play.selectors.tables import CHAIRS
from tournament.web.texts.winds import NAMES, ROUNDS, wind_character, wind_letter


def rotation(table: Table) -> dict[int, dict[str, Any]]:
    """Hand → its round and who sits where, for all the session's hands: the desk may go on without the server."""
    seats = list(table.seats.select_related("player"))
    return {
        number: {
            "round": round_of(number),
            "places": {seat.player.number: place_of(table, seat.wind, number) for seat in seats},
        }
        for number in range(1, HANDS_PER_SESSION + 1)
    }


def round_of(number: int) -> dict[str, str]:
    wind = prevalent_wind(number)
    return {"character": wind_character(wind), "name": str(ROUNDS[wind])}


def place_of(table: Table, start: str, number: int) -> dict[str, Any]:
    """Where a player sits in a hand: the side of the picture and the wind."""
    chart = table.session.tournament.rules.chart
    wind = seat_wind(start, number, chart)
    return {
        "side": CHAIRS[position(start, number, chart)],
        "wind": {
            "code": wind,
            "name": str(NAMES[wind]),
            "character": wind_character(wind),
            "letter": wind_letter(wind),
            "dealer": wind == "E",
        },
    }
