"""Which addresses are written to for a browser, and whose phones are over.

An endpoint comes from whoever says to be a browser. It has to be a push service's on the public internet: its form is
checked when it comes, and where its name leads whenever it is written to (`messages.outbound`).
"""

from datetime import timedelta
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.messages import outbound
from tournament.messages.outbound import HTTPS_PORT, is_number

KEPT_FOR = timedelta(days=7)
"""How long after the end of the last session a tournament's phones are kept."""


def is_acceptable(endpoint: str) -> bool:
    """Whether the address may be a push service's: https, the usual port, a name with a dot and no password."""
    if not endpoint.isascii() or any(char <= " " for char in endpoint):
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if is_own(parts):
        return True
    host = parts.hostname or ""
    return (
        parts.scheme == "https"
        and port in (None, HTTPS_PORT)
        and "@" not in parts.netloc
        and "." in host.strip(".")
        and not is_number(host)
    )


def is_own(parts: SplitResult) -> bool:
    """A push service in one's own network, named in the settings: neither https nor a public address is asked of it."""
    return parts.netloc in settings.PUSH_HOSTS and parts.scheme in ("http", "https")


def addresses(parts: SplitResult) -> list[tuple[str, int]]:
    """Where the endpoint's host is, address and port; `NotPublic` when any of them is not on the public internet."""
    may = (lambda _number: True) if is_own(parts) else outbound.is_public
    return outbound.addresses(parts, may, HTTPS_PORT if parts.scheme == "https" else 80)


def is_over(tournament: Tournament) -> bool:
    """Whether the tournament's phones are forgotten by now."""
    return tournaments_over(Tournament.objects.filter(pk=tournament.pk)).exists()


def tournaments_over(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those whose last session was closed a week ago; where sessions were never played, a week after the last day."""
    then = timezone.now() - KEPT_FOR
    sessions = Session.objects.filter(tournament=OuterRef("pk"))
    return tournaments.filter(
        ~Exists(sessions.filter(state=Session.State.RUNNING)),
        ~Exists(sessions.filter(closed_at__gte=then)),
        Q(ends_on__lt=then.date())
        | (Exists(sessions) & ~Exists(sessions.filter(state=Session.State.PLANNED))),
    )
