"""What is open before a session is closed, standings are published or results opened; the queue of calls."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from math import ceil

from django.db.models import Count, F, Min, Q, QuerySet
from django.utils import timezone

from penalties.engine.rules import Late
from penalties.models import Penalty
from scoring.engine.problems import Problem, problem_code
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.log_actions import RESULTS_REVEALED
from tournament.base.models.play import OPEN, Absence, Appeal, Hand, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import is_withheld_from
from tournament.play.models import Call, Signature, Totals
from tournament.play.selectors.absences import is_left_empty, lateness_end
from tournament.play.texts.log import EXTRA_TIME_SET, SESSION_CLOSED, STANDINGS_PUBLISHED

CHECKED_ACTIONS = (SESSION_CLOSED, STANDINGS_PUBLISHED, RESULTS_REVEALED)
"""Actions that check what is open; their log entries store the keys of what was left open, as `left_open`."""


class Kind(Enum):
    """A kind of finding; the value is its problem."""

    APPEAL = problem_code(
        "appeal_not_ruled", "Session {session}, table {table}: the appeal of {name} has not been decided."
    )
    RULING = problem_code(
        "ruling_not_carried_out",
        "Session {session}, table {table}: the granted appeal of {name} has not been carried out.",
    )
    DISPUTE = problem_code(
        "hand_not_ruled_on", "Session {session}, table {table}: hand {hand} has not been ruled on."
    )
    CALL = problem_code(
        "call_still_open", "Session {session}, table {table}: a call for an umpire is still open."
    )
    LATENESS = problem_code(
        "lateness_not_given",
        "Session {session}, table {table}: {name} was late, in minute {minutes}, and has no penalty for it.",
    )
    UNSIGNED = problem_code("sheet_not_signed", "Session {session}, table {table}: not signed by {names}.")
    AFTER_TIME = problem_code(
        "hands_after_time",
        "Session {session}, table {table}: saved after time, in minute {minute} of {minutes}: hand {hands}.",
    )
    TOTALS = problem_code(
        "totals_differ", "Session {session}, table {table}: two readings of the sheet differ."
    )


ALWAYS_ASKED = frozenset({Kind.APPEAL, Kind.RULING, Kind.DISPUTE, Kind.CALL, Kind.TOTALS})
"""Reported at every check. The others concern a session's sheets and are reported until accepted once."""
BLOCKING = frozenset({Kind.DISPUTE})
"""Cannot be left open, whatever the reason: the scores are not known yet."""


@dataclass(frozen=True)
class Finding:
    """Something open at a table. `subject` tells findings of one kind apart; `player`: number, where it has one."""

    kind: Kind
    session: int
    table: int
    subject: str = ""
    player: int | None = None
    params: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Identifies the finding as long as nothing about it changes."""
        return f"{self.kind.value.code}:{self.session}:{self.table}:{self.subject}"

    @property
    def problem(self) -> Problem:
        return self.kind.value("reason", session=self.session, table=self.table, **self.params)


def closing_check(tournament: Tournament, sessions: Sequence[Session]) -> tuple[Finding, ...]:
    """List what is open in these sessions, by session and table, without findings accepted earlier with a reason."""
    accepted = _accepted_keys(tournament)
    return tuple(
        finding
        for session in sessions
        for finding in _findings(tournament, session)
        if finding.kind in ALWAYS_ASKED or finding.key not in accepted
    )


def _accepted_keys(tournament: Tournament) -> set[str]:
    """Collect the keys of findings left open with a reason before."""
    entries = tournament.log.of(*CHECKED_ACTIONS).order_by("seq").values_list("data", flat=True)
    return {key for data in entries for key in data.get("left_open", ())}


def _findings(tournament: Tournament, session: Session) -> Iterator[Finding]:
    session.tournament = tournament
    tables = list(session.tables.prefetch_related("seats__player"))
    findings = [
        *_appeals(session),
        *_disputes(session),
        *_calls(tournament, session),
        *_lateness(session),
        *_unsigned(session, tables),
        *_after_time(session, [table for table in tables if not table.counts_totals]),
        *_differing_readings(session),
    ]
    yield from sorted(findings, key=lambda finding: finding.table)


def _appeals(session: Session) -> Iterator[Finding]:
    appeals = Appeal.objects.filter(OPEN, table__session=session).select_related("table", "player")
    for appeal in appeals:
        kind = Kind.RULING if appeal.is_pending else Kind.APPEAL
        name: dict[str, str | int] = {"name": appeal.player.name}
        yield Finding(kind, session.number, appeal.table.number, str(appeal.uuid), appeal.player.number, name)


def _disputes(session: Session) -> Iterator[Finding]:
    for hand in pending_hands(session):
        params: dict[str, str | int] = {"hand": hand.number}
        yield Finding(Kind.DISPUTE, session.number, hand.table.number, str(hand.number), params=params)


def pending_hands(session: Session) -> QuerySet[Hand]:
    """List the hands of a session that are to be ruled on, with their tables."""
    hands = Hand.objects.filter(table__session=session, outcome=Hand.Outcome.PENDING, is_current=True)
    return hands.select_related("table").order_by("table__number", "number")


def _calls(tournament: Tournament, session: Session) -> Iterator[Finding]:
    for call in open_calls(tournament).filter(table__session=session):
        yield Finding(Kind.CALL, session.number, call.table.number, str(call.pk))


def _lateness(session: Session) -> Iterator[Finding]:
    """Find measured lateness without any penalty, a cancelled one included."""
    book = session.tournament.rules.fouls
    fouls = [foul.key for foul in book.fouls if isinstance(foul.rule, Late)]
    if not fouls:
        return
    penalties = Penalty.objects.filter(table__session=session, foul__in=fouls).order_by("pk")
    fined = set(penalties.values_list("table", "player"))
    absences = Absence.objects.filter(table__session=session, cancelled_at=None)
    for absence in absences.select_related("table__session__tournament", "player").order_by(
        "table__number", "since", "pk"
    ):
        if (absence.table_id, absence.player_id) in fined or is_left_empty(absence):
            continue
        until = absence.arrived_at or min(lateness_end(absence), timezone.now())
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
    """Find sheets without all signatures, in tournaments where signing is used: some sheet has been signed."""
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


def _differing_readings(session: Session) -> Iterator[Finding]:
    """Find sheets with two readings that differ and are not settled."""
    waiting = Totals.objects.filter(table__session=session, is_second=True, settled_as="")
    for table, uuid in waiting.order_by("table__number").values_list("table__number", "uuid"):
        yield Finding(Kind.TOTALS, session.number, table, str(uuid))


WRITING_TIME = timedelta(minutes=2)
"""Tolerance for writing down a hand that was finished in time."""


def saved_after_time(session: Session, tables: Iterable[Table]) -> dict[int, dict[int, int]]:
    """Find hands that were first saved after time: table id → hand number → minute of the session.

    The hand under way at the end does not count (Overview of the rules); where the tournament finishes it, the first
    late hand is left out, and so are hands that the umpire confirmed as in time. Extra time of the table and pauses
    are taken into account.
    """
    clock = session.clock
    times = {table.pk: timedelta(minutes=session.minutes + table.extra_minutes) for table in tables}
    if not times or clock is None:
        return {}
    counts_last_hand = session.tournament.rules.timing.counts_last_hand
    too_late: defaultdict[int, dict[int, int]] = defaultdict(dict)
    hands = Hand.objects.filter(table__in=times).values_list("table", "number", "table__hands_played")
    confirmed = Count("pk", filter=Q(in_time=True, is_current=True))
    rows = hands.annotate(first=Min("recorded_at"), confirmed=confirmed)
    under_way: set[int] = set()
    for table, number, played, first, in_time in rows.order_by("table", "number"):
        minute = clock.played(first)
        if number > played or minute <= times[table] + WRITING_TIME:
            continue
        if counts_last_hand and table not in under_way:
            under_way.add(table)
            continue
        if in_time:
            continue
        too_late[table][number] = ceil(minute.total_seconds() / 60)
    return dict(too_late)


def late_minutes_by_hand(table: Table) -> Mapping[int, int]:
    """Find hands of one table that were first saved after time: hand number → minute."""
    return saved_after_time(table.session, [table]).get(table.pk, {})


def calls_of(tournament: Tournament) -> QuerySet[Call]:
    """List all calls with their tables and umpires."""
    calls = Call.objects.filter(table__session__tournament=tournament)
    return calls.select_related("table__session__tournament", "taken_by")


def open_calls(tournament: Tournament) -> QuerySet[Call]:
    """List open calls: untaken ones first, the longest waiting first."""
    # Explicit, because databases disagree about where nulls come.
    order = (F("taken_at").asc(nulls_first=True), "called_at", "id")
    return calls_of(tournament).filter(done_at=None).order_by(*order)


def calls_for(actor: Actor, tournament: Tournament) -> list[Call]:
    """List the open calls that the actor may answer."""
    return [call for call in open_calls(tournament) if access.can_judge(actor, call.table)]


def tournaments_to_umpire(actor: Actor) -> list[Tournament]:
    """List the tournaments being played now in which the actor answers calls in person."""
    memberships = access.memberships_of(actor).filter(table_number=None)
    playing = Tournament.objects.filter(
        pk__in=memberships.values("tournament"), sessions__state=Session.State.RUNNING
    )
    return list(playing.distinct().order_by("pk"))


def untaken_calls(actor: Actor, tournament: Tournament) -> list[Call]:
    """List the untaken calls that the actor may answer."""
    return [call for call in calls_for(actor, tournament) if call.taken_at is None]


@dataclass(frozen=True)
class TimeLost:
    """Playing time that calls for an umpire cost a table."""

    table: Table
    minutes: int

    @property
    def extra_minutes(self) -> int:
        """The table's extra time in all, if this is added."""
        return self.table.extra_minutes + self.minutes


LEAST_TIME_LOST = 2
"""Minutes below which no extra time is proposed."""
TIME_LOST_PROPOSED_FOR = timedelta(minutes=15)
"""How long after the end of a call extra time is proposed for it."""


def time_lost(actor: Actor, tournament: Tournament) -> list[TimeLost]:
    """List the time lost by calls that have just ended, at the running tables that the actor may judge.

    It counts from the call to its end, without pauses of the clock. Calls that ended before the table's extra time was
    last set do not count.
    """
    since = timezone.now() - TIME_LOST_PROPOSED_FOR
    calls_by_table: defaultdict[Table, list[Call]] = defaultdict(list)
    ended = calls_of(tournament).filter(done_at__gt=since, table__session__state=Session.State.RUNNING)
    for call in ended.filter(table__is_in=False).order_by("table__number", "called_at"):
        calls_by_table[call.table].append(call)
    lost = [
        TimeLost(table, _minutes_lost(calls, _extra_time_set_at(table) or since))
        for table, calls in calls_by_table.items()
        if access.can_judge(actor, table)
    ]
    return [time for time in lost if time.minutes >= LEAST_TIME_LOST]


def _extra_time_set_at(table: Table) -> datetime | None:
    """Return when the table's extra time was last set."""
    session = table.session
    entries = session.tournament.log.of(EXTRA_TIME_SET)
    entry = entries.filter(data__session=session.number, data__table=table.number).order_by("-seq").first()
    return entry.at if entry else None


def _minutes_lost(calls: Iterable[Call], since: datetime) -> int:
    """Return the playing time that the calls which ended after `since` took, in whole minutes, rounded up."""
    lost = timedelta()
    for call in calls:
        clock = call.table.session.clock
        if clock is not None and call.done_at is not None and call.done_at > since:
            lost += clock.played(call.done_at, since=call.called_at)
    return ceil(lost.total_seconds() / 60)


def call_at(table: Table, audience: Audience) -> Call | None:
    """Return the open call at a table; None where play is withheld from the audience."""
    if is_withheld_from(audience, table.session):
        return None
    return table.calls.filter(done_at=None).select_related("table__session__tournament").first()
