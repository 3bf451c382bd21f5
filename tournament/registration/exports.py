"""Registrations as lists: read from a file, and written as a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from scoring.engine.problems import Problem
from tournament.base.errors import refuse
from tournament.base.models.registration import Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.registration.selectors.registrations import ALIVE, Applicant, applicant_problems
from tournament.registration.texts import answer_to, in_language
from tournament.web.exports.headings import (
    are_whole,
    columns_by_contents,
    columns_by_heading,
    folded,
    likely_way,
    split_name,
)
from tournament.web.exports.sheets import (
    Cell,
    Line,
    csv_of,
    heading_row,
    likely_sheet,
    lines_of,
    notes_in,
    read_sheets,
    workbook_of,
)
from tournament.web.texts.words import find_country

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
    applicant: Applicant
    problems: tuple[Problem, ...]
    is_known: bool = False

    @property
    def name(self) -> str:
        return f"{self.applicant.first_name} {self.applicant.last_name}".strip()

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
        raise refuse("list_empty")
    lines = lines_of(likely_sheet(sheets), MOST)
    heading = heading_row(lines)
    headings = next((line.cells for line in lines if line.number == heading), ())
    below = [line for line in lines if line.number > heading and line.cells != headings]
    columns = _columns(headings, [line.cells for line in below])
    if not below or "last_name" not in columns:
        raise refuse("no_name_column" if below else "list_empty")
    names = [index for index, name in enumerate(columns) if name in ("last_name", "first_name")]
    notes = notes_in(below, names, heading)
    cells_by_row = {line.number: _cells_of(line, columns) for line in below if line.number not in notes}
    whole_names = [cells["last_name"] for cells in cells_by_row.values()]
    way = likely_way(whole_names) if "first_name" not in columns and are_whole(whole_names) else ""
    return _checked(tournament, {row: _applicant(cells, way) for row, cells in cells_by_row.items()})


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
    cells = dict.fromkeys(Applicant.__dataclass_fields__, "")
    return cells | {name: cell for name, cell in zip(columns, line.cells, strict=False) if name}


def _applicant(cells: dict[str, str], way: str) -> Applicant:
    """`way`: how whole names are parted; "" where they are not whole."""
    last, first = cells["last_name"], cells["first_name"]
    if way:
        last, first = split_name(last, way)
    return Applicant(
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


def _checked(tournament: Tournament, people: Mapping[int, Applicant]) -> list[Row]:
    alive = Registration.objects.filter(tournament=tournament, state__in=ALIVE)
    known = {_identity(*names) for names in alive.values_list("last_name", "first_name", "email")}
    rows: list[Row] = []
    seen: dict[tuple[str, str, str], int] = {}
    for number, applicant in people.items():
        problems = applicant_problems(applicant, by_themselves=False)
        identity = _identity(applicant.last_name, applicant.first_name, applicant.email)
        if (first := seen.setdefault(identity, number)) != number:
            problems.append(Problem("row_repeated", "last_name", {"row": first}))
        rows.append(Row(number, applicant, tuple(problems), identity in known))
    return rows


def _identity(last_name: str, first_name: str, email: str) -> tuple[str, str, str]:
    return last_name.casefold(), first_name.casefold(), email.casefold()


Link = Callable[[Registration], str]


def registrations_sheet(people: Iterable[Registration], questions: Iterable[Question], link: Link) -> bytes:
    """Write all registrations, with answers and links, as XLSX: for organisers alone."""
    headings, *rows = _sheet_rows(people, list(questions), link)
    return workbook_of(_("Registrations"), [str(heading) for heading in headings], rows)


def registrations_csv(people: Iterable[Registration], questions: Iterable[Question], link: Link) -> bytes:
    """Write the same as CSV."""
    headings, *rows = _sheet_rows(people, list(questions), link)
    return csv_of([str(heading) for heading in headings], rows)


def _sheet_rows(people: Iterable[Registration], questions: list[Question], link: Link) -> list[list[Cell]]:
    headings: list[Cell] = [
        *("number", "last name", "first name", "country", "EMA number", "club", "team", "e-mail"),
        *(
            _("State"),
            _("Player"),
            _("Registered"),
            _("Name on the list"),
            _("Photos"),
            _("Message"),
            _("Link"),
        ),
        *(in_language(question.text) for question in questions),
    ]
    return [headings, *(_sheet_row(registration, questions, link) for registration in people)]


def _sheet_row(registration: Registration, questions: list[Question], link: Link) -> list[Cell]:
    agreements = (registration.name_shown, registration.photos_agreed)
    agreed = [_("yes") if has_agreed else _("no") for has_agreed in agreements]
    return [
        *(
            registration.number,
            registration.last_name,
            registration.first_name,
            registration.country,
            registration.ema_number,
            registration.club,
            registration.team,
            registration.email,
        ),
        *(str(registration.get_state_display()), registration.player.number if registration.player else None),
        *(registration.made_at.date().isoformat(), *agreed, registration.message, link(registration)),
        *(answer_to(question, registration) for question in questions),
    ]
