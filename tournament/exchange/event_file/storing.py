"""Store the rows of a tournament file in the database, with the fields that follow from them."""

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

from penalties.selectors import exclusion_from
from scoring.engine.problems import Problem, problem_code
from tournament.base.access import Actor
from tournament.base.engine.names import name_key, repeated_names
from tournament.base.errors import Refused
from tournament.base.models.events import EventDocument
from tournament.base.models.tournament import FormerAccount, Tournament
from tournament.dues.models import Due
from tournament.events.services import FILE_OF_NO_KIND
from tournament.exchange.event_file.columns import Column, columns
from tournament.exchange.event_file.sections import SECTION_OF, SECTIONS, TOURNAMENT_SECTION, Section
from tournament.exchange.event_file.staff import STAFF_SECTION, Staff
from tournament.people.selectors import visible_people
from tournament.web.shapes import FIELD_NOT_ALLOWED, child_pointer, fault
from tournament.web.uploads import detect_kind, encode_logo, reencode_picture

HERE_ALREADY = problem_code("here_already", "this belongs to another event here.", also=("field",))
ROW_DOES_NOT_FIT = problem_code(
    "row_does_not_fit", "this contradicts another row, or itself.", also=("field",)
)

BATCH: Final = 500
_DATABASE_ERRORS: Final = (IntegrityError, DataError, ValidationError, OverflowError)
CLEARED_IF_TAKEN: Final = frozenset({"tournament.Due.reference"})
"""Fields that are unique in an installation, and left empty if their value is taken (`_prepare_dues`)."""

# --- Rows ---


def store_tournament(data: Mapping[str, Any], slug: str, files: list[str], actor: Actor) -> Tournament:
    """Store the tournament of a parsed file under the address `slug`. Raises Refused. Call it in a transaction.

    `files` receives the names of the files it stores, which the transaction does not roll back. People whom the actor
    may see are linked instead of created again.
    """
    return _Loader(data, slug, ImportContext(files, actor)).store()


@dataclass(frozen=True)
class ImportContext:
    """The names of the files stored so far, and who imports."""

    files: list[str]
    actor: Actor


class _Loader:
    def __init__(self, data: Mapping[str, Any], slug: str, context: ImportContext) -> None:
        self._data, self._context = data, context
        self._tournament: Tournament = self._unsaved(
            TOURNAMENT_SECTION, data[TOURNAMENT_SECTION.name] | {"slug": slug}
        )
        self._stored: defaultdict[type[Model], dict[Any, Model]] = defaultdict(dict)
        """Model → key in the file → stored row."""

    def store(self) -> Tournament:
        _insert(TOURNAMENT_SECTION, {0: self._tournament})
        self._store_staff()
        for section in SECTIONS:
            self._store_section(section)
        return self._tournament

    def _store_staff(self) -> None:
        """Create an account without a password for each, so that the log keeps their names."""
        file_rows = self._data[STAFF_SECTION]
        users = [_account(row["name"]) for row in file_rows]
        User.objects.bulk_create(users, batch_size=BATCH)
        names = ("uuid", "account", "until")
        FormerAccount.objects.bulk_create(
            FormerAccount(tournament=self._tournament, user=user, **{name: row[name] for name in names})
            for user, row in zip(users, file_rows, strict=True)
        )
        self._stored[Staff.MODEL] = {row["uuid"]: user for user, row in zip(users, file_rows, strict=True)}

    def _store_section(self, section: Section) -> None:
        file_rows = section.rows_in(self._data)
        _check_unique(section, file_rows)
        rows = [self._row(section, row) for row in file_rows]
        prepare = PREPARE.get(section.label)
        existing = prepare(rows, file_rows, section, self._context) if prepare else {}
        _insert(section, {index: row for index, row in enumerate(rows) if index not in existing})
        for index, (row, data) in enumerate(zip(rows, file_rows, strict=True)):
            self._stored[section.model][section.key_of(data, index + 1)] = existing.get(index, row)
        self._set_late_fields(section, rows, file_rows)

    def _row(self, section: Section, data: Mapping[str, Any]) -> Model:
        row: Model = self._unsaved(section, data)
        for field in row._meta.concrete_fields:
            if field.related_model is Tournament:
                setattr(row, field.name, self._tournament)
            elif field.related_model and field.related_model._meta.label in SECTION_OF:
                target = SECTION_OF[field.related_model._meta.label]
                if target.single:
                    setattr(row, field.name, next(iter(self._stored[target.model].values()), None))
        for column in columns(section.label):
            if column.target and not column.is_many and column.target is not type(row):
                setattr(row, column.field.name, self._related(column, data[column.name]))
        for name, label in section.json_keys.items():
            keys = {str(key): str(row.pk) for key, row in self._stored[SECTION_OF[label].model].items()}
            setattr(row, name, {keys[key]: value for key, value in data[name].items()})
        return row

    @staticmethod
    def _unsaved(section: Section, data: Mapping[str, Any]) -> Any:
        """Return an unsaved row, without relations and files."""
        simple = [column for column in columns(section.label) if not column.target and not column.is_file]
        return section.model(**{column.field.name: column.from_json(data[column.name]) for column in simple})

    def _related(self, column: Column, key: Any) -> Model | None:
        assert column.target is not None
        return None if key is None else self._stored[column.target][key]

    def _set_late_fields(self, section: Section, rows: Rows, file_rows: FileRows) -> None:
        """Set what needs stored rows: relations within the model, many-to-many relations, and `auto_now_add` times."""
        late_fields: list[str] = []
        for column in columns(section.label):
            name = column.field.name
            if column.is_many:
                self._store_many_to_many(column, rows, file_rows)
            elif column.target is section.model:
                for row, data in zip(rows, file_rows, strict=True):
                    setattr(row, name, self._related(column, data[column.name]))
                late_fields.append(name)
            elif getattr(column.field, "auto_now_add", False):
                for row, data in zip(rows, file_rows, strict=True):
                    setattr(row, name, column.from_json(data[column.name]))
                late_fields.append(name)
        if late_fields and rows:
            section.model._default_manager.bulk_update(rows, late_fields, batch_size=BATCH)

    def _store_many_to_many(self, column: Column, rows: Rows, file_rows: FileRows) -> None:
        through, target = column.field.remote_field.through, column.target
        assert target is not None
        source_name, target_name = column.field.m2m_field_name(), column.field.m2m_reverse_field_name()
        through._default_manager.bulk_create(
            [
                through(**{f"{source_name}_id": row.pk, f"{target_name}_id": self._stored[target][key].pk})
                for row, data in zip(rows, file_rows, strict=True)
                for key in dict.fromkeys(data[column.name])
            ],
            batch_size=BATCH,
        )


def _account(name: str) -> User:
    user = User(username=f"file-{get_random_string(16).lower()}", first_name=name, is_active=False)
    user.set_unusable_password()
    return user


def _check_unique(section: Section, file_rows: FileRows) -> None:
    """Raise Refused if a value that is unique in the installation is taken: the row was imported before."""
    for column in columns(section.label):
        if not column.field.unique or column.target or f"{section.label}.{column.name}" in CLEARED_IF_TAKEN:
            continue
        index_of = {str(row[column.name]): index for index, row in enumerate(file_rows)}
        for value in _taken_values(section, column, list(index_of)):
            pointer = section.row_pointer(index_of[str(value)])
            raise Refused(fault(HERE_ALREADY, child_pointer(pointer, column.name)))


def _taken_values(section: Section, column: Column, values: list[str]) -> Iterator[Any]:
    name = column.field.name
    for start in range(0, len(values), BATCH):
        rows = section.model._default_manager.filter(**{f"{name}__in": values[start : start + BATCH]})
        yield from rows.values_list(name, flat=True)


def _insert(section: Section, rows: Mapping[int, Any]) -> None:
    """Insert rows by their index in the section. Raises Refused with the first row that the database refuses."""
    if not rows:
        return
    try:
        with transaction.atomic():
            section.model._default_manager.bulk_create(rows.values(), batch_size=BATCH)
    except _DATABASE_ERRORS:
        raise Refused(_first_failure(section, rows)) from None


def _first_failure(section: Section, rows: Mapping[int, Any]) -> Problem:
    for index, row in rows.items():
        try:
            row.pk = None
            with transaction.atomic():
                row.save(force_insert=True)
        except _DATABASE_ERRORS:
            return fault(ROW_DOES_NOT_FIT, section.row_pointer(index))
    return fault(ROW_DOES_NOT_FIT, child_pointer("", section.name))


# --- Preparation by model ---


Rows = Sequence[Any]
FileRows = Sequence[Mapping[str, Any]]
ExistingRows = dict[int, Any]
"""Index of a row → the stored row that is used instead."""


def _prepare_persons(
    rows: Rows, file_rows: FileRows, section: Section, context: ImportContext
) -> ExistingRows:
    """Find people by EMA number and name, among those whom the actor may see.

    If a person of another name has the number, it stays with that person: an organiser decides who is who.
    """
    for row in rows:
        row.key = name_key(row.first_name, row.last_name)
    numbers = {row.ema_number for row in rows} - {""}
    people = list(visible_people(context.actor).filter(ema_number__in=numbers))
    known = {(person.ema_number, person.key): person for person in people}
    existing: ExistingRows = {}
    for index, row in enumerate(rows):
        if (person := known.get((row.ema_number, row.key))) is not None:
            existing[index] = person
        elif any(person.ema_number == row.ema_number for person in people):
            row.ema_number = ""
    return existing


def _prepare_players(
    rows: Rows, file_rows: FileRows, section: Section, context: ImportContext
) -> ExistingRows:
    """Mark the players who share their name with another one."""
    repeated = repeated_names({row.number: row.full_name for row in rows})
    for row in rows:
        row.has_namesake = row.number in repeated
    return {}


def _prepare_person_names(
    rows: Rows, file_rows: FileRows, section: Section, context: ImportContext
) -> ExistingRows:
    """Find the names that an existing person already has."""
    existing: ExistingRows = {}
    for index, row in enumerate(rows):
        row.key = name_key(row.name)
        if (name := row.person.names.filter(name=row.name).first()) is not None:
            existing[index] = name
    return existing


def _prepare_documents(
    rows: Rows, file_rows: FileRows, section: Section, context: ImportContext
) -> ExistingRows:
    """Store the files, a logo encoded again. Raises Refused if a content is not of the kind that the row says."""
    for index, (row, data) in enumerate(zip(rows, file_rows, strict=True)):
        content, pointer = base64.b64decode(data["file"]), child_pointer(section.row_pointer(index), "file")
        if detect_kind(content) != row.kind:
            raise Refused(fault(FILE_OF_NO_KIND, pointer))
        if row.is_logo:
            content = _reencode(encode_logo, content, pointer)
            row.kind = detect_kind(content)
        row.size = len(content)
        row.file.name = _store_file(f"event-{uuid4().hex}.{row.kind}", content, context.files)
    return {}


def _prepare_certificates(
    rows: Rows, file_rows: FileRows, section: Section, context: ImportContext
) -> ExistingRows:
    """Store the background picture, encoded again as an uploaded one is. Raises Refused if it is not a JPEG."""
    for index, (row, data) in enumerate(zip(rows, file_rows, strict=True)):
        content, pointer = base64.b64decode(data["file"]), child_pointer(section.row_pointer(index), "file")
        if content and detect_kind(content) != EventDocument.Kind.JPEG:
            raise Refused(fault(FILE_OF_NO_KIND, pointer))
        picture = _reencode(reencode_picture, content, pointer) if content else b""
        row.file.name = (
            _store_file(f"certificate-{uuid4().hex}.jpeg", picture, context.files) if picture else ""
        )
    return {}


def _reencode(encode: Callable[[bytes], bytes], content: bytes, pointer: str) -> bytes:
    try:
        return encode(content)
    except Refused as refused:
        raise Refused(problem.at(pointer) for problem in refused.problems) from None


def _store_file(name: str, content: bytes, files: list[str]) -> str:
    """Store a file and return its name, which is also appended to `files`."""
    files.append(default_storage.save(f"documents/{name}", ContentFile(content)))
    return files[-1]


def _prepare_dues(rows: Rows, file_rows: FileRows, section: Section, context: ImportContext) -> ExistingRows:
    """Clear the references that are taken: a reference is unique in the installation."""
    references = {row.reference for row in rows} - {None}
    taken = set(Due.objects.filter(reference__in=references).values_list("reference", flat=True))
    for row in rows:
        row.reference = None if row.reference in taken else row.reference
    return {}


def _prepare_mail(rows: Rows, file_rows: FileRows, section: Section, context: ImportContext) -> ExistingRows:
    """Raise Refused for mail that would be sent again."""
    for index, row in enumerate(rows):
        if row.state in (row.State.WAITING, row.State.SENDING):
            raise Refused(fault(FIELD_NOT_ALLOWED, child_pointer(section.row_pointer(index), "state")))
    return {}


def _prepare_penalties(
    rows: Rows, file_rows: FileRows, section: Section, context: ImportContext
) -> ExistingRows:
    """Set the exclusion of the players whom these penalties exclude."""
    for player in {row.player.pk: row.player for row in rows}.values():
        penalties = [row for row in rows if row.player.pk == player.pk]
        player.excluded_as, player.excluded_at = exclusion_from(penalties)
        player.save(update_fields=["excluded_as", "excluded_at"])
    return {}


PREPARE: Final[dict[str, Callable[[Rows, FileRows, Section, ImportContext], ExistingRows]]] = {
    "tournament.Person": _prepare_persons,
    "tournament.PersonName": _prepare_person_names,
    "tournament.Player": _prepare_players,
    "tournament.EventDocument": _prepare_documents,
    "tournament.CertificateDesign": _prepare_certificates,
    "tournament.Due": _prepare_dues,
    "tournament.Mail": _prepare_mail,
    "penalties.Penalty": _prepare_penalties,
}
"""Label of a model → what to do with its rows before they are inserted."""
