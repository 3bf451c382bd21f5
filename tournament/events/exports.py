"""Calendars as iCalendar (RFC 5545): an event's timetable, and whole tournaments."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar
from icalendar import Event as Entry
from icalendar.prop import vDuration, vText

from scoring.texts import joined, joined_parts
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import Event
from tournament.web.texts.words import NAMES, country_name

# --- Calendar ---
# Calendars as iCalendar (RFC 5545): the timetable on everybody's phone, kept up to date by subscribing to it.


TIMETABLE_REFRESH_INTERVAL: Final = timedelta(minutes=15)
"""How often subscribers are asked to look for changes."""
WARNED: Final = timedelta(minutes=15)
"""How long before it begins a phone tells of an entry."""


def calendar(tournament: Tournament, name: str, events: Iterable[Event], url: str) -> bytes:
    """The file. `url`: the page that says more. It follows from the tournament's public version alone: made twice, it
    is the same to the byte, and a later version supersedes it in every calendar."""
    written = tournament.log.get(public_seq=tournament.public_version).at
    made = Calendar()
    made.add("prodid", "-//Hule//Mahjong Competition Rules//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("name", vText(name))
    made.add("x-wr-calname", vText(name))
    made.add("x-wr-timezone", vText(tournament.time_zone))
    made.add("refresh-interval", TIMETABLE_REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", vDuration(TIMETABLE_REFRESH_INTERVAL))
    for event in events:
        made.add_component(_timetable_entry(tournament, event, url, written))
    return bytes(made.to_ical())


def _timetable_entry(tournament: Tournament, event: Event, url: str, written: datetime) -> Entry:
    made = Entry()
    made.add("uid", str(event.uid))
    made.add("dtstamp", written.astimezone(UTC))
    made.add("sequence", tournament.public_version)
    made.add("summary", f"{_what(event)} · {tournament.name}")
    made.add("dtstart", event.starts_at.astimezone(UTC))
    if event.ends_at is not None:
        made.add("dtend", event.ends_at.astimezone(UTC))
    if tournament.venue:
        made.add("location", tournament.venue)
    if said := _said(event):
        made.add("description", said)
    made.add("url", url)
    made.add_component(_alarm(event))
    return made


def _alarm(event: Event) -> Alarm:
    made = Alarm()
    made.add("action", "DISPLAY")
    made.add("description", _what(event))
    made.add("trigger", -WARNED)
    return made


def _what(event: Event) -> str:
    """Session 3, table 5, East; or the title of what is no session."""
    if event.session is None:
        return event.title
    if event.seat is None:
        return _("Session %(n)s") % {"n": event.session}
    return _("Session %(session)s, table %(table)s, %(wind)s") % {
        "session": event.session,
        "table": event.seat.table.number,
        "wind": NAMES[event.seat.wind],
    }


def _said(event: Event) -> str:
    if event.seat is not None:
        return _("With %(names)s.") % {"names": joined(_others(event.seat))}
    return ""


def _others(seat: Seat) -> list[str]:
    return [other.player.name for other in seat.table.seats.all() if other.player_id != seat.player_id]


# --- Whole tournaments in a calendar (RFC 5545): a line over the days of each, to subscribe to ---


EVENTS_REFRESH_INTERVAL: Final = timedelta(hours=12)
"""How often subscribers are asked to look for changes."""


def calendar_of_events(found: Iterable[tuple[Tournament, str]]) -> bytes:
    """The file, of tournaments with the addresses of their pages."""
    made = Calendar()
    made.add("prodid", "-//Hule//Mahjong Competition Rules//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("name", vText(_("Mahjong tournaments")))
    made.add("x-wr-calname", vText(_("Mahjong tournaments")))
    made.add("refresh-interval", EVENTS_REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", vDuration(EVENTS_REFRESH_INTERVAL))
    for tournament, url in found:
        made.add_component(_event_entry(tournament, url))
    return bytes(made.to_ical())


def _event_entry(tournament: Tournament, url: str) -> Entry:
    """All day long, and so the day after the last one is its end."""
    made = Entry()
    made.add("uid", str(uuid5(NAMESPACE_URL, url)))
    made.add("dtstamp", tournament.created_at.astimezone(UTC))
    made.add("sequence", tournament.public_version)
    made.add("summary", tournament.name)
    made.add("dtstart", tournament.starts_on)
    made.add("dtend", tournament.ends_on + timedelta(days=1))
    if where := _where(tournament):
        made.add("location", where)
    made.add("url", url)
    made.add("transp", "TRANSPARENT")
    return made


def _where(tournament: Tournament) -> str:
    page = getattr(tournament, "event_page", None)
    country = country_name(page.country) if page and page.country else ""
    return joined_parts(part for part in (tournament.venue, country) if part)
