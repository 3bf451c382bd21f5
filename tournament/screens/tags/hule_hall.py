"""What the hall is told: the band of announcements."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.screens.engine.screens import Kind
from tournament.screens.texts.screens import KINDS
from tournament.site.selectors.surroundings import Surroundings
from tournament.web.texts import figures, winds
from tournament.web.texts.places import tables_text

register = template.Library()
register.filter("wind_letter", winds.wind_letter)


@register.inclusion_tag("messages/_announced.html")
def announced(tournament: Tournament, around: Surroundings) -> dict[str, Any]:
    """The band of a public page: what is said to its readers, and where to hear of more."""
    address = reverse("announcements", args=[tournament.slug])
    return {
        "announcements": around.heard,
        "part": f"{address}?{urlencode(around.place)}" if around.place else address,
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
def tables_named(numbers: list[int]) -> str:
    """ "Table 4", "Tables 1, 2"."""
    return tables_text(numbers)


@register.filter
def kind_name(kind: Kind) -> str:
    """What a screen shows, in words."""
    return str(KINDS[kind])


@register.filter
def large_tp(points: Fraction) -> SafeString:
    """Table points whose decimals are smaller, for a screen: 12, 9 and .50."""
    whole, _point, part = figures.table_points(points).partition(".")
    return format_html("{}<small>.{}</small>", whole, part) if part else format_html("{}", whole)


@register.filter
def fan_total(fan: Mapping[str, Any]) -> int:
    """What a fan of a hand is worth, all its times together."""
    return int(fan["points"] * fan["count"])
