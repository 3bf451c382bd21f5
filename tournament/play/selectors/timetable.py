"""The timetable, planned and actual; who counts as a player, and who plays in which session."""

from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournament.base.models.events import TimetableItem
from tournament.base.models.people import HAS_LEFT, Player
from tournament.base.models.play import Absence, Final, Seat, Session
from tournament.base.models.tournament import Tournament


@dataclass(frozen=True)
class Entry:
    """A session or another item, with its time if it has one."""

    number: int | None
    """The session's; None for everything else."""
    title: str
    """Empty for a session."""
    session: Session | None
    """None until it is drawn, and for everything else."""
    item: TimetableItem | None
    """None for a session without a planned time."""

    @property
    def starts_at(self) -> datetime | None:
        return self.item.starts_at if self.item else None

    @property
    def ends_at(self) -> datetime | None:
        return self.item.ends_at if self.item else None

    @property
    def began_at(self) -> datetime | None:
        """When the session began; None before, and where it began in the minute planned."""
        began = self.session.started_at if self.session else None
        if began is None or self.starts_at is None:
            return began
        return None if abs((began - self.starts_at).total_seconds()) < 60 else began


@dataclass(frozen=True)
class Timetable:
    """`days`: what is planned, in order; `unplanned`: the sessions without a time."""

    days: tuple[tuple[date, tuple[Entry, ...]], ...]
    unplanned: tuple[Entry, ...]

    def __bool__(self) -> bool:
        return bool(self.days or self.unplanned)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything with a time, in order."""
        return tuple(entry for _day, entries in self.days for entry in entries)

    def of(self, session: int) -> Entry | None:
        """Return a session's entry by number, if it has a time."""
        return next((entry for entry in self.entries if entry.number == session), None)


def timetable(tournament: Tournament) -> Timetable:
    """Read the timetable in two queries, without sessions that are no longer planned."""
    sessions = sessions_of(tournament)
    items = list(tournament.timetable.all())
    planned = [
        Entry(item.session, item.title, sessions.get(item.session or 0), item)
        for item in items
        if item.session is None or item.session in sessions
    ]
    with_time = {entry.number for entry in planned}
    return Timetable(
        days=tuple((day, tuple(entries)) for day, entries in groupby(planned, key=_day)),
        unplanned=tuple(
            Entry(number, "", session, None)
            for number, session in sessions.items()
            if number not in with_time
        ),
    )


def _day(entry: Entry) -> date:
    assert entry.item is not None
    return entry.item.day


def sessions_of(tournament: Tournament) -> dict[int, Session | None]:
    """Map the numbers of planned sessions to the session; None for one that is not drawn yet."""
    drawn = {session.number: session for session in tournament.sessions.all()}
    last = max(tournament.sessions_planned, max(drawn, default=0))
    return {number: drawn.get(number) for number in range(1, last + 1)}


def participants() -> QuerySet[Player]:
    """List the players of all tournaments without substitutes and those who withdrew before they had played.

    This is the definition of who counts as a player, everywhere.
    """
    return Player.objects.filter(Q(withdrawn_at=None) | _has_played(), is_substitute=False)


def _has_played() -> Exists:
    """Whether the player was at a table with a result in a session that began before the player withdrew."""
    absent = open_absences().filter(table=OuterRef("table"), player=OuterRef("player"))
    return Exists(
        Seat.objects.filter(
            Q(table__hands_played__gt=0) | Q(table__counts_totals=True),
            ~Exists(absent),
            player=OuterRef("pk"),
            table__session__started_at__lte=OuterRef("withdrawn_at"),
        )
    )


def open_absences() -> QuerySet[Absence]:
    """List the absences of players who have not arrived."""
    return Absence.objects.filter(arrived_at=None, cancelled_at=None)


def participant_count() -> Coalesce:
    """Return an expression that counts the participants of each tournament of a query.

    A subquery, because counting joined rows would group by every column.
    """
    players = participants().filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return Coalesce(Subquery(players.annotate(n=Count("pk")).values("n")), 0)


def players_of(tournament: Tournament) -> QuerySet[Player]:
    """List the participants of a tournament."""
    return participants().filter(tournament=tournament)


def seats_of_departed(session: Session) -> QuerySet[Seat]:
    """List the seats of withdrawn and excluded players, with or without a stand-in, by table."""
    seats = Seat.objects.filter(table__session=session, player__in=Player.objects.filter(HAS_LEFT))
    return seats.select_related("player", "table").order_by("table__number", "id")


def vacant_seats(session: Session) -> QuerySet[Seat]:
    """List the seats of withdrawn and excluded players without a stand-in: they block the start of a session, unless
    they are left empty explicitly."""
    return seats_of_departed(session).filter(stand_in="")


def final_of(tournament: Tournament, session: int) -> Final | None:
    """Return the final that a session belongs to; None when it is for everybody."""
    return tournament.finals.filter(after_session__lt=session).last()


def players_in(tournament: Tournament, session: int) -> QuerySet[Player]:
    """List the players of a session: the finalists or everybody, without withdrawn and excluded players."""
    here = tournament.players.exclude(HAS_LEFT)
    final = final_of(tournament, session)
    return here if final is None else here.filter(number__in=final.numbers)


def may_be_seated(player: Player, entry: Entry) -> bool:
    """Whether the entry is a session without seats yet that the player is to play."""
    if entry.number is None or (
        entry.session and (entry.session.started_at or entry.session.tables.exists())
    ):
        return False
    return players_in(player.tournament, entry.number).filter(pk=player.pk).exists()


def draw_is_out_of_date(tournament: Tournament) -> bool:
    """Whether the seated players of the last planned session differ from those who are to play it."""
    session = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False).last()
    if session is None:
        return False
    expected = set(players_in(tournament, session.number).values_list("number", flat=True))
    return expected != set(
        Seat.objects.filter(table__session=session).values_list("player__number", flat=True)
    )
