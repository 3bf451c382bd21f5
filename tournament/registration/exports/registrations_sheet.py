"""All registrations as a spreadsheet, with answers and links: for organisers alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _

from tournament.base.models.registration import Question, Registration
from tournament.registration.texts.registration import answer_to, in_language
from tournament.web.exports.spreadsheets import Cell, csv_of, workbook_of

Link = Callable[[Registration], str]


def registrations_sheet(people: Iterable[Registration], questions: Iterable[Question], link: Link) -> bytes:
    """XLSX."""
    headings, *rows = _rows(people, list(questions), link)
    return workbook_of(_("Registrations"), [str(heading) for heading in headings], rows)


def registrations_csv(people: Iterable[Registration], questions: Iterable[Question], link: Link) -> bytes:
    """The same as CSV."""
    headings, *rows = _rows(people, list(questions), link)
    return csv_of([str(heading) for heading in headings], rows)


def _rows(people: Iterable[Registration], questions: list[Question], link: Link) -> list[list[Cell]]:
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
        *(in_language(one.text) for one in questions),
    ]
    return [headings, *(_row(one, questions, link) for one in people)]


def _row(one: Registration, questions: list[Question], link: Link) -> list[Cell]:
    agreed = [_("yes") if said else _("no") for said in (one.name_shown, one.photos_agreed)]
    return [
        *(
            one.number,
            one.last_name,
            one.first_name,
            one.country,
            one.ema_number,
            one.club,
            one.team,
            one.email,
        ),
        *(str(one.get_state_display()), one.player.number if one.player else None),
        *(one.made_at.date().isoformat(), *agreed, one.message, link(one)),
        *(answer_to(question, one) for question in questions),
    ]
