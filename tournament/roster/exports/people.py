"""The list of an event's people, with the columns that the reader may see."""

from collections.abc import Callable
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right, may
from tournament.base.models.registration import Question, Registration
from tournament.base.selectors import registration_url
from tournament.dues.texts import STANDINGS
from tournament.registration.selectors.plan import plan_of, questions_of
from tournament.registration.texts import answer_to, in_language
from tournament.roster.engine import Part
from tournament.roster.selectors.people import RosterEntry, list_people, sees_dues
from tournament.roster.texts import PARTS
from tournament.web.exports.lists import Column, Kind, ListTable, Place, Reader


def _columns_of(reader: Reader) -> list[Column]:
    """Return the columns: those of registrations for who admits people, those of dues for who may see them."""
    event = reader.tournament
    admits = may(reader.actor, event, Right.ADMIT)
    has_fees = sees_dues(reader.actor, event) and event.fees.exists()
    columns = list(_CHOICE if has_fees or (admits and event.registrations.exists()) else ())
    columns += _NUMBER if event.players.exists() else ()
    columns += _PARTICULARS
    columns += _DUES if has_fees else ()
    if admits:
        plan = plan_of(event)
        columns += [*_REGISTRATION, *map(_answer_column, questions_of(plan) if plan else ())]
    return columns


def _registered(value: Callable[[Registration], Any]) -> Callable[[RosterEntry], Any]:
    """Return the value of a registration; empty for players without one."""
    return lambda entry: value(entry.registration) if entry.registration else ""


def _due(value: Callable[[Any], Any]) -> Callable[[RosterEntry], Any]:
    """Return the value of a ledger; empty for people without a fee."""
    return lambda entry: value(entry.ledger) if entry.ledger else ""


def _agreement(name: str, label: Any) -> Column:
    return Column(
        name,
        label,
        _registered(lambda registration: gettext("yes") if getattr(registration, name) else gettext("no")),
        code=_registered(lambda registration: getattr(registration, name)),
        is_optional=True,
    )


def _answer_column(question: Question) -> Column:
    return Column(
        f"answer_{question.pk}",
        in_language(question.text),
        _registered(lambda registration: answer_to(question, registration)),
        is_optional=True,
    )


def _shared(name: str, heading: str, label: Any, **options: Any) -> tuple[Column, Column]:
    """Return the columns of a field for files, with an English heading that the import recognises, and for pages."""

    def value(entry: RosterEntry) -> Any:
        return getattr(entry.record, name)

    return (
        Column(name, heading, value, place=Place.FILES),
        Column(name, label, value, place=Place.PAGE, **options),
    )


_CHOICE: Final = (
    Column(
        "choose",
        _("Choose"),
        lambda entry: None,
        Kind.CONTROL,
        cell="roster/_choose_cell.html",
        place=Place.PAGE,
    ),
)
_NUMBER: Final = (
    Column("player", _("No."), lambda entry: entry.player.number if entry.player else None, Kind.FIGURE),
)
_PARTICULARS: Final = (
    Column(
        "name",
        _("Name"),
        lambda entry: entry.name,
        Kind.NAME,
        cell="roster/_name_cell.html",
        place=Place.PAGE,
    ),
    Column("last_name", "last name", lambda entry: entry.record.last_name, place=Place.FILES),
    Column("first_name", "first name", lambda entry: entry.record.first_name, place=Place.FILES),
    Column("second_name", "second name", lambda entry: entry.record.second_name, place=Place.FILES),
    *_shared("country", "country", _("Country"), cell="components/country_cell.html", is_wide=True),
    *_shared("ema_number", "EMA number", _("EMA number"), is_wide=True, is_optional=True),
    *_shared("club", "club", _("Club"), is_wide=True),
    *_shared("team", "team", _("Team"), is_wide=True, is_optional=True),
    Column(
        "state",
        _("Status"),
        lambda entry: str(PARTS[entry.part]),
        code=lambda entry: entry.part.value,
        cell="roster/_status_cell.html",
        sort=lambda entry: list(Part).index(entry.part),
    ),
)
_DUES: Final = (
    Column(
        "category",
        _("Category"),
        _due(lambda ledger: ledger.due.fee.name if ledger.due.fee else ""),
        is_wide=True,
        is_optional=True,
    ),
    Column("owed", _("Price"), _due(lambda ledger: ledger.balance.owed), Kind.FIGURE, is_optional=True),
    Column("paid", _("Paid"), _due(lambda ledger: ledger.balance.paid), Kind.FIGURE, is_optional=True),
    Column("open", _("Unpaid"), _due(lambda ledger: ledger.balance.open), Kind.FIGURE, is_optional=True),
    Column(
        "standing",
        _("Payment"),
        _due(lambda ledger: str(STANDINGS[ledger.standing])),
        code=_due(lambda ledger: ledger.standing.value),
        cell="roster/_payment_cell.html",
        is_wide=True,
    ),
    Column("reference", _("Reference"), _due(lambda ledger: ledger.due.reference or ""), is_optional=True),
)
_REGISTRATION: Final = (
    Column("email", "e-mail", lambda entry: entry.email, place=Place.FILES),
    Column("email", _("E-mail"), lambda entry: entry.email, place=Place.PAGE, is_optional=True),
    Column(
        "number", "registration", _registered(lambda registration: registration.number), place=Place.FILES
    ),
    Column(
        "registered",
        _("Registered"),
        _registered(lambda registration: registration.made_at.date().isoformat()),
        is_optional=True,
    ),
    _agreement("name_shown", _("Name on the list")),
    _agreement("photos_agreed", _("Photos")),
    Column("message", _("Message"), _registered(lambda registration: registration.message), is_optional=True),
    Column("link", _("Link"), _registered(registration_url), place=Place.FILES),
)

PEOPLE = ListTable(
    "people",
    _("People"),
    columns=_columns_of,
    rows=lambda reader: list_people(reader.tournament, reader.actor),
    right=Right.ADMIT,
    path="people",
    row_id=lambda entry: entry.key,
    is_off=lambda entry: entry.part is Part.LEFT,
    layout="people",
)
"""Everybody of an event, with answers, payments and links."""
