"""Fees, dues and payments. Whose they are is a number in the log, and a name only for who reads it."""

from __future__ import annotations

from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.dues.models import Payment
from tournament.web.texts.figures import minus
from tournament.web.texts.log import Data, LogWords, rows, says, word

rows(
    {
        "dues_account_set": gettext_lazy("Currency and bank account set."),
        "dues_set": gettext_lazy("{payer} is to pay {money}."),
        "dues_removed": gettext_lazy("{payer} is asked for nothing any more."),
        "dues_payment_cancelled": gettext_lazy("Payment of {money} by {payer} cancelled ({method_named})."),
    }
)


@word("payer")
def _payer(told: LogWords, data: Data) -> str:
    """Who registered, or a player who was entered."""
    return told.registrant(data["registration"]) if "registration" in data else told.player(data["player"])


@word("money")
def _money(told: LogWords, data: Data) -> str:
    return minus(Decimal(data["amount"]))


@word("method_named")
def _method(told: LogWords, data: Data) -> str:
    return str(Payment.Method(data["method"]).label)


@says("dues_payment_noted")
def _noted(told: LogWords, data: Data) -> str:
    if data["amount"].startswith("-"):
        return told.fill(_("{back} given back to {payer} ({method_named})."), data, back=data["amount"][1:])
    return told.fill(_("{payer} has paid {money} ({method_named})."), data)


@says("dues_fees_set")
def _fees_set(told: LogWords, data: Data) -> str:
    n = data["fees"]
    return told.fill(ngettext("{n} category of fees set.", "{n} categories of fees set.", n), data, n=n)


@says("dues_given")
def _given(told: LogWords, data: Data) -> str:
    n = data["dues"]
    return told.fill(ngettext("{n} person is asked to pay.", "{n} people are asked to pay.", n), data, n=n)


@says("dues_taken_back")
def _taken_back(told: LogWords, data: Data) -> str:
    n = data["dues"]
    text = ngettext("{n} due taken back, as before.", "{n} dues taken back, as before.", n)
    return told.fill(text, data, n=n)


@says("dues_reminded")
def _reminded(told: LogWords, data: Data) -> str:
    n = data["letters"]
    return told.fill(ngettext("{n} reminder written.", "{n} reminders written.", n), data, n=n)
