"""What the public pages read of a tournament: it at a glance, the draw by table and by player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.tables import Glance, session_tables
from tournament.players.selectors.participants import players_of
from tournament.web.selectors.search import fits


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
        return any(each.state != Session.State.PLANNED for each in self.sessions)

    @property
    def running(self) -> Session | None:
        return next((each for each in self.sessions if each.state == Session.State.RUNNING), None)

    @property
    def last_closed(self) -> Session | None:
        closed = [each for each in self.sessions if each.state == Session.State.CLOSED]
        return closed[-1] if closed else None

    @property
    def next(self) -> Session | None:
        """The session that begins after the one being played, or after the last one closed."""
        return next((each for each in self.sessions if each.state == Session.State.PLANNED), None)

    @property
    def is_over(self) -> bool:
        return self.is_drawn and all(each.state == Session.State.CLOSED for each in self.sessions)


def overview(tournament: Tournament) -> Overview:
    return Overview(tuple(tournament.sessions.all()), players_of(tournament).count())


@dataclass(frozen=True)
class Progress:
    """The tables of a session being played, and how many have handed their sheets in, for who is told."""

    tables: tuple[Glance, ...]

    @property
    def tables_in(self) -> int:
        return sum(each.is_in for each in self.tables)


def progress(session: Session, audience: Audience) -> Progress:
    return Progress(tuple(session_tables(session, audience)))


# --- the draw -------------------------------------------------------------------------------------------------
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
        return any(one.tables for one in self.sessions)


def seating_chart(tournament: Tournament, wanted: str = "") -> SeatingChart:
    """The whole draw in three queries. With `wanted`: the players it fits, and the tables they sit at."""
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
    found = {(seat.player_id, seat.table.session_id): seat for seat in seats}
    return [
        PlayerSeats(player, tuple(found.get((player.pk, session.pk)) for session in sessions))
        for player in players
    ]
