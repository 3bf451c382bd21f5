"""What the public pages read: an event at a glance, its draw, what comes next for a player, a table's sheet."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.db.models import Q

from penalties.models import Penalty
from tournament.base.access import Audience
from tournament.base.engine.rules import prevalent_wind, seat_wind, table_points
from tournament.base.log_actions import ACTIONS
from tournament.base.models.people import Player
from tournament.base.models.play import Final, Hand, Seat, Session, Table
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import hidden_from, keeps_back, publications_for
from tournament.play.selectors.absences import placed
from tournament.play.selectors.tables import Glance, session_tables
from tournament.play.selectors.timetable import Entry, players_of, timetable
from tournament.play.texts.log import STANDINGS_PUBLISHED
from tournament.web.selectors import fits

# --- Event at a glance ---


@dataclass(frozen=True)
class Overview:
    """The sessions of a tournament: how far they are, and what comes next."""

    sessions: tuple[Session, ...]
    entered: int
    """Players who take part: substitutes are counted apart."""

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
        """The session that begins after the one being played, or after the last one closed."""
        return next((session for session in self.sessions if session.state == Session.State.PLANNED), None)

    @property
    def is_over(self) -> bool:
        return self.is_drawn and all(session.state == Session.State.CLOSED for session in self.sessions)


def overview(tournament: Tournament) -> Overview:
    return Overview(tuple(tournament.sessions.all()), players_of(tournament).count())


@dataclass(frozen=True)
class Progress:
    """The tables of a session being played, and how many have handed their sheets in, for who is told."""

    tables: tuple[Glance, ...]

    @property
    def tables_in(self) -> int:
        return sum(table.is_in for table in self.tables)


def progress(session: Session, audience: Audience) -> Progress:
    return Progress(tuple(session_tables(session, audience)))


@dataclass(frozen=True)
class Change:
    """One write that is news, where it was, and when."""

    action: str
    at: datetime
    session: int | None
    table: int | None
    hand: int | None


def last_change(tournament: Tournament, audience: Audience) -> Change | None:
    """Find the newest write that people at the ranking want to know of; None before the first session.

    Of a hidden session its beginning and end are told, but nothing of its tables, and no publication.
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
    """A session's tables as drawn, each with its four seats in the order of the winds."""

    session: Session
    tables: tuple[tuple[Table, tuple[Seat, ...]], ...]


@dataclass(frozen=True)
class PlayerSeats:
    """Where a player sits in each of the sessions; None where the player has no seat."""

    player: Player
    seats: tuple[Seat | None, ...]


@dataclass(frozen=True)
class SeatingChart:
    """Every seat of a tournament, by table and by player."""

    sessions: tuple[SessionSeats, ...]
    players: tuple[PlayerSeats, ...]

    def __bool__(self) -> bool:
        return any(session.tables for session in self.sessions)


def seating_chart(tournament: Tournament, wanted: str = "") -> SeatingChart:
    """Read the whole draw in three queries. With `wanted`: the players it fits, and the tables they sit at."""
    seats = list(
        Seat.objects.filter(table__session__tournament=tournament)
        .select_related("table__session", "player")
        .order_by("table__session__number", "table__number", "id")
    )
    sessions = list(tournament.sessions.all())
    players = [player for player in tournament.players.all() if fits(player, wanted)]
    shown = {player.pk for player in players}
    at_table: defaultdict[Table, list[Seat]] = defaultdict(list)
    for seat in seats:
        at_table[seat.table].append(seat)
    drawn = tuple(
        SessionSeats(session, _tables_of(session, at_table, shown if wanted else None))
        for session in sessions
    )
    return SeatingChart(drawn, tuple(_by_player(players, sessions, seats)))


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
class Seated:
    """The player's seat in the session being played, or in the next one."""

    seat: Seat
    entry: Entry | None
    """When the timetable has it begin."""

    @property
    def session(self) -> Session:
        return self.seat.table.session

    @property
    def begins(self) -> bool:
        return self.session.state == Session.State.RUNNING

    @property
    def others(self) -> list[Player]:
        """Those at the table, in the order of their starting winds."""
        return [
            other.player for other in self.seat.table.seats.all() if other.player_id != self.seat.player_id
        ]

    @property
    def word(self) -> str:
        """Name the situation, so that nobody is told the same twice; a session begins once, whatever changes later."""
        number = self.session.number
        return f"now {number}" if self.begins else f"next {number} {self.seat.table.number} {self.seat.wind}"


@dataclass(frozen=True)
class Out:
    """The final is for others. `rank`: that of the player in the published standings before it."""

    final: Final
    rank: int | None
    begins = False

    @property
    def word(self) -> str:
        return f"out {self.final.after_session}"


Situation: TypeAlias = Seated | Out


def situations(tournament: Tournament, players: Collection[Player]) -> Mapping[int, Situation]:
    """Say what players need to know next: where to sit in the session that begins or comes, or that they are out.

    By the player's pk, for those that have a situation, in a fixed number of queries; only what the public pages tell
    everybody.
    """
    present = [player for player in players if not player.has_left]
    return {**_out(tournament, present), **_seated(tournament, present)}


def _seated(tournament: Tournament, players: Collection[Player]) -> dict[int, Situation]:
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
    return {seat.player_id: Seated(seat, entry) for seat in seats}


def _out(tournament: Tournament, players: Collection[Player]) -> dict[int, Situation]:
    """Find those whom a final leaves out, once standings that the public may read say so."""
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
            situations[player.pk] = Out(final, _rank(publication, player))
    return situations


def _published_after(tournament: Tournament, session: int) -> Publication | None:
    return publications_for(Audience.PUBLIC, tournament).filter(after_session=session).first()


def _rank(publication: Publication, player: Player) -> int | None:
    return next((row["rank"] for row in publication.rows if row["number"] == player.number), None)


# --- Sheet of a table ---


@dataclass(frozen=True)
class Cell:
    """One player in one line: the seat wind in that hand, what the line changed, and the score after it."""

    wind: str
    change: int
    score: int
    role: str
    """winner, discarder or nothing."""


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
    """What brings the lines above to the totals from paper, which count."""


@dataclass(frozen=True)
class Sheet:
    """A table's sheet: hand by hand what happened, what it moved, and the scores after it."""

    table: Table
    seats: tuple[Seat, ...]
    """In the order of the starting winds."""
    lines: tuple[Line, ...]
    cancelled: tuple[Penalty, ...]


def sheet(table: Table, audience: Audience) -> Sheet:
    """Read the sheet as it stands; the last line's scores are those of the seats.

    It has no lines where the audience is not told of them.
    """
    seats = tuple(table.seats.select_related("player"))
    if keeps_back(audience, table.session):
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
    """Build one line of the sheet, and bring `scores` (player number → running score) up to date."""
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
    """Build the foot of a sheet that was kept on paper. `scores`: those of what is written down above it."""
    cells = [
        Cell(seat.wind, seat.game_points - scores[seat.player.number], seat.game_points, "") for seat in seats
    ]
    return Line(None, "", (), tuple(cells), is_totals=True)


def sheet_to_sign(table: Table) -> dict[str, Any]:
    """Return what a signature is under: everybody's score and table points (RULES §8, kept exactly)."""
    seats = list(table.seats.all())
    scale = table.session.tournament.rules.scale
    shares = table_points([seat.game_points for seat in seats], scale, placed(table, seats))
    return {
        str(seat.player.number): [seat.game_points, str(share)]
        for seat, share in zip(seats, shares, strict=True)
    }
