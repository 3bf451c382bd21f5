"""Calendars as iCalendar files (RFC 5545): an event's timetable, and a list of tournaments."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Final
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Timezone
from icalendar import Event as Entry
from icalendar.prop import vDuration, vText

from scoring.texts import joined, joined_parts
from tournament.base.countries import country_name
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import CalendarEvent
from tournament.web.texts.words import NAMES

TIMETABLE_REFRESH_INTERVAL: Final = timedelta(minutes=15)
"""How often subscribers of a timetable look for changes."""

TOURNAMENTS_REFRESH_INTERVAL: Final = timedelta(hours=12)
"""How often subscribers of the list of tournaments look for changes."""
ALARM_BEFORE: Final = timedelta(minutes=15)


def timetable_calendar(tournament: Tournament, name: str, events: Iterable[CalendarEvent], url: str) -> bytes:
    """Return the calendar file of a timetable. `url`: the page that the events link to.

    The file depends only on the tournament's public version: the same version gives the same bytes, and a calendar
    replaces its events by those of a later version. While no times are planned, the days of the tournament are its
    one event, so that a subscription can begin.
    """
    changed_at = tournament.log.get(public_seq=tournament.public_version).at
    ical = _empty_calendar(name)
    ical.add("x-wr-timezone", vText(tournament.time_zone))
    _ask_to_refresh(ical, TIMETABLE_REFRESH_INTERVAL)
    for event in events:
        ical.add_component(_timetable_entry(tournament, event, url, changed_at))
    if not ical.subcomponents and not tournament.timetable.exists():
        entry = _tournament_entry(tournament, url, changed_at)
        entry.add("description", _("Times are not planned yet."))
        ical.add_component(entry)
    return _calendar_file(ical, tournament.zone, tournament.starts_on)


def _calendar_file(ical: Calendar, zone: ZoneInfo, day: date) -> bytes:
    """Return the file; one without entries has its time zone, as RFC 5545 (3.6) demands at least one component."""
    if not ical.subcomponents:
        ical.add_component(Timezone.from_tzinfo(zone, first_date=day, last_date=day + timedelta(days=1)))
    return bytes(ical.to_ical())


def _empty_calendar(name: str) -> Calendar:
    ical = Calendar()
    ical.add("prodid", "-//Hule//Mahjong Competition Rules//EN")
    ical.add("version", "2.0")
    ical.add("method", "PUBLISH")
    ical.add("name", vText(name))
    ical.add("x-wr-calname", vText(name))
    return ical


def _ask_to_refresh(ical: Calendar, interval: timedelta) -> None:
    ical.add("refresh-interval", interval, parameters={"VALUE": "DURATION"})
    ical.add("x-published-ttl", vDuration(interval))


def _timetable_entry(tournament: Tournament, event: CalendarEvent, url: str, changed_at: datetime) -> Entry:
    entry = Entry()
    entry.add("uid", str(event.uid))
    entry.add("dtstamp", changed_at.astimezone(UTC))
    entry.add("sequence", tournament.public_version)
    entry.add("summary", f"{_title(event)} · {tournament.name}")
    entry.add("dtstart", event.starts_at.astimezone(UTC))
    if event.ends_at is not None:
        entry.add("dtend", event.ends_at.astimezone(UTC))
    if tournament.venue:
        entry.add("location", tournament.venue)
    if description := _description(event):
        entry.add("description", description)
    entry.add("url", url)
    entry.add_component(_alarm(event))
    return entry


def _alarm(event: CalendarEvent) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", _title(event))
    alarm.add("trigger", -ALARM_BEFORE)
    return alarm


def _title(event: CalendarEvent) -> str:
    """Return "Session 3, table 5, East", or the title of an item that is no session."""
    if event.session is None:
        return event.title
    if event.seat is None:
        return _("Session %(n)s") % {"n": event.session}
    return _("Session %(session)s, table %(table)s, %(wind)s") % {
        "session": event.session,
        "table": event.seat.table.number,
        "wind": NAMES[event.seat.wind],
    }


def _description(event: CalendarEvent) -> str:
    if event.seat is None:
        return ""
    seats = event.seat.table.seats.all()
    others = [seat.player.name for seat in seats if seat.player_id != event.seat.player_id]
    return _("With %(names)s.") % {"names": joined(others)}


def tournaments_calendar(events: Iterable[tuple[Tournament, str]]) -> bytes:
    """Return a calendar file of tournaments, given with the URLs of their pages."""
    ical = _empty_calendar(_("Mahjong tournaments"))
    _ask_to_refresh(ical, TOURNAMENTS_REFRESH_INTERVAL)
    for tournament, url in events:
        ical.add_component(_tournament_entry(tournament, url, tournament.created_at))
    return _calendar_file(ical, ZoneInfo(timezone.get_default_timezone_name()), timezone.localdate())


def _tournament_entry(tournament: Tournament, url: str, changed_at: datetime) -> Entry:
    """Return an all-day entry; iCalendar excludes the end, so it is the day after the last one."""
    entry = Entry()
    entry.add("uid", str(uuid5(NAMESPACE_URL, url)))
    entry.add("dtstamp", changed_at.astimezone(UTC))
    entry.add("sequence", tournament.public_version)
    entry.add("summary", tournament.name)
    entry.add("dtstart", tournament.starts_on)
    entry.add("dtend", tournament.ends_on + timedelta(days=1))
    if place := _place(tournament):
        entry.add("location", place)
    entry.add("url", url)
    entry.add("transp", "TRANSPARENT")
    return entry


def _place(tournament: Tournament) -> str:
    page = getattr(tournament, "event_page", None)
    country = country_name(page.country) if page and page.country else ""
    return joined_parts(part for part in (tournament.venue, country) if part)
