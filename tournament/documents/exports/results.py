"""Standings of teams, of nations and of one session, and the statistics, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.utils.translation import gettext as _

from tournament.base.access import Audience
from tournament.base.models.documents import DocumentJob
from tournament.documents.exports.columns import Cell, Column, Kind
from tournament.documents.exports.drafts import Draft
from tournament.documents.exports.listing import Part, column, listing, table
from tournament.documents.exports.notes import hidden_note
from tournament.documents.exports.standings import STATES, version_of
from tournament.documents.exports.statistics import statistics_parts
from tournament.ranking.selectors.groups import GroupRow, counted_members, group_rows
from tournament.ranking.selectors.groups import Kind as Groups
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.session_standings import SessionRow, session_rows
from tournament.ranking.selectors.statistics import event_statistics
from tournament.web.texts.countries import country_name
from tournament.web.texts.figures import minus, table_points

KEPT_WHOLE: Final = 8
"""Members of a group that are not parted by the foot of a page."""
KEPT_OF_MANY: Final = 3
"""Lines that stand at least below the name of a larger group."""


def teams(job: DocumentJob) -> Draft:
    """Every team with its members, those that count marked."""
    return _groups(job, "teams", _("Standings of teams"))


def nations(job: DocumentJob) -> Draft:
    return _groups(job, "nations", _("Standings of nations"))


def session_standings(job: DocumentJob) -> Draft:
    """What was won in one session alone, and its statistics."""
    now, number = ranking(job.tournament, Audience.STAFF), job.session or 0
    title = _("Session %(number)s: standings of this session alone") % {"number": number}
    stats = event_statistics(job.tournament, Audience.STAFF, number)
    parts = [session_part(job, number, title), *statistics_parts(job, stats)]
    return _of_standings(job, title, parts, now)


def statistics(job: DocumentJob) -> Draft:
    """Of the whole event."""
    now = ranking(job.tournament, Audience.STAFF)
    stats = event_statistics(job.tournament, Audience.STAFF)
    return _of_standings(job, _("Statistics"), [*statistics_parts(job, stats, follows=False)], now)


def session_part(job: DocumentJob, number: int, title: str) -> Part:
    """The table of a session by itself."""
    rows = session_rows(job.tournament, Audience.STAFF, number)
    notes = [*hidden_note(job.tournament, {number})]
    notes.append(_("Points of this session alone; penalties of the whole tournament are not in them."))
    return Part(title, table(list(_session_columns(rows)), job), notes=tuple(notes))


def _session_columns(rows: Sequence[SessionRow]) -> Iterator[Column]:
    yield column(Kind.TOTAL, _("Place"), [row.standing.rank or "–" for row in rows])
    yield column(Kind.SESSION, _("No."), [row.player.number for row in rows])
    yield column(Kind.NAME, _("Player"), [row.player.name for row in rows])
    if any(row.player.country for row in rows):
        yield column(Kind.TEXT, _("Country"), [row.player.country for row in rows])
    yield column(Kind.SESSION, _("Table"), [row.score.table for row in rows])
    yield column(Kind.SESSION, _("Hands won"), [row.seat.hands_won for row in rows])
    yield column(
        Kind.SESSION, _("Self-drawn"), [row.seat.hands_won - row.seat.wins_by_discard for row in rows]
    )
    yield column(Kind.SESSION, _("Dealt in"), [row.seat.deal_ins for row in rows])
    changing = [row.standing.provisional for row in rows]
    for heading, texts in (
        (_("Table points"), [table_points(row.standing.table_points, 2) for row in rows]),
        (_("Game points"), [minus(row.standing.game_points) for row in rows]),
    ):
        cells = (Cell.of(text, may_change=change) for text, change in zip(texts, changing, strict=True))
        yield Column(Kind.TOTAL, (heading,), tuple(cells))


def _groups(job: DocumentJob, kind: Groups, title: str) -> Draft:
    now = ranking(job.tournament, Audience.STAFF)
    return _of_standings(job, title, [groups_part(job, now, kind, title)], now)


def groups_part(job: DocumentJob, now: Ranking, kind: Groups, title: str) -> Part:
    """A line for each team or nation and, below it, one for each of its members."""
    groups = group_rows(now, kind)
    lines = [line for row in groups for line in _group_lines(row, kind)]
    columns = [
        column(Kind.TOTAL, _("Place"), [line[0] for line in lines]),
        column(Kind.NAME, _("Team") if kind == "teams" else _("Nation"), [line[1] for line in lines]),
        column(Kind.TEXT, _("Player"), [line[2] for line in lines]),
        column(Kind.SESSION, _("Own place"), [line[3] for line in lines]),
        column(Kind.TOTAL, _("Table points"), [line[4] for line in lines]),
        column(Kind.TOTAL, _("Game points"), [line[5] for line in lines]),
    ]
    notes = [*hidden_note(now.tournament, {session.number for session in now.sessions})]
    notes.append(
        _("The best %(n)s members count; the others stand in brackets.") % {"n": counted_members(kind)}
    )
    classes = tuple(css for row in groups for css in _line_classes(len(row.members)))
    return Part(title, table(columns, job), classes, notes=tuple(notes))


def _line_classes(members: int) -> list[str]:
    """Of the group's line and of one for each of its members: "kept" stays with the next, "ends" is the last."""
    kept = members if members <= KEPT_WHOLE else KEPT_OF_MANY
    first = "group named kept" if members else "group named ends"
    return [
        first,
        *("ends" if at == members else "kept" if at < kept else "" for at in range(1, members + 1)),
    ]


def _group_lines(row: GroupRow, kind: Groups) -> Iterator[tuple[str, str, str, str, str, str]]:
    one = row.standing
    name = one.name if kind == "teams" else f"{country_name(one.name)} ({one.name})"
    yield str(one.rank), name, "", "", table_points(one.table_points, 2), minus(one.game_points)
    for member in row.members:
        own = member.standing
        figures = [str(own.rank or "–"), table_points(own.table_points, 2), minus(own.game_points)]
        place, points, game = figures if member.counts else [f"({figure})" for figure in figures]
        yield "", "", member.player.name, place, points, game


def _of_standings(job: DocumentJob, title: str, parts: Sequence[Part], now: Ranking) -> Draft:
    version = version_of(now)
    foot = _("Hule · standings version %(version)s · %(state)s") % {
        "version": version,
        "state": STATES[now.state],
    }
    return listing(job, title, parts, foot=foot, version=version, state=now.state)
