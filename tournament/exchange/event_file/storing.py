"""Putting the rows of a file into the database, with what follows of them."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DataError, IntegrityError, transaction
from django.db.models import Model
from django.utils.crypto import get_random_string

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.events import EventDocument
from tournament.base.models.people import Person
from tournament.base.models.tournament import FormerAccount, Tournament
from tournament.dues.models import Due
from tournament.events.selectors import kind_of
from tournament.exchange.carried import CARRIED, OF_LABEL, Carried
from tournament.exchange.event_file.columns import EVENT, Column, Staff, columns, model_of, stored
from tournament.exchange.event_file.columns import SECTION as STAFF
from tournament.exchange.event_file.format import key_of, place, rows_in
from tournament.people.selectors import name_key
from tournament.web.shapes import fault, inside

# --- Understood ---
# What a file does not say of a row because it follows, or because it is another thing in every installation.


Rows = Sequence[Any]
Said = Sequence[Mapping[str, Any]]
Taken = dict[int, Any]
"""Index of a row → the one that is here already and is meant."""


def _persons(made: Rows, said: Said, one: Carried, files: list[str]) -> Taken:
    """Somebody of the same EMA number and name is known here already. Of another name, the number stays with who has
    it: an organiser says who is who."""
    for row in made:
        row.key = name_key(row.first_name, row.last_name)
    numbers = {row.ema_number for row in made} - {""}
    known = {
        person.ema_number: person
        for person in Person.objects.filter(ema_number__in=numbers, merged_into=None)
    }
    taken: Taken = {}
    for index, row in enumerate(made):
        if (person := known.get(row.ema_number)) is None:
            continue
        if person.key == row.key:
            taken[index] = person
        else:
            row.ema_number = ""
    return taken


def _names(made: Rows, said: Said, one: Carried, files: list[str]) -> Taken:
    """Of a person who was here, those names that are new."""
    taken: Taken = {}
    for index, row in enumerate(made):
        row.key = name_key(row.name)
        if (known := row.person.names.filter(name=row.name).first()) is not None:
            taken[index] = known
    return taken


def _documents(made: Rows, said: Said, one: Carried, files: list[str]) -> Taken:
    """What a file is, is read from its content."""
    for index, (row, about) in enumerate(zip(made, said, strict=True)):
        content = base64.b64decode(about["file"])
        if kind_of(content) != row.kind:
            raise Refused(fault("file_of_no_kind", inside(place(one, index), "file")))
        row.size = len(content)
        row.file.name = _kept(f"event-{uuid4().hex}.{row.kind}", content, files)
    return {}


def _certificates(made: Rows, said: Said, one: Carried, files: list[str]) -> Taken:
    """The picture behind them is a JPEG, or there is none."""
    for index, (row, about) in enumerate(zip(made, said, strict=True)):
        content = base64.b64decode(about["file"])
        if content and kind_of(content) != EventDocument.Kind.JPEG:
            raise Refused(fault("file_of_no_kind", inside(place(one, index), "file")))
        row.file.name = _kept(f"certificate-{uuid4().hex}.jpeg", content, files) if content else ""
    return {}


def _kept(name: str, content: bytes, files: list[str]) -> str:
    """The name it is stored under, which is taken out again if the event is refused after all."""
    files.append(default_storage.save(f"documents/{name}", ContentFile(content)))
    return files[-1]


def _dues(made: Rows, said: Said, one: Carried, files: list[str]) -> Taken:
    """A reference is one due's in the whole installation: where it is taken, there is none yet."""
    wanted = {row.reference for row in made} - {None}
    gone = set(Due.objects.filter(reference__in=wanted).values_list("reference", flat=True))
    for row in made:
        row.reference = None if row.reference in gone else row.reference
    return {}


def _letters(made: Rows, said: Said, one: Carried, files: list[str]) -> Taken:
    """None is sent again."""
    for index, row in enumerate(made):
        if row.state in (row.State.WAITING, row.State.SENDING):
            raise Refused(fault("field_not_allowed", inside(place(one, index), "state")))
    return {}


UNDERSTOOD: Final[dict[str, Callable[[Rows, Said, Carried, list[str]], Taken]]] = {
    "tournament.Person": _persons,
    "tournament.PersonName": _names,
    "tournament.EventDocument": _documents,
    "tournament.CertificateDesign": _certificates,
    "tournament.Due": _dues,
    "tournament.Mail": _letters,
}


# --- Putting the rows of a file into the database, in one transaction, beside whatever is there ---


BATCH: Final = 500
_DATABASE: Final = (IntegrityError, DataError, ValidationError, OverflowError)


def store(data: Mapping[str, Any], slug: str, files: list[str]) -> Tournament:
    """The event of a file that was read; call within a transaction. Raises Refused.

    `files`: gets the names of what was stored beside the database, which no transaction takes back.
    """
    return _Store(data, slug, files).all()


class _Store:
    def __init__(self, data: Mapping[str, Any], slug: str, files: list[str]) -> None:
        self._data, self._files = data, files
        self._event: Tournament = self._made(Tournament, EVENT.label, data[EVENT.section] | {"slug": slug})
        self._rows: defaultdict[type[Model], dict[Any, Model]] = defaultdict(dict)
        """Model → what a row is called in the file → the row."""

    def all(self) -> Tournament:
        _insert(EVENT, {0: self._event})
        self._store_staff()
        for one in CARRIED:
            self._section(one)
        return self._event

    def _store_staff(self) -> None:
        """An account for each that nobody can sign in with, so that what they wrote keeps their name."""
        said = self._data[STAFF]
        made = [_account(row["name"]) for row in said]
        User.objects.bulk_create(made, batch_size=BATCH)
        FormerAccount.objects.bulk_create(
            [
                FormerAccount(tournament=self._event, user=user, **row_of(row))
                for user, row in zip(made, said, strict=True)
            ]
        )
        self._rows[Staff.MODEL] = {row["uuid"]: user for user, row in zip(made, said, strict=True)}

    def _section(self, one: Carried) -> None:
        said, model = rows_in(self._data, one), model_of(one)
        self._check_free(one, said)
        made = [self._row(one, row) for row in said]
        taken = UNDERSTOOD.get(one.label, _as_it_is)(made, said, one, self._files)
        _insert(one, {index: row for index, row in enumerate(made) if index not in taken})
        for index, (row, about) in enumerate(zip(made, said, strict=True)):
            self._rows[model][key_of(one, about, index + 1)] = taken.get(index, row)
        self._afterwards(one, made, said)

    def _row(self, one: Carried, said: Mapping[str, Any]) -> Model:
        row: Model = self._made(model_of(one), one.label, said)
        for field in row._meta.concrete_fields:
            if field.related_model is Tournament:
                setattr(row, field.name, self._event)
            elif field.related_model and field.related_model._meta.label in OF_LABEL:
                target = OF_LABEL[field.related_model._meta.label]
                if target.single:
                    setattr(row, field.name, next(iter(self._rows[model_of(target)].values()), None))
        for column in columns(one.label):
            if column.target and not column.is_many and column.target is not type(row):
                named = said[column.name]
                setattr(row, column.field.name, None if named is None else self._rows[column.target][named])
        for name, label in one.keyed.items():
            keys = {str(key): str(row.pk) for key, row in self._rows[model_of(OF_LABEL[label])].items()}
            setattr(row, name, {keys[key]: value for key, value in said[name].items()})
        return row

    @staticmethod
    def _made(model: type[Any], label: str, said: Mapping[str, Any]) -> Any:
        plain = [column for column in columns(label) if not column.target and not column.is_file]
        return model(**{column.field.name: stored(column, said[column.name]) for column in plain})

    def _check_free(self, one: Carried, said: Said) -> None:
        """What is unique in the whole installation, and there already: the event, or part of it, came before."""
        for column in columns(one.label):
            if not column.field.unique or column.target or f"{one.label}.{column.name}" in GIVES_WAY:
                continue
            at = {str(row[column.name]): index for index, row in enumerate(said)}
            for taken in _taken(one, column, list(at)):
                raise Refused(fault("here_already", inside(place(one, at[str(taken)]), column.name)))

    def _afterwards(self, one: Carried, made: Rows, said: Said) -> None:
        """What needs the rows to be there: ties among themselves, ties to many, times that the database puts."""
        late: list[str] = []
        for column in columns(one.label):
            if column.is_many:
                self._tie_many(column, made, said)
            elif column.target is model_of(one):
                for row, about in zip(made, said, strict=True):
                    named = about[column.name]
                    setattr(
                        row, column.field.name, None if named is None else self._rows[column.target][named]
                    )
                late.append(column.field.name)
            elif getattr(column.field, "auto_now_add", False):
                for row, about in zip(made, said, strict=True):
                    setattr(row, column.field.name, stored(column, about[column.name]))
                late.append(column.field.name)
        if late and made:
            model_of(one)._default_manager.bulk_update(made, late, batch_size=BATCH)

    def _tie_many(self, column: Column, made: Rows, said: Said) -> None:
        through, target = column.field.remote_field.through, column.target
        assert target is not None
        mine, other = column.field.m2m_field_name(), column.field.m2m_reverse_field_name()
        through._default_manager.bulk_create(
            [
                through(**{f"{mine}_id": row.pk, f"{other}_id": self._rows[target][named].pk})
                for row, about in zip(made, said, strict=True)
                for named in dict.fromkeys(about[column.name])
            ],
            batch_size=BATCH,
        )


GIVES_WAY: Final = frozenset({"tournament.Due.reference"})
"""Unique in an installation, and left empty where it is taken there (`understood`)."""


def row_of(said: Mapping[str, Any]) -> dict[str, Any]:
    return {name: said[name] for name in ("uuid", "account", "until")}


def _account(name: str) -> User:
    user = User(username=f"file-{get_random_string(16).lower()}", first_name=name, is_active=False)
    user.set_unusable_password()
    return user


def _taken(one: Carried, column: Column, values: list[str]) -> Iterator[Any]:
    for start in range(0, len(values), BATCH):
        asked = {f"{column.field.name}__in": values[start : start + BATCH]}
        yield from model_of(one)._default_manager.filter(**asked).values_list(column.field.name, flat=True)


def _as_it_is(made: Rows, said: Said, one: Carried, files: list[str]) -> Taken:
    return {}


def _insert(one: Carried, rows: Mapping[int, Any]) -> None:
    """All of them at once; where the database refuses, one by one, to say which."""
    if not rows:
        return
    manager = model_of(one)._default_manager
    try:
        with transaction.atomic():
            manager.bulk_create(rows.values(), batch_size=BATCH)
    except _DATABASE:
        raise Refused(_culprit(one, rows)) from None


def _culprit(one: Carried, rows: Mapping[int, Any]) -> Problem:
    for index, row in rows.items():
        try:
            row.pk = None
            with transaction.atomic():
                row.save(force_insert=True)
        except _DATABASE:
            return fault("row_does_not_fit", place(one, index))
    return fault("row_does_not_fit", inside("", one.section))
