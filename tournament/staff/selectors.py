"""Reads of a tournament's staff, invitations and rota."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, TypedDict

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from scoring.engine.problems import Problem, problem_code
from tournament.base.access import OWNER_ASSIGNED_ROLES, Actor, duties
from tournament.base.errors import Refused
from tournament.base.models.log import name_of
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.problems import NO_SUCH_SESSION, NO_SUCH_TABLE
from tournament.staff.engine import Shift, propose_rota
from tournament.staff.models import Invitation, Watch

UMPIRE_PLAYS = problem_code(
    "umpire_plays", "{name} plays in session {session}, so umpires only in other sessions.", also=("table",)
)
UMPIRE_NOT_THERE = problem_code(
    "umpire_not_there", "{name} is not an umpire of table {table} in session {session}."
)

RotaEntry = tuple[int, int, int]
"""(session number, table number, primary key of the umpire's membership)"""


class Scope(TypedDict, total=False):
    """The sessions and tables of an umpire's or scorer's role; everywhere if there are none.

    `every_session`: the numbers of `tables` count in all sessions, also in those that are not drawn yet.
    """

    sessions: Collection[Session]
    tables: Collection[Table]
    every_session: bool


MAX_UNKNOWN_SHOWN: Final = 5
"""How many unknown sessions or tables a refusal lists."""
_ROLE_ORDER = Case(*(When(role=role, then=Value(place)) for place, role in enumerate(Role)))


def staff_of(tournament: Tournament) -> QuerySet[Membership]:
    """Return the memberships with an account, by role; annotated with `has_second_factor`."""
    members = tournament.memberships.filter(desk_pass=None).select_related("user", "player")
    devices = TOTPDevice.objects.filter(user=OuterRef("user"), confirmed=True)
    members = members.annotate(has_second_factor=Exists(devices), place=_ROLE_ORDER)
    return members.prefetch_related("sessions", "tables__session").order_by("place", "user__username")


def is_last(membership: Membership) -> bool:
    """Return whether this is the only owner, or the only organiser of a tournament without an owner."""
    replacing = {Role.OWNER: {Role.OWNER}, Role.ORGANISER: OWNER_ASSIGNED_ROLES}.get(
        Role(membership.role), set()
    )
    others = membership.tournament.memberships.filter(user__is_active=True, role__in=replacing)
    return bool(replacing) and not others.exclude(pk=membership.pk).exists()


def invitations_of(tournament: Tournament) -> QuerySet[Invitation]:
    """Return the invitations that are neither used, revoked nor expired, by expiry."""
    return tournament.invitations.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def tables_of(tournament: Tournament) -> list[int]:
    """Return the table numbers: those drawn, or as many as the players need before the draw."""
    drawn = Table.objects.filter(session__tournament=tournament).values_list("number", flat=True)
    players = tournament.players.filter(withdrawn_at=None).count()
    return sorted({*drawn}) or list(range(1, -(-players // 4) + 1))


def scope_of(tournament: Tournament, sessions: Collection[int], tables: Collection[int]) -> Scope:
    """Return the scope of sessions and tables with these numbers; no numbers mean all of them.

    Raises Refused for sessions and tables that are not drawn.
    """
    scope_sessions = list(tournament.sessions.filter(number__in=sessions))
    drawn = Table.objects.filter(session__tournament=tournament, number__in=tables)
    scope_tables = list(drawn.filter(session__in=scope_sessions) if sessions else drawn)
    unknown_sessions = {*sessions} - {session.number for session in scope_sessions}
    unknown_tables = {*tables} - {table.number for table in scope_tables}
    if problems := unknown_problems(unknown_sessions, unknown_tables):
        raise Refused(problems)
    if tables:
        return {"tables": scope_tables, "every_session": not scope_sessions}
    return {"sessions": scope_sessions}


def unknown_problems(sessions: Collection[int], tables: Collection[int]) -> list[Problem]:
    """Return a problem for each of the first `MAX_UNKNOWN_SHOWN` unknown sessions and tables."""
    return [
        *(NO_SUCH_SESSION("sessions", session=number) for number in sorted(sessions)[:MAX_UNKNOWN_SHOWN]),
        *(NO_SUCH_TABLE("tables", table=number) for number in sorted(tables)[:MAX_UNKNOWN_SHOWN]),
    ]


# --- The rota ---


@dataclass(frozen=True)
class RotaLine:
    """An umpire's line of the rota. `tables`: table numbers by session; None for sessions in which the umpire plays."""

    membership: Membership
    name: str
    tables: dict[int, list[int] | None]

    @property
    def load(self) -> int:
        return self.load_in(None)

    def load_in(self, session: int | None) -> int:
        """Return how many tables the umpire has in a session, or in all of them (None)."""
        return sum(len(tables or ()) for number, tables in self.tables.items() if session in (None, number))


@dataclass(frozen=True)
class RotaTable:
    """The rota as a table of umpires by sessions."""

    sessions: list[int]
    lines: list[RotaLine]
    uncovered: dict[int, list[int]]
    """The numbers of tables without an umpire, by session; sessions without such tables are left out."""

    @property
    def is_set(self) -> bool:
        return any(line.load for line in self.lines)


def umpires_of(tournament: Tournament) -> list[Membership]:
    """Return the umpires of the rota, the chief umpire first: those with an account or a pass of their own."""
    members = tournament.memberships.filter(role__in=[Role.UMPIRE, Role.CHIEF], table_number=None)
    members = members.filter(desk_pass__revoked_at=None).select_related("user", "player", "desk_pass")
    return sorted(members, key=lambda member: (member.role != Role.CHIEF, name_of(member.user)))


def rota_of(tournament: Tournament) -> RotaTable:
    """Return the stored rota."""
    watches = Watch.objects.filter(membership__tournament=tournament)
    rows = watches.values_list("table__session__number", "table__number", "membership_id")
    return _build_table(tournament, rows)


def proposed_rota(tournament: Tournament) -> RotaTable:
    """Return an even rota of the umpires whose role is for everywhere; without chief umpires if there are others."""
    everywhere = [member for member in umpires_of(tournament) if member.everywhere]
    umpires = [member for member in everywhere if member.role == Role.UMPIRE] or everywhere
    playing = _playing_staff(tournament)
    tables = defaultdict(list)
    for session, number in drawn_tables(tournament):
        tables[session].append(number)
    shifts = [
        Shift(session, numbers, {member.pk for member in umpires if member.player_id in playing[session]})
        for session, numbers in tables.items()
    ]
    rota = propose_rota(shifts, [member.pk for member in umpires])
    return _build_table(tournament, ((session, table, umpire) for (session, table), umpire in rota.items()))


def _build_table(tournament: Tournament, rows: Iterable[RotaEntry]) -> RotaTable:
    without_umpire, playing = drawn_tables(tournament), _playing_staff(tournament)
    sessions = sorted({session for session, _ in without_umpire})
    tables: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for session, table, umpire in rows:
        tables[umpire, session].append(table)
        without_umpire.pop((session, table), None)
    uncovered = defaultdict(list)
    for session, table in without_umpire:
        uncovered[session].append(table)
    lines = [
        RotaLine(
            member,
            name_of(member.user),
            {
                session: None if member.player_id in playing[session] else sorted(tables[member.pk, session])
                for session in sessions
            },
        )
        for member in umpires_of(tournament)
    ]
    return RotaTable(sessions, lines, dict(uncovered))


def drawn_tables(tournament: Tournament) -> dict[tuple[int, int], Table]:
    """Return the tables by (session number, table number), in that order."""
    tables = Table.objects.filter(session__tournament=tournament).select_related("session")
    return {
        (table.session.number, table.number): table for table in tables.order_by("session__number", "number")
    }


def _playing_staff(tournament: Tournament) -> defaultdict[int, set[int | None]]:
    """Map session numbers to the keys of players on the staff who have a seat and have not withdrawn."""
    seats = Seat.objects.filter(
        table__session__tournament=tournament,
        player__memberships__isnull=False,
        player__withdrawn_at=None,
    )
    players: defaultdict[int, set[int | None]] = defaultdict(set)
    for session, player in seats.values_list("table__session__number", "player_id"):
        players[session].add(player)
    return players


def rota_problems(tournament: Tournament, rows: Iterable[RotaEntry]) -> list[Problem]:
    """Return every problem with a rota: umpires who play in the session, or whose role is not for the table.

    Each problem is at the form field of the session and the umpire.
    """
    playing, tables = _playing_staff(tournament), drawn_tables(tournament)
    umpires = {member.pk: member for member in umpires_of(tournament)}
    duty_of = {key: duties([member])[0] for key, member in umpires.items()}
    problems: dict[tuple[str, str], Problem] = {}
    for session, number, key in rows:
        where = field_name(session, key)
        name = name_of(umpires[key].user) if key in umpires else str(key)
        table = tables.get((session, number))
        if key in umpires and umpires[key].player_id in playing[session]:
            code = UMPIRE_PLAYS
        elif key in umpires and table and duty_of[key].covers(table):
            continue
        else:
            code = UMPIRE_NOT_THERE
        problems.setdefault((code.code, where), code(where, name=name, session=session, table=number))
    return list(problems.values())


def field_name(session: int, membership: int) -> str:
    return f"s{session}_u{membership}"


def tables_umpired_by(actor: Actor, session: Session) -> list[int]:
    """Return the numbers of the tables of a session that the actor has in the rota."""
    if actor.user is None:
        return []
    watches = Watch.objects.filter(membership__user=actor.user, table__session=session)
    return sorted(set(watches.values_list("table__number", flat=True)))
