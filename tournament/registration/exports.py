"""Registrations as lists: read from a file, and to be taken away."""

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
from tournament.base.selectors import link_of
from tournament.players.exports.player_import import ROW_REPEATED
from tournament.players.exports.player_lists import NO_NAME_COLUMN
from tournament.registration.selectors.plan import asked_by, plan_of
from tournament.registration.selectors.registrations import ALIVE, SAID, problems_with
from tournament.registration.texts import answer_to, in_language
from tournament.web.exports.headings import (
    are_whole,
    columns_by_contents,
    columns_by_heading,
    folded,
    likely_way,
    split_name,
)
from tournament.web.exports.lists import Column, ListTable, Reader
from tournament.web.exports.sheets import (
    Line,
    heading_row,
    likely_sheet,
    lines_of,
    notes_in,
    read_sheets,
)

MOST: Final = 6000
"""Lines of a list: more have never registered for anything here."""
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
    """A line of a list: who it is, what is wrong with it, and whether they are registered already."""

    number: int
    registration: Registration
    problems: tuple[Problem, ...]
    is_known: bool = False

    @property
    def is_wanted(self) -> bool:
        return not self.problems and not self.is_known


def read_registrations(tournament: Tournament, data: bytes) -> list[Row]:
    """Read the people in a file; refused when it cannot be read or holds nobody.

    They are read like lists of players, as web forms and spreadsheets have them, with an address besides. Nothing is
    stored; what is wrong is said by row, and the others could be entered.
    """
    sheets = read_sheets(data)
    if not sheets:
        raise Refused(LIST_EMPTY())
    lines = lines_of(likely_sheet(sheets), MOST)
    heading = heading_row(lines)
    headings = next((line.cells for line in lines if line.number == heading), ())
    below = [line for line in lines if line.number > heading and line.cells != headings]
    columns = _columns(headings, [line.cells for line in below])
    if not below or "last_name" not in columns:
        raise Refused((NO_NAME_COLUMN if below else LIST_EMPTY)())
    names = [index for index, name in enumerate(columns) if name in ("last_name", "first_name")]
    notes = notes_in(below, names, heading)
    cells_by_row = {line.number: _cells_of(line, columns) for line in below if line.number not in notes}
    whole_names = [cells["last_name"] for cells in cells_by_row.values()]
    way = likely_way(whole_names) if "first_name" not in columns and are_whole(whole_names) else ""
    return _checked(tournament, {row: _registration(cells, way) for row, cells in cells_by_row.items()})


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A field for each column; the address by its heading, else by the sign that every address has."""
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
    cells = dict.fromkeys(SAID, "")
    return cells | {name: cell for name, cell in zip(columns, line.cells, strict=False) if name}


def _registration(cells: dict[str, str], way: str) -> Registration:
    """`way`: how whole names are parted; "" where they are not whole."""
    last, first = cells["last_name"], cells["first_name"]
    if way:
        last, first = split_name(last, way)
    return Registration(
        last_name=last,
        first_name=first,
        country=find_country(cells["country"]) or cells["country"],
        email=cells["email"],
        ema_number=_with_zero(cells["ema_number"].replace(" ", "")),
        club=cells["club"],
        team=cells["team"],
        message=cells["message"],
    )


def _with_zero(ema_number: str) -> str:
    """A spreadsheet takes the zero away that a number begins with."""
    return f"0{ema_number}" if len(ema_number) == 7 and ema_number.isdecimal() else ema_number


def _checked(tournament: Tournament, people: Mapping[int, Registration]) -> list[Row]:
    alive = Registration.objects.filter(tournament=tournament, state__in=ALIVE)
    known = {_identity(*names) for names in alive.values_list("last_name", "first_name", "email")}
    rows: list[Row] = []
    seen: dict[tuple[str, str, str], int] = {}
    for number, registration in people.items():
        problems = problems_with(registration, by_themselves=False)
        identity = _identity(registration.last_name, registration.first_name, registration.email)
        if (first := seen.setdefault(identity, number)) != number:
            problems.append(ROW_REPEATED("last_name", row=first))
        rows.append(Row(number, registration, tuple(problems), identity in known))
    return rows


def _identity(last_name: str, first_name: str, email: str) -> tuple[str, str, str]:
    return last_name.casefold(), first_name.casefold(), email.casefold()


# --- The list of registrations ---


def _yes_or_no(has_agreed: bool) -> str:
    return gettext("yes") if has_agreed else gettext("no")


def _columns_of(reader: Reader) -> list[Column]:
    plan = plan_of(reader.tournament)
    return [*_COLUMNS, *map(_answer_column, asked_by(plan) if plan else ())]


def _answer_column(question: Question) -> Column:
    return Column(
        f"answer_{question.pk}",
        in_language(question.text),
        lambda registration: answer_to(question, registration),
    )


_COLUMNS: Final = (
    Column("number", "number", lambda registration: registration.number),
    Column("last_name", "last name", lambda registration: registration.last_name),
    Column("first_name", "first name", lambda registration: registration.first_name),
    Column("country", "country", lambda registration: registration.country),
    Column("ema_number", "EMA number", lambda registration: registration.ema_number),
    Column("club", "club", lambda registration: registration.club),
    Column("team", "team", lambda registration: registration.team),
    Column("email", "e-mail", lambda registration: registration.email),
    Column(
        "state",
        _("State"),
        lambda registration: str(registration.get_state_display()),
        code=lambda registration: registration.state,
    ),
    Column(
        "player",
        _("Player"),
        lambda registration: registration.player.number if registration.player else None,
    ),
    Column("registered", _("Registered"), lambda registration: registration.made_at.date().isoformat()),
    Column(
        "name_shown",
        _("Name on the list"),
        lambda registration: _yes_or_no(registration.name_shown),
        code=lambda registration: registration.name_shown,
    ),
    Column(
        "photos_agreed",
        _("Photos"),
        lambda registration: _yes_or_no(registration.photos_agreed),
        code=lambda registration: registration.photos_agreed,
    ),
    Column("message", _("Message"), lambda registration: registration.message),
    Column("link", _("Link"), link_of),
)
"""The first have the headings that the import reads."""

REGISTRATIONS = ListTable(
    "registrations",
    _("Registrations"),
    columns=_columns_of,
    rows=lambda reader: reader.tournament.registrations.select_related("player", "tournament").order_by(
        "number"
    ),
    right=Right.ADMIT,
    path="registrations",
)
"""Everybody, with what they answered and their links."""
