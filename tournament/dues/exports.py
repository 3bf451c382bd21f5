"""Dues as a sheet for the accounts: a line a person, amounts as numbers; CSV for programs, XLSX for people.

No address is in it: it is passed on to treasurers and clubs.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from decimal import Decimal

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
    return workbook_of(_("Dues"), headings, (_line(one) for one in owed))


def _line(one: Owes) -> list[Cell]:
    balance, last = one.balance, _last(one)
    amounts: tuple[Cell, ...] = (balance.owed, balance.paid, balance.open)
    methods = joined(str(Payment.Method(method).label) for method in _methods(one))
    return [
        *(_number(one), one.name, one.due.fee.name if one.due.fee else "", *amounts),
        *(one.account.currency, str(STANDINGS[one.standing]), one.due.reference or "", methods, last),
    ]


def csv_text(owed: Iterable[Owes]) -> str:
    """In no language: codes, amounts with a point, days as 2027-03-14."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\r\n")
    lines.writerow(CSV_HEADINGS)
    for one in owed:
        balance, fee = one.balance, one.due.fee.name if one.due.fee else ""
        amounts = [_plain(amount) for amount in (balance.owed, balance.paid, balance.open)]
        row = [_number(one), no_formula(one.name), no_formula(fee), *amounts, one.account.currency]
        lines.writerow(
            [*row, one.standing.value, one.due.reference or "", " ".join(_methods(one)), _last(one)]
        )
    return written.getvalue()


def _number(one: Owes) -> int | None:
    return one.player.number if one.player else None


def _methods(one: Owes) -> list[str]:
    return sorted({payment.method for payment in one.counting})


def _last(one: Owes) -> str:
    return max((payment.on.isoformat() for payment in one.counting), default="")


def _plain(amount: Decimal) -> str:
    return f"{amount:.2f}"
