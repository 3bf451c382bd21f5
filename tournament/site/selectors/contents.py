"""How much there is of a tournament, for who is about to delete it."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.base.models.hands import Hand
from tournament.base.models.play import Session
from tournament.base.models.tournament import Pass, Tournament
from tournament.messages.push.models import Phone


@dataclass(frozen=True)
class Contents:
    """Each a number of things that are gone with it."""

    players: int
    sessions: int
    """Those begun."""
    hands: int
    penalties: int
    documents: int
    passes: int
    phones: int
    entries: int
    """Of the log."""
    is_running: bool
    """Whether a session is being played."""


def contents_of(tournament: Tournament) -> Contents:
    sessions = tournament.sessions.exclude(state=Session.State.PLANNED)
    return Contents(
        players=tournament.players.count(),
        sessions=sessions.count(),
        hands=Hand.objects.filter(table__session__tournament=tournament, is_current=True).count(),
        penalties=tournament.penalties.filter(cancelled_at=None).count(),
        documents=tournament.documents.exclude(file="").count(),
        passes=Pass.objects.filter(membership__tournament=tournament, revoked_at=None).count(),
        phones=Phone.objects.filter(player__tournament=tournament).count(),
        entries=tournament.log.count(),
        is_running=sessions.filter(state=Session.State.RUNNING).exists(),
    )
