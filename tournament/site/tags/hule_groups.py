"""The parts of an event, and the sections of an organiser's pages that belong to each."""

from __future__ import annotations

from django import template

from tournament.web.views.sections import GROUP_OF

register = template.Library()


@register.filter
def group_of(section: str) -> str:
    """The group of a section; "" for a page that belongs to none."""
    return GROUP_OF.get(section, "")
