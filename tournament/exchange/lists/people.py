"""Lists of people: players, who has come, who works at the event; and the log."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournament.base.models.log_entry import name_of
from tournament.exchange.lists.table import Asked, Column, Table
from tournament.players.selectors.check_in import check_in_desk
from tournament.staff.selectors.staff import staff_of
from tournament.web.selectors.log_words import log_words


def players(asked: Asked) -> Table:
    """Everybody entered, by number, as the public page has them."""
    columns = [
        *(
            Column("number", _("No.")),
            Column("last_name", _("Last name")),
            Column("first_name", _("First name")),
        ),
        *(Column("country", _("Country")), Column("ema_number", _("EMA number"))),
        *(Column("team", _("Team")), Column("club", _("Club"))),
        *(Column("substitute", _("Substitute")), Column("withdrawn", _("Withdrawn"))),
    ]
    return Table(
        columns,
        (
            [
                *(one.number, one.last_name, one.first_name, one.country, one.ema_number, one.team, one.club),
                *(one.is_substitute, one.is_withdrawn),
            ]
            for one in asked.tournament.players.order_by("number")
        ),
    )


def check_in(asked: Asked) -> Table:
    """Everybody who is awaited, with when they came and what they owe."""
    columns = [
        *(Column("number", _("No.")), Column("name", _("Name")), Column("country", _("Country"))),
        *(Column("team", _("Team")), Column("here", _("Here")), Column("came_at", _("When"))),
        Column("owes", _("Still open")),
    ]
    return Table(
        columns,
        (
            [
                *(line.player.number, line.player.name, line.player.country, line.player.team),
                *(line.is_here, line.player.checked_in_at, line.owes),
            ]
            for line in check_in_desk(asked.tournament, "all").lines
        ),
    )


def staff(asked: Asked) -> Table:
    """Who has a role; never an address or a password."""
    columns = [
        *(Column("name", _("Name")), Column("role", _("Role")), Column("account", _("Signs in as"))),
        Column("player", _("Plays as")),
    ]
    return Table(
        columns,
        (
            [
                *(name_of(one.user), str(one.get_role_display()), one.user.username),
                one.player.number if one.player else None,
            ]
            for one in staff_of(asked.tournament)
        ),
    )


def log(asked: Asked) -> Table:
    """Every write, the newest first, in sentences; `action` for programs."""
    columns = [
        *(Column("number", _("No.")), Column("at", _("When")), Column("who", _("Who"))),
        *(Column("action", _("Action")), Column("what", _("What"))),
    ]
    words = log_words(asked.tournament)
    entries = asked.tournament.log.select_related("actor").order_by("-seq")
    return Table(
        columns,
        ([one.seq, one.at, one.actor_name, one.action, words.sentence(one)] for one in entries),
    )
