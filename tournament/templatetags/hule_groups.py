"""The parts of an event, and the sections of an organiser's pages that belong to each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django import template

register = template.Library()

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "before": ("players", "draw"),
    "play": ("session", "penalties", "announcements", "screens"),
    "after": ("documents", "ceremony", "log"),
    "settings": ("settings", "timetable", "umpires", "fouls"),
}
"""The parts of an event, and the sections that belong to each."""


@register.filter
def group_of(section: str) -> str:
    """The group of a section; "" for a page that belongs to none."""
    return next((group for group, sections in GROUPS.items() if section in sections), "")
