"""How an entry of the log becomes a sentence, and parts of sentences that pages share."""

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
from penalties.texts import name_in
from scoring.texts import joined, joined_clauses
from tournament.base.engine.entries import ERASED
from tournament.base.log_actions import ACTIONS, Data, action_of
from tournament.base.models.log import LogEntry, staff_text
from tournament.web.texts.words import minus, time_of_day

# --- Parts of sentences ---


def where_text(
    sessions: Sequence[int], tables: Iterable[Sequence[int]], *, every_session: bool = False
) -> str:
    """Where an umpire may write: "everywhere", "sessions 1, 2", "session 4: tables 1, 2", "table 3 in every session".

    `tables` are pairs of session and table; `every_session`: the tables' numbers hold in all of them.
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
    return joined_clauses(parts) or _("everywhere")


def sessions_text(numbers: Sequence[int]) -> str:
    """Sessions by number, "sessions 1, 2"."""
    text = ngettext("session {numbers}", "sessions {numbers}", len(numbers))
    return text.format(numbers=joined(numbers))


def tables_text(numbers: Sequence[int]) -> str:
    """Tables by number, "tables 1, 2"."""
    text = ngettext("table {numbers}", "tables {numbers}", len(numbers))
    return text.format(numbers=joined(numbers))


def sentences(*parts: str | Promise) -> str:
    """Sentences one after the other, but for the empty: a space stands between them in English, nothing in Chinese."""
    texts = list(filter(None, map(str, parts)))
    return (
        reduce(lambda first, second: _("{first} {second}").format(first=first, second=second), texts)
        if texts
        else ""
    )


def seed_text(seed: object) -> str:
    """The random seed that seats were drawn by, as a sentence; nothing where there was none."""
    return _("Seed: {seed}").format(seed=seed) if seed else ""


def override_text(points_by_tiles: int | None, because: str) -> str:
    """That the umpire counted what was announced, against what, and why."""
    if points_by_tiles is None:
        return _("umpire’s decision below the minimum: {reason}").format(reason=because)
    return _("umpire’s decision, the tiles come to {points}: {reason}").format(
        points=points_by_tiles, reason=because
    )


# --- Sentences of the log ---


Say = Callable[["LogWords", Data], str]

ALSO: list[Say] = []
"""What a write brought with it, said after its own sentence; "" when nothing."""
SHOWN = 5
"""So many names are written out."""
WORDS: dict[str, Say] = {}
"""Placeholder → what stands there, where the data itself does not say it to a reader."""


def also(say: Say) -> Say:
    ALSO.append(say)
    return say


def word(name: str) -> Callable[[Say], Say]:
    """The function that gives what stands at a placeholder: one for all actions."""

    def store(say: Say) -> Say:
        if name in WORDS:
            raise ValueError(f"“{name}” is declared already")
        WORDS[name] = say
        return say

    return store


@dataclass(frozen=True)
class LogWords:
    """The sentences of one tournament's log; knows by number what players, registrants and staff are called now,
    and the foul book."""

    names: Mapping[int, str]
    fouls: FoulBook
    registrants: Mapping[int, str] = field(default_factory=dict)
    staff: Mapping[int, str] = field(default_factory=dict)
    """By an account's key."""
    once: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Those of installations where the event was before: by the last entry that calls them so, and their key there."""

    def sentence(self, entry: LogEntry) -> str:
        """What happened; an action that has no sentence is called by its key."""
        if entry.action not in ACTIONS:
            return entry.action
        data, words = entry.said, self._of_then(entry.seq)
        text = sentences(words.text(entry.action, data), *(say(words, data) for say in ALSO))
        return text.replace(ERASED, _("(erased)")) if entry.erased else text

    def _of_then(self, seq: int) -> LogWords:
        """As whoever wrote the entry called the staff."""
        until = min((last for last, _ in self.once if last >= seq), default=None)
        if until is None:
            return self
        return replace(self, staff={key: name for (last, key), name in self.once.items() if last == until})

    def text(self, code: str, data: Data) -> str:
        """The action's own sentence."""
        sentence = ACTIONS[code].sentence
        return sentence(self, data) if callable(sentence) else self.fill(sentence, data)

    def fill(self, text: str | Promise, data: Data, **more: object) -> str:
        """The text with its placeholders filled in."""
        return str(text).format_map(_Filling(self, data, more))

    def player(self, number: int | None) -> str:
        if number is None:
            return "–"
        return self.names.get(number) or _("player {number}").format(number=number)

    def some_players(self, numbers: Sequence[int]) -> str:
        """The first of them by name."""
        return joined(map(self.player, numbers[:SHOWN])) + (" …" if len(numbers) > SHOWN else "")

    def registrant(self, number: int) -> str:
        return self.registrants.get(number) or _("registration {number}").format(number=number)

    def user(self, number: int) -> str:
        return self.staff.get(number) or staff_text(number)

    def foul(self, key: str) -> str:
        return name_in(self.fouls, key)


class _Filling(dict[str, object]):
    """What is given, else the word for it, else the entry's own data."""

    def __init__(self, words: LogWords, data: Data, more: Mapping[str, object]) -> None:
        super().__init__(more)
        self._words, self._data = words, data

    def __missing__(self, name: str) -> object:
        say = WORDS.get(name)
        return self._data[name] if say is None else say(self._words, self._data)


def _player(at: str) -> Say:
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


@word("user")
def _user(words: LogWords, data: Data) -> str:
    return words.user(data["user"])


@word("registrant")
def _registrant(words: LogWords, data: Data) -> str:
    return words.registrant(data["registration"])


@word("registrants")
def _registrants(words: LogWords, data: Data) -> str:
    return joined(map(words.registrant, data["registrations"]))


@word("at")
def _at(words: LogWords, data: Data) -> str:
    return _("session {session}, table {table}").format(session=data["session"], table=data["table"])


@word("where")
def _where(words: LogWords, data: Data) -> str:
    return sessions_text(data["sessions"] if "sessions" in data else [data["session"]])


@word("tables")
def _tables(words: LogWords, data: Data) -> str:
    return tables_text(data["tables"])


@word("reason")
def _reason(words: LogWords, data: Data) -> str:
    return str(data.get("reason", ""))


@word("score")
def _score(words: LogWords, data: Data) -> str:
    return minus(data["sheet"][str(data["player"])][0])


# --- What any write brings ---
@also
def _no_longer_signed(words: LogWords, data: Data) -> str:
    names = joined(map(words.player, data.get("signatures_void", ())))
    return _("No longer signed by {players}.").format(players=names) if names else ""


@also
def _carried_out(words: LogWords, data: Data) -> str:
    return _("Carries out a granted appeal.") if data.get("rulings_carried_out") else ""


@also
def _gone_past(words: LogWords, data: Data) -> str:
    """What was still open when a step was taken all the same, and why it was."""
    if not (left := len(data.get("left_open", ()))):
        return ""
    text = ngettext(
        "{n} thing was still open. Reason: {reason}", "{n} things were still open. Reason: {reason}", left
    )
    return words.fill(text, data, n=left)


@also
def _calls_ended(words: LogWords, data: Data) -> str:
    tables = joined(data.get("calls_ended", ()))
    return _("Ends the call for an umpire at table {tables}.").format(tables=tables) if tables else ""


def changes_as_json(changes: Iterable[Data]) -> list[dict[str, Any]]:
    """[{"action", "hand", "by", "at", "text"}], in the order they were written; `hand` null where none is meant."""
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
