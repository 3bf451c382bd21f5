"""Filters and tags of the hall: a ceremony, the band of announcements, and a screen's figures."""

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
from tournament.screens.texts import KINDS
from tournament.web.texts import words
from tournament.web.texts.log import tables_text

register = template.Library()

LINES_BELOW = 8
"""How many lines the hall shows below the stage: four in each of two columns."""


@register.filter
def called(ceremony: Ceremony) -> str:
    """Players · the best 10."""
    kind = str(Ceremony.Kind(ceremony.kind).label)
    if ceremony.first is None:
        return kind
    return _("{kind} · the best {n}").format(kind=kind, n=ceremony.first)


@register.filter
def just_told(ceremony: Ceremony) -> list[Line]:
    """The lines told before the newest place, the best first."""
    return [line for place in ceremony.earlier for line in place][:LINES_BELOW]


register.filter("wind_letter", words.wind_letter)
register.filter("tables_named", tables_text)


@register.inclusion_tag("messages/_announced.html")
def announced(tournament: Tournament, page_context: Mapping[str, Any]) -> dict[str, Any]:
    """The band of a public page: what is said to its readers, and where to hear of more."""
    address = reverse("announcements", args=[tournament.slug])
    return {
        "announcements": page_context["announcements"],
        "part": f"{address}?{urlencode(page_context['place'])}" if page_context["place"] else address,
        "tournament": tournament,
    }


@register.filter
def said(announcement: Announcement) -> str:
    """The text in the reader's language."""
    return announcement.text_in(get_language() or "")


@register.filter
def said_in(announcement: Announcement) -> str:
    """The language it is known to be in, or nothing."""
    language = get_language() or ""
    return language if language in announcement.translations else ""


@register.filter
def kind_name(kind: Kind) -> str:
    """What a screen shows, in words."""
    return str(KINDS[kind])


@register.filter
def large_tp(points: Fraction) -> SafeString:
    """Table points whose decimals are smaller, for a screen: 12, 9 and .50."""
    whole, _point, part = words.table_points(points).partition(".")
    return format_html("{}<small>.{}</small>", whole, part) if part else format_html("{}", whole)


@register.filter
def fan_total(fan: Mapping[str, Any]) -> int:
    """What a fan of a hand is worth, all its times together."""
    return int(fan["points"] * fan["count"])
