"""The link that belongs to a registration: whoever has it sees and changes this one, without an account."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core import signing

from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament

CONFIRM_WITHIN: Final = timedelta(days=3)
"""So long an unconfirmed registration is kept; after that its link opens nothing."""
_SIGNER: Final = signing.Signer(salt="hule.registration", sep=".")


def token_of(registration: Registration) -> str:
    return _SIGNER.sign(registration.key.hex)


def found_by(token: str, tournament: Tournament) -> Registration | None:
    """The registration of this tournament that a link is for; None for one that was torn, made up or another's."""
    try:
        key = UUID(hex=_SIGNER.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return tournament.registrations.select_related("tournament", "player").filter(key=key).first()
