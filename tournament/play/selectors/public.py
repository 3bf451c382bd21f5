"""What the public pages read: progress of an event, its draw, what comes next for a player, a table's sheet."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db.models import Q

from penalties.models import Penalty
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import prevalent_wind, seat_wind, table_points
from tournament.base.log_actions import ACTIONS
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Hand, Seat, Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import hidden_from, is_withheld_from, publications_for
from tournament.play.selectors.absences import place_flags
from tournament.play.selectors.tables import TableSummary, session_tables
from tournament.play.selectors.timetable import Entry, players_of, timetable
from tournament.play.texts.log import STANDINGS_PUBLISHED
from tournament.web.selectors import matches_search

# --- Event at a glance ---


@dataclass(frozen=True)
class Overview:
    """The sessions of a tournament and their progress."""

    sessions: tuple[Session, ...]
    entered: int
    """Number of players who take part, without substitutes."""

    @property
    def is_drawn(self) -> bool:
        return bool(self.sessions)

    @property
    def has_begun(self) -> bool:
        return any(session.state != Session.State.PLANNED for session in self.sessions)

    @property
    def running(self) -> Session | None:
        return next((session for session in self.sessions if session.state == Session.State.RUNNING), None)

    @property
    def last_closed(self) -> Session | None:
        closed = [session for session in self.sessions if session.state == Session.State.CLOSED]
        return closed[-1] if closed else None

    @property
    def next(self) -> Session | None:
        """The session after the one being played, or after the last one closed."""
        return next((session for session in self.sessions if session.state == Session.State.PLANNED), None)

    @property
    def is_over(self) -> bool:
        return self.is_drawn and all(session.state == Session.State.CLOSED for session in self.sessions)


def overview(tournament: Tournament) -> Overview:
    return Overview(tuple(tournament.sessions.all()), players_of(tournament).count())


@dataclass(frozen=True)
class Progress:
    """The tables of a session, as far as an audience may see them."""

    tables: tuple[TableSummary, ...]

    @property
    def tables_in(self) -> int:
        return sum(table.is_in for table in self.tables)


def progress(session: Session, audience: Audience) -> Progress:
    return Progress(tuple(session_tables(session, audience)))


@dataclass(frozen=True)
class Change:
    """A write that is news, with its time and place."""

    action: str
    at: datetime
    session: int | None
    table: int | None
    hand: int | None


def last_change(tournament: Tournament, audience: Audience) -> Change | None:
    """Return the newest write that is news; None before the first session.

    Of a hidden session only start and end are news: nothing of its tables, and no publication.
    """
    news = [action for action in ACTIONS.values() if action.news]
    entries = tournament.log.of(*news)
    if hidden := hidden_from(audience, tournament):
        of_play = [action.code for action in news if action.is_of_play]
        entries = entries.exclude(action__in=of_play, data__session__in=hidden)
        entries = entries.exclude(
            Q(action=STANDINGS_PUBLISHED.code) & Q(data__after_session__gte=min(hidden))
        )
    entry = entries.order_by("-seq").first()
    if entry is None:
        return None
    data = entry.data
    return Change(entry.action, entry.at, data.get("session"), data.get("table"), data.get("hand"))


# --- Draw ---


@dataclass(frozen=True)
class SessionSeats:
    """A session's tables, each with its four seats in the order of the winds."""

    session: Session
    tables: tuple[tuple[Table, tuple[Seat, ...]], ...]


@dataclass(frozen=True)
class PlayerSeats:
    """A player's seats, one for each session; None where the player has none."""

    player: Player
    seats: tuple[Seat | None, ...]


@dataclass(frozen=True)
class SeatingChart:
    """All seats of a tournament, by table and by player."""

    sessions: tuple[SessionSeats, ...]
    players: tuple[PlayerSeats, ...]

    def __bool__(self) -> bool:
        return any(session.tables for session in self.sessions)


def seating_chart(tournament: Tournament, query: str = "") -> SeatingChart:
    """Read the draw in three queries. With `query`: only matching players and their tables."""
    seats = list(
        Seat.objects.filter(table__session__tournament=tournament)
        .select_related("table__session", "player")
        .order_by("table__session__number", "table__number", "id")
    )
    sessions = list(tournament.sessions.all())
    players = [player for player in tournament.players.all() if matches_search(player, query)]
    shown = {player.pk for player in players}
    at_table: defaultdict[Table, list[Seat]] = defaultdict(list)
    for seat in seats:
        at_table[seat.table].append(seat)
    sessions_seats = tuple(
        SessionSeats(session, _tables_of(session, at_table, shown if query else None)) for session in sessions
    )
    return SeatingChart(sessions_seats, tuple(_by_player(players, sessions, seats)))


def _tables_of(
    session: Session, at_table: dict[Table, list[Seat]], shown: set[int] | None
) -> tuple[tuple[Table, tuple[Seat, ...]], ...]:
    return tuple(
        (table, tuple(seats))
        for table, seats in at_table.items()
        if table.session_id == session.pk
        and (shown is None or any(seat.player_id in shown for seat in seats))
    )


def _by_player(
    players: Sequence[Player], sessions: Sequence[Session], seats: Sequence[Seat]
) -> list[PlayerSeats]:
    seat_of = {(seat.player_id, seat.table.session_id): seat for seat in seats}
    return [
        PlayerSeats(player, tuple(seat_of.get((player.pk, session.pk)) for session in sessions))
        for player in players
    ]


# --- What comes next ---


@dataclass(frozen=True)
class NextSeat:
    """The player's seat in the session being played, or in the next one."""

    seat: Seat
    entry: Entry | None
    """The session in the timetable, where it has a time."""

    @property
    def session(self) -> Session:
        return self.seat.table.session

    @property
    def has_begun(self) -> bool:
        return self.session.state == Session.State.RUNNING

    @property
    def others(self) -> list[Player]:
        """The other players at the table, in the order of their starting winds."""
        return [
            other.player for other in self.seat.table.seats.all() if other.player_id != self.seat.player_id
        ]

    @property
    def key(self) -> str:
        """Identifies the notification, so that none is sent twice: one for the start, one for each seat before."""
        number = self.session.number
        return (
            f"now {number}" if self.has_begun else f"next {number} {self.seat.table.number} {self.seat.wind}"
        )


@dataclass(frozen=True)
class OutOfFinal:
    """A final without the player. `rank`: the player's in the published standings before it."""

    final: Final
    rank: int | None
    has_begun = False

    @property
    def key(self) -> str:
        return f"out {self.final.after_session}"


Situation: TypeAlias = NextSeat | OutOfFinal


def situations(tournament: Tournament, players: Collection[Player]) -> Mapping[int, Situation]:
    """Map players, by primary key, to what they need to know next: their seat, or that a final is without them.

    Players with neither are left out. Fixed number of queries; nothing that the public pages withhold.
    """
    present = [player for player in players if not player.has_left]
    return {**_out_of_finals(tournament, present), **_next_seats(tournament, present)}


def _next_seats(tournament: Tournament, players: Collection[Player]) -> dict[int, Situation]:
    now = overview(tournament)
    session = now.running or now.next
    if session is None:
        return {}
    seats = (
        Seat.objects.filter(table__session=session, player__in=players)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
    )
    entry = timetable(tournament).of(session.number)
    return {seat.player_id: NextSeat(seat, entry) for seat in seats}


def _out_of_finals(tournament: Tournament, players: Collection[Player]) -> dict[int, Situation]:
    """Find players left out of a final, once the standings that decide it are public."""
    finals = list(tournament.finals.all())
    publications = {
        final.pk: publication
        for final in finals
        if (publication := _published_after(tournament, final.after_session)) is not None
    }
    situations: dict[int, Situation] = {}
    for player in players:
        final = next((final for final in finals if player.number not in final.numbers), None)
        if final is not None and (publication := publications.get(final.pk)) is not None:
            situations[player.pk] = OutOfFinal(final, _rank(publication, player))
    return situations


def _published_after(tournament: Tournament, session: int) -> Publication | None:
    return publications_for(Audience.PUBLIC, tournament).filter(after_session=session).first()


def _rank(publication: Publication, player: Player) -> int | None:
    return next((row["rank"] for row in publication.rows if row["number"] == player.number), None)


# --- Sheet of a table ---


@dataclass(frozen=True)
class Cell:
    """A player in a line: seat wind in that hand, change of score, and score after it."""

    wind: str
    change: int
    score: int
    role: str
    """"winner", "discarder" or ""."""


@dataclass(frozen=True)
class Line:
    """A hand with the penalties given in it; `hand` None for those given outside any hand."""

    hand: Hand | None
    prevalent_wind: str
    """Empty outside any hand."""
    penalties: tuple[Penalty, ...]
    cells: tuple[Cell, ...]
    """In the order of `Sheet.seats`."""
    is_totals: bool = False
    """Whether this is the last line of a sheet on paper: the difference between the lines above and the totals."""


@dataclass(frozen=True)
class Sheet:
    """A table's sheet, hand by hand, with changes and scores."""

    table: Table
    seats: tuple[Seat, ...]
    """In the order of the starting winds."""
    lines: tuple[Line, ...]
    cancelled: tuple[Penalty, ...]


def sheet(table: Table, audience: Audience) -> Sheet:
    """Read the sheet of a table; the last line has the scores of the seats.

    It has no lines where play is withheld from the audience.
    """
    seats = tuple(table.seats.select_related("player"))
    if is_withheld_from(audience, table.session):
        return Sheet(table, seats, (), ())
    hands = table.hands.filter(is_current=True).select_related("winner", "discarder").order_by("number")
    penalties = list(table.penalties.select_related("player", "victim"))
    standing = [penalty for penalty in penalties if not penalty.is_cancelled]
    lines: list[Line] = []
    scores = dict.fromkeys((seat.player.number for seat in seats), 0)
    before = [penalty for penalty in standing if penalty.hand_number is None]
    if before:
        lines.append(_hand_line(None, seats, scores, before))
    for hand in hands:
        lines.append(_hand_line(hand, seats, scores, [p for p in standing if p.hand_number == hand.number]))
    recorded = len(hands)
    coming = [p for p in standing if p.hand_number is not None and p.hand_number > recorded]
    if coming:
        lines.append(_hand_line(None, seats, scores, coming))
    if table.counts_totals:
        lines.append(_totals_line(seats, scores))
    return Sheet(table, seats, tuple(lines), tuple(penalty for penalty in penalties if penalty.is_cancelled))


def _hand_line(
    hand: Hand | None, seats: Sequence[Seat], scores: dict[int, int], penalties: list[Penalty]
) -> Line:
    """Build a line of the sheet, and update `scores` (player number → running score)."""
    cells = []
    for seat in seats:
        number = seat.player.number
        change = sum(penalty.effects_at_table.get(str(number), 0) for penalty in penalties)
        change += hand.payments.get(str(number), 0) if hand else 0
        scores[number] += change
        wind = (
            seat_wind(seat.wind, hand.number, seat.table.session.tournament.rules.chart)
            if hand
            else seat.wind
        )
        cells.append(Cell(wind, change, scores[number], _role(hand, seat)))
    return Line(hand, prevalent_wind(hand.number) if hand else "", tuple(penalties), tuple(cells))


def _role(hand: Hand | None, seat: Seat) -> str:
    if hand is None:
        return ""
    if hand.winner_id == seat.player_id:
        return "winner"
    return "discarder" if hand.discarder_id == seat.player_id else ""


def _totals_line(seats: Sequence[Seat], scores: dict[int, int]) -> Line:
    """Build the last line of a sheet on paper. `scores`: those after the lines above."""
    cells = [
        Cell(seat.wind, seat.game_points - scores[seat.player.number], seat.game_points, "") for seat in seats
    ]
    return Line(None, "", (), tuple(cells), is_totals=True)


def sheet_to_sign(table: Table) -> dict[str, Any]:
    """Return what players sign: player number → [score, table points as an exact fraction] (RULES §8)."""
    seats = list(table.seats.all())
    scale = table.session.tournament.rules.scale
    shares = table_points([seat.game_points for seat in seats], scale, place_flags(table, seats))
    return {
        str(seat.player.number): [seat.game_points, str(share)]
        for seat, share in zip(seats, shares, strict=True)
    }
