"""A player's own page: where to sit next, what was played, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from penalties.models import Penalty
from tournament.base.access import Audience
from tournament.base.models.hands import Hand
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_from
from tournament.play.selectors.paper_figures import Dearest, dearest, on_paper
from tournament.ranking.engine.results import Carried, SessionScore
from tournament.ranking.selectors.player_figures import AtWind, Course, by_wind, course, fans_made, met
from tournament.ranking.selectors.player_now import Appointment, PlayerNow, appointments, player_now
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.ranking_rows import RankingRow
from tournament.seating.models import Final


@dataclass(frozen=True)
class Entrance:
    """What the player took into a final, of the points had before."""

    final: Final
    carried: Carried


@dataclass(frozen=True)
class Statistics:
    """Counts over the hands a player has sat through."""

    hands: int
    won: int
    self_drawn: int
    dealt_in: int
    won_points: int
    """The fan totals of the hands won, summed."""
    dealt_in_points: int

    @property
    def neither(self) -> int:
        return self.hands - self.won - self.dealt_in

    @property
    def average_won(self) -> int | None:
        return round(self.won_points / self.won) if self.won else None

    @property
    def average_dealt_in(self) -> int | None:
        return round(self.dealt_in_points / self.dealt_in) if self.dealt_in else None


@dataclass(frozen=True)
class PlayerPage(PlayerNow):
    results: tuple[Appointment | Entrance, ...]
    """Sessions that gave a result, and finals entered with less than all points, in order."""
    statistics: Statistics
    course: Course
    winds: tuple[AtWind, ...]
    fans: tuple[tuple[str, int], ...]
    met: tuple[tuple[Player, int], ...]
    best: Dearest | None
    """The dearest hand won; the earliest of equals, and one that is written down before one that is noted."""
    penalties: tuple[Penalty, ...]
    """Those that stand, in the order given."""


def player_page(
    tournament: Tournament, audience: Audience, player: Player, rank: int | None = None
) -> PlayerPage:
    """Everything the page shows, in a fixed number of queries. `rank`: the one to say what it takes for."""
    ranked = ranking(tournament, audience)
    hidden = hidden_from(audience, tournament)
    line = ranked.find(player.number)
    scores = {score.session: score for score in line.standing.sessions} if line else {}
    seats = appointments(player, scores)
    not_there = [number for number, score in scores.items() if score.place is None]
    hands = list(
        Hand.objects.filter(table__seats__player=player, is_current=True)
        .exclude(table__session__number__in=[*hidden, *not_there])
        .select_related("table__session", "winner", "discarder")
        .order_by("table__session__number", "number")
    )
    won = [hand for hand in hands if hand.winner_id == player.pk]
    noted = [
        one
        for one in on_paper(tournament, hidden).noted
        if one.winner == player and one.table.session.number not in not_there
    ]
    return PlayerPage(
        **vars(player_now(tournament, audience, player, rank, seats)),
        results=tuple(_results(ranked, line, seats)),
        statistics=_statistics(player, hands, won),
        course=course(player, hands, {number: score.game_points for number, score in scores.items()}),
        winds=by_wind(
            player, hands, {each.session.number: each.seat.wind for each in seats}, tournament.rules.chart
        ),
        fans=fans_made(won),
        met=met([seat.others for seat in seats if seat.session.state != Session.State.PLANNED]),
        best=next(iter(dearest(won, noted)), None),
        penalties=tuple(
            player.penalties.filter(cancelled_at=None)
            .exclude(table__session__number__in=hidden)
            .select_related("table__session", "victim")
        ),
    )


def _results(
    ranked: Ranking, line: RankingRow | None, seats: Sequence[Appointment]
) -> Iterator[Appointment | Entrance]:
    by_session = {seat.session.number: seat for seat in seats}
    for part, gave in zip(ranked.parts, line.parts, strict=True) if line else ():
        if isinstance(part, Final) and isinstance(gave, Carried):
            yield Entrance(part, gave)
        elif isinstance(gave, SessionScore):
            yield by_session[gave.session]


def _statistics(player: Player, hands: Sequence[Hand], won: Sequence[Hand]) -> Statistics:
    dealt_in = [hand for hand in hands if hand.discarder_id == player.pk]
    return Statistics(
        hands=len(hands),
        won=len(won),
        self_drawn=sum(hand.discarder_id is None for hand in won),
        dealt_in=len(dealt_in),
        won_points=sum(hand.points for hand in won),
        dealt_in_points=sum(hand.points for hand in dealt_in),
    )
