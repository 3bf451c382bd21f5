"""The tournament report: everything there is to say of an event, and the EMA observer's report, half filled in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined, rulebook_name
from tournament.base.access import Audience, name_of
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Role, Tournament
from tournament.documents.exports.columns import Kind, fit
from tournament.documents.exports.drafts import Draft
from tournament.documents.exports.listing import Part, column, listing, table
from tournament.documents.exports.notes import notes
from tournament.documents.exports.paper import PAPERS
from tournament.documents.exports.report_rulings import ruling_parts
from tournament.documents.exports.results import groups_part, session_part
from tournament.documents.exports.standings import STATES, version_of
from tournament.documents.exports.standings_table import columns
from tournament.documents.exports.statistics import statistics_parts
from tournament.events.selectors.event_page import words_of
from tournament.events.selectors.timetable import Entry, timetable
from tournament.fouls.selectors.appeals import appeals_of
from tournament.players.selectors.check_in import awaited
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.ranking.selectors.statistics import event_statistics
from tournament.staff.selectors.staff import staff_of
from tournament.web.texts.countries import country_name
from tournament.web.texts.days import days_text, time_of_day, weekday
from tournament.web.texts.roles import role_name

Fields = tuple[tuple[str, str], ...]


def report(job: DocumentJob) -> Draft:
    """The event, its hours and people, every result, how hands ended, and what was ruled."""
    now = ranking(job.tournament, Audience.STAFF)
    parts = [
        Part(_("Tournament report"), fields=_event(job.tournament)),
        *_hours(job),
        *_staff(job),
        *_results(job, now),
        *statistics_parts(job, event_statistics(job.tournament, Audience.STAFF), follows=False),
        *ruling_parts(job),
    ]
    version = version_of(now)
    foot = _("Hule · standings version %(version)s · %(state)s") % {
        "version": version,
        "state": STATES[now.state],
    }
    return listing(job, _("Tournament report"), parts, foot=foot, version=version, state=now.state)


def observers_report(job: DocumentJob) -> Draft:
    """The fields of the European Mahjong Association's form: what is known, and room for the rest."""
    title = _("Observer’s report")
    return listing(job, title, [Part(title, fields=_observed(job.tournament))])


def _event(tournament: Tournament) -> Fields:
    said = words_of(tournament)
    players = awaited(tournament)
    found = (
        (_("Event"), tournament.name),
        (_("Days"), days_text(tournament.starts_on, tournament.ends_on)),
        (_("Venue"), _place(tournament)),
        (_("Website"), said.website),
        (_("Contact"), said.contact),
        (_("Rulebook"), rulebook_name(tournament.rules.scoring)),
        (_("Sessions"), _sessions(tournament)),
        (_("Participants"), str(players.count())),
        (_("Countries"), _countries(tournament)),
        (_("Umpires"), said.referees),
    )
    return tuple((name, value) for name, value in found if value)


def _observed(tournament: Tournament) -> Fields:
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
        (_("Venue"), _place(tournament)),
        (_("Website"), words_of(tournament).website),
        (_("Participants"), str(awaited(tournament).count())),
        (_("Countries"), _countries(tournament)),
        (_("Playing schedule"), "\n".join(_entry(entry) for entry in timetable(tournament).entries)),
        (_("Location"), ""),
        (_("Equipment"), ""),
        (_("Refereeing"), joined([name_of(one.user) for one in judges])),
        (_("Complaints"), joined(complaints)),
        (_("Information and communication"), ""),
        (_("Sessions"), _sessions(tournament)),
        (_("Catering"), ""),
        (_("Remarks"), ""),
    )


def _place(tournament: Tournament) -> str:
    said = words_of(tournament)
    country = country_name(said.country) if said.country else ""
    return "\n".join(filter(None, (tournament.venue, said.address, country)))


def _sessions(tournament: Tournament) -> str:
    n = tournament.sessions_planned
    text = ngettext("%(n)s session of %(minutes)s minutes", "%(n)s sessions of %(minutes)s minutes", n)
    return text % {"n": n, "minutes": tournament.minutes}


def _countries(tournament: Tournament) -> str:
    """From the one with most players on."""
    counted = Counter(awaited(tournament).exclude(country="").values_list("country", flat=True))
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return joined([f"{country_name(code)}\u00a0{count}" for code, count in ordered])


def _entry(entry: Entry) -> str:
    what = entry.title or _("Session %(n)s") % {"n": entry.number}
    assert entry.starts_at is not None, "what stands in the hours has one"
    return f"{weekday(entry.starts_at.date())} {entry.starts_at:%H:%M}  {what}"


def _hours(job: DocumentJob) -> Iterator[Part]:
    entries = [entry for entry in timetable(job.tournament).entries if entry.starts_at is not None]
    if not entries:
        return
    days = [weekday(entry.starts_at.date()) if entry.starts_at else "" for entry in entries]
    columns = [
        column(Kind.NAME, _("Day"), days),
        column(Kind.SESSION, _("Starts"), [f"{entry.starts_at:%H:%M}" for entry in entries]),
        column(
            Kind.SESSION, _("Began"), [time_of_day(one.began_at) if one.began_at else "" for one in entries]
        ),
        column(
            Kind.TEXT, _("What"), [one.title or _("Session %(n)s") % {"n": one.number} for one in entries]
        ),
    ]
    yield Part(_("Timetable"), table(columns, job, turns=False), is_new_page=False)


def _staff(job: DocumentJob) -> Iterator[Part]:
    people = list(staff_of(job.tournament).filter(table_number=None))
    if people:
        columns = [
            column(Kind.NAME, _("Name"), [name_of(one.user) for one in people]),
            column(Kind.TEXT, _("Role"), [role_name(one.role) for one in people]),
        ]
        yield Part(_("Staff"), table(columns, job, turns=False), is_new_page=False)


def _results(job: DocumentJob, now: Ranking) -> Iterator[Part]:
    layout = fit(partial(columns, now), PAPERS[job.paper])
    yield Part(_("Standings"), layout, notes=tuple(notes(now)))
    if now.has_teams:
        yield groups_part(job, now, "teams", _("Standings of teams"))
    if now.has_nations:
        yield groups_part(job, now, "nations", _("Standings of nations"))
    for session in now.sessions:
        title = _("Session %(number)s: standings of this session alone") % {"number": session.number}
        yield session_part(job, session.number, title)
