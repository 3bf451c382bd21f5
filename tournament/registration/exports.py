"""Import of registrations from a file, and their list for download."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.access import Right
from tournament.base.countries import find_country
from tournament.base.errors import Refused
from tournament.base.models.registration import Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_url
from tournament.players.exports.player_import import ROW_REPEATED
from tournament.players.exports.player_lists import (
    NO_NAME_COLUMN,
    PlayerList,
    read_list,
    restore_zero,
    strip_spaces,
)
from tournament.registration.selectors.plan import plan_of, questions_of
from tournament.registration.selectors.registrations import (
    ACTIVE_STATES,
    identity_of,
    registration_problems,
)
from tournament.registration.texts import answer_to, in_language
from tournament.web.exports.headings import (
    folded,
    likely_name_order,
)
from tournament.web.exports.lists import Column, Kind, ListTable, Place, Reader

MAX_LINES: Final = 6000
"""Of an imported file."""
EMAIL, MESSAGE = "email", "message"
_HEADINGS: Final = {
    EMAIL: """
        email emailaddress mail mailaddress courriel adressemail adresseemail emailadresse mailadresse correo
        correoelectronico posta epost sahkoposti 邮箱 郵箱 电子邮箱 電子郵箱 电子邮件 電子郵件""",
    MESSAGE: """
        message comment comments remark remarks notes note bemerkung bemerkungen nachricht remarque
        备注 備註 留言""",
}


@dataclass(frozen=True)
class Row:
    number: int
    registration: Registration
    problems: tuple[Problem, ...]
    is_registered: bool = False

    @property
    def can_be_added(self) -> bool:
        return not self.problems and not self.is_registered


def read_registrations(tournament: Tournament, data: bytes) -> list[Row]:
    """Read a file like a list of players, with e-mail addresses. Nothing is stored.

    Raises Refused when it cannot be read or has no people; problems of single rows are in the rows.
    """
    people = read_list(data, maximum=MAX_LINES)
    people = replace(people, columns=tuple(_fields(people)))
    if "last_name" not in people.columns:
        raise Refused(NO_NAME_COLUMN())
    people = people.with_split(likely_name_order(people.whole_names))
    return _check_rows(
        tournament,
        {
            line.number: _registration(people.cells(line))
            for line in people.lines
            if line.number not in people.notes
        },
    )


def _fields(people: PlayerList) -> list[str]:
    """Return the field of each column; e-mail addresses are recognised by heading, else by their "@"."""
    columns = list(people.columns)
    for index, heading in enumerate(people.headings):
        for name, words in _HEADINGS.items():
            if folded(heading) in words.split() and name not in columns:
                columns[index] = name
    for index in range(len(columns)):
        cells = [line.cells[index] for line in people.lines if index < len(line.cells) and line.cells[index]]
        if cells and EMAIL not in columns and sum("@" in cell for cell in cells) * 4 >= len(cells) * 3:
            columns[index] = EMAIL
    return columns


def _registration(cells: Mapping[str, str]) -> Registration:
    ema_number = strip_spaces(cells["ema_number"])
    return Registration(
        last_name=cells["last_name"],
        first_name=cells["first_name"],
        country=find_country(cells["country"]) or cells["country"],
        email=cells.get(EMAIL, ""),
        ema_number=restore_zero(ema_number) or ema_number,
        club=cells["club"],
        team=cells["team"],
        message=cells.get(MESSAGE, ""),
    )


def _check_rows(tournament: Tournament, registrations: Mapping[int, Registration]) -> list[Row]:
    active = Registration.objects.filter(tournament=tournament, state__in=ACTIVE_STATES)
    registered = {identity_of(registration) for registration in active}
    rows: list[Row] = []
    seen: dict[tuple[str, str], int] = {}
    for number, registration in registrations.items():
        problems = registration_problems(registration, is_self_service=False)
        identity = identity_of(registration)
        if (first := seen.setdefault(identity, number)) != number:
            problems.append(ROW_REPEATED("last_name", row=first))
        rows.append(Row(number, registration, tuple(problems), identity in registered))
    return rows


# --- The list of registrations ---


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
    is_off=lambda registration: registration.state in ("cancelled", "declined"),
    layout="people",
)
"""All registrations with their answers and links."""
