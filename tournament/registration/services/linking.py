"""Link registrations to the players that the same people are already, and separate them again."""

from tournament.base.models.log import Write
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.dues.models import Due
from tournament.registration.selectors.entering import FILLED_FIELDS, Entering
from tournament.registration.selectors.registrations import UndoableStep
from tournament.registration.services.registrations import State, follow_state


def complete_linked(entry: Write, entering: Entering) -> None:
    """Fill the empty fields of players who are linked to a registration, and let them play; log it for undoing.

    Who owed something as a player and as a registration owes it once.
    """
    if not entering.players:
        return
    links, pairs = [], list(zip(entering.people, entering.players, strict=False))
    for (registration, player), entrant in zip(pairs, entering.entrants, strict=False):
        names = [name for name in FILLED_FIELDS if getattr(player, name) != getattr(entrant, name)]
        for name in names:
            setattr(player, name, getattr(entrant, name))
        links.append({"registration": registration.number, "fields": names})
    Player.objects.bulk_update(entering.players, FILLED_FIELDS)
    entry.data["linked"] = links
    entry.data["dues_moved"] = [pair[0].number for pair in pairs if _has_moved_due(*pair)]
    follow_state(entry, entering.players, State.ACCEPTED)


def _has_moved_due(registration: Registration, player: Player) -> bool:
    """Leave one due of the two; return whether it is the player's, which the registration has now.

    What somebody has paid stays: two dues with payments are left for the cashier.
    """
    dues = Due.objects.prefetch_related("payments")
    own, registered = dues.filter(player=player).first(), dues.filter(registration=registration).first()
    if own is None or (registered and registered.payments.all() and own.payments.all()):
        return False
    if registered and registered.payments.all():
        own.delete()
        return False
    if registered:
        registered.delete()
    Due.objects.filter(pk=own.pk).update(registration=registration, player=None)
    return True


def unlink_players(entry: Write, step: UndoableStep) -> list[Registration]:
    """Separate players from registrations that they were linked to, as they were before; return the other people."""
    filled = {link["registration"]: link["fields"] for link in step.data.get("linked", ())}
    people = [registration for registration in step.people if registration.number in filled]
    players = []
    for registration in people:
        player, registration.player = registration.player, None
        assert player is not None, "the step can only be undone while all are players"
        for name in filled[registration.number]:
            if getattr(player, name) == getattr(registration, name):
                setattr(player, name, "")
        if registration.number in step.data.get("dues_moved", ()):
            Due.objects.filter(registration=registration).update(registration=None, player=player)
        players.append(player)
    Registration.objects.bulk_update(people, ["player"])
    Player.objects.bulk_update(players, FILLED_FIELDS)
    withdrawn = step.data.get("players_back", ())
    follow_state(entry, [player for player in players if player.number in withdrawn], State.CANCELLED)
    return [registration for registration in step.people if registration not in people]
