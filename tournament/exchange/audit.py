"""Whether what is stored still says what was done: the log's chain, and every figure that follows from it."""

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
from tournament.exchange.texts import about, entry_place, final_place, hand_place, session_place, table_place
from tournament.fouls import texts as fouls
from tournament.fouls.selectors import appeals_of
from tournament.play.engine.judge import judge
from tournament.play.models import Signature
from tournament.play.selectors.hands import Barred, barred_from_winning, figures_at, judge_at
from tournament.play.selectors.public import sheet_to_sign
from tournament.play.texts import log as play
from tournament.seating.texts import FINALS_SET, SEATS_RESTORED, SESSION_UNSTARTED

AUDIT_CHAIN = problem_code("audit_chain", "does not follow from the previous entry")
AUDIT_PUBLIC_NUMBER = problem_code("audit_public_number", "is not counted for the public as it should be")
AUDIT_NOT_AS_LOGGED = problem_code("audit_not_as_logged", "is not as the log has it")
AUDIT_NOT_AS_SIGNED = problem_code("audit_not_as_signed", "is not what {player} signed")
AUDIT_FIGURE = problem_code("audit_figure", "{name} is stored as {stored} and comes to {due}")
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
    "has {points} point, but the log has {said}",
    "has {points} points, but the log has {said}",
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
AUDIT_PENALTY_OF_NOBODY = problem_code("audit_penalty_of_nobody", "is of nobody at this table")
AUDIT_PENALTY_UNPAYABLE = problem_code("audit_penalty_unpayable", "cannot be paid: {codes}")
AUDIT_PENALTY_POINTS = problem_code("audit_penalty_points", "its points do not follow from its sanction")
AUDIT_TOTALS_MISSING = problem_code("audit_totals_missing", "counts totals and has none")
AUDIT_TOTALS_UNCOUNTED = problem_code("audit_totals_uncounted", "has totals that it does not count")
AUDIT_TOTALS_NOT_LOGGED = problem_code(
    "audit_totals_not_logged", "totals version {version}: the log has nothing of them"
)
AUDIT_TOTALS_NOT_AS_LOGGED = problem_code(
    "audit_totals_not_as_logged", "totals version {version}: are not as the log has them"
)
AUDIT_TOTALS_PLAYED = problem_code(
    "audit_totals_played", "totals version {version}: what was played does not follow from what was typed"
)
AUDIT_EXTRA_TIME = problem_code(
    "audit_extra_time",
    "plays {minutes} minute longer, but the log has {said}",
    "plays {minutes} minutes longer, but the log has {said}",
    by="minutes",
)
AUDIT_PAUSES = problem_code("audit_pauses", "its clock was paused at other times than the log says")

# --- The audit ---


@dataclass(frozen=True)
class Finding:
    """One thing that does not agree. `where` is a place a person can go to."""

    where: str
    problem: Problem
    is_judged: bool = False
    """By the rules as they are asked today, and not by what the log says."""

    @property
    def what(self) -> str:
        return sentence(self.problem)

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def audit(tournament: Tournament) -> Iterator[Finding]:
    """Give everything that does not agree, in the order of the tournament; call with its row freshly read and locked.

    A difference means that the database was changed past the services, or that the engine counts differently now than
    when the hand was recorded. Nothing is mended here.

    Rows of the many are read for all tables at once: of a large event, query by query, it took the longest by far.
    """
    broken = log.first_broken_link(tournament)
    if broken is not None:
        yield Finding(entry_place(tournament, broken), AUDIT_CHAIN())
    if (wrong := log.first_wrong_public_number(tournament)) is not None:
        yield Finding(entry_place(tournament, wrong), AUDIT_PUBLIC_NUMBER())
    log_data = logged(tournament)
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
    yield from _check_clock(tournament)
    yield from _check_appeals(tournament)
    yield from _check_finals(tournament)


def _check_table(table: Table, log_data: Logged) -> Iterator[Finding]:
    """`table` with its rows read."""
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
        yield from _check_logged(hand, table, log_data)
    yield from _check_hands(table, hands, penalties, log_data)
    players = [seat.player.number for seat in table.seats.all()]
    for penalty in penalties:
        for problem in _penalty_faults(table, penalty, players, log_data):
            yield Finding(about(where, f"{penalty.player.name}, {penalty.foul}"), problem)
    yield from (Finding(where, problem) for problem in _totals_faults(table, log_data.totals))
    figures = figures_at(table, current, standing)
    for seat in table.seats.all():
        yield from _check_seat(seat, about(where, seat.player.name), figures[seat.player.number])
    for signature in table.signatures.all():
        if signature.sheet != sheet_to_sign(table):
            yield Finding(where, AUDIT_NOT_AS_SIGNED(player=signature.player.name))


def _check_logged(hand: Hand, table: Table, log_data: Logged) -> Iterator[Finding]:
    """The hand against the log."""
    where, points = hand_place(table, hand.number, hand), log_data.hands.get(str(hand.uuid), {}).get("points")
    if points is None:
        yield Finding(where, AUDIT_HAND_NOT_LOGGED(points=hand.points))
    elif points != hand.points:
        yield Finding(where, AUDIT_HAND_POINTS(points=hand.points, said=points))


def _check_hands(
    table: Table, hands: Sequence[Hand], penalties: Sequence[Penalty], log_data: Logged
) -> Iterator[Finding]:
    """Its hands against their own tiles, and against what was forbidden when they were recorded, and is by now."""
    seats = {seat.wind: seat.player.number for seat in table.seats.all()}
    for hand in hands:
        stood = [penalty for penalty in penalties if log_data.stood(penalty, hand)]
        barred = barred_from_winning(table, stood).get(hand.number, {})
        yield from _check_hand(hand, table, seats, barred)
    if not any(penalty.hand_number for penalty in penalties):
        return
    for number, problem in contradicted(table):
        because = AUDIT_HAND_CONTRADICTED(because=sentence(problem))
        yield Finding(hand_place(table, number), because, is_judged=True)


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


def _check_seat(seat: Seat, where: str, right: dict[str, int]) -> Iterator[Finding]:
    for name, value in right.items():
        if (stored := getattr(seat, name)) != value:
            yield Finding(where, AUDIT_FIGURE(name=name, stored=stored, due=value))


def _check_extra_time(tournament: Tournament) -> Iterator[Finding]:
    """Each table plays as much longer as was last said since its session's start."""
    entries = tournament.log.of(play.EXTRA_TIME_SET, SESSION_UNSTARTED).order_by("seq")
    minutes_of: dict[tuple[int, int], int] = {}
    for data in entries.values_list("data", flat=True):
        if "table" in data:
            minutes_of[data["session"], data["table"]] = data["minutes"]
        else:
            minutes_of = {at: minutes for at, minutes in minutes_of.items() if at[0] != data["session"]}
    for table in Table.objects.filter(session__tournament=tournament).select_related("session__tournament"):
        logged = minutes_of.get((table.session.number, table.number), 0)
        if table.extra_minutes != logged:
            yield Finding(table_place(table), AUDIT_EXTRA_TIME(minutes=table.extra_minutes, said=logged))


def _check_appeals(tournament: Tournament) -> Iterator[Finding]:
    """Each appeal as it was opened and ruled, and what became of it."""
    entries = tournament.log.of(fouls.APPEAL_OPENED, fouls.APPEAL_RULED, fouls.RULING_WAIVED)
    entry_of = {(entry.data["appeal"], entry.action): entry.full_data for entry in entries}
    carried_out = _carried_out(tournament)
    for appeal in appeals_of(tournament):
        opened = entry_of.get((str(appeal.uuid), fouls.APPEAL_OPENED.code), {})
        ruled = entry_of.get((str(appeal.uuid), fouls.APPEAL_RULED.code), {})
        waived = entry_of.get((str(appeal.uuid), fouls.RULING_WAIVED.code), {})
        became = Appeal.Settled.WAIVED if waived else carried_out.get(str(appeal.uuid), "")
        if appeal.granted and appeal.settled_at == appeal.ruled_at:
            became = Appeal.Settled.CARRIED_OUT  # ruled when nothing was said of it yet (migration 0021)
        by_the_log = (
            opened.get("text"),
            ruled.get("granted"),
            ruled.get("text", ""),
            became,
            waived.get("reason", ""),
        )
        stored = (appeal.text, appeal.granted, appeal.ruling, appeal.settled_as, appeal.settled_because)
        if by_the_log != stored:
            yield Finding(about(tournament.slug, appeal), AUDIT_NOT_AS_LOGGED())


def _carried_out(tournament: Tournament) -> dict[str, str]:
    """Appeal UUID → that a write carried out what was granted."""
    lists = tournament.log.filter(data__has_key="rulings_carried_out").order_by("seq")
    uuid_lists = (data["rulings_carried_out"] for data in lists.values_list("data", flat=True))
    return {uuid: Appeal.Settled.CARRIED_OUT.value for uuids in uuid_lists for uuid in uuids}


def _check_finals(tournament: Tournament) -> Iterator[Finding]:
    """Each final as it was set up, and none that was taken back."""
    logged_finals: dict[int, tuple[str, list[list[int]]]] = {}
    entries = tournament.log.of(FINALS_SET, SEATS_RESTORED).order_by("seq")
    for action, data in entries.values_list("action", "data"):
        if action == FINALS_SET.code:
            logged_finals[data["after"]] = (data["carry"], data["groups"])
        elif data["action"] == FINALS_SET.code:
            logged_finals.pop(data["after"], None)
    stored = {final.after_session: (final.carry, final.groups) for final in tournament.finals.all()}
    for after in sorted(logged_finals.keys() | stored.keys()):
        if logged_finals.get(after) != stored.get(after):
            yield Finding(final_place(tournament, after), AUDIT_NOT_AS_LOGGED())


# --- Penalties and the log ---


_TOTALS_ACTIONS = (play.TABLE_TOTALS_ENTERED, play.TABLE_TOTALS_CORRECTED, play.TABLE_TOTALS_SETTLED)
_HAND_ACTIONS = (play.HAND_RECORDED, play.HAND_CORRECTED, play.HAND_DEEPENED)


@dataclass
class Logged:
    """What the log says of hands, totals and penalties, by their UUIDs, and where in it.

    In which order they were written, the log says: what is refused at the desk depends on it.
    """

    hands: dict[str, dict[str, Any]] = field(default_factory=dict)
    given: dict[str, dict[str, Any]] = field(default_factory=dict)
    totals: dict[str, dict[str, Any]] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    """UUID → the entry's number."""
    cancelled: dict[str, int] = field(default_factory=dict)

    def stood(self, penalty: Penalty, hand: Hand) -> bool:
        """Whether the penalty had been given, and not been taken back, when the hand was recorded."""
        at, uuid = self.written.get(str(hand.uuid), 0), str(penalty.uuid)
        return self.written.get(uuid, 0) < at and not self.cancelled.get(uuid, at) < at


def logged(tournament: Tournament) -> Logged:
    """One reading of the log."""
    log_data = Logged()
    entries = tournament.log.of(
        *_HAND_ACTIONS, *_TOTALS_ACTIONS, fouls.PENALTY_GIVEN, fouls.PENALTY_CANCELLED
    )
    for seq, code, data in entries.values_list("seq", "action", "data"):
        action = ACTIONS[code]
        if action in _HAND_ACTIONS:
            log_data.hands[data["uuid"]] = data
            log_data.written[data["uuid"]] = seq
        elif action in _TOTALS_ACTIONS:
            if "included" in data:  # else the first reading was right, and nothing was made
                log_data.totals[data["uuid"]] = data
        elif action is fouls.PENALTY_GIVEN:
            log_data.given[data["penalty"]] = data
            log_data.written[data["penalty"]] = seq
        else:
            log_data.cancelled[data["penalty"]] = seq
    return log_data


def contradicted(table: Table) -> list[tuple[int, Problem]]:
    """(hand number, why) of what dead hands given, or taken back, since say against a hand as it is recorded."""
    sanctions = table.penalties.exclude(hand_number=None).values_list("hand_number", "sanction")
    numbers = [number for number, sanction in sanctions if number and sanction.get("dead_hand")]
    hands = table.hands.filter(number__in=numbers, is_current=True).select_related("winner", "discarder")
    return [
        (hand.number, problem)
        for hand in hands.order_by("number")
        for problem in judge_at(table, hand.number, hand.entry).problems
    ]


def _penalty_faults(
    table: Table, penalty: Penalty, players: Sequence[int], log_data: Logged
) -> Iterator[Problem]:
    sanction, uuid = Sanction.from_json(penalty.sanction), str(penalty.uuid)
    entry = log_data.given.get(uuid, {})
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
    if number is None and sanction.lasts_the_hand:
        yield AUDIT_PENALTY_WITHOUT_HAND()
    yield from _payment_faults(penalty, sanction, players)


def _payment_faults(penalty: Penalty, sanction: Sanction, players: Sequence[int]) -> Iterator[Problem]:
    """Whom it takes points from, and to whom it gives them."""
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


def _totals_faults(table: Table, logged_totals: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """What does not agree at a table. `said`: UUID → the data of the log entry that made it."""
    rows = list(table.totals.filter(is_second=False))
    if table.counts_totals != any(totals.is_current for totals in rows):
        yield (AUDIT_TOTALS_MISSING if table.counts_totals else AUDIT_TOTALS_UNCOUNTED)()
    for totals in rows:
        data = logged_totals.get(str(totals.uuid))
        if data is None:
            yield AUDIT_TOTALS_NOT_LOGGED(version=totals.version)
            continue
        # who sat in a wrong seat has changed names since: the figures are the same
        if sorted(data["points"].values()) != sorted(totals.points.values()):
            yield AUDIT_TOTALS_NOT_AS_LOGGED(version=totals.version)
        included = data["included"]
        played = [points - included.get(player, 0) for player, points in data["points"].items()]
        if sorted(played) != sorted(totals.payments.values()):
            yield AUDIT_TOTALS_PLAYED(version=totals.version)


# --- The clock of the hall ---


def _check_clock(tournament: Tournament) -> Iterator[Finding]:
    """The clock of each session as it was last said since its start."""
    pauses: defaultdict[int, list[dict[str, str | None]]] = defaultdict(list)
    longer: dict[int, int] = {}
    entries = tournament.log.of(play.CLOCK_PAUSED, play.CLOCK_WENT_ON, play.CLOCK_EXTENDED, SESSION_UNSTARTED)
    for entry in entries.order_by("seq"):
        session, data = entry.data["session"], entry.full_data
        match entry.action:
            case play.CLOCK_PAUSED.code:
                pauses[session].append({"since": data["at"], "until": None, "reason": data["reason"]})
            case play.CLOCK_WENT_ON.code:
                pauses[session][-1]["until"] = data["at"]
            case play.CLOCK_EXTENDED.code:
                longer[session] = data["minutes"]
            case _:
                pauses[session], longer[session] = [], 0
    for session in tournament.sessions.all():
        session.tournament = tournament
        if session.pauses != pauses[session.number]:
            yield Finding(session_place(session), AUDIT_PAUSES())
        if session.extra_minutes != (minutes := longer.get(session.number, 0)):
            problem = AUDIT_EXTRA_TIME(minutes=session.extra_minutes, said=minutes)
            yield Finding(session_place(session), problem)
