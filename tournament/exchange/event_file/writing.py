"""Write a tournament as the data of a tournament file."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db.models import Model

from tournament.base.database import read_snapshot
from tournament.base.models.tournament import Tournament
from tournament.exchange.event_file.columns import Column, columns
from tournament.exchange.event_file.encoding import FORMAT, VERSION, digests_of
from tournament.exchange.event_file.sections import SECTION_OF, SECTIONS, TOURNAMENT_SECTION, Section
from tournament.exchange.event_file.staff import STAFF_SECTION, Staff
from tournament.messages.mail.models import Mail
from tournament.privacy.retention import RETENTION_RULES, Until

Row = dict[str, Any]
FINAL_MAIL_STATES: Final = dict.fromkeys((Mail.State.WAITING, Mail.State.SENDING), Mail.State.NOT_SENT)
"""State of mail that is being sent → its state in the file, so that it is not sent again where it is imported."""


def tournament_data(
    tournament: Tournament, *, contacts: bool = False, extra: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the data of the file: all sections, their rows in the order they were created, and their digests.

    Without `contacts`, contact data and messages are left out. `extra` contains further sections.
    """
    with read_snapshot():
        tournament.refresh_from_db()
        data = {"contact_data": contacts, **_Writer(tournament, contacts).sections(), **extra}
    return {"format": FORMAT, "version": VERSION, "digests": digests_of(data), **data}


class _Writer:
    def __init__(self, tournament: Tournament, contacts: bool) -> None:
        self._tournament = tournament
        self._contacts = contacts
        self._staff = Staff(tournament)
        self._keys: defaultdict[type[Model], dict[Any, Any]] = defaultdict(dict)
        """Model → primary key → key in the file."""

    def sections(self) -> dict[str, Any]:
        sections: dict[str, Any] = {"tournament": self._row(TOURNAMENT_SECTION, self._tournament, {})}
        for section in SECTIONS:
            rows = list(self._rows(section))
            sections[section.name] = (rows[0] if rows else None) if section.single else rows
        return sections | {STAFF_SECTION: self._staff.rows()}

    def _rows(self, section: Section) -> Iterator[Row]:
        if not self._contacts and _is_all_contact(section.label):
            return
        many = {
            column.name: self._related_keys(section, column)
            for column in columns(section.label)
            if column.is_many
        }
        rows = section.rows_of(self._tournament).iterator(chunk_size=2000)
        for number, row in enumerate(rows, 1):
            if self._staff.leaves_out(row):
                continue
            values = self._row(section, row, many)
            self._keys[section.model][row.pk] = section.key_of(values, number)
            yield values

    def _row(self, section: Section, row: Model, many: Mapping[str, Mapping[Any, list[Any]]]) -> Row:
        values: Row = {}
        for column in columns(section.label):
            if column.is_many:
                value = sorted(many[column.name].get(row.pk, ()))
            elif column.target:
                value = self._key(column.target, getattr(row, column.field.attname))
            elif not self._contacts and column.field.name in _contact_fields(section.label):
                value = column.field.get_default()
            else:
                value = column.to_json(getattr(row, column.field.attname))
            values[column.name] = value
        if isinstance(row, Mail):
            values["state"] = FINAL_MAIL_STATES.get(Mail.State(row.state), row.state)
        for name, label in section.json_keys.items():
            # An answer to a question that was deleted cannot be exported: nothing in the file says what it answers.
            keys = {str(pk): str(key) for pk, key in self._keys[SECTION_OF[label].model].items()}
            values[name] = {keys[key]: value for key, value in values[name].items() if key in keys}
        return values

    def _related_keys(self, section: Section, column: Column) -> dict[Any, list[Any]]:
        """Return primary key → keys in the file of the rows it is related to by a many-to-many field."""
        through, related = column.field.remote_field.through, defaultdict(list)
        source, target = column.field.m2m_column_name(), column.field.m2m_reverse_name()
        links = through._default_manager.filter(
            **{f"{column.field.m2m_field_name()}__in": section.rows_of(self._tournament)}
        )
        assert column.target is not None
        for pk, target_pk in links.values_list(source, target):
            related[pk].append(self._key(column.target, target_pk))
        return related

    def _key(self, model: type[Model], pk: Any) -> Any:
        if pk is None:
            return None
        return self._staff.uuid(pk) if model is Staff.MODEL else self._keys[model][pk]


def _is_all_contact(label: str) -> bool:
    """Return whether rows of a model are nothing but contact data, as mail is."""
    return "to" in _contact_fields(label)


def _contact_fields(label: str) -> frozenset[str]:
    """Return the fields with contact data and messages, which are deleted some days after the event."""
    rows = (row for row in RETENTION_RULES.get(label, ()) if row.until is Until.CONTACT)
    return frozenset(name for row in rows for name in row.fields)
