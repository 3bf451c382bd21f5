"""What was ruled at an event, for its report: penalties and appeals."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from penalties.engine import Sanction
from penalties.texts import name_in, sanction_text
from tournament.base.access import Audience
from tournament.base.models.appeals import Appeal
from tournament.base.models.documents import DocumentJob
from tournament.documents.exports.columns import Cell, Column, Kind
from tournament.documents.exports.listing import Part, column, table
from tournament.fouls.selectors.appeals import appeals_of
from tournament.fouls.selectors.penalties import PenaltyFilter, list_penalties


def ruling_parts(job: DocumentJob) -> Iterator[Part]:
    """Each begins a page; that there were none is said, too."""
    yield _penalties(job)
    yield _appeals(job)


def _penalties(job: DocumentJob) -> Part:
    found = list(list_penalties(job.tournament, Audience.STAFF, PenaltyFilter()).order_by("given_at", "id"))
    if not found:
        return Part(_("Penalties"), texts=(_("There were none."),))
    book = job.tournament.rules.fouls
    marked = (Cell.of(name_in(book, one.foul), *([_("cancelled")] * one.is_cancelled)) for one in found)
    columns = [
        column(Kind.SESSION, _("Session"), [one.table.session.number for one in found]),
        column(Kind.SESSION, _("Table"), [one.table.number for one in found]),
        column(Kind.SESSION, _("Hand"), [one.hand_number or "" for one in found]),
        column(Kind.NAME, _("Player"), [one.player.name for one in found]),
        Column(Kind.TEXT, (_("Foul"),), tuple(marked)),
        column(Kind.TEXT, _("Sanction"), [sanction_text(Sanction.from_json(one.sanction)) for one in found]),
    ]
    return Part(_("Penalties"), table(columns, job))


def _appeals(job: DocumentJob) -> Part:
    found = list(appeals_of(job.tournament))
    if not found:
        return Part(_("Appeals"), texts=(_("There were none."),), is_new_page=False)
    columns = [
        column(Kind.SESSION, _("Session"), [one.table.session.number for one in found]),
        column(Kind.SESSION, _("Table"), [one.table.number for one in found]),
        column(Kind.NAME, _("Player"), [one.player.name for one in found]),
        column(Kind.TEXT, _("Appeal"), [one.text for one in found]),
        column(Kind.TEXT, _("Ruling"), [_ruling(one) for one in found]),
    ]
    return Part(_("Appeals"), table(columns, job))


def _ruling(one: Appeal) -> str:
    if not one.is_ruled:
        return _("open")
    said = _("granted") if one.granted else _("dismissed")
    return f"{said} – {one.ruling}"
