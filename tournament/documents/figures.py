"""Days, times and lists of names as they are written in a document."""

from collections.abc import Sequence
from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _


def day_text(day: date) -> str:
    """14 November 2026, 2026年11月14日."""
    return date_format(day, "j F Y" if _in_english() else "DATE_FORMAT")


def days_text(first: date, last: date) -> str:
    """14 November 2026 · 14 to 15 November 2026 · 30 November 2026 to 1 December 2026."""
    if first == last:
        return day_text(first)
    one_month = (first.year, first.month) == (last.year, last.month)
    start = str(first.day) if one_month and _in_english() else day_text(first)
    return _("%(first)s to %(last)s") % {"first": start, "last": day_text(last)}


def _in_english() -> bool:
    return (get_language() or "en").startswith("en")


def time_text(moment: datetime) -> str:
    """15 November 2026, 18:42, in the tournament's time zone."""
    local = timezone.localtime(moment)
    return f"{day_text(local.date())}, {local:%H:%M}"


def in_a_row(*parts: str) -> str:
    """The parts that are not empty, with commas between them."""
    return _comma().join(part for part in parts if part)


def listed(items: Sequence[str]) -> str:
    """A · A and B · A, B and C."""
    if len(items) < 2:
        return "".join(items)
    return _("%(items)s and %(last)s") % {"items": _comma().join(items[:-1]), "last": items[-1]}


def _comma() -> str:
    return pgettext("between the items of a list", ", ")
