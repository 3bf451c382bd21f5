"""Valid push endpoints, and the tournaments whose phones have expired.

Endpoints come from anonymous clients. Their form is checked on arrival, and the addresses they resolve to for each
request (`messages.outbound`).
"""

from datetime import timedelta
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.messages import outbound
from tournament.messages.outbound import HTTPS_PORT, is_ip_literal

RETENTION = timedelta(days=7)
"""How long phones are stored after the last session."""


def is_valid_endpoint(endpoint: str) -> bool:
    """Whether a URL may be a push service's: https on its default port, a dotted host name, no credentials."""
    if not endpoint.isascii() or any(char <= " " for char in endpoint):
        return False
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return False
    if is_configured_host(parts):
        return True
    host = parts.hostname or ""
    return (
        parts.scheme == "https"
        and port in (None, HTTPS_PORT)
        and "@" not in parts.netloc
        and "." in host.strip(".")
        and not is_ip_literal(host)
    )


def is_configured_host(parts: SplitResult) -> bool:
    """Whether the host is in PUSH_HOSTS: a push service in one's own network needs no https and no public address."""
    return parts.netloc in settings.PUSH_HOSTS and parts.scheme in ("http", "https")


def resolve(parts: SplitResult) -> list[tuple[str, int]]:
    """Resolve the endpoint's host to (IP address, port) pairs. Raises NotPublic."""
    is_allowed = (lambda _number: True) if is_configured_host(parts) else outbound.is_public
    return outbound.resolve(parts, is_allowed, HTTPS_PORT if parts.scheme == "https" else 80)


def has_expired(tournament: Tournament) -> bool:
    """Whether the tournament's phones are no longer stored."""
    return expired_tournaments(Tournament.objects.filter(pk=tournament.pk)).exists()


def expired_tournaments(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Filter tournaments whose last session closed a week ago, or that were not played and ended a week ago."""
    then = timezone.now() - RETENTION
    sessions = Session.objects.filter(tournament=OuterRef("pk"))
    return tournaments.filter(
        ~Exists(sessions.filter(state=Session.State.RUNNING)),
        ~Exists(sessions.filter(closed_at__gte=then)),
        Q(ends_on__lt=then.date())
        | (Exists(sessions) & ~Exists(sessions.filter(state=Session.State.PLANNED))),
    )
