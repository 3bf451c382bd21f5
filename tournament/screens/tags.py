"""Template tags and filters of ceremonies, announcements and screens."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.screens.engine import Kind, Line
from tournament.screens.models import Ceremony
from tournament.screens.texts import KIND_NAMES
from tournament.web.texts import words
from tournament.web.texts.log import tables_text

register = template.Library()

LINES_BELOW = 8
"""Lines on the hall's screen below the newest place: four in each of two columns."""


@register.filter
def ceremony_title(ceremony: Ceremony) -> str:
    """Return the title of a ceremony: "Players · the best 10"."""
    kind = str(Ceremony.Kind(ceremony.kind).label)
    if ceremony.first is None:
        return kind
    return _("{kind} · the best {n}").format(kind=kind, n=ceremony.first)


@register.filter
def earlier_lines(ceremony: Ceremony) -> list[Line]:
    """Return the lines announced before the newest place, newest first."""
    return [line for place in ceremony.earlier for line in place][:LINES_BELOW]


register.filter("wind_letter", words.wind_letter)
register.filter("tables_text", tables_text)


@register.inclusion_tag("messages/_announced.html")
def announcement_band(tournament: Tournament, page_context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of the announcements at the top of a public page."""
    address = reverse("announcements", args=[tournament.slug])
    return {
        "announcements": page_context["announcements"],
        "part": f"{address}?{urlencode(page_context['place'])}" if page_context["place"] else address,
        "tournament": tournament,
    }


@register.filter
def announcement_text(announcement: Announcement) -> str:
    """Return the text of an announcement in the reader's language."""
    return announcement.text_in(get_language() or "")


@register.filter
def announcement_language(announcement: Announcement) -> str:
    """Return the reader's language if the announcement is translated to it; otherwise ""."""
    language = get_language() or ""
    return language if language in announcement.translations else ""


@register.filter
def kind_name(kind: Kind) -> str:
    """Return the name of what a screen shows."""
    return str(KIND_NAMES[kind])


@register.filter
def large_tp(points: Fraction) -> SafeString:
    """Return table points as HTML, with the decimals in small type."""
    whole, _point, part = words.table_points(points).partition(".")
    return format_html("{}<small>.{}</small>", whole, part) if part else format_html("{}", whole)


@register.filter
def fan_total(fan: Mapping[str, Any]) -> int:
    """Return the points of a fan, times its count."""
    return int(fan["points"] * fan["count"])
