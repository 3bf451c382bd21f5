"""The table a page is about, and the address of its desk."""

from __future__ import annotations

from django.http import Http404
from django.urls import reverse

from tournament.base import zones
from tournament.base.models.play import Table
from tournament.play.selectors.tables import find_table


def table_or_404(slug: str, session: int, table: int) -> Table:
    """The table, whoever asks; from here on times are told by its tournament's clock."""
    try:
        found = find_table(slug, session, table)
    except Table.DoesNotExist:
        raise Http404 from None
    zones.tell_time_of(found.session.tournament)
    return found


def desk_url(table: Table) -> str:
    session = table.session
    return reverse("desk", args=[session.tournament.slug, session.number, table.number])
