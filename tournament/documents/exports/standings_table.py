"""The standings as a table: its columns and what stands in them, before widths are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.documents.exports.columns import Cell, Column, Kind, Line
from tournament.ranking.engine.results import Carried, SessionScore
from tournament.ranking.selectors.ranking import Ranking
from tournament.ranking.selectors.ranking_rows import Part, RankingRow
from tournament.seating.models import Final
from tournament.seating.texts.finals import MARKS
from tournament.web.texts.figures import minus, table_points

NOTHING = "–"


def columns(now: Ranking, folds: int = 1) -> list[Column]:
    """Place, player and what is known of them, the sessions with `folds` of them in a column, the totals."""
    return [*_people(now), *_parts(now, folds), *_totals(now)]


def _people(now: Ranking) -> Iterator[Column]:
    rows = now.rows
    yield _column(Kind.TOTAL, _("Place"), [row.standing.rank or NOTHING for row in rows])
    names = tuple(Cell.of(row.player.name, *_tags(now, row)) for row in rows)
    yield Column(Kind.NAME, (_("Player"),), names)
    if any(row.player.country for row in rows):
        yield _column(Kind.TEXT, _("Country"), [row.player.country for row in rows])
    if now.has_teams:
        yield _column(Kind.TEXT, _("Team"), [row.player.team for row in rows])
    if any(row.player.ema_number for row in rows):
        yield _column(Kind.TEXT, _("EMA no."), [row.player.ema_number for row in rows])


def _column(kind: Kind, heading: str, texts: Sequence[object]) -> Column:
    return Column(kind, (heading,), tuple(map(Cell.of, texts)))


def _tags(now: Ranking, row: RankingRow) -> Iterator[str]:
    if row.group:
        yield _("Group %(n)s") % {"n": row.group} if now.has_groups else pgettext("of a player", "finalist")
    if row.standing.withdrawn:
        yield _("withdrawn")


def _parts(now: Ranking, folds: int) -> Iterator[Column]:
    """Column 1 has the first session and, folded, the first of the second half below it."""
    parts = now.parts
    wide = -(-len(parts) // folds)
    for at in range(wide):
        own = range(at, len(parts), wide)
        yield Column(
            Kind.SESSION,
            tuple(_heading(parts[n]) for n in own),
            tuple(_cell([row.parts[n] for n in own]) for row in now.rows),
        )


def _heading(part: Part) -> str:
    if isinstance(part, Final):
        return MARKS[part.cut.carry]
    return pgettext("column of a session", "S%(number)s") % {"number": part.number}


def _cell(scores: Sequence[SessionScore | Carried | None]) -> Cell:
    """Table points over game points, for each of them."""
    lines = [line for score in scores for line in _lines(score)]
    may_change = any(isinstance(score, SessionScore) and score.provisional for score in scores)
    return Cell(tuple(lines), may_change=may_change)


def _lines(score: SessionScore | Carried | None) -> tuple[Line, Line]:
    if score is None:
        return Line(NOTHING), Line("", is_small=True)
    return Line(table_points(score.table_points)), Line(minus(score.game_points), is_small=True)


def _totals(now: Ranking) -> Iterator[Column]:
    for heading, texts in (
        (_("Table points"), [table_points(row.standing.table_points, 2) for row in now.rows]),
        (_("Game points"), [minus(row.standing.game_points) for row in now.rows]),
    ):
        changing = [row.standing.provisional for row in now.rows]
        cells = (Cell.of(text, may_change=change) for text, change in zip(texts, changing, strict=True))
        yield Column(Kind.TOTAL, (heading,), tuple(cells))
