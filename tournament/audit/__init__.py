"""Whether what is stored still says what was done: the log's chain, and every figure derived anew.

A difference means that the database was changed past the services, or that the engine counts differently now than when
the hand was recorded. Nothing is mended here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Prefetch

from tournament import log
from tournament.audit.clocks import hall_clock
from tournament.audit.fouls import Logged, barred_then, contradicted, faults, logged
from tournament.audit.totals import faults_of_totals
from tournament.engine.judge import judge
from tournament.models import Appeal, Hand, Seat, Table, Tournament
from tournament.selectors.appeals import appeals_of
from tournament.selectors.records import seats_of
from tournament.selectors.restraints import Barred
from tournament.selectors.seat_figures import figures_at
from tournament.selectors.sheet import sheet_to_sign
from tournament.words.problems import sentence


@dataclass(frozen=True)
class Finding:
    """One thing that does not agree. `where` is a place a person can go to."""

    where: str
    what: str
    is_judged: bool = False
    """By the rules as they are asked today, and not by what the log says."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def audit(tournament: Tournament) -> Iterator[Finding]:
    """Everything that does not agree, in the order of the tournament; call with its row freshly read and locked."""
    broken = log.first_broken_link(tournament)
    if broken is not None:
        yield Finding(f"{tournament.slug}, log entry {broken}", "does not follow from the one before")
    if (wrong := log.first_wrong_public_number(tournament)) is not None:
        yield Finding(
            f"{tournament.slug}, log entry {wrong}", "is not counted for the public as it should be"
        )
    said = logged(tournament)
    seats = Prefetch("seats", Seat.objects.select_related("player").order_by("id"))
    tables = Table.objects.filter(session__tournament=tournament).select_related("session")
    for table in tables.prefetch_related(seats).order_by("session__number", "number"):
        table.session.tournament = tournament
        yield from _table(table, said)
    yield from _extra_time(tournament)
    yield from (Finding(*found) for found in hall_clock(tournament))
    yield from _appeals(tournament)
    yield from _finals(tournament)


def _table(table: Table, said: Logged) -> Iterator[Finding]:
    where = f"{table.session.tournament.slug}, session {table.session.number}, table {table.number}"
    hands = list(table.hands.select_related("winner", "discarder").order_by("number", "version"))
    current = [hand for hand in hands if hand.is_current]
    numbers = [hand.number for hand in current]
    if numbers != list(range(1, len(numbers) + 1)):
        yield Finding(where, f"its hands are numbered {', '.join(map(str, numbers))}")
    if table.hands_played != len(numbers):
        yield Finding(where, f"counts {table.hands_played} hands and has {len(numbers)}")
    penalties = list(table.penalties.select_related("player", "victim"))
    standing = [penalty for penalty in penalties if not penalty.is_cancelled]
    for hand in hands:
        barred = barred_then(table, hand, penalties, said)
        yield from _hand(hand, table, f"{where}, hand {hand.number} version {hand.version}", said, barred)
    for about, fault in faults(table, penalties, said):
        yield Finding(f"{where}, {about}", fault)
    for number, problem in contradicted(table):
        yield Finding(f"{where}, hand {number}", f"wants correcting: {sentence(problem)}", is_judged=True)
    yield from (Finding(where, fault) for fault in faults_of_totals(table, said.totals))
    figures = figures_at(table, current, standing)
    for seat in table.seats.all():
        yield from _seat(seat, f"{where}, {seat.player.name}", figures[seat.player.number])
    for signature in table.signatures.filter(void_at=None).select_related("player"):
        if signature.sheet != sheet_to_sign(table):
            yield Finding(where, f"is not what {signature.player.name} signed")


def _hand(hand: Hand, table: Table, where: str, said: Logged, barred: Barred) -> Iterator[Finding]:
    """The hand against the log, against its own tiles, and against what was forbidden when it was recorded."""
    points = said.hands.get(str(hand.uuid), {}).get("points", "nothing of it")
    if points != hand.points:
        yield Finding(where, f"has {hand.points} points, the log says {points}")
    verdict = judge(table.session.tournament.rules, seats_of(table), hand.number, hand.entry, barred)
    if verdict.problems:
        codes = ", ".join(problem.code for problem in verdict.problems)
        yield Finding(where, f"is not legal: {codes}", is_judged=True)
        return
    if verdict.points != hand.points:
        comes_to = f"has {hand.points} points, what was entered comes to {verdict.points}"
        yield Finding(where, comes_to, is_judged=True)
    elif {str(player): points for player, points in verdict.payments.items()} != hand.payments:
        yield Finding(where, "its payments do not follow from its points")


def _seat(seat: Seat, where: str, right: dict[str, int]) -> Iterator[Finding]:
    for name, value in right.items():
        if (stored := getattr(seat, name)) != value:
            yield Finding(where, f"{name} is stored as {stored} and comes to {value}")


def _extra_time(tournament: Tournament) -> Iterator[Finding]:
    """Each table plays as much longer as was last said since its session's start."""
    entries = tournament.log.filter(action__in=("extra_time_set", "session_unstarted")).order_by("seq")
    said: dict[tuple[int, int], int] = {}
    for data in entries.values_list("data", flat=True):
        if "table" in data:
            said[data["session"], data["table"]] = data["minutes"]
        else:
            said = {at: minutes for at, minutes in said.items() if at[0] != data["session"]}
    tables = Table.objects.filter(session__tournament=tournament)
    for session, table, minutes in tables.values_list("session__number", "number", "extra_minutes"):
        if minutes != said.get((session, table), 0):
            where = f"{tournament.slug}, session {session}, table {table}"
            yield Finding(
                where, f"plays {minutes} minutes longer, the log says {said.get((session, table), 0)}"
            )


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
            yield Finding(f"{tournament.slug}, {appeal}", "is not as the log has it")


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
            yield Finding(f"{tournament.slug}, final after session {after}", "is not as the log has it")
