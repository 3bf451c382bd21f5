"""Who works at a tournament, and who umpires which tables."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, TypedDict

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from scoring.engine.problems import Problem, problem_code
from tournament.base.access import Actor, duties
from tournament.base.errors import Refused
from tournament.base.models.log import name_of
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.problems import NO_SUCH_SESSION, NO_SUCH_TABLE
from tournament.staff.engine import Shift, propose
from tournament.staff.models import Invitation, Watch

UMPIRE_PLAYS = problem_code(
    "umpire_plays", "{name} plays in session {session}, so umpires only in other sessions.", also=("table",)
)
UMPIRE_NOT_THERE = problem_code(
    "umpire_not_there", "{name} is not an umpire of table {table} in session {session}."
)

Row = tuple[int, int, int]
"""Of a rota: session and table by number, and the key of an umpire's membership."""


class Scope(TypedDict, total=False):
    """Where an umpire's or scorer's role is for: the named sessions and tables, or everywhere when none is.

    `every_session`: the tables are meant by their numbers, also in sessions that have no seats yet.
    """

    sessions: Collection[Session]
    tables: Collection[Table]
    every_session: bool


MOST_UNKNOWN: Final = 5
"""So many unknown sessions or tables are named at once."""
_BY_ROLE = Case(*(When(role=role, then=Value(place)) for place, role in enumerate(Role)))


def staff_of(tournament: Tournament) -> QuerySet[Membership]:
    """List everybody with a role and an account, those who may most first; has_second_factor: of the account."""
    members = tournament.memberships.filter(desk_pass=None).select_related("user", "player")
    guarded = TOTPDevice.objects.filter(user=OuterRef("user"), confirmed=True)
    members = members.annotate(has_second_factor=Exists(guarded), place=_BY_ROLE)
    return members.prefetch_related("sessions", "tables__session").order_by("place", "user__username")


def invitations_of(tournament: Tournament) -> QuerySet[Invitation]:
    """List the invitations whose links may still open something, the first to end first."""
    return tournament.invitations.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())


def tables_of(tournament: Tournament) -> list[int]:
    """List the numbers of the hall's tables: those drawn, or as many as the players who take part need."""
    drawn = Table.objects.filter(session__tournament=tournament).values_list("number", flat=True)
    players = tournament.players.filter(withdrawn_at=None).count()
    return sorted({*drawn}) or list(range(1, -(-players // 4) + 1))


def scope_of(tournament: Tournament, sessions: Collection[int], tables: Collection[int]) -> Scope:
    """Find the sessions and tables of these numbers; none named means all of them.

    Raises `Refused` with those that are not drawn.
    """
    chosen = list(tournament.sessions.filter(number__in=sessions))
    drawn = Table.objects.filter(session__tournament=tournament, number__in=tables)
    at = list(drawn.filter(session__in=chosen) if sessions else drawn)
    unknown = {*sessions} - {session.number for session in chosen}, {*tables} - {table.number for table in at}
    if problems := unknown_numbers(*unknown):
        raise Refused(problems)
    return {"tables": at, "every_session": not chosen} if tables else {"sessions": chosen}


def unknown_numbers(sessions: Collection[int], tables: Collection[int]) -> list[Problem]:
    """Say that there are no such sessions and tables, of each the first few."""
    return [
        *(NO_SUCH_SESSION("sessions", session=number) for number in sorted(sessions)[:MOST_UNKNOWN]),
        *(NO_SUCH_TABLE("tables", table=number) for number in sorted(tables)[:MOST_UNKNOWN]),
    ]


# --- The rota ---


@dataclass(frozen=True)
class Line:
    """An umpire's line of the rota. `tables`: by session, their numbers; None where the umpire plays."""

    membership: Membership
    name: str
    tables: dict[int, list[int] | None]

    @property
    def load(self) -> int:
        return self.load_in(None)

    def load_in(self, session: int | None) -> int:
        """Return how many tables an umpire has in a session, or in all of them."""
        return sum(len(tables or ()) for at, tables in self.tables.items() if session in (None, at))


@dataclass(frozen=True)
class RotaNow:
    sessions: list[int]
    lines: list[Line]
    uncovered: dict[int, list[int]]
    """By session, the tables nobody umpires; no session without any."""

    @property
    def is_set(self) -> bool:
        return any(line.load for line in self.lines)


def umpires_of(tournament: Tournament) -> list[Membership]:
    """List who may be put into the rota: umpires and the chief umpire, with an account or a pass of their own."""
    members = tournament.memberships.filter(role__in=[Role.UMPIRE, Role.CHIEF], table_number=None)
    members = members.filter(desk_pass__revoked_at=None).select_related("user", "player", "desk_pass")
    return sorted(members, key=lambda member: (member.role != Role.CHIEF, name_of(member.user)))


def rota_of(tournament: Tournament) -> RotaNow:
    """Return the rota as stored."""
    watches = Watch.objects.filter(membership__tournament=tournament)
    rows = watches.values_list("table__session__number", "table__number", "membership_id")
    return _laid_out(tournament, rows)


def proposed(tournament: Tournament) -> RotaNow:
    """Propose an even rota of those who umpire everywhere.

    The chief umpire walks the hall, unless there is nobody else.
    """
    everywhere = [member for member in umpires_of(tournament) if member.everywhere]
    umpires = [member for member in everywhere if member.role == Role.UMPIRE] or everywhere
    plays = _playing(tournament)
    tables = defaultdict(list)
    for session, number in drawn_tables(tournament):
        tables[session].append(number)
    shifts = [
        Shift(session, numbers, {member.pk for member in umpires if member.player_id in plays[session]})
        for session, numbers in tables.items()
    ]
    rota = propose(shifts, [member.pk for member in umpires])
    return _laid_out(tournament, ((*where, umpire) for where, umpire in rota.items()))


def _laid_out(tournament: Tournament, rows: Iterable[Row]) -> RotaNow:
    drawn, plays = drawn_tables(tournament), _playing(tournament)
    sessions = sorted({session for session, _ in drawn})
    watched: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    uncovered = defaultdict(list)
    for session, table, umpire in rows:
        watched[umpire, session].append(table)
        drawn.pop((session, table), None)
    for session, table in drawn:
        uncovered[session].append(table)
    lines = [
        Line(
            member,
            name_of(member.user),
            {
                session: None if member.player_id in plays[session] else sorted(watched[member.pk, session])
                for session in sessions
            },
        )
        for member in umpires_of(tournament)
    ]
    return RotaNow(sessions, lines, dict(uncovered))


def drawn_tables(tournament: Tournament) -> dict[tuple[int, int], Table]:
    """Find the tables by session and number, in that order."""
    tables = Table.objects.filter(session__tournament=tournament).select_related("session")
    return {
        (table.session.number, table.number): table for table in tables.order_by("session__number", "number")
    }


def _playing(tournament: Tournament) -> defaultdict[int, set[int | None]]:
    """Map sessions to staff members who have a seat in it and have not withdrawn."""
    seats = Seat.objects.filter(
        table__session__tournament=tournament,
        player__memberships__isnull=False,
        player__withdrawn_at=None,
    )
    players: defaultdict[int, set[int | None]] = defaultdict(set)
    for session, player in seats.values_list("table__session__number", "player_id"):
        players[session].add(player)
    return players


def rota_problems(tournament: Tournament, rows: Iterable[Row]) -> list[Problem]:
    """List everything that is wrong with a rota: where somebody plays, or does not umpire.

    Each `where` is the field of the session and the umpire.
    """
    plays, tables = _playing(tournament), drawn_tables(tournament)
    known = {member.pk: member for member in umpires_of(tournament)}
    duty = {key: duties([member])[0] for key, member in known.items()}
    problems: dict[tuple[str, str], Problem] = {}
    for session, table, key in rows:
        where, name = field_name(session, key), name_of(known[key].user) if key in known else str(key)
        if key in known and known[key].player_id in plays[session]:
            code = UMPIRE_PLAYS
        elif key in known and (at := tables.get((session, table))) and duty[key].covers(at):
            continue
        else:
            code = UMPIRE_NOT_THERE
        problems.setdefault((code.code, where), code(where, name=name, session=session, table=table))
    return list(problems.values())


def field_name(session: int, membership: int) -> str:
    return f"s{session}_u{membership}"


def watched_by(actor: Actor, session: Session) -> list[int]:
    """List the tables of a session that the rota gives the actor, by number."""
    if actor.user is None:
        return []
    watches = Watch.objects.filter(membership__user=actor.user, table__session=session)
    return sorted(set(watches.values_list("table__number", flat=True)))
