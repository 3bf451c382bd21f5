"""Change a tournament's foul book, and how absences count."""

from dataclasses import replace
from typing import Any, Final

from penalties.engine import Foul, Names, Origin, find_foul_book
from penalties.engine.escalation import FOUL_UNKNOWN
from penalties.engine.rules import Rule
from penalties.engine.sources import HOUSE_RULE
from penalties.models import Penalty
from scoring.engine.problems import problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.engine.rules import Attendance
from tournament.base.errors import Refused
from tournament.base.models.play import Seat, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NAME_MISSING
from tournament.fouls import texts as actions
from tournament.play.services.tables import (
    void_signatures,
)

FOUL_BOOK_FULL = problem_code(
    "foul_book_full", "A foul book has at most {maximum} house fouls. Remove one first."
)
FOUL_IN_USE = problem_code("foul_in_use", "There are penalties for this foul, so it stays in the book.")
MAX_HOUSE_FOULS: Final = 20
"""The umpire's printed card has room for this many besides the fouls of the rulebook."""


def change_foul(
    tournament: Tournament, actor: Actor, key: str, rule: Rule, names: Names | None = None
) -> Foul:
    """Change the rule of a foul, and the name of a house foul. Existing penalties stay."""
    with log.write(tournament, actor, actions.FOUL_CHANGED, Right.ORGANISE) as entry:
        before = _foul_or_refuse(entry.tournament, key)
        is_house = before.origin is Origin.HOUSE
        after = replace(
            before,
            rule=rule,
            names=names if names is not None and is_house else before.names,
            origin=Origin.HOUSE if is_house else Origin.CHANGED,
        )
        if not after.names.en.strip():
            raise Refused(NAME_MISSING("name"))
        if replace(after, origin=before.origin) == before:
            return entry.unchanged(before)
        _store_rules(entry.tournament, fouls=entry.tournament.rules.fouls.with_fouls(after))
        entry.data = _foul_data(after) | {"before": before.rule.to_json()}
    return after


def _foul_or_refuse(tournament: Tournament, key: str) -> Foul:
    foul = tournament.rules.fouls.find(key)
    if foul is None:
        raise Refused(FOUL_UNKNOWN("foul", foul=key))
    return foul


def _store_rules(tournament: Tournament, **rules: Any) -> None:
    tournament.rules_snapshot = replace(tournament.rules, **rules).to_json()
    tournament.save(update_fields=["rules_snapshot"])


def _foul_data(foul: Foul) -> dict[str, Any]:
    return {"foul": foul.key, "names": foul.names.to_json(), "rule": foul.rule.to_json()}


def add_foul(tournament: Tournament, actor: Actor, names: Names, description: Names, rule: Rule) -> Foul:
    """Add a house foul at the end of the book. Raises Refused if it has no name or the book is full."""
    with log.write(tournament, actor, actions.FOUL_ADDED, Right.ORGANISE) as entry:
        if not names.en.strip():
            raise Refused(NAME_MISSING("name"))
        book = entry.tournament.rules.fouls
        if sum(foul.origin is Origin.HOUSE for foul in book.fouls) >= MAX_HOUSE_FOULS:
            raise Refused(FOUL_BOOK_FULL(maximum=MAX_HOUSE_FOULS))
        key = next(key for n in range(1, len(book.fouls) + 2) if not book.find(key := f"house_{n}"))
        foul = Foul(key, names, description, HOUSE_RULE, rule, Origin.HOUSE)
        _store_rules(entry.tournament, fouls=book.with_fouls(foul))
        entry.data = _foul_data(foul)
    return foul


def restore_foul(tournament: Tournament, actor: Actor, key: str) -> None:
    """Restore the rulebook's rule of a changed foul, or remove a house foul.

    Raises Refused for a house foul with penalties.
    """
    with log.write(tournament, actor, actions.FOUL_RESTORED, Right.ORGANISE) as entry:
        foul, book = _foul_or_refuse(entry.tournament, key), entry.tournament.rules.fouls
        original = find_foul_book(book.key).find(key)
        if foul.origin is Origin.BOOK:
            entry.mark_unchanged()
            return
        if original is not None:
            _store_rules(entry.tournament, fouls=book.with_fouls(original))
        elif Penalty.objects.filter(tournament=entry.tournament, foul=key).exists():
            raise Refused(FOUL_IN_USE())
        else:
            _store_rules(entry.tournament, fouls=book.without(key))
        entry.data = _foul_data(original or foul)


def set_attendance(tournament: Tournament, actor: Actor, attendance: Attendance) -> Attendance:
    """Set how absences, stand-ins and withdrawals count in the standings."""
    with log.write(tournament, actor, actions.ATTENDANCE_CHANGED, Right.ORGANISE) as entry:
        before = entry.tournament.rules.attendance
        if before == attendance:
            return entry.unchanged(attendance)
        if before.stand_in is not attendance.stand_in:
            # At tables with a stand-in the places are no longer those that were signed.
            seats = Seat.objects.filter(table__session__tournament=tournament).exclude(stand_in="")
            for table in Table.objects.filter(pk__in=seats.values("table")):
                void_signatures(table)
        _store_rules(entry.tournament, attendance=attendance)
        entry.data = attendance.to_json()
    return attendance
