"""The list of dues. It has no e-mail addresses, since it is passed on to treasurers and clubs."""

from django.utils.translation import gettext_lazy as _

from scoring.texts import joined
from tournament.base.access import Right
from tournament.dues.models import Payment
from tournament.dues.selectors import Ledger, list_ledgers
from tournament.dues.texts import STANDINGS
from tournament.web.exports.lists import Column, Kind, ListTable, Place


def _methods(ledger: Ledger) -> list[str]:
    return sorted({payment.method for payment in ledger.valid_payments})


DUES = ListTable(
    "dues",
    _("Dues"),
    columns=[
        Column(
            "number", _("No."), lambda ledger: ledger.player.number if ledger.player else None, Kind.FIGURE
        ),
        Column("name", _("Name"), lambda ledger: ledger.name, Kind.NAME, cell="dues/_name_cell.html"),
        Column("category", _("Category"), lambda ledger: ledger.due.fee.name if ledger.due.fee else ""),
        Column("owed", _("Owed"), lambda ledger: ledger.balance.owed, Kind.FIGURE),
        Column("paid", _("Paid"), lambda ledger: ledger.balance.paid, Kind.FIGURE),
        Column("open", _("Unpaid"), lambda ledger: ledger.balance.open, Kind.FIGURE, is_optional=True),
        Column("currency", _("Currency"), lambda ledger: ledger.account.currency, place=Place.FILES),
        Column(
            "standing",
            _("Status"),
            lambda ledger: str(STANDINGS[ledger.standing]),
            code=lambda ledger: ledger.standing.value,
            cell="dues/_status_cell.html",
        ),
        Column("reference", _("Reference"), lambda ledger: ledger.due.reference or "", is_optional=True),
        Column(
            "methods",
            _("Method"),
            lambda ledger: joined(str(Payment.Method(method).label) for method in _methods(ledger)),
            code=lambda ledger: " ".join(_methods(ledger)),
            is_optional=True,
        ),
        Column(
            "last_payment",
            _("Last payment"),
            lambda ledger: max((payment.on.isoformat() for payment in ledger.valid_payments), default=""),
            is_optional=True,
        ),
        Column(
            "actions",
            _("Actions"),
            lambda ledger: None,
            Kind.CONTROL,
            cell="dues/_actions_cell.html",
            place=Place.PAGE,
        ),
    ],
    rows=lambda reader: list_ledgers(reader.tournament),
    right=Right.CASH,
    path="dues",
    is_coded=True,
    row_id=lambda ledger: f"d{ledger.due.pk}",
)
