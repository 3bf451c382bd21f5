"""What a banking app reads off a screen: a transfer, filled in."""

from __future__ import annotations

from django.utils.safestring import SafeString
from segno import helpers

from tournament.dues.selectors import Owes
from tournament.web.display import qr_svg


def epc_qr(owed: Owes) -> SafeString | str:
    """The EPC code (EPC069-12) of what is open. It knows euros alone: nothing for another currency, or where nothing is
    to be transferred."""
    account = owed.account
    if account.currency != "EUR" or not owed.is_transferable:
        return ""
    code = helpers.make_epc_qr(
        account.holder, account.iban, owed.balance.open, reference=owed.due.reference, bic=account.bic or None
    )
    return qr_svg(code)
