"""Small parts of the organiser's pages."""

from __future__ import annotations

from collections.abc import Collection

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.base.models.tournament import Membership
from tournament.staff.models import Invitation
from tournament.web.forms.numbers import numbers_text as written
from tournament.web.texts.places import where_text

register = template.Library()

FIGURES = {
    "repeats": gettext_lazy("Meetings that are not the first"),
    "repeats_minimum": gettext_lazy("The fewest that are possible"),
    "most_meetings": gettext_lazy("Most meetings of two players"),
    "wind_spread": gettext_lazy("Starting winds apart, at most"),
    "table_most": gettext_lazy("Sessions at the same table, at most"),
    "team_meetings": gettext_lazy("Meetings of team-mates"),
    "club_meetings": gettext_lazy("Meetings of club-mates"),
    "country_meetings": gettext_lazy("Meetings of compatriots"),
}
"""The figures of a draw's certificate."""


@register.filter
def figure_name(name: str) -> str:
    return str(FIGURES[name])


@register.filter
def numbers_text(numbers: Collection[int]) -> str:
    """[1, 2, 3, 8] is "1-3, 8"."""
    return written(numbers)


@register.filter
def invited_where(invitation: Invitation) -> str:
    """What somebody is invited to, as `scope_text` has it."""
    tables = [(session, table) for table in invitation.tables for session in invitation.sessions or [0]]
    every = bool(tables) and not invitation.sessions
    return where_text([] if tables else invitation.sessions, tables, every_session=every)


@register.filter
def as_list(value: object) -> list[object]:
    """The values of a form's field, of which most have one."""
    return list(value) if isinstance(value, list | tuple) else [value]


@register.filter
def scope_text(umpire: Membership) -> str:
    """Where an umpire may write: "everywhere", "session 4: tables 1, 2", "table 3 in every session"."""
    if umpire.table_number is not None:
        return where_text([], [(0, umpire.table_number)], every_session=True)
    sessions = [session.number for session in umpire.sessions.all()]
    tables = [(table.session.number, table.number) for table in umpire.tables.all()]
    if not (umpire.everywhere or sessions or tables):
        return _("nowhere: the tables given are no longer drawn")
    return where_text(sessions, tables, every_session=umpire.every_session)
