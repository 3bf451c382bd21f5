"""Phones that want to be told: which addresses are written to, and having the worker tell them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.work import later
from tournament.messages import outbound
from tournament.messages.outbound import HTTPS_PORT, is_number
from tournament.messages.push.models import LONGEST_ENDPOINT, Phone

# --- Places ---
# Which addresses this server writes to for a browser: push services on the public internet, nothing nearer.
#
# An endpoint comes from whoever says to be a browser. Its form is checked when it comes, and where its name leads
# whenever it is written to (`messages.outbound`).


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


# --- Phones ---
# Phones that want to be told, and those that no longer do.
#
# None of this is in the log: the log is public and raises the tournament's version, and with it draws every page
# anew. Whose phone listens is private and changes nothing that anybody reads. What they are told is in
# `messages.push.telling`.


MOST = 10
"""Phones of one player: their own, and those of people who watch them play."""
KEPT_FOR = timedelta(days=7)
"""How long after the end of the last session a tournament's phones are kept."""


@dataclass(frozen=True)
class Subscription:
    """What a browser gives who may write to it: an address, its public key and its secret, base64url."""

    endpoint: str
    key: str
    secret: str


def tell_phone(player: Player, actor: Actor, wanted: Subscription, *, language: str, site: str) -> Phone:
    """From now on this phone is told what concerns the player, beginning with a first message.

    The same subscription again is the same phone, in the language it has now. `site`: the host the page is from.
    """
    from tournament.messages.push.keys import are_a_browsers  # cryptography is loaded by the few that need it

    if not access.can_see(actor, player.tournament):
        raise Forbidden("this tournament is not public")
    its_keys = are_a_browsers(wanted.key, wanted.secret)
    if not its_keys or len(wanted.endpoint) > LONGEST_ENDPOINT or not is_acceptable(wanted.endpoint):
        raise refuse("phone_unknown_service", "endpoint")
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)
        if is_over(player.tournament):
            raise refuse("phone_too_late")
        others = player.phones.exclude(endpoint=wanted.endpoint)
        if others.count() >= MOST:
            raise refuse("phones_too_many", most=MOST)
        now = {"player": player, "key": wanted.key, "secret": wanted.secret, "language": language}
        phone, is_new = Phone.objects.update_or_create(
            endpoint=wanted.endpoint,
            defaults=now,
            create_defaults=now | {"site": site, "since": timezone.now()},
        )
        if is_new:
            transaction.on_commit(partial(later, "welcome_phone", phone.pk))
    return phone


def stop_telling(endpoints: Collection[str]) -> None:
    """These phones are told nothing more: their people want it so, or nobody is there any more."""
    Phone.objects.filter(endpoint__in=endpoints).delete()


def forget_phones() -> int:
    """Delete the phones of tournaments that have been over for a week; gives how many there were."""
    over = _long_over(Tournament.objects.filter(players__phones__isnull=False))
    _all, deleted = Phone.objects.filter(player__tournament__in=over.values("pk")).delete()
    return deleted.get("tournament.Phone", 0)


def is_over(tournament: Tournament) -> bool:
    """Whether the tournament's phones are forgotten by now."""
    return _long_over(Tournament.objects.filter(pk=tournament.pk)).exists()


def _long_over(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those whose last session was closed a week ago; where sessions were never played, a week after the last day."""
    then = timezone.now() - KEPT_FOR
    sessions = Session.objects.filter(tournament=OuterRef("pk"))
    return tournaments.filter(
        ~Exists(sessions.filter(state=Session.State.RUNNING)),
        ~Exists(sessions.filter(closed_at__gte=then)),
        Q(ends_on__lt=then.date())
        | (Exists(sessions) & ~Exists(sessions.filter(state=Session.State.PLANNED))),
    )


# --- Having the worker tell the phones, after a write that may concern them ---


TELLING = frozenset(
    {
        "announcement_made",
        "finals_set",
        "results_opened",
        "seats_drawn",
        "seats_planned",
        "seats_replanned",
        "seats_restored",
        "seats_swapped",
        "session_closed",
        "session_seated",
        "session_started",
        "session_unstarted",
        "standings_published",
        "stream_seated",
    }
)
"""The writes after which somebody may have to be told something. Hands are not among them."""


def after_write(tournament: int, version: int, action: str) -> None:
    """A write is committed: have the worker tell whom it concerns, if any phone listens at all."""
    if action in TELLING and Phone.objects.filter(player__tournament=tournament).exists():
        later("tell_phones", tournament, version)
