"""Writing the file: every section as `exchange.carried` says, its rows in the order they were made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db.models import Model, QuerySet

from tournament.base.models.tournament import Tournament
from tournament.base.snapshot import one_moment
from tournament.exchange.carried import CARRIED, OF_LABEL, Carried
from tournament.exchange.event_file.canonical import digests_of, text_of
from tournament.exchange.event_file.columns import EVENT, Column, columns, model_of, plain
from tournament.exchange.event_file.staff import Staff
from tournament.exchange.event_file.versions import FORMAT, VERSION
from tournament.messages.mail.models import Mail
from tournament.people.kept import KEPT, Until

Row = dict[str, Any]
UNDER_WAY: Final = {Mail.State.WAITING: Mail.State.NOT_SENT, Mail.State.SENDING: Mail.State.UNCLEAR}
"""A letter on its way is not sent again wherever the file goes: as far as the file knows, this became of it."""


def data_of(tournament: Tournament, *, contacts: bool = True, beside: Mapping[str, Any]) -> dict[str, Any]:
    """The file as plain data. `contacts`: with what people can be reached by, and what they wrote; `beside`: sections
    that others make."""
    with one_moment():
        tournament.refresh_from_db()
        data = {"contact_data": contacts, **_Writer(tournament, contacts).sections(), **beside}
    return {"format": FORMAT, "version": VERSION, "digests": digests_of(data), **data}


def written(data: Mapping[str, Any]) -> bytes:
    return text_of(data).encode()


class _Writer:
    def __init__(self, tournament: Tournament, contacts: bool) -> None:
        self._tournament = tournament
        self._contacts = contacts
        self._staff = Staff(tournament)
        self._keys: defaultdict[type[Model], dict[Any, Any]] = defaultdict(dict)
        """Model → primary key → what the row is called in the file."""

    def sections(self) -> dict[str, Any]:
        found: dict[str, Any] = {"tournament": self._row(EVENT, self._tournament, {})}
        for one in CARRIED:
            rows = list(self._rows(one))
            found[one.section] = (rows[0] if rows else None) if one.single else rows
        return found | {"staff": self._staff.rows()}

    def _rows(self, one: Carried) -> Iterator[Row]:
        if not self._contacts and _is_all_contact(one.label):
            return
        many = {column.name: self._many(one, column) for column in columns(one.label) if column.is_many}
        for number, row in enumerate(rows_of(one, self._tournament).iterator(chunk_size=2000), 1):
            if self._staff.leaves_out(row):
                continue
            said = self._row(one, row, many)
            self._keys[model_of(one)][row.pk] = key_of(one, said, number)
            yield said

    def _row(self, one: Carried, row: Model, many: Mapping[str, Mapping[Any, list[Any]]]) -> Row:
        found = {}
        for column in columns(one.label):
            if column.is_many:
                value = sorted(many[column.name].get(row.pk, ()))
            elif column.target:
                value = self._named(column.target, getattr(row, column.field.attname))
            elif self._is_kept_back(one, column):
                value = column.field.get_default()
            else:
                value = plain(column, getattr(row, column.field.attname))
            found[column.name] = value
        return self._keyed(one, found) if one.keyed else _settled(row, found)

    def _many(self, one: Carried, column: Column) -> dict[Any, list[Any]]:
        """Primary key → what it is tied to, by name."""
        through, found = column.field.remote_field.through, defaultdict(list)
        mine, other = column.field.m2m_column_name(), column.field.m2m_reverse_name()
        rows = through._default_manager.filter(
            **{f"{column.field.m2m_field_name()}__in": rows_of(one, self._tournament)}
        )
        assert column.target is not None
        for key, named in rows.values_list(mine, other):
            found[key].append(self._named(column.target, named))
        return found

    def _named(self, target: type[Model], key: Any) -> Any:
        if key is None:
            return None
        return self._staff.uuid(key) if target is Staff.MODEL else self._keys[target][key]

    def _keyed(self, one: Carried, said: Row) -> Row:
        """What is asked no more has no name, so nobody could read an answer to it."""
        for name, label in one.keyed.items():
            keys = {str(pk): str(key) for pk, key in self._keys[model_of(OF_LABEL[label])].items()}
            said[name] = {keys[key]: value for key, value in said[name].items() if key in keys}
        return said

    def _is_kept_back(self, one: Carried, column: Column) -> bool:
        return not self._contacts and column.field.name in contact_fields(one.label)


def rows_of(one: Carried, tournament: Tournament) -> QuerySet[Any]:
    found = model_of(one)._default_manager.filter(**{one.of: tournament.pk}).order_by("pk")
    return found if one.of == "tournament" else found.distinct()


def key_of(one: Carried, said: Mapping[str, Any], number: int) -> Any:
    """What a row is called in the file: its place, from 1, where nothing else names it."""
    if not one.key:
        return number
    parts = [said[one.names.get(name, name)] for name in one.key]
    return parts[0] if len(parts) == 1 else "/".join(map(str, parts))


def contact_fields(label: str) -> frozenset[str]:
    """What people can be reached by, and what they wrote: what is deleted some days after the event."""
    rows = (row for row in KEPT.get(label, ()) if row.until is Until.CONTACT)
    return frozenset(name for row in rows for name in row.fields)


def _is_all_contact(label: str) -> bool:
    """Letters are nothing else."""
    return "to" in contact_fields(label)


def _settled(row: Model, said: Row) -> Row:
    if isinstance(row, Mail):
        said["state"] = UNDER_WAY.get(Mail.State(row.state), row.state)
    return said
