"""Writing what targets are told, in the transaction of what it tells."""

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
from tournament.base.work import later
from tournament.messages.webhooks.engine import FOR_STAFF
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.texts import said
from tournament.web.texts.words import time_of_day

Facts = dict[str, Any]
PLACE: Final = ("session", "table")


def post_entry(entry: LogEntry) -> None:
    """Write what a log entry says, for every target that wants to hear it. Called within its write."""
    if not (notices := action_of(entry.action).webhooks):
        return
    targets = list(entry.tournament.webhooks.exclude(pause=Webhook.Pause.BY_HAND))
    written = [
        _post_to(webhook, entry, notice)
        for webhook in targets
        for notice in notices
        if notice.kind in webhook.kinds and _is_told(entry, notice.kind)
    ]
    if any(written):
        send_soon()


def _is_told(entry: LogEntry, kind: Kind) -> bool:
    """Keep from the public what is told under no number: the play of a hidden session."""
    return kind in FOR_STAFF or (entry.public_seq is not None and entry.tournament.is_public)


def _post_to(webhook: Webhook, entry: LogEntry, notice: Notice) -> Delivery | None:
    facts = facts_of(entry, notice, webhook.language)
    session = embargoed_session(notice.kind, facts)
    if not may_be_told(entry.tournament, notice.kind, session):
        return None
    if notice.kind is Kind.STANDINGS_CHANGED:
        _forget_older(webhook)
    return Delivery.objects.create(
        webhook=webhook,
        kind=notice.kind,
        session=session,
        posted_at=entry.at,
        try_at=entry.at,
        **_content(webhook, entry.tournament, notice, facts, entry.at, entry.public_seq or entry.seq),
    )


def _forget_older(webhook: Webhook) -> None:
    """Take back that the ranking has changed: it is told once, however often it has since anybody was told."""
    unsent = webhook.deliveries.filter(state=Delivery.State.WAITING, tries=0)
    unsent.filter(kind=Kind.STANDINGS_CHANGED).delete()


def post_test(webhook: Webhook, key: uuid.UUID) -> Delivery:
    """Write a message that says that messages arrive. The same `key` is the same message."""
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
        send_soon()
    return delivery


def send_soon() -> None:
    """Have it sent once all of it is committed. When the queue is away the next minute's look finds it."""
    transaction.on_commit(partial(later, "messages.webhooks.send_webhooks"))


def _content(
    webhook: Webhook, tournament: Tournament, notice: Notice, facts: Facts, at: datetime, version: int
) -> dict[str, Any]:
    """Say it for programs and for people, in the target's language."""
    with translation.override(webhook.language), timezone.override(tournament.zone):
        sentence = said(notice.kind, facts, tournament.rules.fouls, undone=notice.undone)
        text = f"{tournament.name} · {time_of_day(at)} · {sentence}"
    data = {
        "event": {"slug": tournament.slug, "name": tournament.name},
        "version": version,
        "undone": notice.undone,
        **facts,
        "sentence": sentence,
        "link": _link(webhook, tournament, notice.kind, facts),
    }
    moment = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return {"message": {"type": notice.kind.value, "timestamp": moment, "data": data}, "text": text}


def _link(webhook: Webhook, tournament: Tournament, kind: Kind, facts: Facts) -> str:
    page, names = _PAGES[kind]
    return site_address() + reverse(page, args=[tournament.slug, *(facts[name] for name in names)])


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
"""Kind → the page with more of it, and the names of the facts in its address."""


def facts_of(entry: LogEntry, notice: Notice, language: str) -> Facts:
    """Read what a write says, by the names that programs know. Within the write, so nothing is kept by version."""
    return _READ[notice.kind](entry, notice.undone, language)


def embargoed_session(kind: Kind, facts: Mapping[str, Any]) -> int | None:
    """Return the session of whose play it tells; None for what an embargo never hides."""
    return facts.get("session") if kind in _OF_PLAY else None


_OF_PLAY: Final = frozenset({Kind.TABLE_FINISHED, Kind.STANDINGS_CHANGED, Kind.RESULTS_PUBLISHED})


def may_be_told(tournament: Tournament, kind: Kind, session: int | None) -> bool:
    """Whether the public pages say it at this moment. What is for the staff is told whatever is hidden."""
    if kind in FOR_STAFF:
        return True
    if not tournament.is_public:
        return False
    if session is None:
        return True
    hidden = tournament.sessions.filter(hidden=True)
    up_to = kind is Kind.RESULTS_PUBLISHED
    return not hidden.filter(**{"number__lte" if up_to else "number": session}).exists()


def _from_entry(*names: str) -> Callable[[LogEntry, bool, str], Facts]:
    def read(entry: LogEntry, _undone: bool, _language: str) -> Facts:
        return {name: entry.data[name] for name in names if name in entry.data}

    return read


def _table_facts(entry: LogEntry, undone: bool, _language: str) -> Facts:
    place = {name: entry.data[name] for name in PLACE}
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
            "name": seat.player.name,
            "game_points": seat.game_points,
        }
        for seat in seats
    ]
    return {**place, "results": results}


def _results_facts(entry: LogEntry, _undone: bool, _language: str) -> Facts:
    if "sessions" in entry.data:
        return {"sessions": entry.data["sessions"]}
    publication = entry.tournament.publications.get(version=entry.seq)
    names = {player.number: player.name for player in entry.tournament.players.all()}
    places = [{**row, "name": names.get(row["number"], "")} for row in publication.rows]
    return {"session": publication.after_session, "is_final": publication.is_final, "places": places}


def _announcement_facts(entry: LogEntry, _undone: bool, language: str) -> Facts:
    announcement = entry.tournament.announcements.get(uuid=entry.data["uuid"])
    return {
        "announcement": str(announcement.uuid),
        "text": announcement.text_in(language),
        "tables": announcement.tables,
    }


_READ: Final[Mapping[Kind, Callable[[LogEntry, bool, str], Facts]]] = {
    Kind.UMPIRE_CALLED: _from_entry(*PLACE, "topic"),
    Kind.SEATS_DRAWN: _from_entry(),
    Kind.SESSION_STARTED: _from_entry("session"),
    Kind.SESSION_ENDED: _from_entry("session"),
    Kind.TABLE_FINISHED: _table_facts,
    Kind.STANDINGS_CHANGED: _from_entry(*PLACE),
    Kind.RESULTS_PUBLISHED: _results_facts,
    Kind.ANNOUNCEMENT: _announcement_facts,
    Kind.PENALTY: _from_entry(*PLACE, "player", "foul"),
    Kind.APPEAL: _from_entry(*PLACE, "appeal"),
    Kind.REGISTRATION: _from_entry("registration", "state"),
}
