"""The foul book of one tournament: amounts of its own, house fouls. What was given before stays as it was given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from penalties.engine import Foul, FoulBook, Names, Origin, find_foul_book
from penalties.engine.rules import Rule
from penalties.engine.sources import HOUSE_RULE
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.engine.attendance import Attendance
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.play.services.tables import void_signatures

MOST_HOUSE_FOULS: Final = 20
"""An umpire's card has them on one side, with those of the rulebook."""


def change_foul(
    tournament: Tournament, actor: Actor, key: str, rule: Rule, names: Names | None = None
) -> Foul:
    """Another rule for a foul from now on; a house foul can be renamed too."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "foul_changed") as entry:
        before = _found(entry.tournament, key)
        is_house = before.origin is Origin.HOUSE
        after = replace(
            before,
            rule=rule,
            names=names if names is not None and is_house else before.names,
            origin=Origin.HOUSE if is_house else Origin.CHANGED,
        )
        if problems := _unnamed(after.names):
            raise Refused(problems)
        if after == before or replace(after, origin=before.origin) == before:
            entry.unchanged()
            return before
        _keep(entry.tournament, entry.tournament.rules.fouls.having(after))
        entry.data = _about(after) | {"before": before.rule.to_json()}
    return after


def add_foul(tournament: Tournament, actor: Actor, names: Names, description: Names, rule: Rule) -> Foul:
    """A house foul, at the end of the book."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "foul_added") as entry:
        if problems := _unnamed(names):
            raise Refused(problems)
        book = entry.tournament.rules.fouls
        if sum(foul.origin is Origin.HOUSE for foul in book.fouls) >= MOST_HOUSE_FOULS:
            raise refuse("foul_book_full", most=MOST_HOUSE_FOULS)
        key = next(key for n in range(1, len(book.fouls) + 2) if not book.find(key := f"house_{n}"))
        foul = Foul(key, names, description, HOUSE_RULE, rule, Origin.HOUSE)
        _keep(entry.tournament, book.having(foul))
        entry.data = _about(foul)
    return foul


def restore_foul(tournament: Tournament, actor: Actor, key: str) -> None:
    """A foul as in the rulebook again; a house foul leaves the book, as long as nobody was penalised for it."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "foul_restored") as entry:
        foul, book = _found(entry.tournament, key), entry.tournament.rules.fouls
        original = find_foul_book(book.key).find(key)
        if foul.origin is Origin.BOOK:
            entry.unchanged()
            return
        if original is not None:
            _keep(entry.tournament, book.having(original))
        elif Penalty.objects.filter(tournament=entry.tournament, foul=key).exists():
            raise refuse("foul_in_use")
        else:
            _keep(entry.tournament, book.without(key))
        entry.data = _about(original or foul)


def set_attendance(tournament: Tournament, actor: Actor, attendance: Attendance) -> Attendance:
    """What follows for the standings when a player is not there; they are worked out anew at once."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "attendance_changed") as entry:
        before = entry.tournament.rules.attendance
        if before == attendance:
            entry.unchanged()
            return attendance
        if before.stand_in is not attendance.stand_in:
            _void_where_stood_in(entry.tournament)
        rules = replace(entry.tournament.rules, attendance=attendance)
        entry.tournament.rules_snapshot = rules.to_json()
        entry.tournament.save(update_fields=["rules_snapshot"])
        entry.data = attendance.to_json()
    return attendance


def _void_where_stood_in(tournament: Tournament) -> None:
    """The places at these tables are other ones now than those that were signed."""
    stood_in = Seat.objects.filter(table__session__tournament=tournament).exclude(stand_in="")
    for table in Table.objects.filter(pk__in=stood_in.values("table")):
        void_signatures(table)


def _found(tournament: Tournament, key: str) -> Foul:
    foul = tournament.rules.fouls.find(key)
    if foul is None:
        raise refuse("foul_unknown", "foul", foul=key)
    return foul


def _keep(tournament: Tournament, book: FoulBook) -> None:
    tournament.rules_snapshot = replace(tournament.rules, fouls=book).to_json()
    tournament.save(update_fields=["rules_snapshot"])


def _unnamed(names: Names) -> tuple[Problem, ...]:
    return () if names.en.strip() else (Problem("name_missing", "name"),)


def _about(foul: Foul) -> dict[str, Any]:
    return {"foul": foul.key, "names": foul.names.to_json(), "rule": foul.rule.to_json()}
