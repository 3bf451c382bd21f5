"""The download menu at the head of a list."""

from typing import Any

from django import template
from django.urls import reverse

from tournament.base.models.tournament import Tournament
from tournament.exchange.lists import LISTS
from tournament.web.exports.lists import FORMATS, ListTable

register = template.Library()


@register.inclusion_tag("components/downloads.html")
def downloads(tournament: Tournament, name: str) -> dict[str, Any]:
    """Return the context of the menu of a list, by its name in `tournament.exchange.lists`."""
    list_table = LISTS[name]
    files = [(form.upper(), _address(tournament, list_table, form)) for form in FORMATS]
    return {"title": list_table.title, "files": files}


def _address(tournament: Tournament, list_table: ListTable, form: str) -> str:
    kwargs = {"slug": tournament.slug, "form": form}
    if list_table.right is None:
        return reverse("list_file", kwargs=kwargs | {"name": list_table.name})
    return reverse(f"organiser_list_{list_table.name}", kwargs=kwargs)
