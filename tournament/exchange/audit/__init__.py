"""Whether what is stored still says what was done: the log's chain, and every figure derived anew.

A difference means that the database was changed past the services, or that the engine counts differently now than when
the hand was recorded. Nothing is mended here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from penalties.models import Penalty
from scoring.engine.problems import Problem
from scoring.texts import joined
from tournament.base import log
from tournament.base.models.appeals import Appeal
from tournament.base.models.hands import Hand
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit.clocks import hall_clock
from tournament.exchange.audit.fouls import Logged, barred_then, contradicted, faults, logged
from tournament.exchange.audit.totals import faults_of_totals
from tournament.exchange.texts.audit import about, entry_place, final_place, hand_place, table_place
from tournament.fouls.selectors.appeals import appeals_of
from tournament.play.engine.judge import judge
from tournament.play.models.signing import Signature
from tournament.play.selectors.restraints import Barred
from tournament.play.selectors.seat_figures import figures_at
from tournament.play.selectors.sheet import sheet_to_sign
from tournament.web.texts.problems import sentence


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
