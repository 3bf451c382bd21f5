"""An event's results as the European Mahjong Association ranks them: places, bases, the weight, and the file's columns.

Hidden sessions count: it is for who organises the event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.engine.problems import Problem
from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.ema.engine.ema_columns import DEFAULT, FIELDS, LONGEST, MOST, TEXT, Column
from tournament.ema.engine.mers import base
from tournament.ema.models import EmaColumns
from tournament.ema.selectors.mers import Weighed, weighed
from tournament.events.models.event_page import EventPage
from tournament.events.selectors.event_page import EventWords, words_of
from tournament.players.engine import is_number
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.ranking_rows import RankingRow


@dataclass(frozen=True)
class EmaLine:
    """A player's line. `base`: None for who has no place, and where nobody else has one."""

    row: RankingRow
    base: int | None

    @property
    def player(self) -> Player:
        return self.row.player

    @property
    def place(self) -> int | None:
        return self.row.standing.rank

    @property
    def is_member(self) -> bool:
        """A federation that belongs to the EMA gave the number."""
        return is_number(self.player.ema_number)


@dataclass(frozen=True)
class EmaResults:
    """All that is sent."""

    tournament: Tournament
    words: EventWords
    ranking: Ranking
    lines: tuple[EmaLine, ...]
    """Who has played, the best first; who has no place last. Substitutes are in none."""
    idle: tuple[Player, ...]
    """Who is entered, has not withdrawn and has not played, once anybody has."""
    weighed: Weighed

    @cached_property
    def participants(self) -> int:
        """Among whom the places are."""
        return sum(line.place is not None for line in self.lines)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        return columns_of(self.tournament)

    @property
    def is_counted(self) -> bool:
        """Whether the organiser says that the European ranking counts the event."""
        return bool(self.words.mers)


def ema_results(tournament: Tournament) -> EmaResults:
    """As they stand now; a session being played counts as if it ended now."""
    now, words = ranking(tournament, Audience.STAFF), words_of(tournament)
    placed = sum(row.standing.rank is not None for row in now.rows)
    return EmaResults(
        tournament,
        words,
        now,
        tuple(EmaLine(row, _base(row, placed)) for row in now.rows if row.standing.sessions),
        tuple(row.player for row in now.rows if not row.standing.sessions) if now.sessions else (),
        weighed(tournament, is_championship=words.mers == EventPage.Mers.CHAMPIONSHIP),
    )


def _base(row: RankingRow, placed: int) -> int | None:
    rank = row.standing.rank
    return None if rank is None or placed < 2 else base(rank, placed)


# --- the columns of the file ------------------------------------------------------------------------------------------
def columns_of(tournament: Tournament) -> tuple[Column, ...]:
    """Those of a tournament's file, the usual ones where nothing else was said."""
    found = EmaColumns.objects.filter(tournament=tournament).first()
    return tuple(Column.from_json(one) for one in found.columns) if found else DEFAULT


def tidy(columns: Sequence[Column]) -> tuple[Column, ...]:
    """As they are checked and stored: no spaces around, and no words in a column of something else."""
    return tuple(
        Column(one.heading.strip(), one.field, one.text.strip() if one.field == TEXT else "")
        for one in columns
    )


def wrong_columns(columns: Sequence[Column]) -> list[Problem]:
    """All that keeps them from being the columns, by column: "columns.0.heading"."""
    found = []
    if not columns:
        found.append(Problem("ema_columns_missing", "columns"))
    if len(columns) > MOST:
        found.append(Problem("ema_columns_too_many", "columns", {"most": MOST}))
    seen: set[str] = set()
    for at, column in enumerate(columns[:MOST]):
        where = f"columns.{at}"
        if not column.heading:
            found.append(Problem("ema_heading_missing", f"{where}.heading"))
        elif column.heading in seen:
            found.append(Problem("ema_heading_twice", f"{where}.heading", {"heading": column.heading}))
        if column.field not in FIELDS:
            found.append(Problem("ema_field_unknown", f"{where}.field", {"field": column.field[:LONGEST]}))
        found += _unfit(column.heading, f"{where}.heading") + _unfit(column.text, f"{where}.text")
        seen.add(column.heading)
    return found


def _unfit(text: str, where: str) -> list[Problem]:
    if len(text) > LONGEST:
        return [Problem("text_too_long", where, {"length": len(text), "most": LONGEST})]
    unreadable = any(ord(char) < 32 for char in text)
    return [Problem("text_unreadable", where)] if unreadable else []
