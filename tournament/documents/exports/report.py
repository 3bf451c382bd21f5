"""The tournament report, the observer's report for the EMA, and results of teams, nations and sessions."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined, rulebook_name
from tournament.base.access import Audience
from tournament.base.countries import country_name
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import name_of
from tournament.base.models.play import Appeal
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import event_page_of
from tournament.documents.exports.drafts import Draft, Part, listing, table
from tournament.documents.exports.lists import FOUL
from tournament.documents.exports.paper import PAPERS, fit
from tournament.documents.exports.standings import (
    NOTHING,
    STATES,
    TOTALS,
    columns,
    hidden_note,
    notes,
    sessions_text,
    statistics_parts,
    version_of,
)
from tournament.fouls.exports import PENALTIES
from tournament.fouls.selectors import appeals_of, list_penalties
from tournament.play.selectors.timetable import Entry, players_of, timetable
from tournament.ranking.selectors.ranking import GroupRow, Ranking, counted_members, group_rows, ranking
from tournament.ranking.selectors.ranking import Kind as GroupKind
from tournament.ranking.selectors.standings import SessionRow, session_rows
from tournament.ranking.selectors.statistics import event_statistics
from tournament.ranking.texts import unranked_text
from tournament.staff.exports import STAFF
from tournament.staff.selectors import staff_of
from tournament.web.exports.lists import Column, Kind
from tournament.web.texts.words import days_text, minus, role_name, table_points, time_of_day, weekday

# --- Reports ---


Fields = tuple[tuple[str, str], ...]


def report(job: DocumentJob) -> Draft:
    """The event, its hours and people, every result, how hands ended, and what was ruled."""
    now = ranking(job.tournament, Audience.STAFF)
    parts = [
        Part(_("Tournament report"), fields=_event_fields(job.tournament)),
        *_timetable_part(job),
        *_staff_part(job),
        *_result_parts(job, now),
        *statistics_parts(job, event_statistics(job.tournament, Audience.STAFF), follows=False),
        _penalties_part(job),
        _appeals_part(job),
    ]
    return _of_standings(job, _("Tournament report"), parts, now)


def _event_fields(tournament: Tournament) -> Fields:
    words = event_page_of(tournament)
    fields = (
        (_("Event"), tournament.name),
        (_("Days"), days_text(tournament.starts_on, tournament.ends_on)),
        (_("Venue"), _place_text(tournament)),
        (_("Website"), words.website),
        (_("Contact"), words.contact),
        (_("Rulebook"), rulebook_name(tournament.rules.scoring)),
        (_("Sessions"), sessions_text(tournament)),
        (_("Participants"), str(players_of(tournament).count())),
        (_("Countries"), _countries_text(tournament)),
        (_("Umpires"), words.referees),
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
    yield Part(_("Timetable"), table(columns, entries, job, turns=False), is_new_page=False)


def _staff_part(job: DocumentJob) -> Iterator[Part]:
    people = list(staff_of(job.tournament).filter(table_number=None))
    if people:
        columns = [STAFF.column("name"), Column("role", _("Role"), lambda member: role_name(member.role))]
        yield Part(_("Staff"), table(columns, people, job, turns=False), is_new_page=False)


def _result_parts(job: DocumentJob, now: Ranking) -> Iterator[Part]:
    layout = fit(partial(columns, now), now.rows, PAPERS[job.paper])
    yield Part(_("Standings"), layout, notes=tuple(notes(now)))
    if now.has_teams:
        yield groups_part(job, now, "teams", _("Standings of teams"))
    if now.has_nations:
        yield groups_part(job, now, "nations", _("Standings of nations"))
    for session in now.sessions:
        title = _("Session %(number)s: standings of this session alone") % {"number": session.number}
        yield session_part(job, session.number, title)


def observers_report(job: DocumentJob) -> Draft:
    """The fields of the European Mahjong Association's form: what is known, and room for the rest."""
    title = _("Observer’s report")
    return listing(job, title, [Part(title, fields=_observers_fields(job.tournament))])


def _observers_fields(tournament: Tournament) -> Fields:
    appeals = appeals_of(tournament).count()
    fouls = tournament.penalties.filter(cancelled_at=None).count()
    complaints = [
        ngettext("%(n)s appeal", "%(n)s appeals", appeals) % {"n": appeals},
        ngettext("%(n)s penalty", "%(n)s penalties", fouls) % {"n": fouls},
    ]
    judges = staff_of(tournament).filter(role__in=[Role.CHIEF, Role.UMPIRE], table_number=None)
    return (
        (_("Event"), tournament.name),
        (_("Observer"), ""),
        (_("Date"), days_text(tournament.starts_on, tournament.ends_on)),
        (_("Venue"), _place_text(tournament)),
        (_("Website"), event_page_of(tournament).website),
        (_("Participants"), str(players_of(tournament).count())),
        (_("Countries"), _countries_text(tournament)),
        (_("Playing schedule"), "\n".join(_schedule_line(entry) for entry in timetable(tournament).entries)),
        (_("Location"), ""),
        (_("Equipment"), ""),
        (_("Refereeing"), joined([name_of(judge.user) for judge in judges])),
        (_("Complaints"), joined(complaints)),
        (_("Information and communication"), ""),
        (_("Sessions"), sessions_text(tournament)),
        (_("Catering"), ""),
        (_("Remarks"), ""),
    )


def _place_text(tournament: Tournament) -> str:
    words = event_page_of(tournament)
    country = country_name(words.country) if words.country else ""
    return "\n".join(filter(None, (tournament.venue, words.address, country)))


def _countries_text(tournament: Tournament) -> str:
    """From the one with most players on."""
    counted = Counter(players_of(tournament).exclude(country="").values_list("country", flat=True))
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return joined([f"{country_name(code)}\u00a0{count}" for code, count in ordered])


def _schedule_line(entry: Entry) -> str:
    what = entry.title or _("Session %(n)s") % {"n": entry.number}
    assert entry.starts_at is not None, "what stands in the hours has one"
    return f"{weekday(entry.starts_at.date())} {entry.starts_at:%H:%M}  {what}"


# --- Standings of teams, nations, sessions ---


KEPT_WHOLE: Final = 8
"""Members of a group that are not parted by the foot of a page."""
KEPT_OF_MANY: Final = 3
"""Lines that stand at least below the name of a larger group."""


def teams(job: DocumentJob) -> Draft:
    """Every team with its members, those that count marked."""
    return _groups_standings(job, "teams", _("Standings of teams"))


def nations(job: DocumentJob) -> Draft:
    return _groups_standings(job, "nations", _("Standings of nations"))


def _groups_standings(job: DocumentJob, kind: GroupKind, title: str) -> Draft:
    now = ranking(job.tournament, Audience.STAFF)
    return _of_standings(job, title, [groups_part(job, now, kind, title)], now)


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


def _of_standings(job: DocumentJob, title: str, parts: Sequence[Part], now: Ranking) -> Draft:
    version = version_of(now)
    foot = _("Hule · standings version %(version)s · %(state)s") % {
        "version": version,
        "state": STATES[now.state],
    }
    return listing(job, title, parts, foot=foot, version=version, state=now.state)


def session_part(job: DocumentJob, number: int, title: str) -> Part:
    """The table of a session by itself."""
    rows = session_rows(job.tournament, Audience.STAFF, number)
    notes = [*hidden_note(job.tournament, {number})]
    notes.append(_("Points of this session alone; penalties of the whole tournament are not in them."))
    return Part(title, table(list(_session_columns(rows)), rows, job), notes=tuple(notes))


def _session_columns(rows: Sequence[SessionRow]) -> Iterator[Column]:
    yield Column("place", _("Place"), lambda row: row.standing.rank or NOTHING, Kind.TOTAL)
    yield Column("number", _("No."), lambda row: row.player.number, Kind.FIGURE)
    yield Column("name", _("Player"), lambda row: row.player.name, Kind.NAME)
    if any(row.player.country for row in rows):
        yield Column("country", _("Country"), lambda row: row.player.country)
    yield Column("table", _("Table"), lambda row: row.score.table, Kind.FIGURE)
    yield Column("hands_won", _("Hands won"), lambda row: row.seat.hands_won, Kind.FIGURE)
    yield Column(
        "self_drawn",
        _("Self-drawn"),
        lambda row: row.seat.hands_won - row.seat.wins_by_discard,
        Kind.FIGURE,
    )
    yield Column("deal_ins", _("Deal-ins"), lambda row: row.seat.deal_ins, Kind.FIGURE)
    yield from TOTALS


def groups_part(job: DocumentJob, now: Ranking, kind: GroupKind, title: str) -> Part:
    """A line for each team or nation and, below it, one for each of its members."""
    groups = group_rows(now, kind)
    lines = [line for row in groups for line in _group_lines(row, kind)]
    columns = [
        Column("place", _("Place"), lambda line: line[0], Kind.TOTAL),
        Column("name", _("Team") if kind == "teams" else _("Nation"), lambda line: line[1], Kind.NAME),
        Column("player", _("Player"), lambda line: line[2]),
        Column("own_place", _("Own place"), lambda line: line[3], Kind.FIGURE),
        Column("table_points", _("Table points"), lambda line: line[4], Kind.TOTAL),
        Column("game_points", _("Game points"), lambda line: line[5], Kind.TOTAL),
    ]
    notes = [*hidden_note(now.tournament, {session.number for session in now.sessions})]
    notes.append(
        _("The best %(n)s members count; the others stand in brackets.") % {"n": counted_members(kind)}
    )
    classes = tuple(css for row in groups for css in _line_classes(len(row.members)))
    return Part(title, table(columns, lines, job), classes, notes=tuple(notes))


def _line_classes(members: int) -> list[str]:
    """Of the group's line and of one for each of its members: "kept" stays with the next, "ends" is the last."""
    lines_together = members if members <= KEPT_WHOLE else KEPT_OF_MANY
    first = "group named kept" if members else "group named ends"
    return [
        first,
        *("ends" if at == members else "kept" if at < lines_together else "" for at in range(1, members + 1)),
    ]


def _group_lines(row: GroupRow, kind: GroupKind) -> Iterator[tuple[str, str, str, str, str, str]]:
    group = row.standing
    name = group.name if kind == "teams" else f"{country_name(group.name)} ({group.name})"
    yield str(group.rank), name, "", "", table_points(group.table_points, 2), minus(group.game_points)
    for member in row.members:
        own = member.standing
        figures = [
            str(own.rank or unranked_text(own) or "–"),
            table_points(own.table_points, 2),
            minus(own.game_points),
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
    return Part(_("Penalties"), table(columns, penalties, job))


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
    return Part(_("Appeals"), table(columns, appeals, job))


def _ruling(appeal: Appeal) -> str:
    if not appeal.is_ruled:
        return _("open")
    verdict = _("granted") if appeal.granted else _("dismissed")
    return f"{verdict} – {appeal.ruling}"
