"""A player's own page: now and next, what was played, and what their hands add up to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from penalties.models import Penalty
from tournament.base.access import Audience
from tournament.base.engine.rules import WINDS, Chart, seat_wind
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Hand, Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import hidden_from
from tournament.play.selectors.hands import Statistics
from tournament.play.selectors.timetable import Entry, Timetable, may_be_seated, timetable
from tournament.play.selectors.totals import Dearest, dearest, on_paper
from tournament.ranking.engine.standings import Carried, SessionScore
from tournament.ranking.selectors.ranking import Ranking, WhatYouNeed, ranking, what_you_need
from tournament.ranking.selectors.standings import RankingRow

# --- Figures of the hands ---


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
    hands_with = Counter(fan["key"] for hand in won for fan in hand.fans)
    return tuple(sorted(hands_with.items(), key=lambda pair: (-pair[1], -points[pair[0]], pair[0])))


def met(seats: Sequence[Sequence[Seat]]) -> tuple[tuple[Player, int], ...]:
    """(opponent, at how many tables), the most often met first. `seats`: the others at each table played."""
    players = {other.player.number: other.player for others in seats for other in others}
    times = Counter(other.player.number for others in seats for other in others)
    return tuple(
        (players[number], n) for number, n in sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))
    )


# --- Now and next ---


@dataclass(frozen=True)
class Appointment:
    """A seat in one session, with the three others in the order of their starting winds."""

    seat: Seat
    others: tuple[Seat, ...]
    score: SessionScore | None = None
    """What it gave; None before the first hand there."""

    @property
    def session(self) -> Session:
        return self.seat.table.session


@dataclass(frozen=True)
class Missed:
    """A final that goes on without the player."""

    final: Final
    finalists: tuple[Player, ...]
    """Who went on, best first."""


@dataclass(frozen=True)
class PlayerNow:
    player: Player
    ranking: Ranking
    line: RankingRow | None
    """None for who withdrew before playing."""
    now: Appointment | None
    """The seat in the session being played."""
    needs: WhatYouNeed | None
    """What it takes there; None while nothing is played, or nothing more can change."""
    next: Appointment | None
    """The seat in the next planned session; None for a player who plays no further."""
    next_entry: Entry | None
    """The timetable's line for it; where no seat is drawn, for the next session that the player may be seated in."""
    has_times: bool
    """Whether anything has a time, so that there is something for a calendar."""
    missed: Missed | None
    """The first final without a ranked player who plays on."""


def player_now(
    tournament: Tournament,
    audience: Audience,
    player: Player,
    rank: int | None = None,
    seats: Sequence[Appointment] | None = None,
) -> PlayerNow:
    """In a fixed number of queries. `rank`: the one to say what it takes for; `seats`: `appointments`, where known."""
    ranked = ranking(tournament, audience)
    seats = appointments(player) if seats is None else seats
    coming = [seat for seat in seats if seat.session.state == Session.State.PLANNED]
    planned = timetable(tournament)
    now = next((seat for seat in seats if seat.session.state == Session.State.RUNNING), None)
    return PlayerNow(
        player=player,
        ranking=ranked,
        line=ranked.find(player.number),
        now=now,
        needs=what_you_need(ranked, now.seat, rank) if now else None,
        next=coming[0] if coming and not player.has_left else None,
        next_entry=_next_entry(planned, player, coming),
        has_times=bool(planned.days),
        missed=_missed(ranked, player),
    )


def _next_entry(planned: Timetable, player: Player, coming: Sequence[Appointment]) -> Entry | None:
    if player.has_left:
        return None
    if coming:
        return planned.of(coming[0].session.number)
    return next((entry for entry in planned.entries if may_be_seated(player, entry)), None)


def _missed(ranked: Ranking, player: Player) -> Missed | None:
    if player.has_left or player.is_substitute:
        return None
    final = next((final for final in ranked.finals if player.number not in final.numbers), None)
    if final is None:
        return None
    players = {row.player.number: row.player for row in ranked.rows}
    return Missed(final, tuple(players[number] for number in final.numbers if number in players))


def appointments(player: Player, scores: dict[int, SessionScore] | None = None) -> list[Appointment]:
    """Every seat of a player, in the order of the sessions. `scores`: session → what it gave."""
    seats = (
        Seat.objects.filter(player=player)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
        .order_by("table__session__number")
    )
    return [
        Appointment(
            seat=seat,
            others=tuple(other for other in seat.table.seats.all() if other.player_id != player.pk),
            score=(scores or {}).get(seat.table.session.number),
        )
        for seat in seats
    ]


# --- The player's page ---


@dataclass(frozen=True)
class Entrance:
    """What the player took into a final, of the points had before."""

    final: Final
    carried: Carried


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
        hand
        for hand in on_paper(tournament, hidden).noted
        if hand.winner == player and hand.table.session.number not in not_there
    ]
    return PlayerPage(
        **vars(player_now(tournament, audience, player, rank, seats)),
        results=tuple(_results(ranked, line, seats)),
        statistics=Statistics.of(hands, won, {player.pk}),
        course=course(player, hands, {number: score.game_points for number, score in scores.items()}),
        winds=by_wind(
            player, hands, {seat.session.number: seat.seat.wind for seat in seats}, tournament.rules.chart
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
