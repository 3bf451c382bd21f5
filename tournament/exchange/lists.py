"""All lists that can be downloaded, by name. A page offers its list by `{% downloads %}`; the documents offer all."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right
from tournament.dues.exports import DUES
from tournament.ema.exports import EMA
from tournament.fouls.exports import PENALTIES
from tournament.play.exports import HANDS
from tournament.players.exports.lists import CHECK_IN, PLAYER_LIST, PLAYERS
from tournament.ranking.exports import FANS, NATIONS, RANKING, RESULTS, TEAMS
from tournament.roster.exports.people import PEOPLE
from tournament.seating.exports import SEATS
from tournament.staff.exports import STAFF
from tournament.web.exports.lists import Column, Kind, ListTable, Place, Reader
from tournament.web.selectors import log_words


def _log_columns(reader: Reader) -> list[Column]:
    words = log_words(reader.tournament)
    return [
        Column("number", _("No."), lambda entry: entry.seq, Kind.FIGURE, cell="site/_log_number_cell.html"),
        Column("at", _("When"), lambda entry: entry.at, cell="site/_log_time_cell.html"),
        Column("who", _("Who"), lambda entry: entry.actor_name),
        Column("action", _("Action"), lambda entry: entry.action, place=Place.FILES),
        Column("what", _("What"), words.sentence),
    ]


LOG = ListTable(
    "log",
    _("Log"),
    columns=_log_columns,
    rows=lambda reader: reader.tournament.log.select_related("actor").order_by("-seq"),
    right=Right.READ,
    row_id=lambda entry: f"e{entry.seq}",
    layout="stacked log",
    is_sortable=False,
)
"""Every log entry as a sentence, newest first; the column `action` is for programs."""

LISTS: Final[Mapping[str, ListTable]] = {
    list_table.name: list_table
    for list_table in (
        *(RANKING, TEAMS, NATIONS, RESULTS, PLAYERS, SEATS, HANDS, FANS, PENALTIES),
        *(LOG, STAFF, CHECK_IN, PEOPLE, DUES, PLAYER_LIST, EMA),
    )
}
"""Name → list, in the order in which they are offered."""


def lists_for(reader: Reader) -> list[ListTable]:
    """Return the lists to offer to this reader."""
    return [list_table for list_table in LISTS.values() if list_table.is_for(reader)]
