"""The table a page is about, and the address of its desk."""

from __future__ import annotations

from django.http import Http404
from django.urls import reverse

from tournament.models import Table
from tournament.selectors.tables import find_table
from tournament.views.common import tournament_or_404


def table_or_404(slug: str, session: int, table: int) -> Table:
    try:
        return find_table(tournament_or_404(slug), session, table)
    except Table.DoesNotExist:
        raise Http404 from None


def desk_url(table: Table) -> str:
    session = table.session
    return reverse("desk", args=[session.tournament.slug, session.number, table.number])
