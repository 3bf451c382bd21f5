"""Putting the rows of a file into the database, with what follows of them."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DataError, IntegrityError, transaction
from django.db.models import Model
from django.utils.crypto import get_random_string

from penalties.selectors import exclusion
from scoring.engine.problems import Problem, problem_code
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.events import EventDocument
from tournament.base.models.tournament import FormerAccount, Tournament
from tournament.dues.models import Due
from tournament.events.selectors import kind_of
from tournament.events.services import FILE_OF_NO_KIND, drawn_anew
from tournament.exchange.carried import CARRIED, OF_LABEL, Carried
from tournament.exchange.event_file.columns import EVENT, Column, Staff, columns, model_of, stored
from tournament.exchange.event_file.columns import SECTION as STAFF
from tournament.exchange.event_file.format import key_of, place, rows_in
from tournament.people.selectors import name_key, visible_people
from tournament.web.shapes import FIELD_NOT_ALLOWED, child_pointer, fault

HERE_ALREADY = problem_code("here_already", "this belongs to another event here.", also=("field",))
ROW_DOES_NOT_FIT = problem_code(
    "row_does_not_fit", "this contradicts another row, or itself.", also=("field",)
)

# --- Rows ---


BATCH: Final = 500
_DATABASE: Final = (IntegrityError, DataError, ValidationError, OverflowError)


def store(data: Mapping[str, Any], slug: str, files: list[str], actor: Actor) -> Tournament:
    """Put the event of a file that was read into the database, beside whatever is there. Raises Refused.

    Call within a transaction. `files`: gets the names of what was stored beside the database, which no transaction
    takes back. `actor`: people of whom they may know are found again.
    """
    return _Store(data, slug, Installation(files, actor)).all()


@dataclass(frozen=True)
class Installation:
    """What a file comes into. `files`: the names of what was stored beside the database; `actor`: who brings it."""

    files: list[str]
    actor: Actor


class _Store:
    def __init__(self, data: Mapping[str, Any], slug: str, into: Installation) -> None:
        self._data, self._into = data, into
        self._event: Tournament = self._unsaved(Tournament, EVENT.label, data[EVENT.section] | {"slug": slug})
        self._rows: defaultdict[type[Model], dict[Any, Model]] = defaultdict(dict)
        """Model → what a row is called in the file → the row."""

    def all(self) -> Tournament:
        _insert(EVENT, {0: self._event})
        self._store_staff()
        for carried in CARRIED:
            self._section(carried)
        return self._event

    def _store_staff(self) -> None:
        """An account for each that nobody can sign in with, so that what they wrote keeps their name."""
        file_rows = self._data[STAFF]
        users = [_account(row["name"]) for row in file_rows]
        User.objects.bulk_create(users, batch_size=BATCH)
        named = ("uuid", "account", "until")
        FormerAccount.objects.bulk_create(
            FormerAccount(tournament=self._event, user=user, **{name: row[name] for name in named})
            for user, row in zip(users, file_rows, strict=True)
        )
        self._rows[Staff.MODEL] = {row["uuid"]: user for user, row in zip(users, file_rows, strict=True)}

    def _section(self, carried: Carried) -> None:
        file_rows, model = rows_in(self._data, carried), model_of(carried)
        self._check_free(carried, file_rows)
        rows = [self._row(carried, row) for row in file_rows]
        understand = UNDERSTOOD.get(carried.label)
        taken = understand(rows, file_rows, carried, self._into) if understand else {}
        _insert(carried, {index: row for index, row in enumerate(rows) if index not in taken})
        for index, (row, data) in enumerate(zip(rows, file_rows, strict=True)):
            self._rows[model][key_of(carried, data, index + 1)] = taken.get(index, row)
        self._afterwards(carried, rows, file_rows)

    def _row(self, carried: Carried, data: Mapping[str, Any]) -> Model:
        row: Model = self._unsaved(model_of(carried), carried.label, data)
        for field in row._meta.concrete_fields:
            if field.related_model is Tournament:
                setattr(row, field.name, self._event)
            elif field.related_model and field.related_model._meta.label in OF_LABEL:
                target = OF_LABEL[field.related_model._meta.label]
                if target.single:
                    setattr(row, field.name, next(iter(self._rows[model_of(target)].values()), None))
        for column in columns(carried.label):
            if column.target and not column.is_many and column.target is not type(row):
                named = data[column.name]
                setattr(row, column.field.name, None if named is None else self._rows[column.target][named])
        for name, label in carried.keyed.items():
            keys = {str(key): str(row.pk) for key, row in self._rows[model_of(OF_LABEL[label])].items()}
            setattr(row, name, {keys[key]: value for key, value in data[name].items()})
        return row

    @staticmethod
    def _unsaved(model: type[Any], label: str, data: Mapping[str, Any]) -> Any:
        plain = [column for column in columns(label) if not column.target and not column.is_file]
        return model(**{column.field.name: stored(column, data[column.name]) for column in plain})

    def _check_free(self, carried: Carried, file_rows: FileRows) -> None:
        """What is unique in the whole installation, and there already: the event, or part of it, came before."""
        for column in columns(carried.label):
            if not column.field.unique or column.target or f"{carried.label}.{column.name}" in GIVES_WAY:
                continue
            at = {str(row[column.name]): index for index, row in enumerate(file_rows)}
            for taken in _already_here(carried, column, list(at)):
                raise Refused(fault(HERE_ALREADY, child_pointer(place(carried, at[str(taken)]), column.name)))

    def _afterwards(self, carried: Carried, rows: Rows, file_rows: FileRows) -> None:
        """What needs the rows to be there: ties among themselves, ties to many, times that the database puts."""
        late: list[str] = []
        for column in columns(carried.label):
            if column.is_many:
                self._tie_many(column, rows, file_rows)
            elif column.target is model_of(carried):
                for row, data in zip(rows, file_rows, strict=True):
                    named = data[column.name]
                    setattr(
                        row, column.field.name, None if named is None else self._rows[column.target][named]
                    )
                late.append(column.field.name)
            elif getattr(column.field, "auto_now_add", False):
                for row, data in zip(rows, file_rows, strict=True):
                    setattr(row, column.field.name, stored(column, data[column.name]))
                late.append(column.field.name)
        if late and rows:
            model_of(carried)._default_manager.bulk_update(rows, late, batch_size=BATCH)

    def _tie_many(self, column: Column, rows: Rows, file_rows: FileRows) -> None:
        through, target = column.field.remote_field.through, column.target
        assert target is not None
        mine, other = column.field.m2m_field_name(), column.field.m2m_reverse_field_name()
        through._default_manager.bulk_create(
            [
                through(**{f"{mine}_id": row.pk, f"{other}_id": self._rows[target][named].pk})
                for row, data in zip(rows, file_rows, strict=True)
                for named in dict.fromkeys(data[column.name])
            ],
            batch_size=BATCH,
        )


GIVES_WAY: Final = frozenset({"tournament.Due.reference"})
"""Unique in an installation, and left empty where it is taken there (`understood`)."""


def _account(name: str) -> User:
    user = User(username=f"file-{get_random_string(16).lower()}", first_name=name, is_active=False)
    user.set_unusable_password()
    return user


def _already_here(carried: Carried, column: Column, values: list[str]) -> Iterator[Any]:
    for start in range(0, len(values), BATCH):
        conditions = {f"{column.field.name}__in": values[start : start + BATCH]}
        yield from (
            model_of(carried)._default_manager.filter(**conditions).values_list(column.field.name, flat=True)
        )


def _insert(carried: Carried, rows: Mapping[int, Any]) -> None:
    """All of them at once; where the database refuses, one by one, to say which."""
    if not rows:
        return
    manager = model_of(carried)._default_manager
    try:
        with transaction.atomic():
            manager.bulk_create(rows.values(), batch_size=BATCH)
    except _DATABASE:
        raise Refused(_culprit(carried, rows)) from None


def _culprit(carried: Carried, rows: Mapping[int, Any]) -> Problem:
    for index, row in rows.items():
        try:
            row.pk = None
            with transaction.atomic():
                row.save(force_insert=True)
        except _DATABASE:
            return fault(ROW_DOES_NOT_FIT, place(carried, index))
    return fault(ROW_DOES_NOT_FIT, child_pointer("", carried.section))


# --- What follows of rows ---


Rows = Sequence[Any]
FileRows = Sequence[Mapping[str, Any]]
Taken = dict[int, Any]
"""Index of a row → the one that is here already and is meant."""


def _persons(rows: Rows, file_rows: FileRows, carried: Carried, into: Installation) -> Taken:
    """Find who is known here already, by the same EMA number and name, among those of whom the actor may know.

    Of another name, the number stays with who has it: an organiser says who is who.
    """
    for row in rows:
        row.key = name_key(row.first_name, row.last_name)
    numbers = {row.ema_number for row in rows} - {""}
    people = list(visible_people(into.actor).filter(ema_number__in=numbers))
    known = {(person.ema_number, person.key): person for person in people}
    taken: Taken = {}
    for index, row in enumerate(rows):
        if (person := known.get((row.ema_number, row.key))) is not None:
            taken[index] = person
        elif any(person.ema_number == row.ema_number for person in people):
            row.ema_number = ""
    return taken


def _person_names(rows: Rows, file_rows: FileRows, carried: Carried, into: Installation) -> Taken:
    """Of a person who was here, those names that are new."""
    taken: Taken = {}
    for index, row in enumerate(rows):
        row.key = name_key(row.name)
        if (known := row.person.names.filter(name=row.name).first()) is not None:
            taken[index] = known
    return taken


def _documents(rows: Rows, file_rows: FileRows, carried: Carried, into: Installation) -> Taken:
    """What a file is, is read from its content."""
    for index, (row, data) in enumerate(zip(rows, file_rows, strict=True)):
        content = base64.b64decode(data["file"])
        if kind_of(content) != row.kind:
            raise Refused(fault(FILE_OF_NO_KIND, child_pointer(place(carried, index), "file")))
        row.size = len(content)
        row.file.name = _store_file(f"event-{uuid4().hex}.{row.kind}", content, into.files)
    return {}


def _certificates(rows: Rows, file_rows: FileRows, carried: Carried, into: Installation) -> Taken:
    """The picture behind them is a JPEG, or there is none. It is drawn anew, as one that is uploaded."""
    for index, (row, data) in enumerate(zip(rows, file_rows, strict=True)):
        content, where = base64.b64decode(data["file"]), child_pointer(place(carried, index), "file")
        if content and kind_of(content) != EventDocument.Kind.JPEG:
            raise Refused(fault(FILE_OF_NO_KIND, where))
        try:
            drawn = drawn_anew(content) if content else b""
        except Refused as refused:
            raise Refused(known.at(where) for known in refused.problems) from None
        row.file.name = _store_file(f"certificate-{uuid4().hex}.jpeg", drawn, into.files) if drawn else ""
    return {}


def _store_file(name: str, content: bytes, files: list[str]) -> str:
    """The name it is stored under, which is taken out again if the event is refused after all."""
    files.append(default_storage.save(f"documents/{name}", ContentFile(content)))
    return files[-1]


def _dues(rows: Rows, file_rows: FileRows, carried: Carried, into: Installation) -> Taken:
    """A reference is one due's in the whole installation: where it is taken, there is none yet."""
    references = {row.reference for row in rows} - {None}
    taken = set(Due.objects.filter(reference__in=references).values_list("reference", flat=True))
    for row in rows:
        row.reference = None if row.reference in taken else row.reference
    return {}


def _letters(rows: Rows, file_rows: FileRows, carried: Carried, into: Installation) -> Taken:
    """None is sent again."""
    for index, row in enumerate(rows):
        if row.state in (row.State.WAITING, row.State.SENDING):
            raise Refused(fault(FIELD_NOT_ALLOWED, child_pointer(place(carried, index), "state")))
    return {}


def _penalties(rows: Rows, file_rows: FileRows, carried: Carried, into: Installation) -> Taken:
    """Mark the players whom these penalties exclude."""
    for player in {row.player.pk: row.player for row in rows}.values():
        payments = [row for row in rows if row.player.pk == player.pk]
        player.excluded_as, player.excluded_at = exclusion(payments)
        player.save(update_fields=["excluded_as", "excluded_at"])
    return {}


UNDERSTOOD: Final[dict[str, Callable[[Rows, FileRows, Carried, Installation], Taken]]] = {
    "tournament.Person": _persons,
    "tournament.PersonName": _person_names,
    "tournament.EventDocument": _documents,
    "tournament.CertificateDesign": _certificates,
    "tournament.Due": _dues,
    "tournament.Mail": _letters,
    "penalties.Penalty": _penalties,
}
"""What a file does not say of a model's rows because it follows, or is another thing in every installation."""
