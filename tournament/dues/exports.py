"""Dues as a list for the accounts: a line a person, amounts as numbers.

No address is in it: it is passed on to treasurers and clubs.
"""

from django.utils.translation import gettext_lazy as _

from scoring.texts import joined
from tournament.base.access import Right
from tournament.dues.models import Payment
from tournament.dues.selectors import Owes, all_owed
from tournament.dues.texts import STANDINGS
from tournament.web.exports.lists import Column, Kind, ListTable


def _methods(owes: Owes) -> list[str]:
    return sorted({payment.method for payment in owes.counting})


DUES = ListTable(
    "dues",
    _("Dues"),
    columns=[
        Column("number", _("No."), lambda owes: owes.player.number if owes.player else None),
        Column("name", _("Name"), lambda owes: owes.name, Kind.NAME),
        Column("category", _("Category"), lambda owes: owes.due.fee.name if owes.due.fee else ""),
        Column("owed", _("Owed"), lambda owes: owes.balance.owed),
        Column("paid", _("Paid"), lambda owes: owes.balance.paid),
        Column("open", _("Still open"), lambda owes: owes.balance.open),
        Column("currency", _("Currency"), lambda owes: owes.account.currency),
        Column(
            "standing",
            _("Standing"),
            lambda owes: str(STANDINGS[owes.standing]),
            code=lambda owes: owes.standing.value,
        ),
        Column("reference", _("Reference"), lambda owes: owes.due.reference or ""),
        Column(
            "methods",
            _("How"),
            lambda owes: joined(str(Payment.Method(method).label) for method in _methods(owes)),
            code=lambda owes: " ".join(_methods(owes)),
        ),
        Column(
            "last_payment",
            _("Last payment"),
            lambda owes: max((payment.on.isoformat() for payment in owes.counting), default=""),
        ),
    ],
    rows=lambda reader: all_owed(reader.tournament),
    right=Right.CASH,
    path="dues",
    is_coded=True,
)
