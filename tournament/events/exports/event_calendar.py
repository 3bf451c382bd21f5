"""Whole tournaments in a calendar (RFC 5545): a line over the days of each, to subscribe to."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, timedelta
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from django.utils.translation import gettext as _
from icalendar import Calendar, Event
from icalendar.prop import vDuration, vText

from scoring.texts import joined_parts
from tournament.base.models.tournament import Tournament
from tournament.web.texts.countries import country_name

ASK_AGAIN: Final = timedelta(hours=12)
"""How often subscribers are asked to look for changes."""


def calendar_of_events(found: Iterable[tuple[Tournament, str]]) -> bytes:
    """The file, of tournaments with the addresses of their pages."""
    made = Calendar()
    made.add("prodid", "-//Hule//Mahjong Competition Rules//EN")
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("name", vText(_("Mahjong tournaments")))
    made.add("x-wr-calname", vText(_("Mahjong tournaments")))
    made.add("refresh-interval", ASK_AGAIN, parameters={"VALUE": "DURATION"})
    made.add("x-published-ttl", vDuration(ASK_AGAIN))
    for tournament, url in found:
        made.add_component(_entry(tournament, url))
    return bytes(made.to_ical())


def _entry(tournament: Tournament, url: str) -> Event:
    """All day long, and so the day after the last one is its end."""
    made = Event()
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
