"""Enter the people of a list."""

from collections.abc import Collection, Sequence

from django.db import transaction

from scoring.engine.problems import problem_code
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import Entrant, FieldChange
from tournament.players.services.players import ListResult, enter_list
from tournament.registration.selectors.registrations import registrations_by_number
from tournament.registration.services.admissions import add_registrations
from tournament.registration.services.registrations import edit_registration

REGISTRATION_CHANGED_SINCE = problem_code(
    "registration_changed_since",
    "Registration {registration} has been changed in the meantime. Reload the page.",
)


@transaction.atomic
def enter_people(
    tournament: Tournament,
    actor: Actor,
    *,
    entrants: Sequence[Entrant] = (),
    registrations: Sequence[Registration] = (),
    changes: Sequence[FieldChange] = (),
    registration_changes: Sequence[FieldChange] = (),
    leaving: Collection[int] = (),
) -> ListResult:
    """Enter new people as players or as registrations, change both and withdraw players `leaving`, all or none.

    Registrations need the right to admit, everything else the right to organise. Separate log entries, since they are
    undone on their own.
    """
    for registration in _changed_registrations(tournament, registration_changes):
        edit_registration(registration, actor)
    if registrations:
        # The preview has asked about doubles.
        add_registrations(tournament, actor, registrations, apart=range(len(registrations)))
    if not (entrants or changes or leaving):
        return ListResult([], [], [])
    return enter_list(tournament, actor, entrants, changes, leaving)


def _changed_registrations(tournament: Tournament, changes: Sequence[FieldChange]) -> list[Registration]:
    """Return the registrations with the changed values. Raises Refused if one was changed since it was compared."""
    numbers = list(dict.fromkeys(change.player for change in changes))
    registrations = {row.number: row for row in registrations_by_number(tournament, numbers)}
    for change in changes:
        registration = registrations.get(change.player)
        if registration is None or getattr(registration, change.field) != change.before:
            raise Refused(REGISTRATION_CHANGED_SINCE(registration=change.player))
        setattr(registration, change.field, change.after)
    return list(registrations.values())
