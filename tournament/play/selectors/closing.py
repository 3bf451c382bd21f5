"""What is still open before a session is closed, standings are published or results opened; the queue of calls."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import Enum
from math import ceil

from django.db.models import Count, F, Min, Q, QuerySet
from django.utils import timezone

from penalties.engine.rules import Late
from penalties.models import Penalty
from scoring.engine.problems import Problem, problem_code
from tournament.base import access
from tournament.base.access import Actor, Audience
from tournament.base.log_actions import RESULTS_OPENED
from tournament.base.models.play import OPEN, Absence, Appeal, Hand, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import keeps_back
from tournament.play.models import Call, Signature, Totals
from tournament.play.selectors.absences import is_left_empty, lateness_ends
from tournament.play.texts.log import SESSION_CLOSED, STANDINGS_PUBLISHED

GONE_PAST = (SESSION_CLOSED, STANDINGS_PUBLISHED, RESULTS_OPENED)
"""The steps before which the check is made; their log entries keep what was open, as `left_open`."""


class Kind(Enum):
    """What is open; the value is its problem."""

    APPEAL = problem_code(
        "appeal_not_ruled", "Session {session}, table {table}: the appeal of {name} is not ruled."
    )
    RULING = problem_code(
        "ruling_not_carried_out",
        "Session {session}, table {table}: the appeal of {name} is granted and not carried out.",
    )
    CALL = problem_code(
        "call_still_open", "Session {session}, table {table}: an umpire is called and not done there."
    )
    LATENESS = problem_code(
        "lateness_not_given",
        "Session {session}, table {table}: {name} was late, in minute {minutes}, and has no penalty for it.",
    )
    UNSIGNED = problem_code("sheet_not_signed", "Session {session}, table {table}: not signed by {names}.")
    AFTER_TIME = problem_code(
        "hands_after_time",
        "Session {session}, table {table}: saved after the time was up, in minute {minute} of {minutes}: "
        "hand {hands}.",
    )
    TOTALS = problem_code(
        "totals_differ", "Session {session}, table {table}: two readings of the sheet differ."
    )


UNTIL_SETTLED = frozenset({Kind.APPEAL, Kind.RULING, Kind.CALL, Kind.TOTALS})
"""Asked about before every step. The others belong to a session's sheets: who went on once is not asked again."""


@dataclass(frozen=True)
class Finding:
    """One open thing and its table. `subject`: which of them there; `player`: whom it is about, where it is one."""

    kind: Kind
    session: int
    table: int
    subject: str = ""
    player: int | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The same for the same thing, as long as nothing about it changes."""
        return f"{self.kind.value.code}:{self.session}:{self.table}:{self.subject}"

    @property
    def problem(self) -> Problem:
        """The same, to be said as a sentence."""
        return self.kind.value("reason", session=self.session, table=self.table, **self.params)


def closing_check(tournament: Tournament, sessions: Sequence[Session]) -> tuple[Finding, ...]:
    """List everything still open in these sessions, by session and table, that nobody has gone past with a reason."""
    known = _gone_past(tournament)
    return tuple(
        finding
        for session in sessions
        for finding in _findings(tournament, session)
        if finding.kind in UNTIL_SETTLED or finding.key not in known
    )


def _gone_past(tournament: Tournament) -> set[str]:
    """Collect the keys of what was left open with a reason before."""
    entries = tournament.log.of(*GONE_PAST).order_by("seq").values_list("data", flat=True)
    return {key for data in entries for key in data.get("left_open", ())}


def _findings(tournament: Tournament, session: Session) -> Iterator[Finding]:
    session.tournament = tournament
    tables = list(session.tables.prefetch_related("seats__player"))
    findings = [
        *_appeals(session),
        *_calls(tournament, session),
        *_lateness(session),
        *_unsigned(session, tables),
        *_after_time(session, [table for table in tables if not table.counts_totals]),
        *_readings(session),
    ]
    yield from sorted(findings, key=lambda finding: finding.table)


def _appeals(session: Session) -> Iterator[Finding]:
    appeals = Appeal.objects.filter(OPEN, table__session=session).select_related("table", "player")
    for appeal in appeals:
        kind = Kind.RULING if appeal.is_pending else Kind.APPEAL
        name: dict[str, str | int] = {"name": appeal.player.name}
        yield Finding(kind, session.number, appeal.table.number, str(appeal.uuid), appeal.player.number, name)


def _calls(tournament: Tournament, session: Session) -> Iterator[Finding]:
    for call in open_calls(tournament).filter(table__session=session):
        yield Finding(Kind.CALL, session.number, call.table.number, str(call.pk))


def _lateness(session: Session) -> Iterator[Finding]:
    """Find whose lateness was measured without a penalty for it, not even one that was cancelled."""
    book = session.tournament.rules.fouls
    fouls = [foul.key for foul in book.fouls if isinstance(foul.rule, Late)]
    if not fouls:
        return
    given = Penalty.objects.filter(table__session=session, foul__in=fouls).order_by("pk")
    fined = set(given.values_list("table", "player"))
    absences = Absence.objects.filter(table__session=session, taken_back_at=None)
    for absence in absences.select_related("table__session__tournament", "player").order_by(
        "table__number", "since", "pk"
    ):
        if (absence.table_id, absence.player_id) in fined or is_left_empty(absence):
            continue
        until = absence.arrived_at or min(lateness_ends(absence), timezone.now())
        minutes = ceil((until - absence.since).total_seconds() / 60)
        params: dict[str, str | int] = {"name": absence.player.name, "minutes": minutes}
        yield Finding(
            Kind.LATENESS,
            session.number,
            absence.table.number,
            str(absence.uuid),
            absence.player.number,
            params,
        )


def _unsigned(session: Session, tables: Sequence[Table]) -> Iterator[Finding]:
    """Find sheets without all signatures, where signing is used: somebody in the tournament has signed a sheet."""
    if not Signature.objects.filter(table__session__tournament=session.tournament).exists():
        return
    standing = Signature.objects.filter(table__session=session, void_at=None).order_by("pk")
    signed = set(standing.values_list("table", "player"))
    for table in tables:
        missing = [seat.player for seat in table.seats.all() if (table.pk, seat.player_id) not in signed]
        if missing and table.hands_played:
            numbers = ",".join(str(player.number) for player in missing)
            names: dict[str, str | int] = {"names": ", ".join(player.name for player in missing)}
            yield Finding(Kind.UNSIGNED, session.number, table.number, numbers, params=names)


def _after_time(session: Session, tables: Sequence[Table]) -> Iterator[Finding]:
    late = saved_after_time(session, tables)
    for table in tables:
        if not (hands := late.get(table.pk)):
            continue
        params: dict[str, str | int] = {
            "hands": ", ".join(map(str, hands)),
            "minute": max(hands.values()),
            "minutes": session.minutes + table.extra_minutes,
        }
        yield Finding(Kind.AFTER_TIME, session.number, table.number, ",".join(map(str, hands)), params=params)


def _readings(session: Session) -> Iterator[Finding]:
    """Find sheets that two people read differently, and nobody has settled."""
    waiting = Totals.objects.filter(table__session=session, is_second=True, settled_as="")
    for table, uuid in waiting.order_by("table__number").values_list("table__number", "uuid"):
        yield Finding(Kind.TOTALS, session.number, table, str(uuid))


WRITING = timedelta(minutes=2)
"""Writing a hand down takes so long: what is saved that soon after the end was finished before it."""


def saved_after_time(session: Session, tables: Iterable[Table]) -> dict[int, dict[int, int]]:
    """Find the hands that were saved too late: table id → hand → the minute of the session in which it first was.

    At time the hand under way does not count (Overview of the rules), or where the tournament says so is finished: then
    the first one after it is none of these. Nor is one of which the umpire has said that it counts. A table's extra
    time is not over, and a pause is no playing time.
    """
    clock = session.clock
    times = {table.pk: timedelta(minutes=session.minutes + table.extra_minutes) for table in tables}
    if not times or clock is None:
        return {}
    finished = session.tournament.rules.timing.counts_last_hand
    too_late: defaultdict[int, dict[int, int]] = defaultdict(dict)
    hands = Hand.objects.filter(table__in=times).values_list("table", "number", "table__hands_played")
    rows = hands.annotate(first=Min("recorded_at"), said=Count("pk", filter=Q(in_time=True, is_current=True)))
    under_way: set[int] = set()
    for table, number, played, first, in_time in rows.order_by("table", "number"):
        minute = clock.played(first)
        if number > played or minute <= times[table] + WRITING:
            continue
        if finished and table not in under_way:
            under_way.add(table)
            continue
        if in_time:
            continue
        too_late[table][number] = ceil(minute.total_seconds() / 60)
    return dict(too_late)


def saved_in_minutes(table: Table) -> Mapping[int, int]:
    """Find the hands of one table that were saved too late: hand → minute."""
    return saved_after_time(table.session, [table]).get(table.pk, {})


def calls_of(tournament: Tournament) -> QuerySet[Call]:
    """List every call, with its table and who took it."""
    calls = Call.objects.filter(table__session__tournament=tournament)
    return calls.select_related("table__session__tournament", "taken_by")


def open_calls(tournament: Tournament) -> QuerySet[Call]:
    """List the queue: the longest waiting first, those somebody has taken at the end."""
    # Explicitly, because databases disagree about where those come that nobody has taken.
    order = (F("taken_at").asc(nulls_first=True), "called_at", "id")
    return calls_of(tournament).filter(done_at=None).order_by(*order)


def calls_for(actor: Actor, tournament: Tournament) -> list[Call]:
    """List the calls of the queue that the actor may answer."""
    return [call for call in open_calls(tournament) if access.can_judge(actor, call.table)]


def halls_of(actor: Actor) -> list[Tournament]:
    """List the tournaments being played at this moment in which the actor answers calls in person."""
    memberships = access.memberships_of(actor).filter(table_number=None)
    playing = Tournament.objects.filter(
        pk__in=memberships.values("tournament"), sessions__state=Session.State.RUNNING
    )
    return list(playing.distinct().order_by("pk"))


def waiting_for(actor: Actor, tournament: Tournament) -> list[Call]:
    """List the calls that the actor may answer and nobody has taken yet."""
    return [call for call in calls_for(actor, tournament) if call.taken_at is None]


def call_at(table: Table, audience: Audience) -> Call | None:
    """Find the call that is open at a table; none where the audience is not told how play goes."""
    if keeps_back(audience, table.session):
        return None
    return table.calls.filter(done_at=None).select_related("table__session__tournament").first()
