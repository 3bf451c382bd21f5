"""How an installation stands, in figures that can be compared: what a backup notes, and what a restore is held to."""

from __future__ import annotations

import hashlib
import json

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Subquery

from tournament.backup.manifest import Event
from tournament.base.access import Audience
from tournament.base.models.hands import Hand
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.ranking.selectors.standings import as_published, current_standings


def events() -> tuple[Event, ...]:
    """Every tournament, with a digest of its standings."""
    players = dict(Tournament.objects.order_by().values_list("pk").annotate(Count("players")))
    hands = dict(
        Hand.objects.filter(is_current=True)
        .order_by()
        .values_list("table__session__tournament")
        .annotate(Count("pk"))
    )
    return tuple(
        Event(
            each.slug,
            each.name,
            each.version,
            last,
            players[each.pk],
            hands.get(each.pk, 0),
            standings_digest(each),
        )
        for each, last in _with_last_hash()
    )


def standings_digest(tournament: Tournament) -> str:
    """SHA-256 over the ranking as it would be read out, with sessions that are being played or hidden."""
    rows = as_published(current_standings(tournament, Audience.STAFF))
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()


def fingerprint() -> str:
    """Changes with every write of a tournament and of an account: what a new backup would be worth."""
    logs = list(Tournament.objects.order_by("pk").values_list("pk", "created_at", "version"))
    accounts = list(
        User.objects.order_by("pk").values_list(
            "pk", "username", "first_name", "password", "is_active", "is_staff", "is_superuser"
        )
    )
    return hashlib.sha256(repr((logs, accounts)).encode()).hexdigest()


def _with_last_hash() -> list[tuple[Tournament, str]]:
    last = LogEntry.objects.filter(tournament=OuterRef("pk")).order_by("-seq").values("hash")[:1]
    found = Tournament.objects.order_by("pk").annotate(last_hash=Subquery(last))
    return [(each, each.last_hash or "") for each in found]
