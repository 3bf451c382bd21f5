"""A player's own page: seats, results, needs, and figures of the hands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from penalties.models import Penalty
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import WINDS, Chart, seat_wind
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Hand, Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, hidden_from, seating_version
from tournament.play.selectors.hands import Statistics
from tournament.play.selectors.timetable import Entry, Timetable, may_be_seated, timetable
from tournament.play.selectors.totals import ListedHand, highest_scoring, paper_summary
from tournament.ranking.engine.standings import Carried, SessionScore
from tournament.ranking.selectors.needs import PlayerNeeds, player_needs
from tournament.ranking.selectors.ranking import Ranking, RankingRow, shared_ranking

# --- Figures of the hands ---


@dataclass(frozen=True)
class PointsHistory:
    """The player's game points from 0 on: `scores` after each hand, sessions one after another."""

    scores: tuple[int, ...]
    sessions: tuple[tuple[int, int], ...]
    """(number, index of the score it ended or stands with)."""

    def __bool__(self) -> bool:
        return len(self.scores) > 1


def points_history(player: Player, hands: Sequence[Hand], results: Mapping[int, int]) -> PointsHistory:
    """Return the history. `hands`: in order; `results`: session → the game points it counts for, penalties included.

    The difference to the hands' points is added at a session's end; hands of sessions that do not count are left out.
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
    return PointsHistory(tuple(scores), tuple(sessions))


@dataclass(frozen=True)
class WindFigures:
    """The figures of the hands at one seat wind."""

    wind: str
    hands: int
    won: int
    dealt_in: int
    points: int


def figures_by_wind(
    player: Player, hands: Sequence[Hand], starts: Mapping[int, str], chart: Chart
) -> tuple[WindFigures, ...]:
    """Return the figures at East, South, West, North. `starts`: session → the player's starting wind."""
    winds = [seat_wind(starts[hand.table.session.number], hand.number, chart) for hand in hands]
    hands_at = {
        wind: [hand for hand, seat in zip(hands, winds, strict=True) if seat == wind] for wind in WINDS
    }
    return tuple(
        WindFigures(
            wind,
            hands=len(played),
            won=sum(hand.winner_id == player.pk for hand in played),
            dealt_in=sum(hand.discarder_id == player.pk for hand in played),
            points=sum(hand.payments.get(str(player.number), 0) for hand in played),
        )
        for wind, played in hands_at.items()
    )


def count_fans(won: Sequence[Hand]) -> tuple[tuple[str, int], ...]:
    """Return (fan, number of hands with it), the most frequent first, then the highest-scoring."""
    points = {fan["key"]: fan["points"] for hand in won for fan in hand.fans}
    hands_with = Counter(fan["key"] for hand in won for fan in hand.fans)
    return tuple(sorted(hands_with.items(), key=lambda pair: (-pair[1], -points[pair[0]], pair[0])))


def count_opponents(seats: Sequence[Sequence[Seat]]) -> tuple[tuple[Player, int], ...]:
    """Return (opponent, number of tables), the most frequent first. `seats`: the others at each table played."""
    players = {other.player.number: other.player for others in seats for other in others}
    counts = Counter(other.player.number for others in seats for other in others)
    return tuple(
        (players[number], n) for number, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )


# --- Present and next seat ---


@dataclass(frozen=True)
class SessionSeat:
    """A player's seat in one session, with the three others in the order of their starting winds."""

    seat: Seat
    others: tuple[Seat, ...]
    score: SessionScore | None = None
    """None before the first hand there."""

    @property
    def session(self) -> Session:
        return self.seat.table.session


@dataclass(frozen=True)
class MissedFinal:
    """A final without the player."""

    final: Final
    finalists: tuple[Player, ...]
    """Best first."""


@dataclass(frozen=True)
class FinalEntry:
    """The points that the player carried into a final, of those before."""

    final: Final
    carried: Carried


@dataclass(frozen=True)
class PlayerStatus:
    player: Player
    ranking: Ranking
    line: RankingRow | None
    """None for a player who withdrew before playing."""
    seats: tuple[SessionSeat, ...]
    """All, in the order of the sessions."""
    current: SessionSeat | None
    """The seat in the session being played; None for an excluded player."""
    needs: PlayerNeeds | None
    """None while no session is played, or when nothing can change."""
    next: SessionSeat | None
    """The seat in the next planned session; None for a player who plays no further."""
    next_entry: Entry | None
    """The timetable's line for it; without a seat, for the next session in which the player may be seated."""
    has_times: bool
    """Whether there is anything for a calendar."""
    missed_final: MissedFinal | None
    """The first final without this player; None for one who withdrew and for a substitute."""
    results: tuple[SessionSeat | FinalEntry, ...]
    """Sessions with a result, and finals entered with less than all points, in order."""

    @property
    def places(self) -> str:
        """Return "session/table" of each seat, for js/refresh.js: other tables do not concern the player."""
        return " ".join(f"{seat.session.number}/{seat.seat.table.number}" for seat in self.seats)

    @property
    def has_no_seat_yet(self) -> bool:
        """Whether there is no seat to show, and no reason for it."""
        return not (
            self.current or self.next or self.next_entry or self.missed_final or self.player.excluded_as
        )


def player_status(
    tournament: Tournament, audience: Audience, player: Player, rank: int | None = None
) -> PlayerStatus:
    """Return the status. `rank`: the one to compute needs for."""
    current_ranking = shared_ranking(tournament, audience)
    line = current_ranking.find(player.number)
    seats = seats_with_scores(tournament, player.number, line)
    planned_seats = [seat for seat in seats if seat.session.state == Session.State.PLANNED]
    times = _shared_timetable(tournament)
    running = [seat for seat in seats if seat.session.state == Session.State.RUNNING]
    current = running[0] if running and not player.excluded_as else None
    return PlayerStatus(
        player=player,
        ranking=current_ranking,
        line=line,
        seats=seats,
        current=current,
        needs=player_needs(current_ranking, current.seat, rank) if current else None,
        next=planned_seats[0] if planned_seats and not player.has_left else None,
        next_entry=_next_entry(times, player, planned_seats),
        has_times=bool(times.days),
        missed_final=_missed_final(current_ranking, player),
        results=tuple(_results(current_ranking, line, seats)),
    )


_shared_timetable = by_version(32, seating_version)(timetable)


def _next_entry(times: Timetable, player: Player, planned_seats: Sequence[SessionSeat]) -> Entry | None:
    if player.has_left:
        return None
    if planned_seats:
        return times.of(planned_seats[0].session.number)
    return next((entry for entry in times.entries if may_be_seated(player, entry)), None)


def _missed_final(current_ranking: Ranking, player: Player) -> MissedFinal | None:
    if player.has_left or player.is_substitute:
        return None
    final = next((final for final in current_ranking.finals if player.number not in final.numbers), None)
    if final is None:
        return None
    players = {row.player.number: row.player for row in current_ranking.rows}
    return MissedFinal(final, tuple(players[number] for number in final.numbers if number in players))


@by_version(8, seating_version)
def seats_by_player(tournament: Tournament) -> dict[int, tuple[SessionSeat, ...]]:
    """Return each player's seats by number, in the order of the sessions, without scores.

    One pass for everybody, since a whole hall asks after a session has begun or ended. Figures of tables may be old.
    """
    seats = (
        Seat.objects.filter(table__session__tournament=tournament)
        .select_related("table__session", "player")
        .order_by("table__session__number", "pk")
    )
    by_table: dict[int, list[Seat]] = {}
    for seat in seats:
        by_table.setdefault(seat.table_id, []).append(seat)
    seats_of: dict[int, list[SessionSeat]] = {}
    for table_seats in by_table.values():
        for seat in table_seats:
            others = tuple(other for other in table_seats if other is not seat)
            seats_of.setdefault(seat.player.number, []).append(SessionSeat(seat, others))
    return {number: tuple(player_seats) for number, player_seats in seats_of.items()}


def seats_with_scores(
    tournament: Tournament, number: int, line: RankingRow | None
) -> tuple[SessionSeat, ...]:
    """Return a player's seats with the scores of a line of the ranking."""
    scores = {score.session: score for score in line.standing.sessions} if line else {}
    seats = seats_by_player(tournament).get(number, ())
    return tuple(replace(seat, score=scores.get(seat.session.number)) for seat in seats)


# --- The player's page ---


@dataclass(frozen=True)
class PlayerPage(PlayerStatus):
    statistics: Statistics
    history: PointsHistory
    winds: tuple[WindFigures, ...]
    fans: tuple[tuple[str, int], ...]
    wins_with_fans: int
    """The hands won whose fans are known."""
    opponents: tuple[tuple[Player, int], ...]
    best: ListedHand | None
    """The highest-scoring hand won; the earliest of equals, and a recorded hand before a noted one."""
    penalties: tuple[Penalty, ...]
    """Those not cancelled, in the order of time."""


def player_page(
    tournament: Tournament, audience: Audience, player: Player, rank: int | None = None
) -> PlayerPage:
    """Return the page in a fixed number of queries. `rank`: the one to compute needs for."""
    status = player_status(tournament, audience, player, rank)
    hidden, seats = hidden_from(audience, tournament), status.seats
    scores = {seat.session.number: seat.score for seat in seats if seat.score}
    without_place = [number for number, score in scores.items() if score.place is None]
    hands = list(
        Hand.objects.filter(table__seats__player=player, is_current=True)
        .exclude(table__session__number__in=[*hidden, *without_place])
        .select_related("table__session", "winner", "discarder")
        .order_by("table__session__number", "number")
    )
    won = [hand for hand in hands if hand.winner_id == player.pk]
    noted = [
        hand
        for hand in paper_summary(tournament, hidden).noted
        if hand.winner == player and hand.table.session.number not in without_place
    ]
    return PlayerPage(
        **vars(status),
        statistics=Statistics.of(hands, won, {player.pk}),
        history=points_history(player, hands, {n: score.game_points for n, score in scores.items()}),
        winds=figures_by_wind(
            player, hands, {seat.session.number: seat.seat.wind for seat in seats}, tournament.rules.chart
        ),
        fans=count_fans(won),
        wins_with_fans=sum(bool(hand.fans) for hand in won),
        opponents=count_opponents([s.others for s in seats if s.session.state != Session.State.PLANNED]),
        best=next(iter(highest_scoring(won, noted)), None),
        penalties=tuple(
            player.penalties.filter(cancelled_at=None)
            .exclude(table__session__number__in=hidden)
            .select_related("table__session", "victim")
        ),
    )


def _results(
    current_ranking: Ranking, line: RankingRow | None, seats: Sequence[SessionSeat]
) -> Iterator[SessionSeat | FinalEntry]:
    by_session = {seat.session.number: seat for seat in seats}
    for part, score in zip(current_ranking.parts, line.parts, strict=True) if line else ():
        if isinstance(part, Final) and isinstance(score, Carried):
            yield FinalEntry(part, score)
        elif isinstance(score, SessionScore):
            yield by_session[score.session]
