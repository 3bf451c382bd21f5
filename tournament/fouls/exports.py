"""The list of penalties as a download."""

from django.utils.translation import gettext_lazy as _

from penalties.engine import Sanction
from penalties.models import Penalty
from penalties.texts import foul_name_in, sanction_text
from tournament.base.access import can_see_penalties
from tournament.fouls.selectors import list_penalties
from tournament.web.exports.lists import Column, Kind, ListTable, Place


def foul_name(penalty: Penalty) -> str:
    return foul_name_in(penalty.tournament.rules.fouls, penalty.foul)


PENALTIES = ListTable(
    "penalties",
    _("Penalties"),
    columns=[
        Column("session", _("Session"), lambda penalty: penalty.table.session.number, Kind.FIGURE),
        Column("table", _("Table"), lambda penalty: penalty.table.number, Kind.FIGURE),
        Column("hand", _("Hand"), lambda penalty: penalty.hand_number, Kind.FIGURE),
        Column("number", _("No."), lambda penalty: penalty.player.number, Kind.FIGURE, is_optional=True),
        Column(
            "name",
            _("Name"),
            lambda penalty: penalty.player.full_name,
            Kind.NAME,
            cell="fouls/_name_cell.html",
        ),
        Column("foul", _("Foul"), foul_name),
        Column(
            "sanction",
            _("Sanction"),
            lambda penalty: sanction_text(Sanction.from_json(penalty.sanction)),
            cell="fouls/_sanction_cell.html",
        ),
        Column("given_at", _("When"), lambda penalty: penalty.given_at, cell="fouls/_given_cell.html"),
        Column("cancelled", _("Cancelled"), lambda penalty: penalty.is_cancelled, is_optional=True),
        Column(
            "actions",
            _("Actions"),
            lambda penalty: None,
            Kind.CONTROL,
            cell="fouls/_actions_cell.html",
            place=Place.PAGE,
        ),
    ],
    rows=lambda reader: list_penalties(reader.tournament, reader.audience),
    may_read=lambda reader: can_see_penalties(reader.actor, reader.tournament),
    row_id=lambda penalty: f"p{penalty.uuid}",
    is_off=lambda penalty: penalty.is_cancelled,
)
"""All penalties, cancelled ones included, the newest first."""
