"""The manifest of a backup: when and why it was made, and the figures that are compared after a restore."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeVar, get_origin, get_type_hints

from django.contrib.auth.models import User
from django.db.models import Count, OuterRef, Subquery

from scoring.engine.problems import problem_code
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Tournament
from tournament.ranking.selectors.standings import current_standings, publication_rows

BACKUP_UNREADABLE = problem_code("backup_unreadable", "This file is not a backup, or it is incomplete.")
BACKUP_NEWER = problem_code(
    "backup_newer", "This backup was made by a newer version of Hule. Update this server first."
)

FORMAT: Final = 1
NAME: Final = "manifest.json"
MAX_TEXT: Final = 300

Record = TypeVar("Record")


@dataclass(frozen=True)
class Event:
    """A tournament at the time of the backup, with the hash of its last log entry and a digest of its standings."""

    slug: str
    name: str
    version: int
    last_hash: str
    players: int
    hands: int
    standings: str


@dataclass(frozen=True)
class Manifest:
    """Describes a backup: its format, when and why it was made, and its content.

    {"format": 1, "version": "0.1.0", "made_at": "2026-05-02T14:31:07+00:00", "reason": "requested", "by": "Olga",
     "database": "sqlite", "sha256": "…", "migrations": ["tournament.0001_initial", …], "state": "…", "accounts": 5,
     "tournaments": [{"slug", "name", "version", "last_hash", "players", "hands", "standings"}]}
    """

    version: str
    made_at: datetime
    reason: str
    by: str
    database: str
    sha256: str
    """Of the part that holds the database."""
    migrations: tuple[str, ...]
    state: str
    accounts: int
    tournaments: tuple[Event, ...]

    @property
    def hands(self) -> int:
        return sum(event.hands for event in self.tournaments)

    def to_bytes(self) -> bytes:
        body = {"format": FORMAT, **asdict(self), "made_at": self.made_at.isoformat()}
        return json.dumps(body, ensure_ascii=False, indent=1).encode()


def read(text: bytes) -> Manifest:
    """Read a manifest from an untrusted source. Raises Refused."""
    try:
        body: dict[str, Any] = json.loads(text)
        if body.pop("format") != FORMAT:
            raise Refused(BACKUP_NEWER())
        body["made_at"] = datetime.fromisoformat(body["made_at"]).astimezone(UTC)
        body["migrations"] = tuple(map(str, body["migrations"]))
        body["tournaments"] = tuple(_checked(Event(**event)) for event in body["tournaments"])
        return _checked(Manifest(**body))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise Refused(BACKUP_UNREADABLE()) from None


def _checked(record: Record) -> Record:
    """Return the record if its values have the types of its fields, and no excessive ones. Raises ValueError."""
    for name, kind in get_type_hints(type(record)).items():
        value = getattr(record, name)
        if type(value) is not (get_origin(kind) or kind):
            raise ValueError(f"{name} is no {kind}")
        if (kind is str and len(value) > MAX_TEXT) or (kind is int and not 0 <= value < 2**53):
            raise ValueError(f"{name} is too large")
    return record


def events() -> tuple[Event, ...]:
    """Return every tournament with a digest of its standings, for the manifest and for the check after a restore."""
    players = dict(Tournament.objects.order_by().values_list("pk").annotate(Count("players")))
    hands = dict(
        Hand.objects.filter(is_current=True)
        .order_by()
        .values_list("table__session__tournament")
        .annotate(Count("pk"))
    )
    last_hash = LogEntry.objects.filter(tournament=OuterRef("pk")).order_by("-seq").values("hash")[:1]
    return tuple(
        Event(
            tournament.slug,
            tournament.name,
            tournament.version,
            tournament.last_hash or "",
            players[tournament.pk],
            hands.get(tournament.pk, 0),
            standings_digest(tournament),
        )
        for tournament in Tournament.objects.order_by("pk").annotate(last_hash=Subquery(last_hash))
    )


def standings_digest(tournament: Tournament) -> str:
    """Return the SHA-256 of the ranking as staff see it, with running and hidden sessions."""
    rows = publication_rows(current_standings(tournament, Audience.STAFF))
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()


def fingerprint() -> str:
    """Return a digest that changes with every write of a tournament or an account."""
    logs = list(Tournament.objects.order_by("pk").values_list("pk", "created_at", "version"))
    accounts = list(
        User.objects.order_by("pk").values_list(
            "pk", "username", "first_name", "password", "is_active", "is_staff", "is_superuser"
        )
    )
    return hashlib.sha256(repr((logs, accounts)).encode()).hexdigest()
