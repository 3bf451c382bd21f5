"""All lists that can be downloaded, by name. A page offers its list by `{% downloads %}`; the documents offer all."""

from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right
from tournament.base.models.log import LogEntry
from tournament.dues.exports import DUES
from tournament.ema.exports import EMA
from tournament.fouls.exports import PENALTIES
from tournament.play.exports import HANDS
from tournament.players.exports.lists import CHECK_IN, PLAYER_LIST, PLAYERS
from tournament.ranking.exports import FANS, NATIONS, RANKING, RESULTS, TEAMS
from tournament.registration.exports import REGISTRATIONS
from tournament.seating.exports import SEATS
from tournament.staff.exports import STAFF
from tournament.web.exports.lists import Column, ListTable, Reader
from tournament.web.selectors import log_words


def _log(reader: Reader) -> Iterator[tuple[LogEntry, str]]:
    words = log_words(reader.tournament)
    for entry in reader.tournament.log.select_related("actor").order_by("-seq"):
        yield entry, words.sentence(entry)


LOG = ListTable(
    "log",
    _("Log"),
    columns=[
        Column("number", _("No."), lambda row: row[0].seq),
        Column("at", _("When"), lambda row: row[0].at),
        Column("who", _("Who"), lambda row: row[0].actor_name),
        Column("action", _("Action"), lambda row: row[0].action),
        Column("what", _("What"), lambda row: row[1]),
    ],
    rows=_log,
    right=Right.READ,
)
"""Every log entry as a sentence, newest first; the column `action` is for programs."""

LISTS: Final[Mapping[str, ListTable]] = {
    list_table.name: list_table
    for list_table in (
        *(RANKING, TEAMS, NATIONS, RESULTS, PLAYERS, SEATS, HANDS, FANS, PENALTIES),
        *(LOG, STAFF, CHECK_IN, REGISTRATIONS, DUES, PLAYER_LIST, EMA),
    )
}
"""Name → list, in the order in which they are offered."""


def lists_for(reader: Reader) -> list[ListTable]:
    """Return the lists to offer to this reader."""
    return [list_table for list_table in LISTS.values() if list_table.is_for(reader)]
