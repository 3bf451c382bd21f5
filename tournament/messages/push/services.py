"""Phones that want to be told, and those that no longer do.

None of this is in the log: the log is public and raises the tournament's version, and with it draws every page anew.
Whose phone listens is private and changes nothing that anybody reads. What they are told is in
`messages.push.telling`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.utils import timezone

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, refuse
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.work import later
from tournament.messages.push.models import LONGEST_ENDPOINT, Phone
from tournament.messages.push.selectors import is_acceptable, is_over, tournaments_over

MOST = 10
"""Phones of one player: their own, and those of people who watch them play."""


@dataclass(frozen=True)
class Subscription:
    """What a browser gives who may write to it: an address, its public key and its secret, base64url."""

    endpoint: str
    key: str
    secret: str


def tell_phone(player: Player, actor: Actor, wanted: Subscription, *, language: str, site: str) -> Phone:
    """Tell this phone from now on what concerns the player, beginning with a first message.

    The same subscription again is the same phone, in the language it has now. `site`: the host the page is from.
    """
    from tournament.messages.push.keys import are_a_browsers  # cryptography is loaded by the few that need it

    if not access.can_see(actor, player.tournament):
        raise Forbidden("this tournament is not public")
    has_keys = are_a_browsers(wanted.key, wanted.secret)
    if not has_keys or len(wanted.endpoint) > LONGEST_ENDPOINT or not is_acceptable(wanted.endpoint):
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
    """Tell these phones nothing more: their people want it so, or nobody is there any more."""
    Phone.objects.filter(endpoint__in=endpoints).delete()


def forget_phones() -> int:
    """Delete the phones of tournaments that have been over for a week; return how many there were."""
    over = tournaments_over(Tournament.objects.filter(players__phones__isnull=False))
    _all, deleted = Phone.objects.filter(player__tournament__in=over.values("pk")).delete()
    return deleted.get("tournament.Phone", 0)


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
    """Have the worker tell whom a committed write concerns, if any phone listens at all."""
    if action in TELLING and Phone.objects.filter(player__tournament=tournament).exists():
        later("tell_phones", tournament, version)
