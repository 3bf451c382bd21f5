"""Where somebody's role in an event leads: the page that they are here for."""

from __future__ import annotations

from typing import Final

from django.urls import reverse

from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.models.tournament import Tournament
from tournament.web.views.sections import address

LANDINGS: Final = (
    (Right.ORGANISE, ("organiser_board",)),
    (Right.ENTER, ("umpire_tables",)),
    (Right.READ, ("organiser_board",)),
    (Right.ADMIT, ("organiser_check_in", "organiser_registrations", "organiser_players")),
    (Right.CASH, ("organiser_dues", "organiser_players")),
    (Right.SHOW, ("organiser_screens",)),
)
"""Of the rights somebody has, the first says where to; of its pages, the first there is."""


def landing_in(actor: Actor, tournament: Tournament) -> str:
    """The public page for who has no role."""
    rights = access.rights_in(actor, tournament)
    names = next((names for right, names in LANDINGS if right in rights), ())
    found = (address(name, tournament) for name in names)
    return next(filter(None, found), reverse("tournament", args=[tournament.slug]))
