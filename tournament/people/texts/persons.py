"""People as they are called where tournaments are put together, and why somebody is proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from scoring.texts import joined
from tournament.base.models.people import Person
from tournament.people.engine.likeness import Reason

REASONS: Final[Mapping[Reason, Promise]] = {
    Reason.EMA_NUMBER: _("same EMA number"),
    Reason.NAME: _("same name"),
    Reason.ALIAS: _("known under this name"),
    Reason.COUNTRY: _("same country"),
    Reason.CLUB: _("same club"),
}


def reasons_text(reasons: Iterable[Reason]) -> str:
    return joined(str(REASONS[reason]) for reason in reasons)


def proposed_lines(proposed: Iterable[tuple[Person, Iterable[Reason]]]) -> list[tuple[Person, str]]:
    """Each with why they are proposed."""
    return [(person, reasons_text(reasons)) for person, reasons in proposed]


def shown_name(person: Person) -> str:
    """The name, or the initials of who has asked not to be shown."""
    if not person.is_hidden:
        return person.name
    return " ".join(f"{part[0].upper()}." for part in (person.first_name, person.last_name) if part)


def person_slug(person: Person) -> str:
    """What stands in the address: the key, and the name for who may read it."""
    name = "" if person.is_hidden else slugify(person.name, allow_unicode=True)
    return f"{person.pk}-{name}" if name else str(person.pk)
