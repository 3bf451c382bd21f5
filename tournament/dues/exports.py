"""The list of dues. It has no e-mail addresses, since it is passed on to treasurers and clubs."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.texts import joined
from tournament.base.access import Right
from tournament.dues.models import Payment
from tournament.dues.selectors import Ledger, list_ledgers
from tournament.dues.texts import STANDINGS
from tournament.web.exports.lists import Column, Kind, ListTable


def _methods(ledger: Ledger) -> list[str]:
    return sorted({payment.method for payment in ledger.valid_payments})


DUES = ListTable(
    "dues",
    pgettext_lazy("for a place", "Payments"),
    columns=[
        Column(
            "number", _("No."), lambda ledger: ledger.player.number if ledger.player else None, Kind.FIGURE
        ),
        Column("name", _("Name"), lambda ledger: ledger.name, Kind.NAME),
        Column("category", _("Category"), lambda ledger: ledger.due.fee.name if ledger.due.fee else ""),
        Column("owed", _("Price"), lambda ledger: ledger.balance.owed, Kind.FIGURE),
        Column("paid", _("Paid"), lambda ledger: ledger.balance.paid, Kind.FIGURE),
        Column("open", _("Unpaid"), lambda ledger: ledger.balance.open, Kind.FIGURE),
        Column("currency", _("Currency"), lambda ledger: ledger.account.currency),
        Column(
            "standing",
            pgettext_lazy("of a payment", "Status"),
            lambda ledger: str(STANDINGS[ledger.standing]),
            code=lambda ledger: ledger.standing.value,
        ),
        Column("reference", _("Reference"), lambda ledger: ledger.due.reference or ""),
        Column(
            "methods",
            _("Method"),
            lambda ledger: joined(str(Payment.Method(method).label) for method in _methods(ledger)),
            code=lambda ledger: " ".join(_methods(ledger)),
        ),
        Column(
            "last_payment",
            _("Last payment"),
            lambda ledger: max((payment.on.isoformat() for payment in ledger.valid_payments), default=""),
        ),
    ],
    rows=lambda reader: list_ledgers(reader.tournament),
    right=Right.CASH,
    path="dues",
    file="payments",
    is_coded=True,
)
