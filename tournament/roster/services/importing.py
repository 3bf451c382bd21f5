"""Enter the people of a list."""

from collections.abc import Collection, Sequence

from django.db import transaction

from tournament.base.access import Actor
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import Entrant, FieldChange
from tournament.players.services.players import ListResult, enter_list
from tournament.registration.services.admissions import add_registrations


@transaction.atomic
def enter_people(
    tournament: Tournament,
    actor: Actor,
    *,
    entrants: Sequence[Entrant] = (),
    registrations: Sequence[Registration] = (),
    changes: Sequence[FieldChange] = (),
    leaving: Collection[int] = (),
) -> ListResult:
    """Enter new people as players or as registrations, change players and withdraw those `leaving`, all or none.

    Registrations need the right to admit, everything else the right to organise. Two log entries when both are stored,
    since they are undone on their own.
    """
    if registrations:
        # The preview has asked about doubles.
        add_registrations(tournament, actor, registrations, apart=range(len(registrations)))
    if not (entrants or changes or leaving):
        return ListResult([], [], [])
    return enter_list(tournament, actor, entrants, changes, leaving)
