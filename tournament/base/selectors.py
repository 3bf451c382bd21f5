"""Reads that every package asks: by version of a tournament, under its embargo, and where somebody may write."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime
from functools import wraps
from math import inf
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from uuid import UUID

from django.core import signing
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from tournament.base import hooks
from tournament.base.access import Audience
from tournament.base.database import Prepared
from tournament.base.log_actions import ACTIONS, RESULTS_OPENED, LogAction
from tournament.base.models.events import EventPage
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Membership, Publication, Tournament
from tournament.base.requests import site_address

P = ParamSpec("P")
R = TypeVar("R")
Selector = Callable[Concatenate[Tournament, P], R]


def by_version(
    most: int, version_of: Callable[[Tournament], int] | None = None
) -> Callable[[Selector[P, R]], Selector[P, R]]:
    """Keep the newest `most` answers of a selector, by tournament, version and its other arguments.

    `version_of`: which version counts; without it, the newest that changes what a page shows (`content_version`).
    """

    def decorate(select: Selector[P, R]) -> Selector[P, R]:
        answers: OrderedDict[Any, R] = OrderedDict()

        @wraps(select)
        def answer(tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> R:
            version = (version_of or content_version)(tournament)
            # A row that was deleted may leave its number to another tournament.
            key = (tournament.pk, tournament.created_at, version, args, tuple(kwargs.items()))
            with suppress(KeyError):  # another thread may drop it between two looks
                return answers[key]
            result = answers[key] = select(tournament, *args, **kwargs)
            with suppress(KeyError):
                while len(answers) > most:
                    answers.popitem(last=False)
            return result

        return answer

    return decorate


@by_version(1024, lambda tournament: tournament.version)
def content_version(tournament: Tournament) -> int:
    """Return the newest version whose write has a topic: dues, letters and webhooks change nothing that is kept.

    0 where nothing is logged yet.
    """
    without_topic = [code for code, action in ACTIONS.items() if not action.topics]
    entries = tournament.log.filter(seq__lte=tournament.version).exclude(action__in=without_topic)
    return entries.order_by("-seq").values_list("seq", flat=True).first() or 0


def next_public(
    before: int, seq: int, action: LogAction, data: Mapping[str, Any], hidden: Collection[int]
) -> int | None:
    """The public version after the entry `seq`; None when the public is told nothing. `hidden`: the sessions after it.

    Once nothing is hidden any more the public counts as the log does.
    """
    if action.audience is Audience.STAFF or (action.tells_of_play(data) and data.get("session") in hidden):
        return None
    return seq if action is RESULTS_OPENED and not hidden else before + 1


def version_for(audience: Audience, tournament: Tournament) -> int:
    """The newest version this audience knows of."""
    return tournament.version if audience is Audience.STAFF else tournament.public_version


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
    """List the publications this audience may read, the newest first: none that has a hidden session in it."""
    hidden = hidden_from(audience, tournament)
    publications = tournament.publications.all()
    return publications.filter(after_session__lt=min(hidden)) if hidden else publications


def results_are_public(session: Session) -> bool:
    """Whether everybody was told for good how play went: the results were opened since play began, or published."""
    if session.hidden or session.started_at is None:
        return False
    if (
        publications_for(Audience.PUBLIC, session.tournament)
        .filter(after_session__gte=session.number)
        .exists()
    ):
        return True
    opened = session.tournament.log.of(RESULTS_OPENED).filter(at__gte=session.started_at)
    return any(session.number in data["sessions"] for data in opened.values_list("data", flat=True))


def versions_of(audience: Audience, table: Table, number: int) -> QuerySet[Hand]:
    """List every version of a hand, the newest first; none where the audience is not told of hands."""
    if keeps_back(audience, table.session):
        return table.hands.none()
    return table.hands.filter(number=number).order_by("-version").select_related("winner", "discarder")


Assignment = tuple[Membership, list[int], list[tuple[int, int]]]
"""An umpire, and by their numbers the sessions and the tables (session, table) given to that umpire."""


def assignments(tournament: Tournament) -> list[Assignment]:
    """List what the umpires who are not everywhere have been given."""
    return [
        (
            umpire,
            list(umpire.sessions.values_list("number", flat=True)),
            list(umpire.tables.values_list("session__number", "number")),
        )
        for umpire in tournament.memberships.filter(everywhere=False)
    ]


def moments_passed(tournament: Tournament) -> int:
    """How many moments at which pages change by themselves are over. What a page shows follows from this too."""
    now = timezone.now()
    moments = _moments(tournament)
    return sum(moment <= now for moment in moments)


def next_moment(tournament: Tournament) -> float:
    """When pages change by themselves the next time, as a Unix time; infinity when never."""
    now = timezone.now()
    moments = _moments(tournament)
    return min((moment.timestamp() for moment in moments if moment > now), default=inf)


@by_version(64)
def _moments(tournament: Tournament) -> tuple[datetime, ...]:
    return tuple(moment for moments in hooks.moments(tournament) for moment in moments)


def find_table(slug: str, session: int, table: int) -> Table:
    """Find a table by its tournament's address and its numbers, with session and tournament.

    Raises Table.DoesNotExist when there is none.
    """
    return _TABLE.get(slug, session, table)


_TABLE = Prepared(
    lambda slug, session, table: Table.objects.select_related("session__tournament").filter(
        session__tournament__slug=slug, session__number=session, number=table
    ),
    *(str, int, int),
)

REGISTRATION_SIGNER: Final = signing.Signer(salt="hule.registration", sep=".")


def token_of(registration: Registration) -> str:
    """Sign the key of a registration: whoever has the link sees and changes this one, without an account."""
    return REGISTRATION_SIGNER.sign(registration.key.hex)


def registration_by_token(token: str, tournament: Tournament) -> Registration | None:
    """Find the registration that a link is for; None for one that was torn, made up or another tournament's."""
    try:
        key = UUID(hex=REGISTRATION_SIGNER.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return tournament.registrations.select_related("tournament", "player").filter(key=key).first()


def link_of(registration: Registration) -> str:
    """Return the whole address of their page. It never begins with what a visitor's browser said."""
    path = reverse("registration", args=[registration.tournament.slug, token_of(registration)])
    return site_address() + path


def event_page_of(tournament: Tournament) -> EventPage:
    """Return what is told of a tournament; an empty page, not stored, where nothing was."""
    return EventPage.objects.filter(tournament=tournament).first() or EventPage(tournament=tournament)
