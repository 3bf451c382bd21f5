"""Days and times as people say them, on pages and on paper alike."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournament.base.models.tournament import Tournament


def days_text(first: date, last: date) -> str:
    """14 November 2026 · 14–15 November 2026 · 30 November 2026 – 1 December 2026."""
    if first == last:
        return date_format(first)
    if (first.year, first.month) == (last.year, last.month):
        return _("{first_day}–{last_day} {month} {year}").format(
            first_day=first.day,
            last_day=last.day,
            month=date_format(first, pgettext("format of a month's name", "F")),
            year=first.year,
        )
    return f"{date_format(first)} – {date_format(last)}"


def time_text(moment: datetime) -> str:
    """15 November 2026, 18:42, in the tournament's time zone."""
    return date_format(localtime(moment), "DATETIME_FORMAT")


def time_of_day(moment: datetime) -> str:
    """20:29, in the tournament's time zone."""
    return f"{localtime(moment):%H:%M}"


def weekday(day: date) -> str:
    """A day of the tournament: Saturday 14 November, 11月14日 星期六."""
    return date_format(day, pgettext("format of a day with its weekday", "l j F"))


def when(starts_at: datetime | None, tournament: Tournament) -> str:
    """When something begins: 14:00, in a longer tournament Saturday 14:00, on none of its days with the date.

    Nothing for what has no time.
    """
    if starts_at is None:
        return ""
    day = starts_at.date()
    if day == tournament.starts_on == tournament.ends_on:
        return f"{starts_at:%H:%M}"
    if tournament.starts_on <= day <= tournament.ends_on < tournament.starts_on + timedelta(days=7):
        return f"{date_format(day, 'l')} {starts_at:%H:%M}"
    return f"{weekday(day)} {starts_at:%H:%M}"
