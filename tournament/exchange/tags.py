"""Lists on pages, and the download menu above them."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse

from tournament.base.models.tournament import Tournament
from tournament.exchange.lists import LISTS
from tournament.web.exports.lists import FORMATS, ListTable
from tournament.web.lists import ListPage, cells

register = template.Library()


@register.inclusion_tag("components/list_table.html", takes_context=True)
def list_table(context: template.RequestContext, page: ListPage) -> dict[str, Any]:
    """Return the context of a list: its rows are drawn by their cells’ templates in the context of the page."""
    request: HttpRequest = context["request"]
    params = [(name, value) for name, value in request.GET.items() if name not in ("sort", "columns", "page")]
    rows = [
        {"id": page.table.row_id(row), "is_off": page.table.is_off(row), "cells": cells(page, row, context)}
        for row in page.rows
    ]
    return {
        "request": request,
        "tournament": context["tournament"],
        "list": page,
        "rows": rows,
        "params": params,
        "downloads": page.has_files and page.table.name in LISTS,
    }


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
