"""Reading a transcript: its own rules, its shape, and that it is complete."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from penalties.engine import Foul, FoulBook, Names, Origin
from penalties.engine.rules import Rule, rule_from_json
from penalties.engine.sanctions import UNREADABLE
from penalties.engine.sources import HOUSE_RULE
from scoring.engine.problems import problem_code
from tournament.base.access import Actor
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import Attendance, PlaySettings, Rules, rules_named
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NOT_UNDERSTOOD
from tournament.events.services import set_play_settings
from tournament.exchange.transcripts.score_sheet import (
    LONGEST_WORD,
    Record,
    Sheet,
    TranscriptError,
    longest,
    sheet_in,
)
from tournament.fouls.services import add_foul, change_foul, set_attendance
from tournament.players.selectors.players import Entrant
from tournament.seating.selectors.changes import FINALS_TOO_EARLY

FILE_NOT_JSON = problem_code("file_not_json", "this is not JSON.")
NOT_A_TRANSCRIPT = problem_code("not_a_transcript", "this is not a hule-transcript of version 1.")
SESSIONS_MISSING = problem_code(
    "sessions_missing", "{planned} sessions are announced and {written} are written down."
)

# --- The whole transcript ---


FORMAT: Final = "hule-transcript"
VERSION: Final = 1
WHOLE: Final = "hule-tournament"
"""A whole tournament: its transcript is a section of it (docs/tournament-file.md)."""
LONGEST_REASON: Final = 300


@dataclass(frozen=True)
class OwnFoul:
    """Another rule for a foul of the book; with `names`, a foul of the house."""

    key: str
    rule: Rule
    names: Names | None = None
    description: Names | None = None


@dataclass(frozen=True)
class OwnRules:
    """What a tournament plays by otherwise than its rulebook: fouls, how it is played, and who is not there.

    `play`: as in `PlaySettings.to_json`, only those settings that are not the rulebook's.
    """

    fouls: tuple[OwnFoul, ...] = ()
    attendance: Attendance | None = None
    play: Mapping[str, Any] = field(default_factory=dict)


USUAL_RULES: Final = OwnRules()


@dataclass(frozen=True)
class FinalOf:
    """Who plays a final, group by group, and with how much of their points."""

    carry: Carry
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Stood:
    """The clock of the hall stood still: so many seconds after the gong, for so many; None to the session's end."""

    at: int
    seconds: int | None
    because: str


@dataclass(frozen=True)
class Played:
    """A session: the sheets of tables 1, 2, 3…

    `final`: the one that begins with it. `without`: who has no seat in it. `withdrawn`, `readmitted`: who left, or came
    back, after it.
    """

    sheets: tuple[Sheet, ...]
    final: FinalOf | None = None
    without: tuple[int, ...] = ()
    withdrawn: tuple[int, ...] = ()
    readmitted: tuple[int, ...] = ()
    extra_minutes: int = 0
    """How much longer than planned the hall played."""
    pauses: tuple[Stood, ...] = ()


@dataclass(frozen=True)
class Transcript:
    """A tournament as it was written down; `withdrawn`: who left before the first session."""

    particulars: Mapping[str, Any]
    """Of `events.selectors.PARTICULARS` what was written."""
    players: tuple[Entrant, ...]
    sessions: tuple[Played, ...]
    withdrawn: tuple[int, ...] = ()
    own_rules: OwnRules = USUAL_RULES
    penalties_public: bool = True


def load(text: str) -> Transcript:
    """Read the transcript a text holds (docs/transcript.md): its shape, its types and that it is complete.

    What the rules say, the services check. Raises TranscriptError at the first thing that is not as it must be.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise TranscriptError(f"line {error.lineno}", FILE_NOT_JSON()) from None
    except (RecursionError, ValueError):  # nested thousands deep, a number of thousands of digits
        raise TranscriptError("transcript", FILE_NOT_JSON()) from None
    if isinstance(data, dict) and data.get("format") == WHOLE:
        data = data.get("transcript")
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise TranscriptError("format", NOT_A_TRANSCRIPT())
    record = Record(data, "")
    tournament = record.record("tournament", "tournament")
    particulars, own_rules = _particulars(tournament), own_rules_in(tournament)
    people = [(_entrant(player), player) for player in record.records("players", "player")]
    sessions = tuple(_session(session) for session in record.numbered("sessions", "session"))
    if (planned := particulars["sessions_planned"]) != len(sessions):
        problem = SESSIONS_MISSING(planned=planned, written=len(sessions))
        raise TranscriptError("sessions", problem)
    return Transcript(
        particulars,
        tuple(entrant for entrant, _ in people),
        sessions,
        withdrawn=tuple(_withdrawn(people)),
        own_rules=own_rules,
        penalties_public=tournament.yes_or_no_if_given("penalties_public") is not False,
    )


def _particulars(record: Record) -> dict[str, Any]:
    # What is not said is as it is for a tournament made today.
    given: dict[str, Any] = {"is_public": record.yes_or_no_if_given("public") is not False}
    if record.has("appeal_minutes"):
        given["appeal_minutes"] = record.whole("appeal_minutes")
    if record.has("time_zone"):
        given["time_zone"] = record.text("time_zone", longest(Tournament, "time_zone"))
    return given | {
        "name": record.text("name", longest(Tournament, "name")),
        "venue": record.text("venue", longest(Tournament, "venue"), optional=True),
        "starts_on": record.day("starts_on"),
        "ends_on": record.day("ends_on"),
        "rulebook": record.text("rulebook", LONGEST_WORD),
        "sessions_planned": record.whole("sessions", least=1),
        "minutes": record.whole("minutes", least=1),
    }


def _entrant(record: Record) -> Entrant:
    optional: dict[str, Any] = {
        name: record.text(name, longest(Player, name), optional=True)
        for name in ("first_name", "country", "ema_number", "team", "club")
    }
    return Entrant(
        last_name=record.text("last_name", longest(Player, "last_name")),
        number=record.whole("number"),
        is_substitute=record.yes_or_no_if_given("substitute"),
        **optional,
    )


def _withdrawn(people: list[tuple[Entrant, Record]]) -> Iterator[int]:
    for entrant, record in people:
        if record.yes_or_no_if_given("withdrawn") and entrant.number is not None:
            yield entrant.number


def _session(record: Record) -> Played:
    final = _final(record.record("final", record.where)) if record.has("final") else None
    if final is not None and record.whole("number") == 1:
        raise TranscriptError(record.where, FINALS_TOO_EARLY())
    return Played(
        tuple(sheet_in(table) for table in record.numbered("tables", "table")),
        final,
        tuple(record.wholes("without")),
        tuple(record.wholes("withdrawn")),
        tuple(record.wholes("readmitted")),
        record.whole_if_given("extra_minutes") or 0,
        tuple(_pause(pause) for pause in record.records("pauses", "pause", optional=True)),
    )


def _final(record: Record) -> FinalOf:
    carry = record.text("carry", LONGEST_WORD)
    if carry not in set(Carry):
        raise record.fault(NOT_UNDERSTOOD, "carry")
    return FinalOf(Carry(carry), tuple(map(tuple, record.lists_of_wholes("groups"))))


def _pause(record: Record) -> Stood:
    return Stood(
        record.whole("at"),
        record.whole_if_given("seconds"),
        record.text("because", LONGEST_REASON),
    )


# --- Own rules ---


def own_rules_in(record: Record) -> OwnRules:
    """Read what is a tournament's own among `fouls`, `attendance` and the settings of how it is played.

    Raises TranscriptError for what cannot be read.
    """
    fouls = tuple(_own_foul(foul) for foul in record.records("fouls", "foul", optional=True))
    play = _own_play(record)
    if not record.has("attendance"):
        return OwnRules(fouls, play=play)
    try:
        return OwnRules(fouls, Attendance.from_json(record.fields["attendance"]), play)
    except UNREADABLE:
        raise record.fault(NOT_UNDERSTOOD, "attendance") from None


def _own_play(record: Record) -> Mapping[str, Any]:
    record.yes_or_no_if_given("held_out_waits")
    usual = rules_named("mcr").play.to_json()
    own = {name: record.fields[name] for name in usual if record.has(name)}
    for name, value in own.items():
        try:
            PlaySettings.from_json(usual | {name: value})
        except (*UNREADABLE, ArithmeticError):
            raise record.fault(NOT_UNDERSTOOD, name) from None
    return own


def _own_foul(record: Record) -> OwnFoul:
    key = record.text("key", LONGEST_WORD)
    name = "rule"
    try:
        rule = rule_from_json(record.fields[name])
        if not record.has(name := "names"):
            return OwnFoul(key, rule)
        names = Names.from_json(record.fields[name])
        return OwnFoul(key, rule, names, Names.from_json(record.fields[name := "description"]))
    except UNREADABLE:
        raise record.fault(NOT_UNDERSTOOD, name) from None


def take_foul(tournament: Tournament, actor: Actor, own: OwnFoul) -> Foul:
    """The foul in the tournament's book."""
    if own.names is None:
        return change_foul(tournament, actor, own.key, own.rule)
    return add_foul(tournament, actor, own.names, own.description or own.names, own.rule)


def take_attendance(tournament: Tournament, actor: Actor, own: OwnRules) -> None:
    if own.attendance is not None:
        set_attendance(tournament, actor, own.attendance)


def take_play(tournament: Tournament, actor: Actor, own: OwnRules) -> None:
    if own.play:
        play = PlaySettings.from_json(tournament.rules.play.to_json() | dict(own.play))
        set_play_settings(tournament, actor, play)


def written(rules: Rules, book: Rules) -> dict[str, Any]:
    """`rules` beside those of the rulebook, as `own_rules_in` reads them; nothing where they are the same."""
    data: dict[str, Any] = {}
    if changes := rules.fouls.changes():
        data["fouls"] = [_foul_as_json(foul) for foul in changes]
    play = rules.play.to_json()
    data |= {name: play[name] for name in rules.play.differing(book.play)}
    if rules.attendance != book.attendance:
        data["attendance"] = rules.attendance.to_json()
    return data


def _foul_as_json(foul: Foul) -> dict[str, Any]:
    data: dict[str, Any] = {"key": foul.key, "rule": foul.rule.to_json()}
    if foul.origin is Origin.HOUSE:
        data |= {"names": foul.names.to_json(), "description": foul.description.to_json()}
    return data


def replayed(rules: Rules, book: Rules) -> Rules:
    """What a replay of `written` plays by: the rulebook as it is today, with what was changed in it."""
    changes = list(_as_taken(rules.fouls.changes(), book.fouls))
    played = book.with_play(rules.play)
    return replace(played, fouls=book.fouls.having(*changes), attendance=rules.attendance)


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
