"""Template tags of an event's page, identity and calendar, and the picture on the front page."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

from django import template
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import HttpRequest
from django.utils.safestring import SafeString

from tournament.base.requests import site_address
from tournament.events.display import identity_of
from tournament.web.display import render_markdown

register = template.Library()
register.simple_tag(identity_of)


@register.filter
def absolute_url(path: str) -> str:
    """Return the URL of a path of this site."""
    return urljoin(site_address(), path)


@register.simple_tag
def webcal(request: HttpRequest, path: str) -> str:
    """Return the URL that calendars subscribe to: webcal://…"""
    return f"webcal://{request.get_host()}{path}"


@register.filter
def markdown(text: str) -> SafeString:
    """Render an organiser's Markdown as safe HTML."""
    return render_markdown(text)


@register.filter
def is_email(text: str) -> bool:
    """Whether a text is an e-mail address."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


@register.filter
def host(link: str) -> str:
    """Return the host of a link."""
    return urlsplit(link).netloc.removeprefix("www.") or link


WINNING_HAND: Final = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "5p", "5p", "3s", "4s", "5s"]
"""The last tile is the winning one."""
WALL_STACKS: Final = 9
"""Stacks drawn of each wall."""


@register.inclusion_tag("seating/_table_picture.html")
def table_picture() -> dict[str, object]:
    """Return the coordinates of a table with its walls, winds and a winning hand."""
    return {
        "hand": list(_place_tiles(WINNING_HAND, 26, 25)),
        "wall": [119 + 18 * n for n in range(WALL_STACKS)],
    }


def _place_tiles(codes: list[str], left: int, step: int) -> Iterator[tuple[str, int, bool]]:
    """Yield (tile, x, whether it is the winning one, which stands apart)."""
    for index, code in enumerate(codes):
        is_last = index == len(codes) - 1
        yield code, left + step * index + (8 if is_last else 0), is_last
