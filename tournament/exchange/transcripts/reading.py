"""Reading a transcript: what it says, that it is complete, and its own rules."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

from penalties.engine import Foul, FoulBook, Names, Origin
from penalties.engine.rules import rule_from_json
from penalties.engine.sources import HOUSE_RULE
from scoring.engine.problems import problem_code
from tournament.base.access import Actor
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import Attendance, PlaySettings, Rules
from tournament.base.models.tournament import Tournament
from tournament.events.services import set_play_settings
from tournament.exchange.transcripts.format import FORMAT, PLAY, VERSION, TranscriptError, check_format
from tournament.exchange.transcripts.score_sheet import Data, Sheet, parse_sheet, pick
from tournament.fouls.services import add_foul, change_foul, set_attendance
from tournament.players.selectors.players import Entrant
from tournament.seating.selectors.changes import FINALS_TOO_EARLY

FILE_NOT_JSON = problem_code("file_not_json", "this is not JSON.")
NOT_A_TRANSCRIPT = problem_code("not_a_transcript", "this is not a hule-transcript of version 1.")
SESSIONS_MISSING = problem_code(
    "sessions_missing",
    "{planned} session is declared, but the number included is {written}.",
    "{planned} sessions are declared, but the number included is {written}.",
    by="planned",
)

# --- The whole transcript ---


TOURNAMENT_FILE_FORMAT: Final = "hule-tournament"
"""A whole tournament: its transcript is a section of it (docs/api/tournament-file.md)."""


@dataclass(frozen=True)
class TranscriptFinal:
    """Who plays a final, group by group, and with how much of their points."""

    carry: Carry
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class TranscriptPause:
    """The clock of the hall stood still: so many seconds after the gong, for so many; None to the session's end."""

    at: int
    seconds: int | None
    because: str


@dataclass(frozen=True)
class TranscriptSession:
    """A session: the sheets of tables 1, 2, 3…

    `final`: the one that begins with it. `without`: who has no seat in it. `withdrawn`, `readmitted`: who left, or came
    back, after it.
    """

    sheets: tuple[Sheet, ...]
    final: TranscriptFinal | None = None
    without: tuple[int, ...] = ()
    withdrawn: tuple[int, ...] = ()
    readmitted: tuple[int, ...] = ()
    extra_minutes: int = 0
    """How much longer than planned the hall played."""
    pauses: tuple[TranscriptPause, ...] = ()


@dataclass(frozen=True)
class Transcript:
    """A tournament as it was written down; `withdrawn`: who left before the first session."""

    particulars: Mapping[str, Any]
    """Of `events.selectors.PARTICULARS` what was written."""
    players: tuple[Entrant, ...]
    sessions: tuple[TranscriptSession, ...]
    withdrawn: tuple[int, ...] = ()
    own_rules: Data = field(default_factory=dict)
    """What it plays by otherwise than its rulebook, as the file has it."""
    penalties_public: bool = True


def load(text: str) -> Transcript:
    """Read the transcript a text holds (docs/api/transcript.md): its shape, its types and that it is complete.

    What the rules say, the services check. Raises TranscriptError at the first thing that is not as it must be.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise TranscriptError(f"line {error.lineno}", FILE_NOT_JSON()) from None
    except (RecursionError, ValueError):  # nested thousands deep, a number of thousands of digits
        raise TranscriptError("transcript", FILE_NOT_JSON()) from None
    if isinstance(data, dict) and data.get("format") == TOURNAMENT_FILE_FORMAT:
        data = data.get("transcript")
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise TranscriptError("format", NOT_A_TRANSCRIPT())
    check_format(data)
    tournament, players, sessions = data["tournament"], data["players"], data["sessions"]
    if (planned := tournament["sessions"]) != len(sessions):
        raise TranscriptError("sessions", SESSIONS_MISSING(planned=planned, own_rules_to_json=len(sessions)))
    if sessions[0].get("final"):
        raise TranscriptError("session 1", FINALS_TOO_EARLY())
    return Transcript(
        _particulars(tournament),
        tuple(map(_entrant, players)),
        tuple(map(_session, sessions)),
        withdrawn=tuple(player["number"] for player in players if player.get("withdrawn")),
        own_rules=pick(tournament, "fouls", "attendance", *PLAY),
        penalties_public=tournament.get("penalties_public") is not False,
    )


def _particulars(data: Data) -> dict[str, Any]:
    """What is not said is as it is for a tournament made today."""
    return pick(data, "name", "venue", "rulebook", "minutes", "appeal_minutes", "time_zone") | {
        "starts_on": date.fromisoformat(data["starts_on"]),
        "ends_on": date.fromisoformat(data["ends_on"]),
        "sessions_planned": data["sessions"],
        "is_public": data.get("public") is not False,
    }


def _entrant(data: Data) -> Entrant:
    names = ("number", "first_name", "last_name", "country", "ema_number", "team", "club")
    return Entrant(**pick(data, *names), is_substitute=data.get("substitute"))


def _session(data: Data) -> TranscriptSession:
    final = data.get("final")
    return TranscriptSession(
        sheets=tuple(map(parse_sheet, data["tables"])),
        final=TranscriptFinal(Carry(final["carry"]), tuple(map(tuple, final["groups"]))) if final else None,
        without=tuple(data.get("without") or ()),
        withdrawn=tuple(data.get("withdrawn") or ()),
        readmitted=tuple(data.get("readmitted") or ()),
        extra_minutes=data.get("extra_minutes") or 0,
        pauses=tuple(
            TranscriptPause(pause["at"], pause.get("seconds"), pause["because"])
            for pause in data.get("pauses") or ()
        ),
    )


# --- Own rules ---


def apply_own_rules(tournament: Tournament, actor: Actor, own: Data) -> None:
    """How the tournament is played, and what follows when a player is not there."""
    if play := pick(own, *PLAY):
        set_play_settings(tournament, actor, PlaySettings.from_json(tournament.rules.play.to_json() | play))
    if "attendance" in own:
        set_attendance(tournament, actor, Attendance.from_json(own["attendance"]))


def apply_foul(tournament: Tournament, actor: Actor, own: Data) -> Foul:
    """Put the foul in the tournament's book: another rule for one that is there, or, with names, one of the house."""
    rule = rule_from_json(own["rule"])
    if (names := own.get("names")) is None:
        return change_foul(tournament, actor, own["key"], rule)
    description = Names.from_json(own.get("description") or names)
    return add_foul(tournament, actor, Names.from_json(names), description, rule)


def own_rules_to_json(rules: Rules, book: Rules) -> dict[str, Any]:
    """`rules` beside those of the rulebook, as a transcript has them; nothing where they are the same."""
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


def replayed_rules(rules: Rules, book: Rules) -> Rules:
    """What a replay of `written` plays by: the rulebook as it is today, with what was changed in it."""
    changes = list(_replayed_fouls(rules.fouls.changes(), book.fouls))
    played = book.with_play(rules.play)
    return replace(played, fouls=book.fouls.having(*changes), attendance=rules.attendance)


def _replayed_fouls(changes: Iterable[Foul], book: FoulBook) -> Iterable[Foul]:
    """As `take_foul` enters them: house fouls numbered anew, the others as in the book but for the rule."""
    originals: Mapping[str, Foul] = {foul.key: foul for foul in book.fouls}
    house = 0
    for foul in changes:
        if foul.origin is Origin.HOUSE:
            house += 1
            yield replace(foul, key=f"house_{house}", source=HOUSE_RULE)
        elif foul.key in originals:
            yield replace(originals[foul.key], rule=foul.rule, origin=Origin.CHANGED)
