"""A target at which nothing arrives for a day is paused, and its organisers are told."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.access.rights import roles_with
from tournament.base.models.tournament import Membership
from tournament.messages.mail.post import post
from tournament.messages.webhooks.links import link_of
from tournament.messages.webhooks.models import Webhook

LONG: Final = timedelta(days=1)
Pause = Webhook.Pause


def note_success(webhook: Webhook) -> None:
    Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)


def note_failure(webhook: Webhook, now: datetime, is_gone: bool, is_hopeless: bool) -> None:
    """`is_gone`: the target says so itself; `is_hopeless`: a message was tried as often as any is."""
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    since = Webhook.objects.filter(pk=webhook.pk).values_list("failing_since", flat=True).first()
    if since is not None and (is_gone or is_hopeless or now - since >= LONG):
        _pause(webhook, Pause.GONE if is_gone else Pause.FAILING)


def _pause(webhook: Webhook, why: Webhook.Pause) -> None:
    """What is waiting waits on. Once it is paused it is not paused again."""
    with log.write(webhook.tournament, Actor.system("worker"), "webhook_paused") as entry:
        if not Webhook.objects.filter(pk=webhook.pk, pause=Pause.NONE).update(pause=why):
            entry.unchanged()
            return
        entry.data = {"webhook": webhook.number, "state": why.value}
        _tell(webhook)


def _tell(webhook: Webhook) -> None:
    """A letter to each organiser who has an address."""
    organisers = Membership.objects.filter(
        tournament=webhook.tournament, role__in=roles_with(Right.ORGANISE)
    ).select_related("user")
    people = {one.user.email: one.user for one in organisers}
    for address, user in people.items():
        facts = {"name": user.get_full_name() or user.get_username(), "target": webhook.name}
        facts |= {"link": link_of(webhook)}
        post("webhook_paused", address, webhook.language, facts, tournament=webhook.tournament)
