"""What each role is for, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.models.signed_in import ApiToken
from tournament.base.models.tournament import Role

ROLES: Final[Mapping[Role, str | Promise]] = {
    Role.OWNER: _("Everything; deletes the tournament, hands it over and names its organisers."),
    Role.ORGANISER: _("Players, seats, rules, publishing, and who works here."),
    Role.CHIEF: _(
        "Rules on appeals, changes the sheets of closed sessions, opens hidden results and makes the rota."
    ),
    Role.UMPIRE: _("Records hands and judges, at all tables or at some."),
    Role.SCORER: _("Records hands, at all tables or at some, and judges nothing."),
    Role.DESK: _("Registrations and check-in."),
    Role.TREASURER: _("Who owes and who has paid."),
    Role.SCREENS: _("The screens of the hall, and what is announced."),
    Role.OBSERVER: _("Sees what organisers see, and changes nothing."),
}


def role_name(role: str) -> str:
    return str(Role(role).label)


def scope_name(scope: str) -> str:
    """What a token is for."""
    return gettext("everything") if scope == ApiToken.ALL else role_name(scope)
