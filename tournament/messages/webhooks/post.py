"""Writing what targets are told, in the transaction of what it tells; sent once that is committed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation

from tournament.base.models.log_entry import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.base.work import later
from tournament.messages.webhooks.engine.kinds import FOR_STAFF, SAYING, Kind, Says
from tournament.messages.webhooks.facts import Facts, embargoed_session, facts_of, may_be_told
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.texts.webhooks import said
from tournament.web.texts.days import time_of_day

_PAGES: Final[Mapping[Kind, tuple[str, tuple[str, ...]]]] = {
    Kind.UMPIRE_CALLED: ("umpire_tables", ()),
    Kind.SEATS_DRAWN: ("draw_page", ()),
    Kind.SESSION_STARTED: ("session_page", ("session",)),
    Kind.SESSION_ENDED: ("session_page", ("session",)),
    Kind.TABLE_FINISHED: ("table_page", ("session", "table")),
    Kind.STANDINGS_CHANGED: ("ranking", ()),
    Kind.RESULTS_PUBLISHED: ("ranking", ()),
    Kind.ANNOUNCEMENT: ("announcements", ()),
    Kind.PENALTY: ("organiser_penalties", ()),
    Kind.APPEAL: ("organiser_board", ()),
    Kind.REGISTRATION: ("organiser_registrations", ()),
    Kind.TEST: ("tournament", ()),
}
"""Kind → the page with more of it, and the facts in its address."""


def post_entry(entry: LogEntry) -> None:
    """What an entry of the log says, for every target of the event that wants to hear it. Called within its write."""
    if not (saying := SAYING.get(entry.action)):
        return
    targets = list(entry.tournament.webhooks.exclude(pause=Webhook.Pause.BY_HAND))
    written = [
        _post(webhook, entry, says)
        for webhook in targets
        for says in saying
        if says.kind in webhook.kinds and _is_told(entry, says.kind)
    ]
    if any(written):
        send_soon()


def post_test(webhook: Webhook, key: uuid.UUID) -> Delivery:
    """A message that says that messages arrive. The same `key` is the same message."""
    now = timezone.now()
    says = Says(Kind.TEST)
    tournament = webhook.tournament
    delivery, is_new = Delivery.objects.get_or_create(
        key=key,
        defaults={
            "webhook": webhook,
            "kind": Kind.TEST,
            **_said(webhook, tournament, says, {}, now, tournament.public_version),
            "posted_at": now,
            "try_at": now,
        },
    )
    if is_new:
        send_soon()
    return delivery


def send_soon() -> None:
    """Once all of it is committed. When the queue is away the next minute's look finds it."""
    transaction.on_commit(partial(later, "send_webhooks"))


def _is_told(entry: LogEntry, kind: Kind) -> bool:
    """Not to the public what it is told under no number: the play of a hidden session."""
    return kind in FOR_STAFF or (entry.public_seq is not None and entry.tournament.is_public)


def _post(webhook: Webhook, entry: LogEntry, says: Says) -> Delivery | None:
    facts = facts_of(entry, says, webhook.language)
    session = embargoed_session(says.kind, facts)
    if not may_be_told(entry.tournament, says.kind, session):
        return None
    if says.kind is Kind.STANDINGS_CHANGED:
        _forget_older(webhook)
    return Delivery.objects.create(
        webhook=webhook,
        kind=says.kind,
        session=session,
        posted_at=entry.at,
        try_at=entry.at,
        **_said(webhook, entry.tournament, says, facts, entry.at, entry.public_seq or entry.seq),
    )


def _forget_older(webhook: Webhook) -> None:
    """That the ranking has changed is told once, however often it has since anybody was told."""
    unsent = webhook.deliveries.filter(state=Delivery.State.WAITING, tries=0)
    unsent.filter(kind=Kind.STANDINGS_CHANGED).delete()


def _said(
    webhook: Webhook, tournament: Tournament, says: Says, facts: Facts, at: datetime, version: int
) -> dict[str, Any]:
    """The same for programs and for people, in the target's language."""
    with translation.override(webhook.language), timezone.override(tournament.zone):
        sentence = said(says.kind, facts, tournament.rules.fouls, undone=says.undone)
        text = f"{tournament.name} · {time_of_day(at)} · {sentence}"
    data = {
        "event": {"slug": tournament.slug, "name": tournament.name},
        "version": version,
        "undone": says.undone,
        **facts,
        "sentence": sentence,
        "link": _link(webhook, tournament, says.kind, facts),
    }
    moment = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return {"message": {"type": says.kind.value, "timestamp": moment, "data": data}, "text": text}


def _link(webhook: Webhook, tournament: Tournament, kind: Kind, facts: Facts) -> str:
    name, asked = _PAGES[kind]
    path = reverse(name, args=[tournament.slug, *(facts[one] for one in asked)])
    return f"{webhook.site.rstrip('/')}{path}"
