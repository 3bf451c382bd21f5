"""Phones that want to be told, and those that no longer do.

None of this is in the log: the log is public and raises the tournament's version, and with it draws every page anew.
Whose phone listens is private and changes nothing that anybody reads. What they are told is in
`messages.push.telling`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, Refused, TooMany
from tournament.base.limits import Limit
from tournament.base.log_actions import action_of
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.work import later
from tournament.messages.push.models import LONGEST_ENDPOINT, Phone
from tournament.messages.push.selectors import is_acceptable, is_over, tournaments_over

PHONE_UNKNOWN_SERVICE = problem_code(
    "phone_unknown_service",
    "This browser’s messages come from a place that is not known. Use another browser.",
)
PHONE_TOO_LATE = problem_code("phone_too_late", "This tournament is over; there is nothing more to tell.")
PHONES_TOO_MANY = problem_code("phones_too_many", "Too many phones asked from here. Try again in a while.")

MOST = 10
"""Phones of one player that are reached: their own, and those of people who watch them play. As many may be new."""
OF_ONE_PLAYER = Limit("phones-of-player", most=10, within=3600)
"""New ones from one address."""
FROM_ONE_ADDRESS = Limit("phones", most=1000, within=600)
"""New ones of all players: a hall behind one router fits, a script does not."""


@dataclass(frozen=True)
class Subscription:
    """What a browser gives who may write to it: an address, its public key and its secret, base64url."""

    endpoint: str
    key: str
    secret: str


def tell_phone(
    player: Player,
    actor: Actor,
    wanted: Subscription,
    *,
    language: str,
    site: str,
    address: str | None = None,
) -> Phone:
    """Tell this phone from now on what concerns the player, beginning with a first message.

    The same subscription again is the same phone, in the language it has now. Of a player's phones the newest are kept;
    new ones take the places of new ones alone, until a message has reached them (`note_reached`). `site`: the host the
    page is from. `address`: where it was asked over the network, if it was.
    """
    from tournament.messages.push.keys import are_a_browsers  # cryptography is loaded by the few that need it

    if not access.can_see(actor, player.tournament):
        raise Forbidden("this tournament is not public")
    has_keys = are_a_browsers(wanted.key, wanted.secret)
    if not has_keys or len(wanted.endpoint) > LONGEST_ENDPOINT or not is_acceptable(wanted.endpoint):
        raise Refused(PHONE_UNKNOWN_SERVICE("endpoint"))
    with transaction.atomic():
        Player.objects.select_for_update().get(pk=player.pk)
        if is_over(player.tournament):
            raise Refused(PHONE_TOO_LATE())
        now = {"player": player, "key": wanted.key, "secret": wanted.secret, "language": language}
        phone, is_new = Phone.objects.update_or_create(
            endpoint=wanted.endpoint,
            defaults=now,
            create_defaults=now | {"site": site, "since": timezone.now()},
        )
        if is_new:
            if address is not None and _is_too_much(player, address):
                raise TooMany(PHONES_TOO_MANY(), OF_ONE_PLAYER.within)
            _keep_newest(player.phones.filter(is_reached=False))
            transaction.on_commit(partial(later, "messages.push.welcome_phone", phone.pk))
    return phone


def _is_too_much(player: Player, address: str) -> bool:
    return FROM_ONE_ADDRESS.is_passed(address) or OF_ONE_PLAYER.is_passed(f"{player.pk}:{address}")


def _keep_newest(phones: QuerySet[Phone]) -> None:
    newest = phones.order_by("-since", "-pk")[:MOST]
    phones.exclude(pk__in=[phone.pk for phone in newest]).delete()


def note_reached(phones: Collection[Phone]) -> None:
    """Keep these phones for good: their push services have taken a message. Each player's newest stay."""
    if not (new := [phone for phone in phones if not phone.is_reached]):
        return
    with transaction.atomic():
        for player in Player.objects.select_for_update().filter(pk__in={phone.player_id for phone in new}):
            player.phones.filter(pk__in=[phone.pk for phone in new]).update(is_reached=True)
            _keep_newest(player.phones.filter(is_reached=True))


def forget_unreached(phones: Collection[int]) -> None:
    """Forget those of these phones (by their keys) that no message has ever reached: nobody is there."""
    Phone.objects.filter(pk__in=phones, is_reached=False).delete()


def stop_telling(endpoints: Collection[str]) -> None:
    """Tell these phones nothing more: their people want it so, or nobody is there any more."""
    Phone.objects.filter(endpoint__in=endpoints).delete()


def forget_phones() -> int:
    """Delete the phones of tournaments that have been over for a week; return how many there were."""
    over = tournaments_over(Tournament.objects.filter(players__phones__isnull=False))
    _all, deleted = Phone.objects.filter(player__tournament__in=over.values("pk")).delete()
    return deleted.get("tournament.Phone", 0)


def after_write(tournament: int, version: int, action: str) -> None:
    """Have the worker tell whom a committed write concerns, if any phone listens at all."""
    if action_of(action).push and Phone.objects.filter(player__tournament=tournament).exists():
        later("messages.push.tell_phones", tournament, version)
