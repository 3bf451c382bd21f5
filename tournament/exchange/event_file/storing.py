"""Putting the rows of a file into the database, in one transaction, beside whatever is there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import Model
from django.utils.crypto import get_random_string

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.arrivals import FormerAccount
from tournament.base.models.tournament import Tournament
from tournament.exchange.carried import CARRIED, OF_LABEL, Carried
from tournament.exchange.event_file.columns import EVENT, Column, columns, model_of, stored
from tournament.exchange.event_file.staff import SECTION as STAFF
from tournament.exchange.event_file.staff import Staff
from tournament.exchange.event_file.ties import place, rows_in
from tournament.exchange.event_file.understood import UNDERSTOOD, Rows, Said, Taken
from tournament.exchange.event_file.writing import key_of
from tournament.web.shapes import fault, inside

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
