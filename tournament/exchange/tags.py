"""The menu at the head of a list, by which it is taken away."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse

from tournament.base.models.tournament import Tournament
from tournament.exchange.lists import DESK, FORMATS, STAFF, list_named

register = template.Library()


@register.inclusion_tag("components/downloads.html")
def downloads(tournament: Tournament, name: str) -> dict[str, Any]:
    """By the name that the list has in `tournament.exchange.lists`."""
    return {
        "title": list_named(name).title,
        "files": [(form.upper(), _address(tournament, name, form)) for form in FORMATS],
    }


def _address(tournament: Tournament, name: str, form: str) -> str:
    where = {"slug": tournament.slug, "form": form}
    if name in DESK:
        return reverse("organiser_check_in_list", kwargs=where)
    return reverse("organiser_list_file" if name in STAFF else "list_file", kwargs=where | {"name": name})
