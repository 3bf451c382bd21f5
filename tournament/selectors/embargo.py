"""Whose results are kept from whom: the one place that knows which sessions an audience is not told of."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.access import Audience
from tournament.models import Hand, Publication, Session, Table, Tournament
from tournament.selectors.by_version import by_version


def hidden_from(audience: Audience, tournament: Tournament) -> frozenset[int]:
    """The numbers of the sessions whose results this audience is not told."""
    return frozenset() if audience is Audience.STAFF else hidden_sessions(tournament)


@by_version(64)
def hidden_sessions(tournament: Tournament) -> frozenset[int]:
    """The numbers of the sessions whose results the public is not told."""
    return frozenset(tournament.sessions.filter(hidden=True).values_list("number", flat=True))


def keeps_back(audience: Audience, session: Session) -> bool:
    """Whether this audience is not told how play went in the session."""
    return session.number in hidden_from(audience, session.tournament)


def publications_for(audience: Audience, tournament: Tournament) -> QuerySet[Publication]:
    """The publications this audience may read, the newest first: none that has a hidden session in it."""
    hidden = hidden_from(audience, tournament)
    found = tournament.publications.all()
    return found.filter(after_session__lt=min(hidden)) if hidden else found


def versions_of(audience: Audience, table: Table, number: int) -> QuerySet[Hand]:
    """Every version of a hand, the newest first; none where the audience is not told of hands."""
    found = table.hands.filter(number=number).order_by("-version")
    return (
        found.none() if keeps_back(audience, table.session) else found.select_related("winner", "discarder")
    )
