"""Players and the registrations they came from say the same of a person."""

from __future__ import annotations

from collections.abc import Collection

from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.registration.selectors.applicants import PARTICULARS


def follow(players: Collection[Player]) -> None:
    """The organiser changed players: their registrations say so, too. What was said last counts."""
    people = list(Registration.objects.filter(player__in=[player.pk for player in players]))
    changed: dict[int | None, Player] = {player.pk: player for player in players}
    for one in people:
        for name in PARTICULARS:
            setattr(one, name, getattr(changed[one.player_id], name))
    Registration.objects.bulk_update(people, list(PARTICULARS))
