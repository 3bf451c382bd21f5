"""What a player's hands add up to: the score hand by hand, by seat wind, the fans made, and who was met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.base.engine.rotation import WINDS, Chart, seat_wind
from tournament.base.models.hands import Hand
from tournament.base.models.people import Player
from tournament.base.models.play import Seat


@dataclass(frozen=True)
class Course:
    """The game points from nothing on: `scores` after each hand, sessions one after another."""

    scores: tuple[int, ...]
    sessions: tuple[tuple[int, int], ...]
    """(number, index of the score it ended or stands with)."""

    def __bool__(self) -> bool:
        return len(self.scores) > 1


def course(player: Player, hands: Sequence[Hand], results: Mapping[int, int]) -> Course:
    """`hands`: in order; `results`: session → the game points it counts for. What its hands did not give, a penalty for
    instance, is added where they end; hands of a session that does not count are left out.
    """
    scores, sessions, total = [0], [], 0
    for number, points in sorted(results.items()):
        for hand in hands:
            if hand.table.session.number == number:
                scores.append(scores[-1] + hand.payments.get(str(player.number), 0))
        total += points
        if scores[-1] != total:
            scores.append(total)
        sessions.append((number, len(scores) - 1))
    return Course(tuple(scores), tuple(sessions))


@dataclass(frozen=True)
class AtWind:
    """What the hands at one seat wind came to."""

    wind: str
    hands: int
    won: int
    dealt_in: int
    points: int


def by_wind(
    player: Player, hands: Sequence[Hand], starts: Mapping[int, str], chart: Chart
) -> tuple[AtWind, ...]:
    """East, South, West, North. `starts`: session → the wind the player started it with."""
    winds = [seat_wind(starts[hand.table.session.number], hand.number, chart) for hand in hands]
    at = {wind: [hand for hand, its in zip(hands, winds, strict=True) if its == wind] for wind in WINDS}
    return tuple(
        AtWind(
            wind,
            hands=len(played),
            won=sum(hand.winner_id == player.pk for hand in played),
            dealt_in=sum(hand.discarder_id == player.pk for hand in played),
            points=sum(hand.payments.get(str(player.number), 0) for hand in played),
        )
        for wind, played in at.items()
    )


def fans_made(won: Sequence[Hand]) -> tuple[tuple[str, int], ...]:
    """(fan, how many hands had it), the commonest first, then the dearest."""
    points = {fan["key"]: fan["points"] for hand in won for fan in hand.fans}
    made = Counter(fan["key"] for hand in won for fan in hand.fans)
    return tuple(sorted(made.items(), key=lambda pair: (-pair[1], -points[pair[0]], pair[0])))


def met(seats: Sequence[Sequence[Seat]]) -> tuple[tuple[Player, int], ...]:
    """(opponent, at how many tables), the most often met first. `seats`: the others at each table played."""
    players = {other.player.number: other.player for others in seats for other in others}
    times = Counter(other.player.number for others in seats for other in others)
    return tuple(
        (players[number], n) for number, n in sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))
    )
