"""The tournament report, and standings of teams, nations and sessions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from django.utils.translation import gettext as _

from scoring.texts import joined, rulebook_name
from tournament.base.countries import country_name
from tournament.base.engine.notices import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.play import Appeal
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import event_page_of
from tournament.documents.exports.drafts import Draft, Part, draft_listing, fit_table
from tournament.documents.exports.lists import FOUL
from tournament.documents.exports.paper import PAPERS, fit_with_folding
from tournament.documents.exports.standings import (
    DASH,
    STATES,
    TOTALS,
    hidden_session_notes,
    printed_version,
    sessions_text,
    standings_columns,
    standings_notes,
    statistics_parts,
)
from tournament.fouls.exports import PENALTIES
from tournament.fouls.selectors import appeals_of, list_penalties
from tournament.play.selectors.timetable import players_of, timetable
from tournament.play.selectors.totals import uncounted_tables
from tournament.ranking.selectors.groups import GroupKind, GroupRow, counted_members, group_rows
from tournament.ranking.selectors.ranking import Ranking, SessionRow, ranking, session_rows
from tournament.ranking.selectors.statistics import event_statistics
from tournament.ranking.texts import unranked_text
from tournament.staff.exports import STAFF
from tournament.staff.selectors import staff_of
from tournament.web.exports.lists import Column, Kind
from tournament.web.texts.words import days_text, minus, role_name, table_points, time_of_day, weekday

# --- Reports ---


Fields = tuple[tuple[str, str], ...]


def draft_report(job: DocumentJob) -> Draft:
    """Draft the tournament report: event, timetable, staff, all standings, statistics, penalties and appeals."""
    current = ranking(job.tournament, Audience.STAFF)
    parts = [
        Part(_("Tournament report"), fields=_event_fields(job.tournament)),
        *_timetable_part(job),
        *_staff_part(job),
        *_result_parts(job, current),
        *statistics_parts(job, event_statistics(job.tournament, Audience.STAFF), is_new_page=True),
        _penalties_part(job),
        _appeals_part(job),
    ]
    return _draft_standings(job, _("Tournament report"), parts, current)


def _event_fields(tournament: Tournament) -> Fields:
    page = event_page_of(tournament)
    fields = (
        (_("Event"), tournament.name),
        (_("Days"), days_text(tournament.starts_on, tournament.ends_on)),
        (_("Venue"), place_text(tournament)),
        (_("Website"), page.website),
        (_("Contact"), page.contact),
        (_("Rulebook"), rulebook_name(tournament.rules.scoring)),
        (_("Sessions"), sessions_text(tournament)),
        (_("Participants"), str(players_of(tournament).count())),
        (_("Countries"), countries_text(tournament)),
        (_("Umpires"), page.referees),
    )
    return tuple((name, value) for name, value in fields if value)


def _timetable_part(job: DocumentJob) -> Iterator[Part]:
    entries = [entry for entry in timetable(job.tournament).entries if entry.starts_at is not None]
    if not entries:
        return
    columns = [
        Column("day", _("Day"), lambda entry: weekday(entry.starts_at.date()), Kind.NAME),
        Column("starts", _("Starts"), lambda entry: f"{entry.starts_at:%H:%M}", Kind.FIGURE),
        Column(
            "began",
            _("Began"),
            lambda entry: time_of_day(entry.began_at) if entry.began_at else "",
            Kind.FIGURE,
        ),
        Column("what", _("What"), lambda entry: entry.title or _("Session %(n)s") % {"n": entry.number}),
    ]
    yield Part(_("Timetable"), fit_table(columns, entries, job, can_rotate=False), is_new_page=False)


def _staff_part(job: DocumentJob) -> Iterator[Part]:
    people = list(staff_of(job.tournament).filter(table_number=None))
    if people:
        columns = [STAFF.column("name"), Column("role", _("Role"), lambda member: role_name(member.role))]
        yield Part(_("Staff"), fit_table(columns, people, job, can_rotate=False), is_new_page=False)


def _result_parts(job: DocumentJob, current: Ranking) -> Iterator[Part]:
    layout = fit_with_folding(partial(standings_columns, current), current.rows, PAPERS[job.paper])
    yield Part(_("Standings"), layout, notes=tuple(standings_notes(current)))
    if current.has_teams:
        yield groups_part(job, current, "teams", _("Standings of teams"))
    if current.has_nations:
        yield groups_part(job, current, "nations", _("Standings of nations"))
    for session in current.sessions:
        title = _("Session %(number)s: standings of this session alone") % {"number": session.number}
        yield session_part(job, session.number, title)


def place_text(tournament: Tournament) -> str:
    words = event_page_of(tournament)
    country = country_name(words.country) if words.country else ""
    return "\n".join(filter(None, (tournament.venue, words.address, country)))


def countries_text(tournament: Tournament) -> str:
    """Return the countries with their numbers of players, the largest first."""
    counted = Counter(players_of(tournament).exclude(country="").values_list("country", flat=True))
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return joined([f"{country_name(code)}\u00a0{count}" for code, count in ordered])


# --- Standings of teams, nations, sessions ---


MAX_UNBROKEN_MEMBERS: Final = 8
"""A group with up to so many members is not divided by a page break."""
MIN_MEMBERS_ON_PAGE: Final = 3
"""Members of a larger group that stay on the page of its name."""


def draft_teams(job: DocumentJob) -> Draft:
    return _draft_groups(job, "teams", _("Standings of teams"))


def draft_nations(job: DocumentJob) -> Draft:
    return _draft_groups(job, "nations", _("Standings of nations"))


def _draft_groups(job: DocumentJob, kind: GroupKind, title: str) -> Draft:
    current = ranking(job.tournament, Audience.STAFF)
    return _draft_standings(job, title, [groups_part(job, current, kind, title)], current)


def draft_session_standings(job: DocumentJob) -> Draft:
    """Draft the standings and statistics of one session alone."""
    current, number = ranking(job.tournament, Audience.STAFF), job.session or 0
    title = _("Session %(number)s: standings of this session alone") % {"number": number}
    stats = event_statistics(job.tournament, Audience.STAFF, number)
    parts = [session_part(job, number, title), *statistics_parts(job, stats)]
    return _draft_standings(job, title, parts, current)


def draft_statistics(job: DocumentJob) -> Draft:
    """Draft the statistics of the whole event."""
    current = ranking(job.tournament, Audience.STAFF)
    stats = event_statistics(job.tournament, Audience.STAFF)
    return _draft_standings(job, _("Statistics"), [*statistics_parts(job, stats, is_new_page=True)], current)


def _draft_standings(job: DocumentJob, title: str, parts: Sequence[Part], current: Ranking) -> Draft:
    """Draft a listing whose foot names the state of the standings."""
    foot, version = f"Hule · {STATES[current.state]}", printed_version(current)
    return draft_listing(job, title, parts, foot=foot, version=version, state=current.state)


def session_part(job: DocumentJob, number: int, title: str) -> Part:
    """Return the table of a session's standings."""
    rows = session_rows(job.tournament, Audience.STAFF, number)
    notes = [*hidden_session_notes(job.tournament, {number})]
    notes.append(_("Points of this session alone, without penalties of the whole tournament."))
    columns = list(session_columns(job.tournament, rows))
    return Part(title, fit_table(columns, rows, job), notes=tuple(notes))


def session_columns(tournament: Tournament, rows: Sequence[SessionRow]) -> Iterator[Column]:
    """Yield the columns; a dash where a sheet on paper gives totals alone."""
    without_wins = uncounted_tables(tournament, "wins")
    without_deal_ins = uncounted_tables(tournament, "deal_ins")

    def place(row: SessionRow) -> tuple[int, int]:
        return row.score.session, row.score.table

    yield Column("place", _("Place"), lambda row: row.standing.rank or DASH, Kind.TOTAL)
    yield Column("number", _("No."), lambda row: row.player.number, Kind.FIGURE)
    yield Column("name", _("Player"), lambda row: row.player.name, Kind.NAME)
    if any(row.player.country for row in rows):
        yield Column("country", _("Country"), lambda row: row.player.country)
    yield Column("table", _("Table"), lambda row: row.score.table, Kind.FIGURE)
    yield Column(
        "hands_won",
        _("Hands won"),
        lambda row: DASH if place(row) in without_wins else row.seat.hands_won,
        Kind.FIGURE,
    )
    yield Column(
        "self_drawn",
        _("Self-drawn"),
        lambda row: (
            DASH
            if place(row) in without_wins | without_deal_ins
            else row.seat.hands_won - row.seat.wins_by_discard
        ),
        Kind.FIGURE,
    )
    yield Column(
        "deal_ins",
        _("Deal-ins"),
        lambda row: DASH if place(row) in without_deal_ins else row.seat.deal_ins,
        Kind.FIGURE,
    )
    yield from TOTALS


def groups_part(job: DocumentJob, current: Ranking, kind: GroupKind, title: str) -> Part:
    """Return a table with a row for each team or nation, followed by rows of its members."""
    groups = group_rows(current, kind)
    rows = [row for group in groups for row in _group_rows(group, kind)]
    columns = [
        Column("place", _("Place"), lambda row: row[0], Kind.TOTAL),
        Column("name", _("Team") if kind == "teams" else _("Nation"), lambda row: row[1], Kind.NAME),
        Column("player", _("Player"), lambda row: row[2]),
        Column("own_place", _("Own place"), lambda row: row[3], Kind.FIGURE),
        Column("table_points", _("Table points"), lambda row: row[4], Kind.TOTAL),
        Column("game_points", _("Game points"), lambda row: row[5], Kind.TOTAL),
    ]
    notes = [*hidden_session_notes(current.tournament, {session.number for session in current.sessions})]
    notes.append(
        _("The best %(n)s members count; the others are in brackets.") % {"n": counted_members(kind)}
    )
    classes = tuple(css for row in groups for css in _row_classes(len(row.members)))
    return Part(title, fit_table(columns, rows, job), classes, notes=tuple(notes))


def _row_classes(members: int) -> list[str]:
    """Return CSS classes for the row of a group and each of its members.

    "keep-with-next": no page break below this row; "ends": the last row of the group.
    """
    unbroken = members if members <= MAX_UNBROKEN_MEMBERS else MIN_MEMBERS_ON_PAGE
    first = "group named keep-with-next" if members else "group named ends"
    return [
        first,
        *(
            "ends" if at == members else "keep-with-next" if at < unbroken else ""
            for at in range(1, members + 1)
        ),
    ]


def _group_rows(row: GroupRow, kind: GroupKind) -> Iterator[tuple[str, str, str, str, str, str]]:
    group = row.standing
    name = group.name if kind == "teams" else f"{country_name(group.name)} ({group.name})"
    yield str(group.rank), name, "", "", table_points(group.table_points), minus(group.game_points)
    for member in row.members:
        standing = member.standing
        figures = [
            str(standing.rank or unranked_text(standing) or DASH),
            table_points(standing.table_points),
            minus(standing.game_points),
        ]
        place, points, game = figures if member.counts else [f"({figure})" for figure in figures]
        yield "", "", member.player.name, place, points, game


# --- Rulings ---


def _penalties_part(job: DocumentJob) -> Part:
    penalties = list(list_penalties(job.tournament, Audience.STAFF).order_by("given_at", "id"))
    if not penalties:
        return Part(_("Penalties"), texts=(_("There were none."),))
    columns = [
        *(PENALTIES.column("session"), PENALTIES.column("table"), PENALTIES.column("hand")),
        Column("name", _("Player"), lambda penalty: penalty.player.name, Kind.NAME),
        *(FOUL, PENALTIES.column("sanction")),
    ]
    return Part(_("Penalties"), fit_table(columns, penalties, job))


def _appeals_part(job: DocumentJob) -> Part:
    appeals = list(appeals_of(job.tournament))
    if not appeals:
        return Part(_("Appeals"), texts=(_("There were none."),), is_new_page=False)
    columns = [
        Column("session", _("Session"), lambda appeal: appeal.table.session.number, Kind.FIGURE),
        Column("table", _("Table"), lambda appeal: appeal.table.number, Kind.FIGURE),
        Column("name", _("Player"), lambda appeal: appeal.player.name, Kind.NAME),
        Column("appeal", _("Appeal"), lambda appeal: appeal.text),
        Column("ruling", _("Ruling"), _ruling),
    ]
    return Part(_("Appeals"), fit_table(columns, appeals, job))


def _ruling(appeal: Appeal) -> str:
    if not appeal.is_ruled:
        return _("open")
    verdict = _("granted") if appeal.granted else _("dismissed")
    return f"{verdict} – {appeal.ruling}"
