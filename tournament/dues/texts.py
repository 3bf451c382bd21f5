"""The texts of dues: log entries and amounts.

The log stores numbers of registrations and players; names are looked up for its readers.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.base.engine.money import Money, Standing
from tournament.base.log_actions import Data, staff_action
from tournament.dues.models import Payment, TournamentAccount
from tournament.web.texts.log import LogWords, log_placeholder
from tournament.web.texts.words import minus, money_text


@log_placeholder("payer")
def _payer(words: LogWords, data: Data) -> str:
    """The name of a registration or a player."""
    return words.registrant(data["registration"]) if "registration" in data else words.player(data["player"])


@log_placeholder("money")
def _money(words: LogWords, data: Data) -> str:
    return minus(Decimal(data["amount"]))


@log_placeholder("method_named")
def _method(words: LogWords, data: Data) -> str:
    return str(Payment.Method(data["method"]).label)


def _noted(words: LogWords, data: Data) -> str:
    if data["amount"].startswith("-"):
        return words.fill(_("{back} refunded to {payer} ({method_named})."), data, back=data["amount"][1:])
    return words.fill(_("{payer} has paid {money} ({method_named})."), data)


def _fees_set(words: LogWords, data: Data) -> str:
    n = data["fees"]
    return words.fill(ngettext("{n} price category set.", "{n} price categories set.", n), data, n=n)


def _given(words: LogWords, data: Data) -> str:
    n = data["dues"]
    return words.fill(ngettext("Price set for {n} person.", "Price set for {n} people.", n), data, n=n)


def _cancelled_batch(words: LogWords, data: Data) -> str:
    n = data["dues"]
    text = ngettext("Price removed for {n} person.", "Price removed for {n} people.", n)
    return words.fill(text, data, n=n)


BANK_ACCOUNT_SET = staff_action("dues_account_set", gettext_lazy("Currency and bank account set."))
DUE_SET = staff_action("dues_set", gettext_lazy("{payer} has to pay {money}."))
DUE_REMOVED = staff_action("dues_removed", gettext_lazy("Price of {payer} removed."))
PAYMENT_CANCELLED = staff_action(
    "dues_payment_cancelled", gettext_lazy("Payment of {money} by {payer} cancelled ({method_named}).")
)
PAYMENT_RECORDED = staff_action("dues_payment_noted", _noted)
FEES_SET = staff_action("dues_fees_set", _fees_set)
DUES_CHARGED = staff_action("dues_given", _given)
DUES_CANCELLED = staff_action("dues_taken_back", _cancelled_batch)


STANDINGS: Final[Mapping[Standing, str | Promise]] = {
    Standing.OWES: gettext_lazy("unpaid"),
    Standing.PAID: gettext_lazy("paid"),
    Standing.OVERPAID: gettext_lazy("paid too much"),
    Standing.REFUNDED: gettext_lazy("refunded"),
    Standing.FREE: gettext_lazy("free of charge"),
}
PILL_KINDS: Final[Mapping[Standing, str]] = {
    Standing.OWES: "wait",
    Standing.PAID: "ok",
    Standing.OVERPAID: "bad",
    Standing.REFUNDED: "",
    Standing.FREE: "",
}
"""The colours of standings."""


def money(amount: Decimal, account: TournamentAccount) -> str:
    """Format as 40.00 EUR, with a no-break space."""
    return money_text(Money(amount, account.currency))
