"""The list of registrations."""

from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right
from tournament.base.models.registration import CANCELLED_STATES, Question
from tournament.base.selectors import registration_url
from tournament.registration.selectors.plan import plan_of, questions_of
from tournament.registration.texts import answer_to, in_language
from tournament.web.exports.lists import Column, Kind, ListTable, Place, Reader


def _yes_or_no(has_agreed: bool) -> str:
    return gettext("yes") if has_agreed else gettext("no")


def _columns_of(reader: Reader) -> list[Column]:
    plan = plan_of(reader.tournament)
    return [*_COLUMNS, *map(_answer_column, questions_of(plan) if plan else ())]


def _answer_column(question: Question) -> Column:
    return Column(
        f"answer_{question.pk}",
        in_language(question.text),
        lambda registration: answer_to(question, registration),
        is_optional=True,
    )


_COLUMNS: Final = (
    Column(
        "choose",
        _("Choose"),
        lambda registration: None,
        Kind.CONTROL,
        cell="registration/_choose_cell.html",
        place=Place.PAGE,
    ),
    Column(
        "name",
        _("Name"),
        lambda registration: registration.name,
        Kind.NAME,
        cell="registration/_name_cell.html",
        place=Place.PAGE,
    ),
    Column("number", "number", lambda registration: registration.number, place=Place.FILES),
    Column("last_name", "last name", lambda registration: registration.last_name, place=Place.FILES),
    Column("first_name", "first name", lambda registration: registration.first_name, place=Place.FILES),
    Column("country", "country", lambda registration: registration.country, place=Place.FILES),
    Column(
        "country",
        _("Country"),
        lambda registration: registration.country,
        cell="components/country_cell.html",
        place=Place.PAGE,
        is_wide=True,
    ),
    Column("ema_number", "EMA number", lambda registration: registration.ema_number, is_optional=True),
    Column("club", "club", lambda registration: registration.club, place=Place.FILES),
    Column("team", "team", lambda registration: registration.team, place=Place.FILES),
    Column("email", "e-mail", lambda registration: registration.email, place=Place.FILES),
    Column("club", _("Club"), lambda registration: registration.club, place=Place.PAGE, is_wide=True),
    Column("team", _("Team"), lambda registration: registration.team, place=Place.PAGE, is_optional=True),
    Column("email", _("E-mail"), lambda registration: registration.email, place=Place.PAGE, is_optional=True),
    Column(
        "state",
        _("State"),
        lambda registration: str(registration.get_state_display()),
        code=lambda registration: registration.state,
        cell="registration/_state_cell.html",
    ),
    Column(
        "player",
        _("Player"),
        lambda registration: registration.player.number if registration.player else None,
        is_optional=True,
    ),
    Column(
        "registered",
        _("Registered"),
        lambda registration: registration.made_at.date().isoformat(),
        is_optional=True,
    ),
    Column(
        "name_shown",
        _("Name on the list"),
        lambda registration: _yes_or_no(registration.name_shown),
        code=lambda registration: registration.name_shown,
        is_optional=True,
    ),
    Column(
        "photos_agreed",
        _("Photos"),
        lambda registration: _yes_or_no(registration.photos_agreed),
        code=lambda registration: registration.photos_agreed,
        is_optional=True,
    ),
    Column("message", _("Message"), lambda registration: registration.message, is_optional=True),
    Column("link", _("Link"), registration_url, place=Place.FILES),
)
"""Those in files have English headings, which the import recognises."""

REGISTRATIONS = ListTable(
    "registrations",
    _("Registrations"),
    columns=_columns_of,
    rows=lambda reader: reader.tournament.registrations.select_related("player", "tournament").order_by(
        "number"
    ),
    right=Right.ADMIT,
    path="registrations",
    row_id=lambda registration: f"r{registration.number}",
    is_off=lambda registration: registration.state in CANCELLED_STATES,
    layout="people",
)
"""All registrations with their answers and links."""
