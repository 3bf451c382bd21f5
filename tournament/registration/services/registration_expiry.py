"""Registrations that nobody confirmed are forgotten."""

from __future__ import annotations

from datetime import datetime

from tournament.base import log
from tournament.base.access import Actor
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.registration.selectors.registration_link import CONFIRM_WITHIN


def forget_unconfirmed(now: datetime) -> int:
    """Delete those whose link has run out, in every tournament; so many were there."""
    late = Registration.objects.filter(state=Registration.State.UNCONFIRMED, made_at__lt=now - CONFIRM_WITHIN)
    gone = 0
    for tournament in Tournament.objects.filter(pk__in=late.values("tournament")):
        with log.write(tournament, Actor.system("hule"), "registration_expired") as entry:
            found = late.filter(tournament=entry.tournament)
            entry.data = {"registrations": list(found.order_by("number").values_list("number", flat=True))}
            gone += len(entry.data["registrations"])
            found.delete()
    return gone
