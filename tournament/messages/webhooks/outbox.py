"""Queue deliveries in the transaction they report about."""

import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation

from tournament.base.engine.notices import Kind, Notice
from tournament.base.log_actions import action_of
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.base.work import enqueue
from tournament.messages.webhooks.engine import STAFF_KINDS
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.texts import sentence_for
from tournament.web.texts.words import time_of_day

Facts = dict[str, Any]
TABLE_FIELDS: Final = ("session", "table")


def queue_deliveries(entry: LogEntry) -> None:
    """Store a delivery of a log entry for every webhook that subscribes to its kinds. Called within its write."""
    if not (notices := action_of(entry.action).webhooks):
        return
    deliveries = [
        _queue_for(webhook, entry, notice)
        for webhook in entry.tournament.webhooks.exclude(pause=Webhook.Pause.BY_HAND)
        for notice in notices
        if notice.kind in webhook.kinds and _is_public(entry, notice.kind)
    ]
    if any(deliveries):
        send_on_commit()


def _is_public(entry: LogEntry, kind: Kind) -> bool:
    """Whether a webhook may know of the entry. Play of a hidden session has no public number."""
    return kind in STAFF_KINDS or (entry.public_seq is not None and entry.tournament.is_public)


def _queue_for(webhook: Webhook, entry: LogEntry, notice: Notice) -> Delivery | None:
    facts = facts_of(entry, notice, webhook.language)
    session = session_of_results(notice.kind, facts)
    if not is_visible(entry.tournament, notice.kind, session):
        return None
    if notice.kind is Kind.STANDINGS_CHANGED:
        # The new message replaces one that is still waiting.
        unsent = webhook.deliveries.filter(state=Delivery.State.WAITING, tries=0)
        unsent.filter(kind=Kind.STANDINGS_CHANGED).delete()
    return Delivery.objects.create(
        webhook=webhook,
        kind=notice.kind,
        session=session,
        posted_at=entry.at,
        try_at=entry.at,
        **_content(webhook, entry.tournament, notice, facts, entry.at, entry.public_seq or entry.seq),
    )


def queue_test(webhook: Webhook, key: uuid.UUID) -> Delivery:
    """Store a test delivery. Idempotent for the same `key`."""
    now = timezone.now()
    notice = Notice(Kind.TEST)
    tournament = webhook.tournament
    delivery, is_new = Delivery.objects.get_or_create(
        key=key,
        defaults={
            "webhook": webhook,
            "kind": Kind.TEST,
            **_content(webhook, tournament, notice, {}, now, tournament.public_version),
            "posted_at": now,
            "try_at": now,
        },
    )
    if is_new:
        send_on_commit()
    return delivery


def send_on_commit() -> None:
    """Start the sending task after the commit. If the queue is unreachable the periodic task sends the deliveries."""
    transaction.on_commit(partial(enqueue, "messages.webhooks.send_webhooks"))


def _content(
    webhook: Webhook, tournament: Tournament, notice: Notice, facts: Facts, at: datetime, version: int
) -> dict[str, Any]:
    """Return payload and chat text in the webhook's language."""
    with translation.override(webhook.language), timezone.override(tournament.zone):
        sentence = sentence_for(notice.kind, facts, tournament.rules.fouls, undone=notice.undone)
        text = f"{tournament.name} · {time_of_day(at)} · {sentence}"
    page, names = _PAGES[notice.kind]
    data = {
        "event": {"slug": tournament.slug, "name": tournament.name},
        "version": version,
        "undone": notice.undone,
        **facts,
        "sentence": sentence,
        "link": site_address() + reverse(page, args=[tournament.slug, *(facts[name] for name in names)]),
    }
    moment = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return {"message": {"type": notice.kind.value, "timestamp": moment, "data": data}, "text": text}


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
    Kind.REGISTRATION: ("organiser_people", ()),
    Kind.TEST: ("tournament", ()),
}
"""Kind → the URL name of the linked page, and the facts that are its arguments."""


def facts_of(entry: LogEntry, notice: Notice, language: str) -> Facts:
    """Return the payload's data for a log entry. Called within its write, so it must not use caches by version."""
    return _FACTS[notice.kind](entry, notice.undone, language)


def session_of_results(kind: Kind, facts: Mapping[str, Any]) -> int | None:
    """Return the session whose results the facts contain; None for kinds that an embargo does not hide."""
    return facts.get("session") if kind in _RESULT_KINDS else None


_RESULT_KINDS: Final = frozenset({Kind.TABLE_FINISHED, Kind.STANDINGS_CHANGED, Kind.RESULTS_PUBLISHED})


def is_visible(tournament: Tournament, kind: Kind, session: int | None) -> bool:
    """Whether a message may be sent now: kinds for the staff always, others if the public pages show their content."""
    if kind in STAFF_KINDS:
        return True
    if not tournament.is_public:
        return False
    if session is None:
        return True
    hidden = tournament.sessions.filter(hidden=True)
    up_to = kind is Kind.RESULTS_PUBLISHED
    return not hidden.filter(**{"number__lte" if up_to else "number": session}).exists()


def _copy_fields(*names: str) -> Callable[[LogEntry, bool, str], Facts]:
    def read(entry: LogEntry, _undone: bool, _language: str) -> Facts:
        return {name: entry.data[name] for name in names if name in entry.data}

    return read


def _table_facts(entry: LogEntry, undone: bool, _language: str) -> Facts:
    place = {name: entry.data[name] for name in TABLE_FIELDS}
    if undone:
        return place
    session, table = place.values()
    seats = Seat.objects.select_related("player").filter(
        table__session__tournament=entry.tournament, table__session__number=session, table__number=table
    )
    results = [
        {
            "wind": seat.wind,
            "number": seat.player.number,
            "name": seat.player.full_name,
            "game_points": seat.game_points,
        }
        for seat in seats
    ]
    return {**place, "results": results}


def _results_facts(entry: LogEntry, _undone: bool, _language: str) -> Facts:
    if "sessions" in entry.data:
        return {"sessions": entry.data["sessions"]}
    publication = entry.tournament.publications.get(version=entry.seq)
    names = {player.number: player.full_name for player in entry.tournament.players.all()}
    places = [{**row, "name": names.get(row["number"], "")} for row in publication.rows]
    return {"session": publication.after_session, "is_final": publication.is_final, "places": places}


def _announcement_facts(entry: LogEntry, _undone: bool, language: str) -> Facts:
    announcement = entry.tournament.announcements.get(uuid=entry.data["uuid"])
    return {
        "announcement": str(announcement.uuid),
        "text": announcement.text_in(language),
        "tables": announcement.tables,
    }


_FACTS: Final[Mapping[Kind, Callable[[LogEntry, bool, str], Facts]]] = {
    Kind.UMPIRE_CALLED: _copy_fields(*TABLE_FIELDS, "topic"),
    Kind.SEATS_DRAWN: _copy_fields(),
    Kind.SESSION_STARTED: _copy_fields("session"),
    Kind.SESSION_ENDED: _copy_fields("session"),
    Kind.TABLE_FINISHED: _table_facts,
    Kind.STANDINGS_CHANGED: _copy_fields(*TABLE_FIELDS),
    Kind.RESULTS_PUBLISHED: _results_facts,
    Kind.ANNOUNCEMENT: _announcement_facts,
    Kind.PENALTY: _copy_fields(*TABLE_FIELDS, "player", "foul"),
    Kind.APPEAL: _copy_fields(*TABLE_FIELDS, "appeal"),
    Kind.REGISTRATION: _copy_fields("registration", "state"),
}
