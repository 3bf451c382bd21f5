"""The list of the staff as a download."""

from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right
from tournament.base.models.log import name_of
from tournament.staff.selectors import staff_of
from tournament.web.exports.lists import Column, Kind, ListTable

STAFF = ListTable(
    "staff",
    _("Staff"),
    columns=[
        Column("name", _("Name"), lambda member: name_of(member.user), Kind.NAME),
        Column("role", _("Role"), lambda member: str(member.get_role_display())),
        Column("account", _("User name"), lambda member: member.user.username),
        Column("player", _("Plays as"), lambda member: member.player.number if member.player else None),
    ],
    rows=lambda reader: staff_of(reader.tournament),
    right=Right.READ,
)
"""Everybody with a role and an account."""
