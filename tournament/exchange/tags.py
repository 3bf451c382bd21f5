"""The menu at the head of a list, by which it is taken away."""

from typing import Any

from django import template
from django.urls import reverse

from tournament.base.models.tournament import Tournament
from tournament.exchange.lists import LISTS
from tournament.web.exports.lists import FORMATS, ListTable

register = template.Library()


@register.inclusion_tag("components/downloads.html")
def downloads(tournament: Tournament, name: str) -> dict[str, Any]:
    """By the name that the list has in `tournament.exchange.lists`."""
    listed = LISTS[name]
    files = [(form.upper(), _address(tournament, listed, form)) for form in FORMATS]
    return {"title": listed.title, "files": files}


def _address(tournament: Tournament, listed: ListTable, form: str) -> str:
    where = {"slug": tournament.slug, "form": form}
    if listed.right is None:
        return reverse("list_file", kwargs=where | {"name": listed.name})
    return reverse(f"organiser_list_{listed.name}", kwargs=where)
