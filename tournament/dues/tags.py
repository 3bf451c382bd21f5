"""Amounts, dues, the state of messages, and the QR code of a transfer in templates."""

from decimal import Decimal
from urllib.parse import quote

from django import template
from django.utils.safestring import SafeString
from segno import helpers

from tournament.dues.engine import grouped
from tournament.dues.models import TournamentAccount
from tournament.dues.selectors import Owes
from tournament.dues.texts import KINDS, STANDINGS, money
from tournament.messages.mail.models import Mail
from tournament.web.display import qr_svg
from tournament.web.tags import pill
from tournament.web.texts.words import amount_text


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


register = template.Library()
register.filter("grouped", grouped)
register.filter("figure", amount_text)
register.simple_tag(epc_qr)

MAIL_KINDS = {
    Mail.State.WAITING: "wait",
    Mail.State.SENDING: "wait",
    Mail.State.SENT: "ok",
    Mail.State.FAILED: "bad",
    Mail.State.UNCLEAR: "bad",
    Mail.State.NOT_SENT: "",
}


@register.filter("money")
def in_currency(amount: Decimal, account: TournamentAccount) -> str:
    """40.00 EUR."""
    return money(amount, account)


@register.simple_tag
def standing_mark(owed: Owes) -> SafeString:
    """How somebody stands, in one or two words."""
    return pill(str(STANDINGS[owed.standing]), KINDS[owed.standing])


@register.simple_tag
def mail_state(mail: Mail) -> SafeString:
    """What became of a message, in one or two words."""
    state = Mail.State(mail.state)
    return pill(str(state.label), MAIL_KINDS[state])


@register.filter
def mailto(mail: Mail) -> str:
    """Opens the message in the reader's own mail program, ready to be sent."""
    return f"mailto:{quote(mail.to, safe='@')}?subject={quote(mail.subject)}&body={quote(mail.text)}"
