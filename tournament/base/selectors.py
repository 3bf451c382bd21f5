"""Queries that every package uses: caches by version, hidden results, tables, registration links."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
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
from django.utils.translation import gettext

from tournament.base import hooks
from tournament.base.engine.names import distinguishing_details
from tournament.base.engine.notices import Audience
from tournament.base.log_actions import ACTIONS, RESULTS_REVEALED, LogAction
from tournament.base.models.events import EventPage
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Session, Table
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Membership, Publication, Tournament
from tournament.base.requests import site_address

P = ParamSpec("P")
R = TypeVar("R")
Selector = Callable[Concatenate[Tournament, P], R]


def by_version(
    max_entries: int, version_of: Callable[[Tournament], int] | None = None
) -> Callable[[Selector[P, R]], Selector[P, R]]:
    """Cache the newest `max_entries` results of a selector, by tournament, version and other arguments.

    `version_of` returns the version; default: the newest that changes what a page shows (`content_version`).
    """

    def decorate(select: Selector[P, R]) -> Selector[P, R]:
        answers: OrderedDict[Any, R] = OrderedDict()

        @wraps(select)
        def answer(tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> R:
            version = (version_of or content_version)(tournament)
            # A row that was deleted may leave its number to another tournament.
            key = (tournament.pk, tournament.created_at, version, args, tuple(kwargs.items()))
            with suppress(KeyError):  # not cached, or dropped by another thread
                return answers[key]
            result = answers[key] = select(tournament, *args, **kwargs)
            with suppress(KeyError):
                while len(answers) > max_entries:
                    answers.popitem(last=False)
            return result

        return answer

    return decorate


@by_version(1024, lambda tournament: tournament.version)
def content_version(tournament: Tournament) -> int:
    """Return the newest version whose action has a topic: dues, letters and webhooks change no cached page.

    0 for an empty log.
    """
    return _newest_without(tournament, [code for code, action in ACTIONS.items() if not action.topics])


@by_version(256, lambda tournament: tournament.version)
def seating_version(tournament: Tournament) -> int:
    """Return the newest version whose action may change seats, names or times."""
    elsewhere = [code for code, action in ACTIONS.items() if not action.changes_seats]
    return _newest_without(tournament, elsewhere)


def _newest_without(tournament: Tournament, codes: Collection[str]) -> int:
    entries = tournament.log.filter(seq__lte=tournament.version).exclude(action__in=codes)
    return entries.order_by("-seq").values_list("seq", flat=True).first() or 0


def next_public_version(
    before: int, seq: int, action: LogAction, data: Mapping[str, Any], hidden: Collection[int]
) -> int | None:
    """Return the public version after the entry `seq`; None if the public does not see it.

    `hidden`: the hidden sessions after it. Once none is hidden, the public version equals the version.
    """
    if action.audience is Audience.STAFF or (action.reveals_play(data) and data.get("session") in hidden):
        return None
    return seq if action is RESULTS_REVEALED and not hidden else before + 1


def version_for(audience: Audience, tournament: Tournament) -> int:
    """Return the version that an audience sees."""
    return tournament.version if audience is Audience.STAFF else tournament.public_version


def hidden_from(audience: Audience, tournament: Tournament) -> frozenset[int]:
    """Return the numbers of the sessions whose results are hidden from this audience."""
    return frozenset() if audience is Audience.STAFF else hidden_sessions(tournament)


@by_version(64)
def hidden_sessions(tournament: Tournament) -> frozenset[int]:
    """Return the numbers of the sessions whose results are hidden from the public."""
    return frozenset(tournament.sessions.filter(hidden=True).values_list("number", flat=True))


def is_withheld_from(audience: Audience, session: Session) -> bool:
    """Return whether the session's results are hidden from this audience."""
    return session.number in hidden_from(audience, session.tournament)


def publications_for(audience: Audience, tournament: Tournament) -> QuerySet[Publication]:
    """List the publications this audience may read, newest first: none that includes a hidden session."""
    hidden = hidden_from(audience, tournament)
    publications = tournament.publications.all()
    return publications.filter(after_session__lt=min(hidden)) if hidden else publications


def results_are_public(session: Session) -> bool:
    """Return whether the results have ever been public: opened since play began, or published."""
    if session.hidden or session.started_at is None:
        return False
    if (
        publications_for(Audience.PUBLIC, session.tournament)
        .filter(after_session__gte=session.number)
        .exists()
    ):
        return True
    opened = session.tournament.log.of(RESULTS_REVEALED).filter(at__gte=session.started_at)
    return any(session.number in data["sessions"] for data in opened.values_list("data", flat=True))


def versions_of(audience: Audience, table: Table, number: int) -> QuerySet[Hand]:
    """List every version of a hand, newest first; none if results are hidden from the audience."""
    if is_withheld_from(audience, table.session):
        return table.hands.none()
    return table.hands.filter(number=number).order_by("-version").select_related("winner", "discarder")


Assignment = tuple[Membership, list[int], list[tuple[int, int]]]
"""An umpire, their session numbers, and their tables as (session, table) numbers."""


def assignments(tournament: Tournament) -> list[Assignment]:
    """List the sessions and tables of umpires who are not everywhere."""
    return [
        (
            umpire,
            list(umpire.sessions.values_list("number", flat=True)),
            list(umpire.tables.values_list("session__number", "number")),
        )
        for umpire in tournament.memberships.filter(everywhere=False)
    ]


def moments_passed(tournament: Tournament) -> int:
    """Count the past moments at which pages changed without a write. Cached pages depend on it."""
    now = timezone.now()
    moments = _moments(tournament)
    return sum(moment <= now for moment in moments)


def next_moment(tournament: Tournament) -> float:
    """Return the next time at which pages change without a write, as a Unix time; infinity if never."""
    now = timezone.now()
    moments = _moments(tournament)
    return min((moment.timestamp() for moment in moments if moment > now), default=inf)


@by_version(64)
def _moments(tournament: Tournament) -> tuple[datetime, ...]:
    return tuple(moment for moments in hooks.moments(tournament) for moment in moments)


REGISTRATION_SIGNER: Final = signing.Signer(salt="hule.registration", sep=".")


def registration_token(registration: Registration) -> str:
    """Return a registration's signed key: whoever has the link can see and change it without an account."""
    return REGISTRATION_SIGNER.sign(registration.key.hex)


def registration_by_token(token: str, tournament: Tournament) -> Registration | None:
    """Return the registration of a link; None for an invalid link or another tournament's."""
    try:
        key = UUID(hex=REGISTRATION_SIGNER.unsign(token))
    except (signing.BadSignature, ValueError):
        return None
    return tournament.registrations.select_related("tournament", "player").filter(key=key).first()


def registration_url(registration: Registration) -> str:
    """Return the URL of a registration's page. It does not depend on the request's Host header."""
    path = reverse("registration", args=[registration.tournament.slug, registration_token(registration)])
    return site_address() + path


def event_page_of(tournament: Tournament) -> EventPage:
    """Return an event's page; an empty, unsaved one if there is none."""
    return EventPage.objects.filter(tournament=tournament).first() or EventPage(tournament=tournament)


def tell_apart(people: Iterable[Registration | Player]) -> None:
    """Set `namesake_detail` of people in a list who share a name. Players' names have their numbers already."""
    unnumbered = [person for person in people if not (isinstance(person, Player) and person.has_namesake)]
    details = distinguishing_details(
        [
            (
                *(person.full_name, person.country, person.club, person.team),
                gettext("number %(n)s") % {"n": person.number},
            )
            for person in unnumbered
        ]
    )
    for person, detail in zip(unnumbered, details, strict=True):
        person.namesake_detail = detail
