"""The columns of the file: values written one way, versions, rows, and who wrote."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final
from uuid import NAMESPACE_URL, UUID, uuid5

from django.apps import apps
from django.contrib.auth.models import User
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Model

from scoring.engine.problems import problem_code
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry, name_of
from tournament.base.models.tournament import Arrival, Membership, Tournament
from tournament.exchange.carried import OF_LABEL, OF_TOURNAMENT_LEFT, WRITTEN, Carried
from tournament.web import shapes
from tournament.web.shapes import OrNull, Shape

NOT_A_TOURNAMENT_FILE = problem_code(
    "not_a_tournament_file", "This is not a tournament’s file (hule-tournament)."
)
TOURNAMENT_FILE_NEWER = problem_code(
    "tournament_file_newer",
    "This file is of version {version}, and this Hule reads up to version {known}. Bring Hule up to date "
    "first.",
)

# --- Canonical JSON ---


HEADER: Final = ("$schema", "format", "version", "contact_data", "digests")
"""In front, and in no digest but for `contact_data`."""
NOT_BOUND: Final = frozenset({"$schema", "format", "version", "digests", "extensions"})
"""What no digest is made of: extensions are other programs' to add."""


def canonical(value: Any) -> str:
    """Write a value as JSON in the one way there is, so that the same event is the same bytes.

    Names in order, no blanks, characters as they are.
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digests_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Section → the SHA-256 of how it is written."""
    return {name: digest(value) for name, value in data.items() if name not in NOT_BOUND}


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def text_of(data: Mapping[str, Any]) -> str:
    """The file: a line a row, so that two files can be compared by lines."""
    names = [*(name for name in HEADER if name in data), *sorted(data.keys() - set(HEADER))]
    return "{\n" + ",\n".join(f"{canonical(name)}:{_section_text(data[name])}" for name in names) + "\n}\n"


def _section_text(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return canonical(value)
    return "[\n" + ",\n".join(map(canonical, value)) + "\n]"


# --- Versions ---


FORMAT: Final = "hule-tournament"
VERSION: Final = 1
SCHEMA: Final = "formats/hule-tournament-1.schema.json"
"""Where it is published: below the site's root, and in docs/api/."""

Data = dict[str, Any]
Step = Callable[[Data], Data]

STEPS: Final[dict[int, Step]] = {}
"""Version → what makes of a file of that version one of the next. Digests are looked at before, as they were."""


def brought_up(data: Data, version: int = VERSION, steps: Mapping[int, Step] = STEPS) -> Data:
    """Bring the data of a file of any version up to this one.

    What an older one lacks is put there by one small function a version, one after the other.
    """
    for step in range(data["version"], version):
        data = steps[step](data) | {"version": step + 1}
    return data


def check_version(data: Mapping[str, Any], newest: int = VERSION, steps: Mapping[int, Step] = STEPS) -> None:
    """Raises Refused for what is no file of a tournament, or of a version that cannot be read."""
    version = data.get("version")
    if data.get("format") != FORMAT or type(version) is not int:
        raise Refused(NOT_A_TOURNAMENT_FILE("/format"))
    if version > newest:
        raise Refused(TOURNAMENT_FILE_NEWER("/version", version=min(version, 10**6), known=newest))
    if version < min((*steps, newest)):
        raise Refused(NOT_A_TOURNAMENT_FILE("/version"))


# --- Columns ---


LONGEST_TEXT: Final = 100_000
"""Characters of what has no limit in the database."""
MOST_FILE: Final = 3 * 1024 * 1024
"""Bytes, as `events.services` lets in."""
_WEB: Final = 'https?://[^\\s<>"]+'
"""No address that runs a script in whoever follows it."""
EVENT: Final = Carried("tournament.Tournament", "tournament", of="pk", single=True, left=OF_TOURNAMENT_LEFT)
"""The section of which all the others are."""


@dataclass(frozen=True)
class Column:
    """One field of a model as it stands in a row, with its shape.

    `target`: of what ties rows together, the other's model; `is_many`: several of them. The other row is named by its
    key: a player by number, a table as "3/2" for session 3, table 2, a hand by its UUID, somebody of the staff by
    theirs.
    """

    field: Any
    name: str
    shape: Shape
    target: type[Model] | None = None
    is_many: bool = False

    @property
    def is_file(self) -> bool:
        return isinstance(self.field, models.FileField)


def model_of(carried: Carried) -> type[Model]:
    return apps.get_model(carried.label)


@cache
def columns(label: str) -> tuple[Column, ...]:
    """The columns of a model, by name."""
    carried = EVENT if label == EVENT.label else OF_LABEL[label]
    return tuple(sorted(_columns(carried), key=lambda column: column.name))


def _columns(carried: Carried) -> Iterator[Column]:
    for field in (*model_of(carried)._meta.concrete_fields, *model_of(carried)._meta.many_to_many):
        target: Any = field.related_model
        if field.primary_key or field.name in carried.left or _is_understood(target):
            continue
        shape = reference(target) if target else shape_of(field)
        if field.many_to_many:
            shape = shapes.ListOf(shape)
        elif field.null:
            shape = OrNull(shape)
        yield Column(
            field, carried.names.get(field.name, field.name), shape, target, bool(field.many_to_many)
        )


def _is_understood(target: type[Model] | None) -> bool:
    """Of the one event that the file is about, and of what it has once, nothing needs to be said."""
    if target is None or target is User:
        return False
    return target is Tournament or OF_LABEL[target._meta.label].single


def reference(target: type[Model]) -> Shape:
    """How a row of a model is named."""
    if target is User:
        return shapes.Uuid
    key = OF_LABEL[target._meta.label].key
    if not key:
        return shapes.Whole(1)
    if len(key) > 1:
        return shapes.Text(80, pattern="^[0-9]+(/[0-9]+)+$")
    return shape_of(target._meta.get_field(key[0]))


def shape_of(field: Any) -> Shape:
    """By the field's kind, its length and its range."""
    match field:
        case models.JSONField():
            return WRITTEN[f"{field.model._meta.label}.{field.name}"]
        case models.FileField():
            return shapes.Base64(MOST_FILE)
        case models.BooleanField():
            return shapes.YesNo()
        case models.IntegerField():
            return _whole(field)
        case models.DecimalField():
            return shapes.Amount
        case models.DateTimeField():
            return shapes.Moment
        case models.DateField():
            return shapes.Day
        case models.TimeField():
            return shapes.TimeOfDay
        case models.UUIDField():
            return shapes.Uuid
    return _text(field)


_RANGES: Final[dict[type[models.IntegerField[Any, Any]], tuple[int, int]]] = {
    models.PositiveSmallIntegerField: (0, 2**15 - 1),
    models.SmallIntegerField: (-(2**15), 2**15 - 1),
    models.PositiveIntegerField: (0, 2**31 - 1),
}
"""What every database can hold; SQLite's own limits are wider, and a file is for all of them."""


def _whole(field: Any) -> Shape:
    least, most = _RANGES.get(type(field), (-(2**31), 2**31 - 1))
    for validator in field.validators:
        if isinstance(validator, MinValueValidator):
            least = max(least, int(validator.limit_value))
        elif isinstance(validator, MaxValueValidator):
            most = min(most, int(validator.limit_value))
    return shapes.Whole(least, most)


def _text(field: Any) -> Shape:
    if field.choices:
        values = tuple(str(value) for value, _ in field.flatchoices)
        return shapes.OneOf((*values, "") if field.blank and "" not in values else values)
    if isinstance(field, models.SlugField) and not getattr(field, "allow_unicode", False):
        return shapes.Text(field.max_length or 0, 1, "^[A-Za-z0-9_-]+$")
    if isinstance(field, models.URLField):
        return shapes.Text(field.max_length or 0, 0, _WEB if not field.blank else f"({_WEB})?")
    return shapes.Text(LONGEST_TEXT if isinstance(field, models.TextField) else field.max_length)


def plain(column: Column, value: Any) -> Any:
    """A value as it stands in the file."""
    match value:
        case None | bool() | int() | str() | list():
            return value
        case dict():
            return dict(value)
        case datetime():
            return value.astimezone(UTC).isoformat()
    if isinstance(column.field, models.FileField):
        return base64.b64encode(_file_content(value)).decode()
    if isinstance(column.field, models.DecimalField):
        return f"{value:.{column.field.decimal_places}f}"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _file_content(file: Any) -> bytes:
    if not file:
        return b""
    with file.open("rb") as opened:
        return bytes(opened.read())


def stored(column: Column, value: Any) -> Any:
    """A value of the file, once its shape is known to be right, as the model has it."""
    if value is None or isinstance(column.field, models.JSONField):
        return value
    if isinstance(column.field, models.FileField):
        return base64.b64decode(value)
    return column.field.to_python(value)


# --- Staff ---


SECTION: Final = "staff"
SHAPE: Final = shapes.ListOf(
    shapes.Record(
        {
            "uuid": shapes.Uuid,
            "name": shapes.Text(150),
            "account": shapes.Whole(0, 2**53 - 1),
            "until": shapes.Whole(),
        }
    )
)
"""`account`: N, where the log's chain has "account:N", up to the entry `until`."""
NAMED_IN_DATA: Final = ("user", "committee")
"""Where the data of an entry has keys of accounts: one, or a list."""


class Staff:
    """Those whom the rows of one event name, each noted when it is come upon.

    Accounts stay where they are, so the file has names, and what the chain of the log calls them.
    """

    MODEL: Final = User

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._arrival = Arrival.objects.filter(tournament=tournament).first()
        self._former = {former.user_id: former for former in tournament.former_accounts.all()}
        self._found: set[int] = set(self._former)

    def uuid(self, key: int) -> str:
        self._found.add(key)
        return str(self._uuid(key))

    def leaves_out(self, row: Model) -> bool:
        """Who brought the file here is no part of the event, as long as nothing was written to it here."""
        arrival = self._arrival
        return (
            isinstance(row, Membership)
            and arrival is not None
            and arrival.version == self._tournament.version
            and row.user_id not in self._former
        )

    def rows(self) -> list[dict[str, Any]]:
        names = {user.pk: name_of(user) for user in User.objects.filter(pk__in=self._all_accounts())}
        rows = [self._row(key, name) for key, name in names.items()]
        return sorted(rows, key=lambda row: (row["until"], row["account"]))

    def _row(self, key: int, name: str) -> dict[str, Any]:
        former = self._former.get(key)
        account, until = (former.account, former.until) if former else (key, self._tournament.version)
        return {"uuid": str(self._uuid(key)), "name": name, "account": account, "until": until}

    def _all_accounts(self) -> set[int]:
        """Those that only the data of entries names are among them."""
        since = self._arrival.version if self._arrival else 0
        named: set[int] = set()
        for data in LogEntry.objects.filter(tournament=self._tournament, seq__gt=since).values_list(
            "data", flat=True
        ):
            for name in NAMED_IN_DATA:
                value = data.get(name)
                named.update(value if isinstance(value, list) else [value] if value else ())
        return self._found | named

    def _uuid(self, key: int) -> UUID:
        """Of an account here, the same in every file of this event."""
        if key in self._former:
            return self._former[key].uuid
        return uuid5(NAMESPACE_URL, f"hule:{self._begun}/account/{key}")

    @property
    def _begun(self) -> str:
        """What tells the accounts of this installation from those of one where the event was before."""
        if self._arrival:
            return self._arrival.head
        first = self._tournament.log.order_by("seq").values_list("hash", flat=True).first()
        return first or self._tournament.slug
