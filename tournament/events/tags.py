"""Template tags of an event's page, of its calendar's address, and of the front page's picture."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final
from urllib.parse import urlsplit

from django import template
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.ema.engine import MOST_DAYS
from tournament.ema.texts import weight_text
from tournament.events.selectors import Coming
from tournament.web.display import render_markdown

register = template.Library()
register.filter("figure", weight_text)


@register.simple_tag
def webcal(request: HttpRequest, path: str) -> str:
    """Return the URL that calendars subscribe to: webcal://…"""
    return f"webcal://{request.get_host()}{path}"


@register.filter
def markdown(text: str) -> SafeString:
    """Render an organiser's Markdown as safe HTML."""
    return render_markdown(text)


@register.filter
def is_address(text: str) -> bool:
    """Whether one can write an e-mail to it."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


@register.filter
def host(link: str) -> str:
    """Return the host of a link."""
    return urlsplit(link).netloc.removeprefix("www.") or link


@register.filter
def how_weighed(now: Coming) -> str:
    """Explain the weight, part by part."""
    assert now.weight is not None
    weighed, players = now.weight, now.players + now.substitutes
    parts = [
        _part_text(
            ngettext("{weight} for {n} day", "{weight} for {n} days", now.days), weighed.days, now.days
        ),
        _part_text(
            ngettext("{weight} for {n} player", "{weight} for {n} players", players),
            weighed.players,
            players,
        ),
        _part_text(
            ngettext("{weight} for {n} country", "{weight} for {n} countries", now.counted_countries),
            weighed.countries,
            now.counted_countries,
        ),
    ]
    if weighed.championship:
        parts.append(_("{weight} for a championship").format(weight=weight_text(weighed.championship)))
    text = _("As it stands: {parts}.").format(parts=joined(parts))
    if now.days > MOST_DAYS:
        text = _("{text} More than {n} days count as {n}.").format(text=text, n=MOST_DAYS)
    return text


def _part_text(text: str, weight: Fraction, n: int) -> str:
    return text.format(weight=weight_text(weight), n=n)


WON: Final = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "5p", "5p", "3s", "4s", "5s"]
"""A hand that has won, its last tile on 5 Bamboos."""
WALL: Final = 9
"""Tiles of each wall that are drawn."""


@register.inclusion_tag("seating/_table_picture.html")
def table_picture() -> dict[str, object]:
    """Return the coordinates of a table with its walls, winds and a winning hand."""
    return {"hand": list(_in_a_row(WON, 26, 25)), "wall": [119 + 18 * n for n in range(WALL)]}


def _in_a_row(codes: list[str], left: int, step: int) -> Iterator[tuple[str, int, bool]]:
    """Return (tile, position, whether it is the winning one, which stands apart)."""
    for place, code in enumerate(codes):
        wins = place == len(codes) - 1
        yield code, left + step * place + (8 if wins else 0), wins
