"""The closing check: what is still open before a session is closed, standings are published or results opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil

from django.utils import timezone

from penalties.engine.rules import Late
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base.models.appeals import OPEN
from tournament.base.models.play import Absence, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors.appeals import appeals_of
from tournament.play.models.signing import Signature
from tournament.play.models.totals import Totals
from tournament.play.selectors.absences import lateness_ends
from tournament.play.selectors.after_time import saved_after_time
from tournament.play.selectors.calls import open_calls

GONE_PAST = ("session_closed", "standings_published", "results_opened")
"""The steps before which the check is made; their log entries keep what was open, as `left_open`."""


class Kind(StrEnum):
    """What is open; the value is the code of its sentence."""

    APPEAL = "appeal_not_ruled"
    RULING = "ruling_not_carried_out"
    CALL = "call_still_open"
    LATENESS = "lateness_not_given"
    UNSIGNED = "sheet_not_signed"
    AFTER_TIME = "hands_after_time"
    TOTALS = "totals_differ"


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
        return f"{self.kind.value}:{self.session}:{self.table}:{self.subject}"

    @property
    def problem(self) -> Problem:
        """The same, to be said as a sentence."""
        place = {"session": self.session, "table": self.table}
        return Problem(self.kind.value, "reason", place | dict(self.params))


def closing_check(tournament: Tournament, sessions: Sequence[Session]) -> tuple[Finding, ...]:
    """Everything still open in these sessions, by session and table, that nobody has gone past with a reason."""
    known = _gone_past(tournament)
    found = (one for session in sessions for one in _findings(tournament, session))
    return tuple(one for one in found if one.kind in UNTIL_SETTLED or one.key not in known)


def _gone_past(tournament: Tournament) -> set[str]:
    entries = tournament.log.filter(action__in=GONE_PAST).order_by("seq").values_list("data", flat=True)
    return {key for data in entries for key in data.get("left_open", ())}


def _findings(tournament: Tournament, session: Session) -> Iterator[Finding]:
    session.tournament = tournament
    tables = list(session.tables.prefetch_related("seats__player"))
    found = [
        *_appeals(tournament, session),
        *_calls(tournament, session),
        *_lateness(session),
        *_unsigned(session, tables),
        *_after_time(session, [table for table in tables if not table.counts_totals]),
        *_readings(session),
    ]
    yield from sorted(found, key=lambda one: one.table)


def _appeals(tournament: Tournament, session: Session) -> Iterator[Finding]:
    for appeal in appeals_of(tournament).filter(OPEN, table__session=session):
        kind = Kind.RULING if appeal.is_pending else Kind.APPEAL
        name: dict[str, str | int] = {"name": appeal.player.name}
        yield Finding(kind, session.number, appeal.table.number, str(appeal.uuid), appeal.player.number, name)


def _calls(tournament: Tournament, session: Session) -> Iterator[Finding]:
    for call in open_calls(tournament).filter(table__session=session):
        yield Finding(Kind.CALL, session.number, call.table.number, str(call.pk))


def _lateness(session: Session) -> Iterator[Finding]:
    """Somebody's minutes were measured, and no penalty for lateness was given, not even one that was cancelled."""
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
        if (absence.table_id, absence.player_id) in fined:
            continue
        until = absence.arrived_at or min(lateness_ends(absence), timezone.now())
        minutes = ceil((until - absence.since).total_seconds() / 60)
        about: dict[str, str | int] = {"name": absence.player.name, "minutes": minutes}
        yield Finding(
            Kind.LATENESS,
            session.number,
            absence.table.number,
            str(absence.uuid),
            absence.player.number,
            about,
        )


def _unsigned(session: Session, tables: Sequence[Table]) -> Iterator[Finding]:
    """Where signing is used: somebody in the tournament has signed a sheet."""
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


def _readings(session: Session) -> Iterator[Finding]:
    """Sheets that two people read differently, and nobody has settled."""
    waiting = Totals.objects.filter(table__session=session, is_second=True, settled_as="")
    for table, uuid in waiting.order_by("table__number").values_list("table__number", "uuid"):
        yield Finding(Kind.TOTALS, session.number, table, str(uuid))


def _after_time(session: Session, tables: Sequence[Table]) -> Iterator[Finding]:
    late = saved_after_time(session, tables)
    for table in tables:
        if not (hands := late.get(table.pk)):
            continue
        about: dict[str, str | int] = {
            "hands": ", ".join(map(str, hands)),
            "minute": max(hands.values()),
            "minutes": session.minutes + table.extra_minutes,
        }
        yield Finding(Kind.AFTER_TIME, session.number, table.number, ",".join(map(str, hands)), params=about)
