"""Subscribe and unsubscribe phones.

Nothing here is logged: the log is public and a new entry invalidates every page, but subscriptions are private and
appear on no page.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, Refused, TooMany
from tournament.base.limits import Limit
from tournament.base.log_actions import action_of
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.work import enqueue
from tournament.messages.push.models import MAX_ENDPOINT_LENGTH, Phone
from tournament.messages.push.selectors import expired_tournaments, has_expired, is_valid_endpoint

PHONE_UNKNOWN_SERVICE = problem_code(
    "phone_unknown_service",
    "This browser uses an unknown notification service. Use another browser.",
)
PHONE_TOO_LATE = problem_code("phone_too_late", "This tournament is over; there are no more notifications.")
PHONES_FULL = problem_code("phones_full", "Too many phones are notified of this player already.")
PHONES_TOO_MANY = problem_code("phones_too_many", "Too many requests from phones here. Try again later.")

MAX_PHONES = 30
"""Reached phones of one player, and as many that were not reached yet: the player's own and those of spectators."""
IN_USE = timedelta(days=7)
"""For so long after its page was open a phone does not make room for another one."""
NEW_PHONES_PER_PLAYER = Limit("phones-of-player", maximum=8, within=3600)
"""New phones of one player from one IP address, so that one address cannot take all places in an hour."""
NEW_PHONES_PER_ADDRESS = Limit("phones", maximum=1000, within=600)
"""New phones from one IP address; enough for a hall behind one router."""


@dataclass(frozen=True)
class Subscription:
    """A browser's push subscription: URL, public key and secret, the latter two in base64url."""

    endpoint: str
    key: str
    secret: str


def subscribe_phone(
    player: Player,
    actor: Actor,
    subscription: Subscription,
    *,
    language: str,
    site: str,
    address: str | None = None,
) -> Phone:
    """Store a phone's subscription to a player and queue its first message.

    A known endpoint is updated. Of a player's phones `MAX_PHONES` are stored; unreached ones replace unreached ones
    only, and no phone replaces one that is in use. `site`: the host of the page. `address`: the client's IP address,
    for limits. Raises Forbidden, Refused and TooMany.
    """
    from tournament.messages.push.keys import are_valid_keys  # imports cryptography, which is slow

    if not access.can_see(actor, player.tournament):
        raise Forbidden("this tournament is not public")
    has_keys = are_valid_keys(subscription.key, subscription.secret)
    if (
        not has_keys
        or len(subscription.endpoint) > MAX_ENDPOINT_LENGTH
        or not is_valid_endpoint(subscription.endpoint)
    ):
        raise Refused(PHONE_UNKNOWN_SERVICE("endpoint"))
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)
        if has_expired(player.tournament):
            raise Refused(PHONE_TOO_LATE())
        values = {
            "player": player,
            "key": subscription.key,
            "secret": subscription.secret,
            "language": language,
            "used_at": timezone.now(),
        }
        phone, is_new = Phone.objects.update_or_create(
            endpoint=subscription.endpoint,
            defaults=values,
            create_defaults=values | {"site": site},
        )
        if is_new:
            if address is not None and (
                NEW_PHONES_PER_ADDRESS.exceeded_by(address)
                or NEW_PHONES_PER_PLAYER.exceeded_by(f"{player.pk}:{address}")
            ):
                raise TooMany(PHONES_TOO_MANY(), NEW_PHONES_PER_PLAYER.within)
            if (
                player.phones.filter(is_reached=True, used_at__gt=timezone.now() - IN_USE).count()
                >= MAX_PHONES
            ):
                raise Refused(PHONES_FULL())
            unreached = player.phones.filter(is_reached=False).order_by("-used_at", "-pk")
            _delete(unreached[MAX_PHONES:])
            transaction.on_commit(partial(enqueue, "messages.push.welcome_phone", phone.pk))
    return phone


def _delete(phones: Iterable[Phone]) -> None:
    Phone.objects.filter(pk__in=[phone.pk for phone in phones]).delete()


def mark_reached(phones: Collection[Phone]) -> None:
    """Mark phones whose push service has accepted a message.

    Beyond MAX_PHONES delete those not in use, then new ones.
    """
    if not (new := [phone for phone in phones if not phone.is_reached]):
        return
    with transaction.atomic():
        for player in Player.objects.select_for_update().filter(pk__in={phone.player_id for phone in new}):
            player.phones.filter(pk__in=[phone.pk for phone in new]).update(is_reached=True)
            unused_since = timezone.now() - IN_USE
            reached = player.phones.filter(is_reached=True)
            _delete(sorted(reached, key=lambda phone: (phone.used_at < unused_since, phone.pk))[MAX_PHONES:])


def delete_unreached(phones: Collection[int]) -> None:
    """Delete the phones among these pks that no message has ever reached."""
    Phone.objects.filter(pk__in=phones, is_reached=False).delete()


def unsubscribe_phones(endpoints: Collection[str]) -> None:
    Phone.objects.filter(endpoint__in=endpoints).delete()


def delete_expired_phones() -> int:
    """Delete the phones of expired tournaments; return how many."""
    expired = expired_tournaments(Tournament.objects.filter(players__phones__isnull=False))
    _all, deleted = Phone.objects.filter(player__tournament__in=expired.values("pk")).delete()
    return deleted.get("tournament.Phone", 0)


def notify_after_write(tournament: int, version: int, action: str) -> None:
    """Queue the notifications for a committed log entry, if its action has any and the event has phones."""
    if action_of(action).push and Phone.objects.filter(player__tournament=tournament).exists():
        enqueue("messages.push.tell_phones", tournament, version)
