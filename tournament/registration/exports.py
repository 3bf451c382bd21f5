"""Import of registrations from a file, and their list for download."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.access import Right
from tournament.base.countries import find_country
from tournament.base.errors import Refused
from tournament.base.models.registration import Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import LIST_EMPTY
from tournament.base.selectors import registration_url
from tournament.players.exports.player_import import ROW_REPEATED
from tournament.players.exports.player_lists import NO_NAME_COLUMN, restore_zero, strip_spaces
from tournament.registration.selectors.plan import plan_of, questions_of
from tournament.registration.selectors.registrations import (
    ACTIVE_STATES,
    EDITABLE_FIELDS,
    identity_of,
    registration_problems,
)
from tournament.registration.texts import answer_to, in_language
from tournament.web.exports.headings import (
    are_full_names,
    columns_by_contents,
    columns_by_heading,
    folded,
    likely_name_order,
    split_name,
)
from tournament.web.exports.lists import Column, Kind, ListTable, Place, Reader
from tournament.web.exports.sheets import (
    Line,
    heading_row,
    likely_sheet,
    lines_of,
    notes_in,
    read_sheets,
)

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
    sheets = read_sheets(data)
    if not sheets:
        raise Refused(LIST_EMPTY())
    lines = lines_of(likely_sheet(sheets), MAX_LINES)
    heading = heading_row(lines)
    headings = next((line.cells for line in lines if line.number == heading), ())
    below = [line for line in lines if line.number > heading and line.cells != headings]
    columns = _columns(headings, [line.cells for line in below])
    if not below or "last_name" not in columns:
        raise Refused((NO_NAME_COLUMN if below else LIST_EMPTY)())
    name_columns = [index for index, name in enumerate(columns) if name in ("last_name", "first_name")]
    notes = notes_in(below, name_columns, heading)
    cells_by_row = {line.number: _cells_of(line, columns) for line in below if line.number not in notes}
    whole_names = [cells["last_name"] for cells in cells_by_row.values()]
    name_order = (
        likely_name_order(whole_names) if "first_name" not in columns and are_full_names(whole_names) else ""
    )
    registrations = {row: _registration(cells, name_order) for row, cells in cells_by_row.items()}
    return _check_rows(tournament, registrations)


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the field of each column; e-mail addresses are recognised by heading, else by their "@"."""
    if not rows:
        return []
    columns = columns_by_heading(headings, rows) if headings else columns_by_contents(rows)
    for index, heading in enumerate(headings):
        for name, words in _HEADINGS.items():
            if folded(heading) in words.split() and name not in columns:
                columns[index] = name
    for index in range(len(columns)):
        cells = [row[index] for row in rows if index < len(row) and row[index]]
        if cells and EMAIL not in columns and sum("@" in cell for cell in cells) * 4 >= len(cells) * 3:
            columns[index] = EMAIL
    return columns


def _cells_of(line: Line, columns: Sequence[str]) -> dict[str, str]:
    cells = dict.fromkeys(EDITABLE_FIELDS, "")
    return cells | {name: cell for name, cell in zip(columns, line.cells, strict=False) if name}


def _registration(cells: dict[str, str], name_order: str) -> Registration:
    """Build a registration. `name_order`: how whole names are split; "" if they are in two columns."""
    last, first = cells["last_name"], cells["first_name"]
    if name_order:
        last, first = split_name(last, name_order)
    ema_number = strip_spaces(cells["ema_number"])
    return Registration(
        last_name=last,
        first_name=first,
        country=find_country(cells["country"]) or cells["country"],
        email=cells["email"],
        ema_number=restore_zero(ema_number) or ema_number,
        club=cells["club"],
        team=cells["team"],
        message=cells["message"],
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
