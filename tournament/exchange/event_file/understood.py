"""What a file does not say of a row because it follows, or because it is another thing in every installation."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from tournament.base.errors import Refused
from tournament.base.models.people import Person
from tournament.dues.models import Due
from tournament.events.models.event_page import EventDocument
from tournament.events.selectors.event_page import kind_of
from tournament.exchange.carried import Carried
from tournament.exchange.event_file.ties import place
from tournament.people.selectors.known_people import name_key
from tournament.web.shapes import fault, inside

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
