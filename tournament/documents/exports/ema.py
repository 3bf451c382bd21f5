"""Forms of the European Mahjong Association, filled in with what Hule knows; the rest is left blank."""

from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined, rulebook_name
from tournament.base.countries import country_name
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import name_of
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import event_page_of
from tournament.documents.exports.drafts import Draft, Part, draft_listing
from tournament.documents.exports.report import Fields, countries_text, place_text
from tournament.dues.selectors import prices_of
from tournament.ema.models import EmaCertification
from tournament.ema.selectors.certification import certification_of
from tournament.ema.selectors.results import count_participation
from tournament.ema.texts import weight_text
from tournament.fouls.selectors import appeals_of
from tournament.play.selectors.timetable import Entry, timetable
from tournament.prizes.selectors import prize_lines
from tournament.registration.selectors.plan import plan_of
from tournament.staff.selectors import staff_of
from tournament.web.texts.words import days_text, money_text, weekday

BLANK: Final = ""
"""To be filled in by hand."""


def draft_application(job: DocumentJob) -> Draft:
    """Draft what the national association applies with, by clauses 1.1 to 3.12 of the EMA's requirements."""
    title = _("Application to the EMA")
    return draft_listing(job, title, [Part(title, fields=_application_fields(job.tournament))])


def draft_observers_report(job: DocumentJob) -> Draft:
    """Draft the observer's report with the subjects that clause 3.11 of the EMA's requirements lists."""
    title = _("Observer’s report")
    return draft_listing(job, title, [Part(title, fields=_report_fields(job.tournament))])


def _application_fields(tournament: Tournament) -> Fields:
    page, certification, plan = (
        event_page_of(tournament),
        certification_of(tournament),
        plan_of(tournament),
    )
    return (
        (_("National association"), BLANK),
        (_("Applied on"), _day(certification.applied_on)),
        *_event_fields(tournament),
        (_("National championship"), _("yes") if certification.is_national else _("no")),
        (_("Website"), page.website),
        (_("Contact"), page.contact),
        (_("Playing schedule"), _schedule(tournament)),
        (_("Number of seats"), str(plan.places) if plan and plan.places else BLANK),
        (_("Seats of the local organisation"), BLANK),
        (_("Who may enter"), BLANK),
        (_("Price"), joined(f"{price.name} {money_text(price.amount)}" for price in prices_of(tournament))),
        (_("Umpires"), page.referees or _umpires(tournament)),
        (_("Observer"), _observer(certification)),
        (_("Prizes"), "\n".join(prize_lines(tournament))),
        (_("Catering"), BLANK),
        (_("Signature"), BLANK),
    )


def _report_fields(tournament: Tournament) -> Fields:
    page = event_page_of(tournament)
    participation = count_participation(tournament, page)
    appeals, fouls = appeals_of(tournament).count(), tournament.penalties.filter(cancelled_at=None).count()
    complaints = [
        ngettext("%(n)s appeal", "%(n)s appeals", appeals) % {"n": appeals},
        ngettext("%(n)s penalty", "%(n)s penalties", fouls) % {"n": fouls},
    ]
    return (
        (_("Observer"), _observer(certification_of(tournament))),
        *_event_fields(tournament),
        (_("Website"), page.website),
        (_("Playing schedule"), _schedule(tournament)),
        (_("Participants"), str(participation.players)),
        (_("Number of countries"), str(len(participation.countries))),
        (_("Countries"), countries_text(tournament)),
        (_("Umpires"), _umpires(tournament) or page.referees),
        (_("Number of prizes"), str(tournament.prizes.count() or BLANK)),
        (_("Prizes, and for what"), "\n".join(prize_lines(tournament))),
        (_("Location"), BLANK),
        (_("Equipment"), BLANK),
        (_("Catering"), BLANK),
        (_("Information and communication"), BLANK),
        (_("Clock"), BLANK),
        (_("Results between the sessions"), BLANK),
        (_("Irregularities"), BLANK),
        (_("Complaints and questions"), joined(complaints)),
        (_("Conclusion"), BLANK),
    )


def _event_fields(tournament: Tournament) -> Fields:
    weight = count_participation(tournament, event_page_of(tournament)).weight
    return (
        (_("Event"), tournament.name),
        (_("Date"), days_text(tournament.starts_on, tournament.ends_on)),
        (_("Venue"), place_text(tournament)),
        (_("Rulebook"), rulebook_name(tournament.rules.scoring)),
        (_("Weight in the European ranking (MERS)"), weight_text(weight.total)),
        (_("Sessions"), f"{tournament.sessions_planned} × {tournament.minutes} min"),
    )


def _observer(certification: EmaCertification) -> str:
    """Return the observer with the country, if they are known."""
    country = certification.observer_country
    return joined(filter(None, (certification.observer, country and country_name(country))))


def _umpires(tournament: Tournament) -> str:
    """Return the umpires of the team, and whether each of them plays."""
    judges = staff_of(tournament).filter(role__in=[Role.CHIEF, Role.UMPIRE], table_number=None)
    playing = {True: _("plays"), False: _("does not play")}
    return joined(f"{name_of(judge.user)} ({playing[judge.player_id is not None]})" for judge in judges)


def _day(day: date | None) -> str:
    return date_format(day) if day else BLANK


def _schedule(tournament: Tournament) -> str:
    return "\n".join(map(_schedule_line, timetable(tournament).entries))


def _schedule_line(entry: Entry) -> str:
    title = entry.title or _("Session %(n)s") % {"n": entry.number}
    assert entry.starts_at is not None, "every planned entry has a time"
    return f"{weekday(entry.starts_at.date())} {entry.starts_at:%H:%M}  {title}"
