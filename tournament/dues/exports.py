"""Dues as a sheet for the accounts: a line a person, amounts as numbers; CSV for programs, XLSX for people.

No address is in it: it is passed on to treasurers and clubs.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from django.utils.translation import gettext as _

from scoring.texts import joined
from tournament.dues.models import Payment
from tournament.dues.selectors import Owes
from tournament.dues.texts import STANDINGS
from tournament.web.exports.sheets import Cell, no_formula, workbook_of

CSV_HEADINGS = (
    *("number", "name", "category", "owed", "paid", "open", "currency", "standing"),
    *("reference", "methods", "last_payment"),
)


def workbook(owed: Iterable[Owes]) -> bytes:
    headings = [
        *(
            _("No."),
            _("Name"),
            _("Category"),
            _("Owed"),
            _("Paid"),
            _("Still open"),
            _("Currency"),
            _("Standing"),
        ),
        *(_("Reference"), _("How"), _("Last payment")),
    ]
    return workbook_of(_("Dues"), headings, (_sheet_row(owes) for owes in owed))


def _sheet_row(owes: Owes) -> list[Cell]:
    balance, last = owes.balance, _last_payment(owes)
    amounts: tuple[Cell, ...] = (balance.owed, balance.paid, balance.open)
    methods = joined(str(Payment.Method(method).label) for method in _methods(owes))
    return [
        *(_number(owes), owes.name, owes.due.fee.name if owes.due.fee else "", *amounts),
        *(owes.account.currency, str(STANDINGS[owes.standing]), owes.due.reference or "", methods, last),
    ]


def csv_text(owed: Iterable[Owes]) -> str:
    """In no language: codes, amounts with a point, days as 2027-03-14."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(CSV_HEADINGS)
    for owes in owed:
        balance, fee = owes.balance, owes.due.fee.name if owes.due.fee else ""
        amounts = [f"{amount:.2f}" for amount in (balance.owed, balance.paid, balance.open)]
        row = [_number(owes), no_formula(owes.name), no_formula(fee), *amounts, owes.account.currency]
        lines.writerow(
            [
                *row,
                owes.standing.value,
                owes.due.reference or "",
                " ".join(_methods(owes)),
                _last_payment(owes),
            ]
        )
    return text.getvalue()


def _number(owes: Owes) -> int | None:
    return owes.player.number if owes.player else None


def _methods(owes: Owes) -> list[str]:
    return sorted({payment.method for payment in owes.counting})


def _last_payment(owes: Owes) -> str:
    return max((payment.on.isoformat() for payment in owes.counting), default="")
