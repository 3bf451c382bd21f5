"""When something is, as people say it on the tournament's days."""

from __future__ import annotations

from datetime import date, timedelta

from django.utils.formats import date_format
from django.utils.translation import pgettext

from tournament.models import Tournament
from tournament.selectors.timetable import Entry


def weekday(day: date) -> str:
    """A day of the tournament: Saturday 14 November, 11月14日 星期六."""
    return date_format(day, pgettext("format of a day with its weekday", "l j F"))


def when(entry: Entry, tournament: Tournament) -> str:
    """When something begins: 14:00, in a longer tournament Saturday 14:00, on none of its days with the date.

    Nothing for what has no time.
    """
    if entry.starts_at is None:
        return ""
    day = entry.starts_at.date()
    if day == tournament.starts_on == tournament.ends_on:
        return f"{entry.starts_at:%H:%M}"
    if tournament.starts_on <= day <= tournament.ends_on < tournament.starts_on + timedelta(days=7):
        return f"{date_format(day, 'l')} {entry.starts_at:%H:%M}"
    return f"{weekday(day)} {entry.starts_at:%H:%M}"
