"""The content of a backup: its manifest, its tables, and the figures that are compared after a restore."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final, TypeVar
from uuid import UUID

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Field, Model, OuterRef, Subquery

from tournament.base.engine.notices import Audience
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Visit
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Tournament
from tournament.ranking.selectors.standings import current_standings, publication_rows

# --- The manifest ---


FORMAT: Final = 1
NAME: Final = "manifest.json"
MAX_MANIFEST_BYTES: Final = 16 * 1024 * 1024
"""With ten thousand documents it is about 2 MB."""

T = TypeVar("T")


class Unreadable(ValueError):
    """The text is not a manifest of a backup."""


class OtherFormat(Unreadable):
    """A backup in an unknown format, made by a newer Hule."""


@dataclass(frozen=True)
class Part:
    """One file in the archive. `rows` is the number of lines after the heading of a table."""

    name: str
    rows: int
    size: int
    sha256: str


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

    {"format": 1, "layout": "…", "version": "0.1.0", "made_at": "2026-05-02T14:31:07+00:00", "reason": "requested",
     "by": "Olga", "database": "sqlite", "state": "…", "accounts": 5,
     "tournaments": [{"slug", "name", "version", "last_hash", "players", "hands", "standings"}],
     "parts": [{"name", "rows", "size", "sha256"}]}
    """

    layout: str
    version: str
    made_at: datetime
    reason: str
    by: str
    database: str
    state: str
    accounts: int
    tournaments: tuple[Event, ...]
    parts: tuple[Part, ...]

    @property
    def hands(self) -> int:
        return sum(event.hands for event in self.tournaments)

    def to_bytes(self) -> bytes:
        body = {"format": FORMAT, **asdict(self), "made_at": self.made_at.isoformat()}
        return json.dumps(body, ensure_ascii=False, indent=1).encode()


def read(text: bytes) -> Manifest:
    """Read a manifest. Raises OtherFormat and Unreadable."""
    try:
        body = json.loads(text)
        format_ = body["format"]
        if format_ != FORMAT:
            raise OtherFormat(str(format_)[:20])
        return Manifest(
            **{key: _text(body[key]) for key in ("layout", "version", "reason", "by", "database", "state")},
            made_at=_moment(body["made_at"]),
            accounts=_count(body["accounts"]),
            tournaments=_list(body["tournaments"], _event),
            parts=_list(body["parts"], _part),
        )
    except Unreadable:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unreadable(repr(error)[:200]) from None


def _event(body: dict[str, Any]) -> Event:
    slug, name, last_hash, standings = (
        _text(body[key]) for key in ("slug", "name", "last_hash", "standings")
    )
    version, players, hands = (_count(body[key]) for key in ("version", "players", "hands"))
    return Event(slug, name, version, last_hash, players, hands, standings)


def _part(body: dict[str, Any]) -> Part:
    return Part(_text(body["name"]), _count(body["rows"]), _count(body["size"]), _text(body["sha256"]))


def _list(values: Any, read_item: Callable[[Any], T]) -> tuple[T, ...]:
    if not isinstance(values, list):
        raise Unreadable("not a list")
    return tuple(read_item(value) for value in values)


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 300:
        raise Unreadable("not a text, or too long")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**53:
        raise Unreadable("not a count")
    return value


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise Unreadable("a time without its zone")
    return moment


# --- Tables ---


APPS: Final = ("otp_totp", "otp_static", "tournament", "penalties")
"""Apps whose tables are backed up."""
CHUNK: Final = 1000
"""Rows held at a time."""


def models() -> list[type[Model]]:
    """Return the models that are backed up: our own and the accounts.

    Rows may refer to later rows; constraints are checked at the end. Left out: sign-ins (`Visit`), limits, the queue,
    and Django's groups and permissions, which Hule does not use.
    """
    owned = [
        model for app in APPS for model in apps.get_app_config(app).get_models(include_auto_created=True)
    ]
    return [User, *(model for model in owned if model is not Visit)]


def tables_to_empty() -> list[type[Model]]:
    """Return the tables that a restore empties: all of `models`, and accounts' groups and permissions."""
    links = [User._meta.get_field(name).remote_field.through for name in ("groups", "user_permissions")]  # type: ignore[union-attr]
    return [*links, *reversed(models())]


def label(model: type[Model]) -> str:
    return model._meta.label


def fields(model: type[Model]) -> list[Field[Any, Any]]:
    return list(model._meta.concrete_fields)


def layout() -> str:
    """Return a fingerprint of the tables: a backup can be restored where it is the same."""
    columns = {
        label(model): [(field.attname, field.get_internal_type()) for field in fields(model)]
        for model in models()
    }
    return hashlib.sha256(json.dumps(columns, sort_keys=True).encode()).hexdigest()[:16]


def rows(model: type[Model]) -> Iterator[bytes]:
    """Yield lines of JSON: the names of the columns, then each row, ordered by primary key."""
    names = [field.attname for field in fields(model)]
    yield _line(names)
    values = model._base_manager.order_by("pk").values_list(*names)
    yield from map(_line, values.iterator(chunk_size=CHUNK))


def insert_rows(model: type[Model], lines: Iterable[list[Any]]) -> None:
    """Insert rows, `CHUNK` at a time. Raises the errors of the fields and the database."""
    columns, quote = fields(model), connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in columns)
    places = ", ".join(["%s"] * len(columns))
    insert = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({places})"
    with connection.cursor() as cursor:
        for chunk in _chunks(_for_database(columns, line) for line in lines):
            cursor.executemany(insert, chunk)


def _for_database(columns: list[Field[Any, Any]], line: list[Any]) -> list[Any]:
    return [
        field.get_db_prep_save(field.to_python(value), connection)
        for field, value in zip(columns, line, strict=True)
    ]


def _chunks(rows: Iterable[list[Any]]) -> Iterator[list[list[Any]]]:
    chunk: list[list[Any]] = []
    for row in rows:
        chunk.append(row)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _line(values: Iterable[Any]) -> bytes:
    # Times to the microsecond, because the log's hashes include them.
    return (
        json.dumps(list(values), ensure_ascii=False, separators=(",", ":"), default=_json_value).encode()
        + b"\n"
    )


def _json_value(value: object) -> str:
    match value:
        case datetime() | date() | time():
            return value.isoformat()
        case UUID() | Decimal():
            return str(value)
    raise TypeError(f"a backup cannot hold {type(value)}")


# --- Figures of an installation ---


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
