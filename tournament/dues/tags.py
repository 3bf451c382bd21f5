"""Template tags for amounts, dues, and QR codes of transfers."""

from decimal import Decimal
from uuid import uuid4

from django import template
from django.utils.safestring import SafeString
from segno import helpers

from tournament.dues.engine import grouped
from tournament.dues.models import TournamentAccount
from tournament.dues.selectors import Ledger
from tournament.dues.texts import PILL_KINDS, STANDINGS, money
from tournament.web.display import qr_svg
from tournament.web.tags import pill
from tournament.web.texts.words import amount_text, money_text


def epc_qr(ledger: Ledger) -> SafeString | str:
    """Return the EPC QR code (EPC069-12) of the open amount; "" if it cannot be transferred or is not in euros."""
    account = ledger.account
    if account.currency != "EUR" or not ledger.is_transferable:
        return ""
    code = helpers.make_epc_qr(
        account.holder,
        account.iban,
        ledger.balance.open,
        reference=ledger.due.reference,
        bic=account.bic or None,
    )
    return qr_svg(code)


register = template.Library()
register.filter("grouped", grouped)
register.filter("figure", amount_text)
register.filter("money_text", money_text)
register.simple_tag(uuid4, name="new_uuid")
register.simple_tag(epc_qr)


@register.filter("money")
def money_filter(amount: Decimal, account: TournamentAccount) -> str:
    """40.00 EUR."""
    return money(amount, account)


@register.simple_tag
def standing_pill(ledger: Ledger) -> SafeString:
    return pill(str(STANDINGS[ledger.standing]), PILL_KINDS[ledger.standing])
