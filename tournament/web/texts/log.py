"""Log entries as sentences, and parts of sentences that pages share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from itertools import groupby
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from penalties.engine import FoulBook
from penalties.texts import foul_name_in
from scoring.texts import joined, joined_clauses
from tournament.base.access import SCOPED_ROLES
from tournament.base.engine.entries import ERASED
from tournament.base.log_actions import ACTIONS, Data, SentenceBuilder, action_of
from tournament.base.models.log import LogEntry, staff_text
from tournament.base.models.tournament import Role
from tournament.web.texts.words import minus, time_of_day

# --- Parts of sentences ---


def where_text(
    sessions: Sequence[int],
    tables: Iterable[Sequence[int]],
    *,
    every_session: bool = False,
    role: str = Role.UMPIRE,
) -> str:
    """Return where a role is for: "all tables", "sessions 1, 2", "table 3 in every session", "whole event".

    `tables` are pairs of session and table; `every_session`: the table numbers count in all sessions.
    """
    if every_session:
        numbers = sorted({table for _session, table in tables})
        return _("{tables} in every session").format(tables=tables_text(numbers))
    by_tables: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for session, group in groupby(sorted(map(tuple, tables)), key=lambda pair: pair[0]):
        by_tables[tuple(table for _session, table in group)].append(session)
    parts = [
        _("{sessions}: {tables}").format(sessions=sessions_text(where), tables=tables_text(numbers))
        for numbers, where in by_tables.items()
    ]
    if sessions:
        parts.append(sessions_text(sessions))
    return joined_clauses(parts) or (_("all tables") if role in SCOPED_ROLES else _("whole event"))


def sessions_text(numbers: Sequence[int]) -> str:
    """Return "sessions 1, 2"."""
    text = ngettext("session {numbers}", "sessions {numbers}", len(numbers))
    return text.format(numbers=joined(numbers))


def tables_text(numbers: Sequence[int]) -> str:
    """Return "tables 1, 2"."""
    text = ngettext("table {numbers}", "tables {numbers}", len(numbers))
    return text.format(numbers=joined(numbers))


def sentences(*parts: str | Promise) -> str:
    """Join sentences, skipping empty ones: with a space in English, with nothing in Chinese."""
    texts = list(filter(None, map(str, parts)))
    return (
        reduce(lambda first, second: _("{first} {second}").format(first=first, second=second), texts)
        if texts
        else ""
    )


def seed_text(seed: object) -> str:
    """Return a sentence with the random seed; "" for none."""
    return _("Code word: {seed}").format(seed=seed) if seed else ""


def override_text(points_by_tiles: int | None, because: str) -> str:
    """Return a sentence for an umpire's decision to count the announcement."""
    if points_by_tiles is None:
        return _("umpire’s decision below the minimum: {reason}").format(reason=because)
    return _("umpire’s decision, the tiles come to {points}: {reason}").format(
        points=points_by_tiles, reason=because
    )


# --- Sentences of the log ---


SUPPLEMENTS: list[SentenceBuilder] = []
"""Builders of sentences that may follow any action's own; "" for nothing to add."""
MAX_NAMES = 5
"""Maximum number of names in a sentence."""
WORDS: dict[str, SentenceBuilder] = {}
"""Placeholder → builder of its text, if the data alone is not readable."""


def log_supplement(builder: SentenceBuilder) -> SentenceBuilder:
    SUPPLEMENTS.append(builder)
    return builder


def log_placeholder(name: str) -> Callable[[SentenceBuilder], SentenceBuilder]:
    """Register the builder of a placeholder's text, for all actions."""

    def store(builder: SentenceBuilder) -> SentenceBuilder:
        if name in WORDS:
            raise ValueError(f"“{name}” is declared already")
        WORDS[name] = builder
        return builder

    return store


@dataclass(frozen=True)
class LogWords:
    """Formats the entries of one event's log, with current names and the foul book."""

    names: Mapping[int, str]
    fouls: FoulBook
    registrants: Mapping[int, str] = field(default_factory=dict)
    staff: Mapping[int, str] = field(default_factory=dict)
    """Account key → name."""
    former_staff: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """(last entry, key) → name, of accounts of the event's former installations."""

    def sentence(self, entry: LogEntry) -> str:
        """Return an entry as a sentence; the action's code if it is unknown."""
        if entry.action not in ACTIONS:
            return entry.action
        data, words = entry.full_data, self._at_entry(entry.seq)
        text = sentences(words.text(entry.action, data), *(builder(words, data) for builder in SUPPLEMENTS))
        return text.replace(ERASED, _("(erased)")) if entry.erased else text

    def _at_entry(self, seq: int) -> LogWords:
        """Return the formatter with the staff keys that were valid at an entry."""
        until = min((last for last, _ in self.former_staff if last >= seq), default=None)
        if until is None:
            return self
        return replace(
            self, staff={key: name for (last, key), name in self.former_staff.items() if last == until}
        )

    def text(self, code: str, data: Data) -> str:
        """Return the action's own sentence."""
        sentence = ACTIONS[code].sentence
        return sentence(self, data) if callable(sentence) else self.fill(sentence, data)

    def fill(self, text: str | Promise, data: Data, **more: object) -> str:
        """Return the text with its placeholders filled in."""
        return str(text).format_map(_Placeholders(self, data, more))

    def player(self, number: int | None) -> str:
        if number is None:
            return "–"
        return self.names.get(number) or _("player {number}").format(number=number)

    def first_players(self, numbers: Sequence[int]) -> str:
        """Return the names of the first players."""
        return joined(map(self.player, numbers[:MAX_NAMES])) + (" …" if len(numbers) > MAX_NAMES else "")

    def registrant(self, number: int) -> str:
        return self.registrants.get(number) or _("registration {number}").format(number=number)

    def user(self, number: int) -> str:
        return self.staff.get(number) or staff_text(number)

    def foul(self, key: str) -> str:
        return foul_name_in(self.fouls, key)


class _Placeholders(dict[str, object]):
    """Looks up `more`, then the registered builders, then the entry's data."""

    def __init__(self, words: LogWords, data: Data, more: Mapping[str, object]) -> None:
        super().__init__(more)
        self._words, self._data = words, data

    def __missing__(self, name: str) -> object:
        builder = WORDS.get(name)
        return self._data[name] if builder is None else builder(self._words, self._data)


def _player(at: str) -> SentenceBuilder:
    return lambda words, data: words.player(data[at])


WORDS |= {
    name: _player(at)
    for name, at in {
        "player": "player",
        "one": "one",
        "other": "other",
        "winner": "winner",
        "discarder": "discarder",
        "appellant": "appellant",
    }.items()
}


@log_placeholder("user")
def _user(words: LogWords, data: Data) -> str:
    return words.user(data["user"])


@log_placeholder("registrant")
def _registrant(words: LogWords, data: Data) -> str:
    return words.registrant(data["registration"])


@log_placeholder("registrants")
def _registrants(words: LogWords, data: Data) -> str:
    return joined(map(words.registrant, data["registrations"]))


@log_placeholder("at")
def _at(words: LogWords, data: Data) -> str:
    return _("session {session}, table {table}").format(session=data["session"], table=data["table"])


@log_placeholder("where")
def _where(words: LogWords, data: Data) -> str:
    return sessions_text(data["sessions"] if "sessions" in data else [data["session"]])


@log_placeholder("tables")
def _tables(words: LogWords, data: Data) -> str:
    return tables_text(data["tables"])


@log_placeholder("reason")
def _reason(words: LogWords, data: Data) -> str:
    return str(data.get("reason", ""))


@log_placeholder("score")
def _score(words: LogWords, data: Data) -> str:
    return minus(data["sheet"][str(data["player"])][0])


# --- What any write brings ---
@log_supplement
def _no_longer_signed(words: LogWords, data: Data) -> str:
    names = joined(map(words.player, data.get("signatures_void", ())))
    return _("No longer signed by {players}.").format(players=names) if names else ""


@log_supplement
def _carried_out(words: LogWords, data: Data) -> str:
    return _("Carries out a granted appeal.") if data.get("rulings_carried_out") else ""


@log_supplement
def _left_open(words: LogWords, data: Data) -> str:
    """Return how many things were left open, and the reason."""
    if not (count := len(data.get("left_open", ()))):
        return ""
    text = ngettext(
        "{n} thing was still open. Reason: {reason}", "{n} things were still open. Reason: {reason}", count
    )
    return words.fill(text, data, n=count)


@log_supplement
def _calls_ended(words: LogWords, data: Data) -> str:
    tables = joined(data.get("calls_ended", ()))
    return _("Ends the call for an umpire at table {tables}.").format(tables=tables) if tables else ""


def changes_as_json(changes: Iterable[Data]) -> list[dict[str, Any]]:
    """Return [{"action", "hand", "by", "at", "text"}] in order; `hand` null if the text names none."""
    return [_change_as_json(change) for change in changes]


def _change_as_json(change: Data) -> dict[str, Any]:
    number, text = (
        change.get("hand"),
        str(action_of(change["action"]).at_table or _("The table was changed.")),
    )
    return {
        "action": change["action"],
        "hand": number if "{number}" in text else None,
        "by": change["by"],
        "at": time_of_day(datetime.fromisoformat(change["at"])),
        "text": text.format(number=number),
    }
