"""Who sits where in each hand of a session (seed 000, Appendix 2 "Procedure for Seat Rotation").

A session is 16 hands: four wind rounds of four. Between rounds the players change chairs as the chart says;
within a round they keep their chairs while the deal, and with it every seat wind, moves on after each hand
(Appendix 1). A player is named here by the starting wind: the seat taken in the first hand of the session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

WINDS: Final = ("E", "S", "W", "N")
HANDS_PER_ROUND: Final = 4
HANDS_PER_SESSION: Final = 16


@dataclass(frozen=True, slots=True)
class Chart:
    """A seat rotation chart: for each wind round, who takes the chairs E, S, W, N, named by starting wind.

    ``rounds[1] == "SENW"`` reads: in the South round the player who started South takes the East chair, the
    one who started East the South chair, and so on. Raises ValueError unless round 1 is the start itself
    and everybody sits once in every chair.
    """

    key: str
    rounds: tuple[str, str, str, str]

    def __post_init__(self) -> None:
        if self.rounds[0] != "".join(WINDS):
            raise ValueError(f"chart {self.key}: the first round must be the starting seats")
        lines = [*self.rounds, *("".join(column) for column in zip(*self.rounds, strict=True))]
        if any(sorted(line) != sorted(WINDS) for line in lines):
            raise ValueError(f"chart {self.key}: everybody sits once in every chair")


APPENDIX_2: Final = Chart("appendix2", ("ESWN", "SENW", "WNSE", "NWES"))
EXCHANGED: Final = Chart("exchanged", ("ESWN", "SENW", "NWES", "WNSE"))
"""The other chart in circulation: Appendix 2 with the chairs of the West and North rounds exchanged.

It is Appendix 2 read by the wrong axis (a line a player instead of a line a round), which is how it came
about.
"""

CHARTS: Final[Mapping[str, Chart]] = {chart.key: chart for chart in (APPENDIX_2, EXCHANGED)}


def find_chart(key: str) -> Chart:
    """The named chart; KeyError when there is none."""
    return CHARTS[key]


def prevalent_wind(hand_number: int) -> str:
    """The wind of the round that hand 1..16 belongs to."""
    return WINDS[_round_and_turn(hand_number)[0]]


def position(start_wind: str, hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """The chair (named by the wind it has in the first hand of the round) of a player in hand 1..16.

    Chairs are fixed while a round lasts: draw the table picture with them.
    """
    wind_round, _ = _round_and_turn(hand_number)
    return WINDS[chart.rounds[wind_round].index(_wind(start_wind))]


def seat_wind(start_wind: str, hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """The seat wind in hand 1..16 of the player who started the session at ``start_wind``."""
    _, turn = _round_and_turn(hand_number)
    return WINDS[(WINDS.index(position(start_wind, hand_number, chart)) - turn) % 4]


def occupants(hand_number: int, chart: Chart = APPENDIX_2) -> dict[str, str]:
    """Seat wind → starting wind of the player who has it in hand 1..16, in the order E, S, W, N."""
    wind_round, turn = _round_and_turn(hand_number)
    seated = chart.rounds[wind_round]
    return {wind: seated[(chair + turn) % 4] for chair, wind in enumerate(WINDS)}


def dealer(hand_number: int, chart: Chart = APPENDIX_2) -> str:
    """The starting wind of the player who deals hand 1..16."""
    return occupants(hand_number, chart)["E"]


def _round_and_turn(hand_number: int) -> tuple[int, int]:
    if not 1 <= hand_number <= HANDS_PER_SESSION:
        raise ValueError(f"a session has hands 1 to {HANDS_PER_SESSION}, not {hand_number}")
    return divmod(hand_number - 1, HANDS_PER_ROUND)


def _wind(wind: str) -> str:
    if wind not in WINDS:
        raise ValueError(f"not a wind: {wind!r}")
    return wind
