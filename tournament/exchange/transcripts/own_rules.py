"""What a tournament plays by otherwise than its rulebook, as a transcript says it: fouls, and who is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from penalties.engine import Foul, FoulBook, Names, Origin
from penalties.engine.rules import Rule, rule_from_json
from penalties.engine.sanctions import UNREADABLE
from penalties.engine.sources import HOUSE_RULE
from tournament.base.access import Actor
from tournament.base.engine.attendance import Attendance
from tournament.base.engine.rules import Rules
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts.records import Record
from tournament.exchange.transcripts.score_sheet import LONGEST_WORD
from tournament.fouls.services.fouls import add_foul, change_foul, set_attendance


@dataclass(frozen=True)
class OwnFoul:
    """Another rule for a foul of the book; with `names`, a foul of the house."""

    key: str
    rule: Rule
    names: Names | None = None
    description: Names | None = None


@dataclass(frozen=True)
class OwnRules:
    fouls: tuple[OwnFoul, ...] = ()
    attendance: Attendance | None = None


USUAL_RULES: Final = OwnRules()


def own_rules_in(record: Record) -> OwnRules:
    """What is written under `fouls` and `attendance`; raises TranscriptError for what cannot be read."""
    fouls = tuple(_foul(foul) for foul in record.records("fouls", "foul", optional=True))
    if not record.has("attendance"):
        return OwnRules(fouls)
    try:
        return OwnRules(fouls, Attendance.from_json(record.fields["attendance"]))
    except UNREADABLE:
        raise record.fault("not_understood", "attendance") from None


def _foul(record: Record) -> OwnFoul:
    key = record.text("key", LONGEST_WORD)
    name = "rule"
    try:
        rule = rule_from_json(record.fields[name])
        if not record.has(name := "names"):
            return OwnFoul(key, rule)
        names = Names.from_json(record.fields[name])
        return OwnFoul(key, rule, names, Names.from_json(record.fields[name := "description"]))
    except UNREADABLE:
        raise record.fault("not_understood", name) from None


def take_foul(tournament: Tournament, actor: Actor, own: OwnFoul) -> Foul:
    """The foul in the tournament's book."""
    if own.names is None:
        return change_foul(tournament, actor, own.key, own.rule)
    return add_foul(tournament, actor, own.names, own.description or own.names, own.rule)


def take_attendance(tournament: Tournament, actor: Actor, own: OwnRules) -> None:
    if own.attendance is not None:
        set_attendance(tournament, actor, own.attendance)


def written(rules: Rules, book: Rules) -> dict[str, Any]:
    """`rules` beside those of the rulebook, as `own_rules_in` reads them; nothing where they are the same."""
    said: dict[str, Any] = {}
    if changes := rules.fouls.changes():
        said["fouls"] = [_written(foul) for foul in changes]
    if rules.attendance != book.attendance:
        said["attendance"] = rules.attendance.to_json()
    return said


def _written(foul: Foul) -> dict[str, Any]:
    said: dict[str, Any] = {"key": foul.key, "rule": foul.rule.to_json()}
    if foul.origin is Origin.HOUSE:
        said |= {"names": foul.names.to_json(), "description": foul.description.to_json()}
    return said


def replayed(rules: Rules, book: Rules) -> Rules:
    """What a replay of `written` plays by: the rulebook as it is today, with what was changed in it."""
    changes = list(_as_taken(rules.fouls.changes(), book.fouls))
    return replace(book, fouls=book.fouls.having(*changes), attendance=rules.attendance)


def _as_taken(changes: Iterable[Foul], book: FoulBook) -> Iterable[Foul]:
    """As `take_foul` enters them: house fouls numbered anew, the others as in the book but for the rule."""
    originals: Mapping[str, Foul] = {foul.key: foul for foul in book.fouls}
    house = 0
    for foul in changes:
        if foul.origin is Origin.HOUSE:
            house += 1
            yield replace(foul, key=f"house_{house}", source=HOUSE_RULE)
        elif foul.key in originals:
            yield replace(originals[foul.key], rule=foul.rule, origin=Origin.CHANGED)
