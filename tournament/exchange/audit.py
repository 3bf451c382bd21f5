"""Compare a tournament's rows with its log, and every computed figure with the entries it is computed from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch

from penalties.engine import Sanction, people_problems, point_effects
from penalties.models import Penalty
from scoring.engine.problems import Problem, problem_code
from scoring.texts import joined
from tournament.base import log
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.log_actions import ACTIONS
from tournament.base.models.play import Appeal, Hand, Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.exchange.texts import (
    entry_place,
    final_place,
    hand_place,
    item_place,
    session_place,
    table_place,
)
from tournament.fouls import texts as fouls
from tournament.fouls.selectors import appeals_of
from tournament.play.engine.judge import judge
from tournament.play.models import Signature
from tournament.play.selectors.hands import Barred, barred_from_winning, figures_at, judge_at
from tournament.play.selectors.public import sheet_to_sign
from tournament.play.texts import log as play
from tournament.seating.texts import FINALS_SET, SEATS_RESTORED, SESSION_START_UNDONE

AUDIT_CHAIN = problem_code("audit_chain", "does not follow from the previous entry")
AUDIT_PUBLIC_NUMBER = problem_code("audit_public_number", "is missing from the public figures")
AUDIT_NOT_AS_LOGGED = problem_code("audit_not_as_logged", "differs from the log")
AUDIT_NOT_AS_SIGNED = problem_code("audit_not_as_signed", "is not what {player} signed")
AUDIT_FIGURE = problem_code("audit_figure", "{name} is stored as {stored} but should be {due}")
AUDIT_HAND_NUMBERS = problem_code("audit_hand_numbers", "its hands are numbered {numbers}")
AUDIT_HAND_COUNT = problem_code(
    "audit_hand_count",
    "counts {counted} hand but has {there}",
    "counts {counted} hands but has {there}",
    by="counted",
)
AUDIT_HAND_NOT_LOGGED = problem_code(
    "audit_hand_not_logged",
    "has {points} point, but the log has no entry for it",
    "has {points} points, but the log has no entry for it",
    by="points",
)
AUDIT_HAND_POINTS = problem_code(
    "audit_hand_points",
    "has {points} point, but the log has {logged}",
    "has {points} points, but the log has {logged}",
    by="points",
)
AUDIT_HAND_WORTH = problem_code(
    "audit_hand_worth",
    "has {points} point, but the entries give {due}",
    "has {points} points, but the entries give {due}",
    by="points",
)
AUDIT_HAND_PAYMENTS = problem_code("audit_hand_payments", "its payments do not follow from its points")
AUDIT_HAND_ILLEGAL = problem_code("audit_hand_illegal", "is not legal: {codes}")
AUDIT_HAND_CONTRADICTED = problem_code("audit_hand_contradicted", "needs correcting: {because}")
AUDIT_PENALTY_TOO_LATE = problem_code(
    "audit_penalty_too_late", "is of hand {number}, of {begun} that have begun"
)
AUDIT_PENALTY_WITHOUT_HAND = problem_code("audit_penalty_without_hand", "applies to one hand but names none")
AUDIT_PENALTY_OF_NOBODY = problem_code("audit_penalty_of_nobody", "is of a player who is not at this table")
AUDIT_PENALTY_UNPAYABLE = problem_code("audit_penalty_unpayable", "cannot be paid: {codes}")
AUDIT_PENALTY_POINTS = problem_code("audit_penalty_points", "its points do not follow from its sanction")
AUDIT_TOTALS_MISSING = problem_code("audit_totals_missing", "counts totals but has none")
AUDIT_TOTALS_UNCOUNTED = problem_code("audit_totals_uncounted", "has totals that it does not count")
AUDIT_TOTALS_NOT_LOGGED = problem_code(
    "audit_totals_not_logged", "totals version {version}: no entry in the log"
)
AUDIT_TOTALS_NOT_AS_LOGGED = problem_code(
    "audit_totals_not_as_logged", "totals version {version}: differ from the log"
)
AUDIT_TOTALS_PLAYED = problem_code(
    "audit_totals_played", "totals version {version}: the game points do not match the totals entered"
)
AUDIT_EXTRA_TIME = problem_code(
    "audit_extra_time",
    "plays {minutes} minute longer, but the log has {logged}",
    "plays {minutes} minutes longer, but the log has {logged}",
    by="minutes",
)
AUDIT_PAUSES = problem_code("audit_pauses", "its clock was paused at other times than in the log")

# --- The audit ---


@dataclass(frozen=True)
class Finding:
    """A contradiction. `where` is a place in words."""

    where: str
    problem: Problem
    is_judged: bool = False
    """Whether it depends on today's rules, and not only on the log."""

    @property
    def text(self) -> str:
        return sentence(self.problem)

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


def audit(tournament: Tournament) -> Iterator[Finding]:
    """Yield every contradiction, and change nothing. The tournament must be freshly read and locked.

    A contradiction means that the database was changed without the services, or that the engine scores differently
    from when the hand was recorded.
    """
    if (seq := log.first_broken_link(tournament)) is not None:
        yield Finding(entry_place(tournament, seq), AUDIT_CHAIN())
    if (seq := log.first_wrong_public_number(tournament)) is not None:
        yield Finding(entry_place(tournament, seq), AUDIT_PUBLIC_NUMBER())
    log_data = read_log(tournament)
    rows = {
        "seats": Seat.objects.select_related("player").order_by("id"),
        "hands": Hand.objects.select_related("winner", "discarder").order_by("number", "version"),
        "penalties": Penalty.objects.select_related("player", "victim"),
        "signatures": Signature.objects.filter(void_at=None).select_related("player"),
    }
    tables = Table.objects.filter(session__tournament=tournament).select_related("session")
    prefetched = tables.prefetch_related(*(Prefetch(name, queryset) for name, queryset in rows.items()))
    for table in prefetched.order_by("session__number", "number"):
        table.session.tournament = tournament
        yield from _check_table(table, log_data)
    yield from _check_extra_time(tournament)
    yield from _check_clocks(tournament)
    yield from _check_appeals(tournament)
    yield from _check_finals(tournament)


def _check_table(table: Table, log_data: LogData) -> Iterator[Finding]:
    """Yield the contradictions at a table whose rows are prefetched."""
    where = table_place(table)
    hands = list(table.hands.all())
    current = [hand for hand in hands if hand.is_current]
    numbers = [hand.number for hand in current]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Finding(where, AUDIT_HAND_NUMBERS(numbers=joined(map(str, numbers))))
    if table.hands_played != len(numbers):
        yield Finding(where, AUDIT_HAND_COUNT(counted=table.hands_played, there=len(numbers)))
    penalties = list(table.penalties.all())
    standing = [penalty for penalty in penalties if not penalty.is_cancelled]
    for hand in hands:
        yield from _check_hand_logged(hand, table, log_data)
    yield from _check_hands(table, hands, penalties, log_data)
    players = [seat.player.number for seat in table.seats.all()]
    for penalty in penalties:
        for problem in _penalty_problems(table, penalty, players, log_data):
            yield Finding(item_place(where, f"{penalty.player.name}, {penalty.foul}"), problem)
    yield from (Finding(where, problem) for problem in _totals_problems(table, log_data.totals))
    figures = figures_at(table, current, standing)
    for seat in table.seats.all():
        yield from _check_seat(seat, item_place(where, seat.player.name), figures[seat.player.number])
    for signature in table.signatures.all():
        if signature.sheet != sheet_to_sign(table):
            yield Finding(where, AUDIT_NOT_AS_SIGNED(player=signature.player.name))


def _check_hand_logged(hand: Hand, table: Table, log_data: LogData) -> Iterator[Finding]:
    """Compare a hand with its log entry."""
    where, points = hand_place(table, hand.number, hand), log_data.hands.get(str(hand.uuid), {}).get("points")
    if points is None:
        yield Finding(where, AUDIT_HAND_NOT_LOGGED(points=hand.points))
    elif points != hand.points:
        yield Finding(where, AUDIT_HAND_POINTS(points=hand.points, logged=points))


def _check_hands(
    table: Table, hands: Sequence[Hand], penalties: Sequence[Penalty], log_data: LogData
) -> Iterator[Finding]:
    """Judge each hand by the penalties in force when it was recorded, and then by those in force today."""
    seats = {seat.wind: seat.player.number for seat in table.seats.all()}
    for hand in hands:
        in_force = [penalty for penalty in penalties if log_data.was_in_force(penalty, hand)]
        barred = barred_from_winning(table, in_force).get(hand.number, {})
        yield from _check_hand(hand, table, seats, barred)
    if not any(penalty.hand_number for penalty in penalties):
        return
    for number, problem in contradicted_hands(table):
        contradiction = AUDIT_HAND_CONTRADICTED(because=sentence(problem))
        yield Finding(hand_place(table, number), contradiction, is_judged=True)


def _check_hand(hand: Hand, table: Table, seats: Mapping[str, int], barred: Barred) -> Iterator[Finding]:
    where = hand_place(table, hand.number, hand)
    verdict = judge(table.session.tournament.rules, seats, hand.number, hand.entry, barred)
    if verdict.problems:
        codes = ", ".join(problem.code for problem in verdict.problems)
        yield Finding(where, AUDIT_HAND_ILLEGAL(codes=codes), is_judged=True)
    elif verdict.points != hand.points:
        yield Finding(where, AUDIT_HAND_WORTH(points=hand.points, due=verdict.points), is_judged=True)
    elif {str(player): points for player, points in verdict.payments.items()} != hand.payments:
        yield Finding(where, AUDIT_HAND_PAYMENTS())


def _check_seat(seat: Seat, where: str, expected: dict[str, int]) -> Iterator[Finding]:
    for name, value in expected.items():
        if (stored := getattr(seat, name)) != value:
            yield Finding(where, AUDIT_FIGURE(name=name, stored=stored, due=value))


def _check_extra_time(tournament: Tournament) -> Iterator[Finding]:
    """Compare each table's extra time with the last entry about it since the start of its session."""
    entries = tournament.log.of(play.EXTRA_TIME_SET, SESSION_START_UNDONE).order_by("seq")
    logged_minutes: dict[tuple[int, int], int] = {}
    for data in entries.values_list("data", flat=True):
        if "table" in data:
            logged_minutes[data["session"], data["table"]] = data["minutes"]
        else:
            logged_minutes = {
                table_key: minutes
                for table_key, minutes in logged_minutes.items()
                if table_key[0] != data["session"]
            }
    for table in Table.objects.filter(session__tournament=tournament).select_related("session__tournament"):
        minutes = logged_minutes.get((table.session.number, table.number), 0)
        if table.extra_minutes != minutes:
            yield Finding(table_place(table), AUDIT_EXTRA_TIME(minutes=table.extra_minutes, logged=minutes))


def _check_appeals(tournament: Tournament) -> Iterator[Finding]:
    """Compare each appeal, its ruling and how it was settled with the log."""
    entries = tournament.log.of(fouls.APPEAL_OPENED, fouls.APPEAL_RULED, fouls.RULING_WAIVED)
    entry_of = {(entry.data["appeal"], entry.action): entry.full_data for entry in entries}
    carried_out = _carried_out(tournament)
    for appeal in appeals_of(tournament):
        opened = entry_of.get((str(appeal.uuid), fouls.APPEAL_OPENED.code), {})
        ruled = entry_of.get((str(appeal.uuid), fouls.APPEAL_RULED.code), {})
        waived = entry_of.get((str(appeal.uuid), fouls.RULING_WAIVED.code), {})
        settled_as = Appeal.Settled.WAIVED if waived else carried_out.get(str(appeal.uuid), "")
        if appeal.granted and appeal.settled_at == appeal.ruled_at:
            settled_as = Appeal.Settled.CARRIED_OUT  # ruled before this was logged (migration 0021)
        logged = (
            opened.get("text"),
            ruled.get("granted"),
            ruled.get("text", ""),
            settled_as,
            waived.get("reason", ""),
        )
        stored = (appeal.text, appeal.granted, appeal.ruling, appeal.settled_as, appeal.settled_because)
        if logged != stored:
            yield Finding(item_place(tournament.slug, appeal), AUDIT_NOT_AS_LOGGED())


def _carried_out(tournament: Tournament) -> dict[str, str]:
    """Return UUID → CARRIED_OUT, of every appeal whose ruling was carried out by a write."""
    entries = tournament.log.filter(data__has_key="rulings_carried_out").order_by("seq")
    uuid_lists = (data["rulings_carried_out"] for data in entries.values_list("data", flat=True))
    return {uuid: Appeal.Settled.CARRIED_OUT.value for uuids in uuid_lists for uuid in uuids}


def _check_finals(tournament: Tournament) -> Iterator[Finding]:
    """Compare the finals with the log: all that were set up and not undone."""
    logged_finals: dict[int, tuple[str, list[list[int]]]] = {}
    entries = tournament.log.of(FINALS_SET, SEATS_RESTORED).order_by("seq")
    for action, data in entries.values_list("action", "data"):
        if action == FINALS_SET.code:
            logged_finals[data["after"]] = (data["carry"], data["groups"])
        elif data["action"] == FINALS_SET.code:
            logged_finals.pop(data["after"], None)
            if replaced := data.get("replaced"):
                logged_finals[data["after"]] = (replaced["carry"], replaced["groups"])
    stored = {final.after_session: (final.carry, final.groups) for final in tournament.finals.all()}
    for after in sorted(logged_finals.keys() | stored.keys()):
        if logged_finals.get(after) != stored.get(after):
            yield Finding(final_place(tournament, after), AUDIT_NOT_AS_LOGGED())


# --- Penalties and the log ---


_TOTALS_ACTIONS = (play.TABLE_TOTALS_ENTERED, play.TABLE_TOTALS_CORRECTED, play.TABLE_TOTALS_SETTLED)
_HAND_ACTIONS = (play.HAND_RECORDED, play.HAND_CORRECTED, play.HAND_DETAILS_ADDED)


@dataclass
class LogData:
    """The data of log entries about hands, totals and penalties, and their order."""

    hands: dict[str, dict[str, Any]] = field(default_factory=dict)
    """UUID → data; so of `penalties` and `totals`."""
    penalties: dict[str, dict[str, Any]] = field(default_factory=dict)
    totals: dict[str, dict[str, Any]] = field(default_factory=dict)
    entry_numbers: dict[str, int] = field(default_factory=dict)
    """UUID of a hand or penalty → number of its entry."""
    cancelled: dict[str, int] = field(default_factory=dict)
    """UUID of a penalty → number of the entry that cancelled it."""

    def was_in_force(self, penalty: Penalty, hand: Hand) -> bool:
        """Return whether the penalty was given before the hand was recorded, and not cancelled before it."""
        recorded, uuid = self.entry_numbers.get(str(hand.uuid), 0), str(penalty.uuid)
        is_given = self.entry_numbers.get(uuid, 0) < recorded
        return is_given and not self.cancelled.get(uuid, recorded) < recorded


def read_log(tournament: Tournament) -> LogData:
    """Read the log once."""
    log_data = LogData()
    entries = tournament.log.of(
        *_HAND_ACTIONS, *_TOTALS_ACTIONS, fouls.PENALTY_CREATED, fouls.PENALTY_CANCELLED
    )
    for seq, code, data in entries.values_list("seq", "action", "data"):
        action = ACTIONS[code]
        if action in _HAND_ACTIONS:
            log_data.hands[data["uuid"]] = data
            log_data.entry_numbers[data["uuid"]] = seq
        elif action in _TOTALS_ACTIONS:
            if "included" in data:  # otherwise the first reading was right, and no totals were stored
                log_data.totals[data["uuid"]] = data
        elif action is fouls.PENALTY_CREATED:
            log_data.penalties[data["penalty"]] = data
            log_data.entry_numbers[data["penalty"]] = seq
        else:
            log_data.cancelled[data["penalty"]] = seq
    return log_data


def contradicted_hands(table: Table) -> list[tuple[int, Problem]]:
    """Return (hand number, problem) of hands that today's penalties for a dead hand do not allow as recorded."""
    sanctions = table.penalties.exclude(hand_number=None).values_list("hand_number", "sanction")
    numbers = [number for number, sanction in sanctions if number and sanction.get("dead_hand")]
    hands = table.hands.filter(number__in=numbers, is_current=True).select_related("winner", "discarder")
    return [
        (hand.number, problem)
        for hand in hands.order_by("number")
        for problem in judge_at(table, hand.number, hand.entry).problems
    ]


def _penalty_problems(
    table: Table, penalty: Penalty, players: Sequence[int], log_data: LogData
) -> Iterator[Problem]:
    sanction, uuid = Sanction.from_json(penalty.sanction), str(penalty.uuid)
    entry = log_data.penalties.get(uuid, {})
    if entry.get("sanction") != penalty.sanction or penalty.is_cancelled != (uuid in log_data.cancelled):
        yield AUDIT_NOT_AS_LOGGED()
    if penalty.is_cancelled:
        return
    number = penalty.hand_number
    begun = min(table.hands_played + 1, HANDS_PER_SESSION)  # time may have cut the last one off
    if table.is_on_paper:
        begun = HANDS_PER_SESSION
    if number is not None and not 1 <= number <= begun:
        yield AUDIT_PENALTY_TOO_LATE(number=number, begun=begun)
    if number is None and sanction.lasts_hand:
        yield AUDIT_PENALTY_WITHOUT_HAND()
    yield from _payment_problems(penalty, sanction, players)


def _payment_problems(penalty: Penalty, sanction: Sanction, players: Sequence[int]) -> Iterator[Problem]:
    """Check who pays and receives the penalty's points."""
    offender = penalty.player.number
    victim = None if penalty.victim is None else penalty.victim.number
    others = [player for player in players if player != offender]
    if offender not in players:
        yield AUDIT_PENALTY_OF_NOBODY()
    elif problems := people_problems(sanction, offender, others, victim):
        codes = ", ".join(problem.code for problem in problems)
        yield AUDIT_PENALTY_UNPAYABLE(codes=codes)
    elif {int(player): n for player, n in penalty.effects.items()} != point_effects(
        sanction, offender, others, victim
    ):
        yield AUDIT_PENALTY_POINTS()


# --- Totals from paper ---


def _totals_problems(table: Table, logged_totals: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """Compare a table's totals with the data of their log entries, by UUID."""
    rows = list(table.totals.filter(is_second=False))
    if table.counts_totals != any(totals.is_current for totals in rows):
        yield (AUDIT_TOTALS_MISSING if table.counts_totals else AUDIT_TOTALS_UNCOUNTED)()
    for totals in rows:
        data = logged_totals.get(str(totals.uuid))
        if data is None:
            yield AUDIT_TOTALS_NOT_LOGGED(version=totals.version)
            continue
        # Corrected seats exchange players after the entry; the figures stay the same.
        if sorted(data["points"].values()) != sorted(totals.points.values()):
            yield AUDIT_TOTALS_NOT_AS_LOGGED(version=totals.version)
        included = data["included"]
        played = [points - included.get(player, 0) for player, points in data["points"].items()]
        if sorted(played) != sorted(totals.payments.values()):
            yield AUDIT_TOTALS_PLAYED(version=totals.version)


# --- Clocks of sessions ---


def _check_clocks(tournament: Tournament) -> Iterator[Finding]:
    """Compare each session's clock with the log since the start of the session."""
    pauses: defaultdict[int, list[dict[str, str | None]]] = defaultdict(list)
    extra_minutes: dict[int, int] = {}
    entries = tournament.log.of(
        play.CLOCK_PAUSED, play.CLOCK_RESUMED, play.CLOCK_EXTENDED, SESSION_START_UNDONE
    )
    for entry in entries.order_by("seq"):
        session, data = entry.data["session"], entry.full_data
        match entry.action:
            case play.CLOCK_PAUSED.code:
                pauses[session].append({"since": data["at"], "until": None, "reason": data["reason"]})
            case play.CLOCK_RESUMED.code:
                pauses[session][-1]["until"] = data["at"]
            case play.CLOCK_EXTENDED.code:
                extra_minutes[session] = data["minutes"]
            case _:
                pauses[session], extra_minutes[session] = [], 0
    for session in tournament.sessions.all():
        session.tournament = tournament
        if session.pauses != pauses[session.number]:
            yield Finding(session_place(session), AUDIT_PAUSES())
        if session.extra_minutes != (minutes := extra_minutes.get(session.number, 0)):
            problem = AUDIT_EXTRA_TIME(minutes=session.extra_minutes, logged=minutes)
            yield Finding(session_place(session), problem)
