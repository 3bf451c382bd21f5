"""Small parts of the organiser's pages."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from tournament.models import Membership
from tournament.texts_log import where_text

register = template.Library()


@register.filter
def scope_text(umpire: Membership) -> str:
    """Where an umpire may write: "everywhere", "sessions 1, 2", "session 4: tables 1, 2"."""
    sessions = [session.number for session in umpire.sessions.all()]
    tables = [(table.session.number, table.number) for table in umpire.tables.all()]
    if not (umpire.everywhere or sessions or tables):
        return _("nowhere: the tables given are no longer drawn")
    return where_text(sessions, tables)
