"""Helpers of every write at a table; handing in, signing, extra time."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError
from django.db.models import Model, QuerySet
from django.utils import timezone

from penalties.models import Penalty
from penalties.selectors import penalties_in_force
from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused, Stale
from tournament.base.log import DELETED_MEANWHILE
from tournament.base.models.log import Write
from tournament.base.models.play import Hand, Seat, Session, Table
from tournament.base.problems import SESSION_NOT_RUNNING
from tournament.play.models import Call, Signature
from tournament.play.selectors.clock import is_final
from tournament.play.selectors.hands import FIGURES, figures_at
from tournament.play.selectors.public import sheet_to_sign
from tournament.play.selectors.tables import UUID_OF_ANOTHER_TABLE, fresh_table, log_place, seat_at
from tournament.play.texts import log as actions

NO_HAND_RECORDED = problem_code("no_hand_recorded", "Nothing is recorded at table {table} yet.")
TABLE_IS_IN = problem_code("table_is_in", "Table {table} has been handed in. Reopen it to record more.")
SESSION_NOT_STARTED = problem_code("session_not_started", "Session {session} has not started.")
SESSION_CLOSED = problem_code(
    "session_closed", "Session {session} is closed; only the organiser can still change it."
)
RESULT_IS_FINAL = problem_code(
    "result_is_final", "The result of session {session} is final. Give a reason for the change."
)
EXTRA_TIME_OUT_OF_RANGE = problem_code("extra_time_out_of_range", "Extra time is 0 to {maximum} minutes.")
EXTRA_TIME_REASON_MISSING = problem_code("extra_time_reason_missing", "Give a reason for the extra time.")

# --- Shared by every write ---


M = TypeVar("M", bound=Model)


def fresh(rows: QuerySet[M], row: Model) -> M:
    """Read the row again under the lock, with the given query. Raises Refused if it has been deleted."""
    try:
        return rows.get(pk=row.pk)
    except ObjectDoesNotExist:
        raise Refused(DELETED_MEANWHILE()) from None


def insert(row: Model) -> None:
    """Insert a row. Raises Refused if its `uuid` exists at another table."""
    try:
        row.save(force_insert=True)
    except IntegrityError as error:
        if "uuid" in str(error):
            raise Refused(UUID_OF_ANOTHER_TABLE("uuid")) from None
        raise


def check_version(table: Table, expected: int | None) -> None:
    """Raise Stale, with the changes since, if the table is not at the version `expected` by the client."""
    if expected is None or expected == table.version:
        return
    session = table.session
    since = (
        session.tournament.log.select_related("actor")
        .filter(data__session=session.number, data__table=table.number, data__table_version__gt=expected)
        .order_by("seq")
    )
    changes = [
        {"action": entry.action, "by": entry.actor_name, "at": entry.at.isoformat()} | entry.full_data
        for entry in since
    ]
    raise Stale(table.version, changes)


def check_open(table: Table, actor: Actor, reason: str | None = None, where: str = "reason") -> None:
    """Raise Refused before the session starts and, except for organisers and the chief umpire, after it is closed.

    Also if the result is final and `reason` is empty; pass None for writes that cannot concern a final result.
    """
    session = table.session
    if session.state == Session.State.PLANNED:
        raise Refused(SESSION_NOT_STARTED(session=session.number))
    if session.state == Session.State.CLOSED and not access.may(actor, session.tournament, Right.RULE):
        raise Refused(SESSION_CLOSED(session=session.number))
    if reason is not None and not reason.strip() and is_final(session):
        raise Refused(RESULT_IS_FINAL(where, session=session.number))


def fresh_open_table(table: Table, write: Write, actor: Actor, expected_version: int | None = None) -> Table:
    """Read the table under the lock, and check version and session. Raises Stale or Refused."""
    table = fresh_table(table, write.tournament)
    write.session = table.session
    check_version(table, expected_version)
    check_open(table, actor)
    return table


def recalculate(
    table: Table,
    hands: Sequence[Hand] | None = None,
    standing: Iterable[Penalty] | None = None,
    /,
    **data: Any,
) -> dict[str, Any]:
    """Recalculate the figures after a change of the sheet, void its signatures, and return `data` for the log with
    place, version and scores added.

    `hands`, `standing`: the current hands and penalties of the table, if read already.
    """
    hands = _current_hands(table) if hands is None else hands
    figures = figures_at(table, hands, penalties_in_force(table) if standing is None else standing)
    changed = _store_figures(table, figures)
    table.hands_played = len(hands)
    if not changed and table.counts_totals:
        return data | _bump_version(
            table
        )  # a hand at a table with totals from paper: signatures remain valid
    if void := void_signatures(table):
        data |= {"signatures_void": void}
    return data | _bump_version(table)


def _current_hands(table: Table) -> list[Hand]:
    hands = table.hands.filter(is_current=True).only("table", "winner", "discarder", "payments")
    return list(hands.order_by("number"))


def _store_figures(table: Table, figures: dict[int, dict[str, int]]) -> bool:
    """Store changed figures; return whether any changed."""
    changed = []
    for seat in table.seated:
        derived = figures[seat.player.number]
        if any(getattr(seat, name) != value for name, value in derived.items()):
            vars(seat).update(derived)
            changed.append(seat)
    if changed:
        # In one statement: `bulk_update` takes ten times as long.
        Seat.objects.bulk_create(changed, update_conflicts=True, unique_fields=["id"], update_fields=FIGURES)
    return bool(changed)


def void_signatures(table: Table) -> list[int]:
    """Void all signatures because the sheet changed. Return the numbers of the players who had signed."""
    signatures = table.signatures.select_related("player") if table.has_signatures else ()
    standing = [signature for signature in signatures if signature.void_at is None]
    if standing:
        keys = [signature.pk for signature in standing]
        Signature.objects.filter(pk__in=keys).update(
            void_at=timezone.now(), void_because=Signature.Void.CHANGED
        )
    return sorted(signature.player.number for signature in standing)


def _bump_version(table: Table) -> dict[str, Any]:
    """Increment the table's version and store it. Return place, version and scores for the log."""
    table.version += 1
    table.save(update_fields=["version", "hands_played", "counts_totals", "is_in", "in_at", "in_by"])
    return log_place(table) | {
        "table_version": table.version,
        "scores": {str(seat.player.number): seat.game_points for seat in table.seated},
    }


# --- Handing in ---


def hand_in(table: Table, actor: Actor, *, expected_version: int | None = None) -> Table:
    """Hand in the sheet, after which no hand can be recorded. Idempotent.

    Missing signatures do not prevent it; the log lists them. If an umpire in person does it, the table's call ends.
    """
    with log.write_at(table, actor, actions.TABLE_HANDED_IN, Right.ENTER) as entry:
        table = fresh_table(table, entry.tournament)
        if table.is_in:
            return entry.unchanged(table)
        check_version(table, expected_version)
        if table.session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=table.session.number))
        if not table.has_result:
            raise Refused(NO_HAND_RECORDED(table=table.number))
        table.is_in, table.in_at, table.in_by = True, timezone.now(), actor.user
        entry.data = {"hands": table.hands_played, "unsigned": _unsigned(table)} | _bump_version(table)
        if access.can_judge(actor, table):
            entry.data |= end_calls(Call.objects.filter(table=table))
    return table


def _unsigned(table: Table) -> list[int]:
    signed = set(table.signatures.filter(void_at=None).values_list("player__number", flat=True))
    return [seat.player.number for seat in table.seated if seat.player.number not in signed]


def end_calls(calls: QuerySet[Call]) -> dict[str, list[int]]:
    """End open calls as part of another write. Return data for its log, {} if there were none."""
    waiting = calls.filter(done_at=None)
    numbers = sorted(waiting.values_list("table__number", flat=True))
    waiting.update(done_at=timezone.now())
    return {"calls_ended": numbers} if numbers else {}


def reopen(table: Table, actor: Actor, *, expected_version: int | None = None) -> Table:
    """Undo `hand_in` while the session is being played. Idempotent.

    A table handed in by somebody else needs the right to judge.
    """
    with log.write_at(table, actor, actions.TABLE_REOPENED, Right.ENTER) as entry:
        table = fresh_table(table, entry.tournament)
        if not table.is_in:
            return entry.unchanged(table)
        if table.in_by != actor.user:
            access.require_at(actor, table, Right.JUDGE)
        check_version(table, expected_version)
        if table.session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=table.session.number))
        table.is_in, table.in_at, table.in_by = False, None, None
        entry.data = _bump_version(table)
    return table


# --- Signatures ---


def sign(table: Table, actor: Actor, player: int, *, expected_version: int | None = None) -> Signature:
    """Store a player's signature under the current sheet. Idempotent."""
    with log.write_at(table, actor, actions.SHEET_SIGNED, Right.ENTER) as entry:
        table = fresh_table(table, entry.tournament)
        if (standing := _standing_signature(table, player)) is not None:
            return entry.unchanged(standing)
        check_version(table, expected_version)
        seat = seat_at(table, player)
        if table.session.state == Session.State.PLANNED:
            raise Refused(SESSION_NOT_STARTED(session=table.session.number))
        if not table.has_result:
            raise Refused(NO_HAND_RECORDED(table=table.number))
        signature = Signature.objects.create(
            table=table,
            player=seat.player,
            sheet=sheet_to_sign(table),
            signed_at=timezone.now(),
            recorded_by=actor.user,
        )
        entry.data = log_place(table) | {"player": player, "sheet": signature.sheet}
    return signature


def cancel_signature(table: Table, actor: Actor, player: int) -> None:
    """Void a player's signature. Idempotent."""
    with log.write_at(table, actor, actions.SIGNATURE_CANCELLED, Right.ENTER) as entry:
        table = fresh_table(table, entry.tournament)
        if (standing := _standing_signature(table, player)) is None:
            entry.mark_unchanged()
            return
        standing.void_at, standing.void_because = timezone.now(), Signature.Void.CANCELLED
        standing.save(update_fields=["void_at", "void_because"])
        entry.data = log_place(table) | {"player": player}


def _standing_signature(table: Table, player: int) -> Signature | None:
    return table.signatures.filter(player__number=player, void_at=None).first()


# --- Extra time ---


MAX_EXTRA_MINUTES = 60


def set_extra_time(table: Table, actor: Actor, minutes: int, *, reason: str) -> Table:
    """Set how many `minutes` longer than the hall a table plays; 0 for none. Idempotent."""
    with log.write_at(table, actor, actions.EXTRA_TIME_SET, Right.JUDGE) as entry:
        table = fresh_table(table, entry.tournament)
        if table.extra_minutes == minutes:
            return entry.unchanged(table)
        if problems := _extra_time_problems(minutes, reason):
            raise Refused(problems)
        if table.session.state != Session.State.RUNNING:
            raise Refused(SESSION_NOT_RUNNING(session=table.session.number))
        if table.is_in:
            raise Refused(TABLE_IS_IN(table=table.number))
        table.extra_minutes = minutes
        table.save(update_fields=["extra_minutes"])
        entry.data = log_place(table) | {"minutes": minutes, "reason": reason.strip()}
    return table


def _extra_time_problems(minutes: int, reason: str) -> list[Problem]:
    problems = []
    if not 0 <= minutes <= MAX_EXTRA_MINUTES:
        problems.append(EXTRA_TIME_OUT_OF_RANGE("minutes", maximum=MAX_EXTRA_MINUTES))
    if not reason.strip():
        problems.append(EXTRA_TIME_REASON_MISSING("reason"))
    return problems
