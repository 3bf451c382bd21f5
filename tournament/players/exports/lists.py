"""Lists of players: all of them, those for the import, and the check-in list."""

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.models.people import Player
from tournament.players.selectors.check_in import check_in_desk, expected_players
from tournament.players.selectors.players import public_players
from tournament.web.exports.lists import Column, Kind, ListTable, Reader


def _everybody(reader: Reader) -> Iterable[Player]:
    """Return the players by number; with public data only, except for the staff."""
    people = reader.tournament.players.order_by("number")
    return people if reader.audience is Audience.STAFF else public_players(people, reader.tournament)


PLAYERS = ListTable(
    "players",
    _("Players"),
    columns=[
        Column("number", _("No."), lambda player: player.number, Kind.FIGURE),
        Column("last_name", _("Last name"), lambda player: player.last_name),
        Column("first_name", _("First name"), lambda player: player.first_name),
        Column("country", _("Country"), lambda player: player.country),
        Column("ema_number", _("EMA number"), lambda player: player.ema_number),
        Column("team", _("Team"), lambda player: player.team),
        Column("club", _("Club"), lambda player: player.club),
        Column("substitute", _("Substitute"), lambda player: player.is_substitute),
        Column("withdrawn", _("Withdrawn"), lambda player: player.is_withdrawn),
        Column("excluded", _("Excluded"), lambda player: player.get_excluded_as_display()),
    ],
    rows=_everybody,
)

PLAYER_LIST = ListTable(
    "player-list",
    _("Players, to edit and upload again"),
    columns=[
        Column("number", "number", lambda player: player.number),
        Column("last_name", "last name", lambda player: player.last_name),
        Column("first_name", "first name", lambda player: player.first_name),
        Column("second_name", "second name", lambda player: player.second_name),
        Column("country", "country", lambda player: player.country),
        Column("ema_number", "EMA number", lambda player: player.ema_number),
        Column("team", "team", lambda player: player.team),
        Column("club", "club", lambda player: player.club),
    ],
    rows=lambda reader: expected_players(reader.tournament),
    right=Right.ORGANISE,
    path="players",
    file="players",
    sheet="players",
)
"""The expected players, with headings that the import recognises (`tournament.web.exports.headings`)."""

CHECK_IN = ListTable(
    "check-in",
    _("Check-in"),
    columns=[
        Column("number", _("No."), lambda line: line.player.number),
        Column("name", _("Name"), lambda line: line.player.full_name),
        Column("country", _("Country"), lambda line: line.player.country),
        Column("team", _("Team"), lambda line: line.player.team),
        Column("here", _("Present"), lambda line: line.is_here),
        Column("came_at", _("When"), lambda line: line.player.checked_in_at),
        Column("owes", _("Unpaid"), lambda line: line.owes),
    ],
    rows=lambda reader: check_in_desk(reader.tournament, "all").lines,
    right=Right.ADMIT,
)
"""The players with their time of check-in and what they owe."""
