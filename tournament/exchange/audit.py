"""Whether what is stored still says what was done: the log's chain, and every figure that follows from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Prefetch

from penalties.engine import Sanction, people_problems, point_effects
from penalties.models import Penalty
from scoring.engine.problems import Problem
from scoring.texts import joined
from tournament.base import log
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.models.play import Appeal, Hand, Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.texts import about, entry_place, final_place, hand_place, session_place, table_place
from tournament.fouls.selectors import appeals_of
from tournament.play.engine.judge import judge
from tournament.play.models import Signature
from tournament.play.selectors.hands import Barred, barred_from_winning, figures_at, judge_at
from tournament.play.selectors.public import sheet_to_sign
from tournament.web.texts.problems import sentence

# --- The clock of the hall against the log: paused and gone on when it says, and so much longer ---


CLOCK = ("clock_paused", "clock_went_on", "clock_extended", "session_unstarted")


def hall_clock(tournament: Tournament) -> Iterator[tuple[str, Problem]]:
    """(where, what) does not agree, for each session as it was last said since its start."""
    pauses: defaultdict[int, list[dict[str, str | None]]] = defaultdict(list)
    longer: dict[int, int] = {}
    entries = tournament.log.filter(action__in=CLOCK).order_by("seq")
    for action, data in ((entry.action, entry.said) for entry in entries):
        session = data["session"]
        match action:
            case "clock_paused":
                pauses[session].append({"since": data["at"], "until": None, "reason": data["reason"]})
            case "clock_went_on":
                pauses[session][-1]["until"] = data["at"]
            case "clock_extended":
                longer[session] = data["minutes"]
            case _:
                pauses[session], longer[session] = [], 0
    for session in tournament.sessions.all():
        session.tournament = tournament
        if session.pauses != pauses[session.number]:
            yield session_place(session), Problem("audit_pauses")
        if session.extra_minutes != (said := longer.get(session.number, 0)):
            times = {"minutes": session.extra_minutes, "said": said}
            yield session_place(session), Problem("audit_extra_time", "", times)


# --- Fouls ---
# Whether penalties still say what was imposed, and whether hands and penalties of a table can stand beside each
# other.
#
# In which order they were written, the log says: what is refused at the desk depends on it.


TOTALS = ("table_totals_entered", "table_totals_corrected", "table_totals_settled")
HANDS = ("hand_recorded", "hand_corrected", "hand_deepened")


@dataclass
class Logged:
    """What the log says of hands, totals and penalties, by their UUIDs, and where in it."""

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
    found = Logged()
    entries = tournament.log.filter(action__in=(*HANDS, *TOTALS, "penalty_given", "penalty_cancelled"))
    for seq, action, data in entries.values_list("seq", "action", "data"):
        if action in HANDS:
            found.hands[data["uuid"]] = data
            found.written[data["uuid"]] = seq
        elif action in TOTALS:
            if "included" in data:  # else the first reading was right, and nothing was made
                found.totals[data["uuid"]] = data
        elif action == "penalty_given":
            found.given[data["penalty"]] = data
            found.written[data["penalty"]] = seq
        else:
            found.cancelled[data["penalty"]] = seq
    return found


def barred_then(table: Table, hand: Hand, penalties: Sequence[Penalty], log: Logged) -> Barred:
    """Who might not win the hand when it was recorded."""
    stood = [penalty for penalty in penalties if log.stood(penalty, hand)]
    return barred_from_winning(table, stood).get(hand.number, {})


def contradicted(table: Table) -> list[tuple[int, Problem]]:
    """(hand number, why) of what dead hands given, or taken back, since say against a hand as it is recorded."""
    given = table.penalties.exclude(hand_number=None).values_list("hand_number", "sanction")
    numbers = [number for number, sanction in given if number and sanction.get("dead_hand")]
    hands = table.hands.filter(number__in=numbers, is_current=True).select_related("winner", "discarder")
    return [
        (hand.number, problem)
        for hand in hands.order_by("number")
        for problem in judge_at(table, hand.number, hand.entry).problems
    ]


def faults(table: Table, penalties: Sequence[Penalty], log: Logged) -> Iterator[tuple[Penalty, Problem]]:
    """What is wrong with the penalties of the table."""
    players = [seat.player.number for seat in table.seats.all()]
    for penalty in penalties:
        for fault in _faults(table, penalty, players, log):
            yield penalty, fault


def _faults(table: Table, penalty: Penalty, players: Sequence[int], log: Logged) -> Iterator[Problem]:
    sanction, uuid = Sanction.from_json(penalty.sanction), str(penalty.uuid)
    said = log.given.get(uuid, {})
    if said.get("sanction") != penalty.sanction or penalty.is_cancelled != (uuid in log.cancelled):
        yield Problem("audit_not_as_logged")
    if penalty.is_cancelled:
        return
    number = penalty.hand_number
    begun = min(table.hands_played + 1, HANDS_PER_SESSION)  # time may have cut the last one off
    if table.is_on_paper:
        begun = HANDS_PER_SESSION
    if number is not None and not 1 <= number <= begun:
        yield Problem("audit_penalty_too_late", "", {"number": number, "begun": begun})
    if number is None and sanction.lasts_the_hand:
        yield Problem("audit_penalty_without_hand")
    yield from _unpaid(penalty, sanction, players)


def _unpaid(penalty: Penalty, sanction: Sanction, players: Sequence[int]) -> Iterator[Problem]:
    """Whom it takes points from, and to whom it gives them."""
    offender = penalty.player.number
    victim = None if penalty.victim is None else penalty.victim.number
    others = [player for player in players if player != offender]
    if offender not in players:
        yield Problem("audit_penalty_of_nobody")
    elif problems := people_problems(sanction, offender, others, victim):
        codes = ", ".join(problem.code for problem in problems)
        yield Problem("audit_penalty_unpayable", "", {"codes": codes})
    elif {int(player): n for player, n in penalty.effects.items()} != point_effects(
        sanction, offender, others, victim
    ):
        yield Problem("audit_penalty_points")


# --- Totals from paper against the log: what was typed, and what of it were penalties ---


def faults_of_totals(table: Table, said: Mapping[str, Mapping[str, Any]]) -> Iterator[Problem]:
    """What does not agree at a table. `said`: UUID → the data of the log entry that made it."""
    rows = list(table.totals.filter(is_second=False))
    if table.counts_totals != any(one.is_current for one in rows):
        yield Problem("audit_totals_missing" if table.counts_totals else "audit_totals_uncounted")
    for one in rows:
        data, which = said.get(str(one.uuid)), {"version": one.version}
        if data is None:
            yield Problem("audit_totals_not_logged", "", which)
            continue
        # who sat in a wrong seat has changed names since: the figures are the same
        if sorted(data["points"].values()) != sorted(one.points.values()):
            yield Problem("audit_totals_not_as_logged", "", which)
        included = data["included"]
        played = [points - included.get(player, 0) for player, points in data["points"].items()]
        if sorted(played) != sorted(one.payments.values()):
            yield Problem("audit_totals_played", "", which)


# --- Audit ---
# Whether what is stored still says what was done: the log's chain, and every figure derived anew.
#
# A difference means that the database was changed past the services, or that the engine counts differently now than
# when the hand was recorded. Nothing is mended here.


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
    """Everything that does not agree, in the order of the tournament; call with its row freshly read and locked.

    Rows of the many are read for all tables at once: of a large event, query by query, it took the longest by far.
    """
    broken = log.first_broken_link(tournament)
    if broken is not None:
        yield Finding(entry_place(tournament, broken), Problem("audit_chain"))
    if (wrong := log.first_wrong_public_number(tournament)) is not None:
        yield Finding(entry_place(tournament, wrong), Problem("audit_public_number"))
    said = logged(tournament)
    rows = {
        "seats": Seat.objects.select_related("player").order_by("id"),
        "hands": Hand.objects.select_related("winner", "discarder").order_by("number", "version"),
        "penalties": Penalty.objects.select_related("player", "victim"),
        "signatures": Signature.objects.filter(void_at=None).select_related("player"),
    }
    tables = Table.objects.filter(session__tournament=tournament).select_related("session")
    prefetched = tables.prefetch_related(*(Prefetch(name, found) for name, found in rows.items()))
    for table in prefetched.order_by("session__number", "number"):
        table.session.tournament = tournament
        yield from _table(table, said)
    yield from _extra_time(tournament)
    yield from (Finding(*found) for found in hall_clock(tournament))
    yield from _appeals(tournament)
    yield from _finals(tournament)


def _table(table: Table, said: Logged) -> Iterator[Finding]:
    """`table` with its rows read."""
    where = table_place(table)
    hands = list(table.hands.all())
    current = [hand for hand in hands if hand.is_current]
    numbers = [hand.number for hand in current]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Finding(where, Problem("audit_hand_numbers", "", {"numbers": joined(map(str, numbers))}))
    if table.hands_played != len(numbers):
        counts = {"counted": table.hands_played, "there": len(numbers)}
        yield Finding(where, Problem("audit_hand_count", "", counts))
    penalties = list(table.penalties.all())
    standing = [penalty for penalty in penalties if not penalty.is_cancelled]
    for hand in hands:
        yield from _logged(hand, table, said)
    yield from _judged(table, hands, penalties, said)
    for penalty, fault in faults(table, penalties, said):
        yield Finding(about(where, f"{penalty.player.name}, {penalty.foul}"), fault)
    yield from (Finding(where, fault) for fault in faults_of_totals(table, said.totals))
    figures = figures_at(table, current, standing)
    for seat in table.seats.all():
        yield from _seat(seat, about(where, seat.player.name), figures[seat.player.number])
    for signature in table.signatures.all():
        if signature.sheet != sheet_to_sign(table):
            yield Finding(where, Problem("audit_not_as_signed", "", {"player": signature.player.name}))


def _logged(hand: Hand, table: Table, said: Logged) -> Iterator[Finding]:
    """The hand against the log."""
    where, points = hand_place(table, hand.number, hand), said.hands.get(str(hand.uuid), {}).get("points")
    if points is None:
        yield Finding(where, Problem("audit_hand_not_logged", "", {"points": hand.points}))
    elif points != hand.points:
        yield Finding(where, Problem("audit_hand_points", "", {"points": hand.points, "said": points}))


def _judged(
    table: Table, hands: Sequence[Hand], penalties: Sequence[Penalty], said: Logged
) -> Iterator[Finding]:
    """Its hands against their own tiles, and against what was forbidden when they were recorded, and is by now."""
    seats = {seat.wind: seat.player.number for seat in table.seats.all()}
    for hand in hands:
        barred = barred_then(table, hand, penalties, said)
        yield from _hand(hand, table, seats, barred)
    if not any(penalty.hand_number for penalty in penalties):
        return
    for number, problem in contradicted(table):
        because = Problem("audit_hand_contradicted", "", {"because": sentence(problem)})
        yield Finding(hand_place(table, number), because, is_judged=True)


def _hand(hand: Hand, table: Table, seats: Mapping[str, int], barred: Barred) -> Iterator[Finding]:
    where = hand_place(table, hand.number, hand)
    verdict = judge(table.session.tournament.rules, seats, hand.number, hand.entry, barred)
    if verdict.problems:
        codes = ", ".join(problem.code for problem in verdict.problems)
        yield Finding(where, Problem("audit_hand_illegal", "", {"codes": codes}), is_judged=True)
    elif verdict.points != hand.points:
        comes_to = {"points": hand.points, "due": verdict.points}
        yield Finding(where, Problem("audit_hand_worth", "", comes_to), is_judged=True)
    elif {str(player): points for player, points in verdict.payments.items()} != hand.payments:
        yield Finding(where, Problem("audit_hand_payments"))


def _seat(seat: Seat, where: str, right: dict[str, int]) -> Iterator[Finding]:
    for name, value in right.items():
        if (stored := getattr(seat, name)) != value:
            yield Finding(where, Problem("audit_figure", "", {"name": name, "stored": stored, "due": value}))


def _extra_time(tournament: Tournament) -> Iterator[Finding]:
    """Each table plays as much longer as was last said since its session's start."""
    entries = tournament.log.filter(action__in=("extra_time_set", "session_unstarted")).order_by("seq")
    said: dict[tuple[int, int], int] = {}
    for data in entries.values_list("data", flat=True):
        if "table" in data:
            said[data["session"], data["table"]] = data["minutes"]
        else:
            said = {at: minutes for at, minutes in said.items() if at[0] != data["session"]}
    for table in Table.objects.filter(session__tournament=tournament).select_related("session__tournament"):
        longer = {"minutes": table.extra_minutes, "said": said.get((table.session.number, table.number), 0)}
        if longer["minutes"] != longer["said"]:
            yield Finding(table_place(table), Problem("audit_extra_time", "", longer))


def _appeals(tournament: Tournament) -> Iterator[Finding]:
    """Each appeal as it was opened and ruled, and what became of it."""
    entries = tournament.log.filter(action__in=("appeal_opened", "appeal_ruled", "ruling_waived"))
    logged = {(entry.data["appeal"], entry.action): entry.said for entry in entries}
    carried_out = _carried_out(tournament)
    for appeal in appeals_of(tournament):
        opened = logged.get((str(appeal.uuid), "appeal_opened"), {})
        ruled = logged.get((str(appeal.uuid), "appeal_ruled"), {})
        waived = logged.get((str(appeal.uuid), "ruling_waived"), {})
        became = Appeal.Settled.WAIVED if waived else carried_out.get(str(appeal.uuid), "")
        if appeal.granted and appeal.settled_at == appeal.ruled_at:
            became = Appeal.Settled.CARRIED_OUT  # ruled when nothing was said of it yet (migration 0021)
        said = (
            opened.get("text"),
            ruled.get("granted"),
            ruled.get("text", ""),
            became,
            waived.get("reason", ""),
        )
        stored = (appeal.text, appeal.granted, appeal.ruling, appeal.settled_as, appeal.settled_because)
        if said != stored:
            yield Finding(about(tournament.slug, appeal), Problem("audit_not_as_logged"))


def _carried_out(tournament: Tournament) -> dict[str, str]:
    """Appeal UUID → that a write carried out what was granted."""
    lists = tournament.log.filter(data__has_key="rulings_carried_out").order_by("seq")
    found = (data["rulings_carried_out"] for data in lists.values_list("data", flat=True))
    return {uuid: Appeal.Settled.CARRIED_OUT.value for uuids in found for uuid in uuids}


def _finals(tournament: Tournament) -> Iterator[Finding]:
    """Each final as it was set up, and none that was taken back."""
    said: dict[int, tuple[str, list[list[int]]]] = {}
    entries = tournament.log.filter(action__in=("finals_set", "seats_restored")).order_by("seq")
    for action, data in entries.values_list("action", "data"):
        if action == "finals_set":
            said[data["after"]] = (data["carry"], data["groups"])
        elif data["action"] == "finals_set":
            said.pop(data["after"], None)
    stored = {final.after_session: (final.carry, final.groups) for final in tournament.finals.all()}
    for after in sorted(said.keys() | stored.keys()):
        if said.get(after) != stored.get(after):
            yield Finding(final_place(tournament, after), Problem("audit_not_as_logged"))
