"""Read a transcript, and its changes to the rulebook."""

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
from tournament.fouls.services.foul_book import add_foul, change_foul, set_attendance
from tournament.players.selectors.players import Entrant
from tournament.seating.selectors.finals import FINALS_TOO_EARLY

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
"""The format of tournament files, which contain a transcript as a section (docs/api/tournament-file.md)."""


@dataclass(frozen=True)
class TranscriptFinal:
    """A final: its groups of players, and how many points they carry over."""

    carry: Carry
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class TranscriptPause:
    """A pause of the session's clock."""

    at: int
    """Seconds after the start of the session."""
    seconds: int | None
    """Length; None if it lasted to the end of the session."""
    because: str


@dataclass(frozen=True)
class TranscriptSession:
    """A session. Players are given by number."""

    sheets: tuple[Sheet, ...]
    """Of tables 1, 2, 3…"""
    final: TranscriptFinal | None = None
    """The final that begins with this session."""
    without: tuple[int, ...] = ()
    """Players without a seat."""
    withdrawn: tuple[int, ...] = ()
    """Players who withdrew after the session."""
    readmitted: tuple[int, ...] = ()
    """Players who were readmitted after the session."""
    extra_minutes: int = 0
    """Added to the planned length, for all tables."""
    pauses: tuple[TranscriptPause, ...] = ()


@dataclass(frozen=True)
class Transcript:
    """A whole tournament."""

    particulars: Mapping[str, Any]
    """Those of `events.selectors.PARTICULARS` that are in the file."""
    players: tuple[Entrant, ...]
    sessions: tuple[TranscriptSession, ...]
    withdrawn: tuple[int, ...] = ()
    """Players who withdrew before the first session."""
    own_rules: Data = field(default_factory=dict)
    """Its changes to the rulebook, as they are in the file."""
    penalties_public: bool = True


def load(text: str) -> Transcript:
    """Return the transcript in a text (docs/api/transcript.md); check its shape and that it is complete.

    Accepts a tournament file with a transcript, too. Raises TranscriptError with the first problem. The rules of the
    game are checked by the services when it is played.
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
        raise TranscriptError("sessions", SESSIONS_MISSING(planned=planned, written=len(sessions)))
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
    """Return the particulars in the file; the others keep the defaults of a new tournament."""
    names = (
        "name",
        "venue",
        "rulebook",
        "foul_book",
        "minutes",
        "appeal_minutes",
        "appeal_deposit",
        "time_zone",
    )
    return pick(data, *names) | {
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


def apply_own_rules(tournament: Tournament, actor: Actor, own_rules: Data) -> None:
    """Store the tournament's own play settings and attendance rules."""
    if play := pick(own_rules, *PLAY):
        set_play_settings(tournament, actor, PlaySettings.from_json(tournament.rules.play.to_json() | play))
    if "attendance" in own_rules:
        set_attendance(tournament, actor, Attendance.from_json(own_rules["attendance"]))


def apply_foul(tournament: Tournament, actor: Actor, data: Data) -> Foul:
    """Store a foul of a transcript: with names, a house foul; otherwise another rule for a foul of the rulebook."""
    rule = rule_from_json(data["rule"])
    if (names := data.get("names")) is None:
        return change_foul(tournament, actor, data["key"], rule)
    description = Names.from_json(data.get("description") or names)
    return add_foul(tournament, actor, Names.from_json(names), description, rule)


def own_rules_to_json(rules: Rules, book: Rules) -> dict[str, Any]:
    """Return the differences of `rules` from a rulebook, as they are in a transcript."""
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
    """Return the rules by which a replay plays: today's rulebook with the changes that a transcript can contain."""
    changes = _replayed_fouls(rules.fouls.changes(), book.fouls)
    return replace(
        book.with_play(rules.play), fouls=book.fouls.with_fouls(*changes), attendance=rules.attendance
    )


def _replayed_fouls(changes: Iterable[Foul], book: FoulBook) -> Iterable[Foul]:
    """Yield changed fouls as `apply_foul` stores them: house fouls are numbered anew, others change only their rule."""
    originals: Mapping[str, Foul] = {foul.key: foul for foul in book.fouls}
    house_fouls = 0
    for foul in changes:
        if foul.origin is Origin.HOUSE:
            house_fouls += 1
            yield replace(foul, key=f"house_{house_fouls}", source=HOUSE_RULE)
        elif foul.key in originals:
            yield replace(originals[foul.key], rule=foul.rule, origin=Origin.CHANGED)
