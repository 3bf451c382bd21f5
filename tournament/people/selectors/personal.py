"""All that is kept of one person in an event, as `people.kept` declares it: for them to be handed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.apps import apps
from django.db.models import Model, Q, QuerySet

from tournament.base.models.log_entry import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.people.kept import KEPT, Whose
from tournament.people.selectors.erasure import ABOUT, Subject

Rows = Callable[[Any, Subject], "QuerySet[Any]"]


def _of_player(*paths: str) -> Rows:
    """Rows that one of these names them in."""

    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        if subject.player is None:
            return model._default_manager.none()
        found = Q(pk__in=[])
        for path in paths:
            found |= Q(**{path: subject.player.pk})
        return model._default_manager.filter(found).distinct()

    return rows


def _of_registration(path: str) -> Rows:
    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        if subject.registration is None:
            return model._default_manager.none()
        return model._default_manager.filter(**{path: subject.registration.pk})

    return rows


def _either(one: Rows, other: Rows) -> Rows:
    def rows(model: type[Model], subject: Subject) -> QuerySet[Any]:
        keys = [
            *one(model, subject).values_list("pk", flat=True),
            *other(model, subject).values_list("pk", flat=True),
        ]
        return model._default_manager.filter(pk__in=keys)

    return rows


WHERE: Final[dict[str, Rows]] = {
    "tournament.Player": _of_player("pk"),
    "tournament.Person": _of_player("players"),
    "tournament.PersonName": _of_player("person__players"),
    "tournament.Registration": _of_registration("pk"),
    "tournament.Mail": _of_registration("registration"),
    "tournament.Due": _either(_of_registration("registration"), _of_player("player")),
    "tournament.Payment": _either(_of_registration("due__registration"), _of_player("due__player")),
    "tournament.Seat": _of_player("player"),
    "tournament.Hand": _of_player("winner", "discarder"),
    "tournament.Totals": _of_player("table__seats__player"),
    "penalties.Penalty": _of_player("player", "victim"),
    "tournament.Absence": _of_player("player"),
    "tournament.Appeal": _of_player("player"),
    "tournament.Signature": _of_player("player"),
    "tournament.Phone": _of_player("player"),
}
"""Model → its rows that are somebody's."""
OF_EVERYBODY: Final = {
    "tournament.LogEntry": "below, as sentences are made of it: what names them",
    "tournament.Announcement": "said to the hall, and kept of nobody in particular",
    "tournament.Ceremony": "the standings as they were read out",
    "tournament.Publication": "the standings as they were published",
    "tournament.DocumentJob": "the standings as a file",
    "tournament.Final": "who plays in it, by number",
    "tournament.Delivery": "what the public pages said, to programs and chats that the organiser chose",
}
"""Declared as people's, and no one person's: why nobody is handed it row by row."""
SECRET: Final = frozenset({"endpoint", "key", "secret"})
"""Whoever has these may write to a phone: that they are kept is said, and not which they are."""


def personal_data(subject: Subject) -> dict[str, Any]:
    """Plain values, to be written as JSON: what it is, why and until when, and the rows."""
    return {
        "tournament": _event(subject.tournament),
        "data": [_said(label, rows, subject) for label, rows in WHERE.items()],
        "log": [_entry(entry) for entry in _entries(subject)],
    }


def _event(tournament: Tournament) -> dict[str, str]:
    return {
        "name": tournament.name,
        "address": tournament.slug,
        "starts_on": tournament.starts_on.isoformat(),
    }


def _said(label: str, rows: Rows, subject: Subject) -> dict[str, Any]:
    declared = [kept for kept in KEPT[label] if kept.whose is Whose.PLAYER]
    model = apps.get_model(label)
    names = [name for kept in declared for name in kept.fields]
    return {
        "kept": label.partition(".")[2].lower(),
        "why": [
            {
                "what": str(kept.what),
                "why": str(kept.why),
                "until": str(kept.until.value if kept.until else ""),
            }
            for kept in declared
        ],
        "rows": [_row(row, names) for row in rows(model, subject).order_by("pk")],
    }


def _row(row: Model, names: list[str]) -> dict[str, Any]:
    return {name: "…" if name in SECRET else _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    """As JSON has it; who or where somebody else's row is, by what it is called by number."""
    match value:
        case Model():
            return getattr(value, "number", None) or str(value)
        case None | bool() | int() | float() | str() | list() | dict():
            return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _entries(subject: Subject) -> QuerySet[LogEntry]:
    asked = Q(pk__in=[])
    if subject.player is not None:
        for key in (*ABOUT, "winner", "discarder", "one", "other"):
            asked |= Q(**{f"data__{key}": subject.player.number})
    if subject.registration is not None:
        asked |= Q(data__registration=subject.registration.number)
    return subject.tournament.log.filter(asked).order_by("seq")


def _entry(entry: LogEntry) -> dict[str, Any]:
    """Without who wrote it: that is another person's."""
    return {"number": entry.seq, "at": entry.at.isoformat(), "action": entry.action, "data": entry.said}
