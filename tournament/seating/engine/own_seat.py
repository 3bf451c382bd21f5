"""A session of 16 hands as one player sits through it (seed 000, Appendix 2)."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.base.engine.rotation import (
    APPENDIX_2,
    HANDS_PER_SESSION,
    WINDS,
    Chart,
    dealer,
    occupants,
    position,
    prevalent_wind,
    seat_wind,
)


@dataclass(frozen=True, slots=True)
class OwnHand:
    """One hand; players are named by their starting winds."""

    number: int
    prevalent: str
    seat: str
    """The player's seat wind."""
    chair: str
    """Where the player sits while the round lasts."""
    dealer: str
    upper: str
    """Who sits to the left, and whose discards may be chowed."""


def own_hands(start: str, chart: Chart = APPENDIX_2) -> tuple[OwnHand, ...]:
    """The 16 hands of the player who starts at the wind `start`; ValueError for no wind."""
    return tuple(_own_hand(start, number, chart) for number in range(1, HANDS_PER_SESSION + 1))


def _own_hand(start: str, number: int, chart: Chart) -> OwnHand:
    seat = seat_wind(start, number, chart)
    return OwnHand(
        number=number,
        prevalent=prevalent_wind(number),
        seat=seat,
        chair=position(start, number, chart),
        dealer=dealer(number, chart),
        upper=occupants(number, chart)[WINDS[WINDS.index(seat) - 1]],
    )
