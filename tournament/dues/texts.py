"""The sentences of dues: the log, amounts, and what is wrong.

Whose they are is a number in the log, and a name only for who reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.base.engine.money import Money, Standing
from tournament.dues.models import Payment, TournamentAccount
from tournament.web.texts.log import Data, LogWords, rows, says, word
from tournament.web.texts.words import minus, money_text

rows(
    {
        "dues_account_set": gettext_lazy("Currency and bank account set."),
        "dues_set": gettext_lazy("{payer} is to pay {money}."),
        "dues_removed": gettext_lazy("{payer} is asked for nothing any more."),
        "dues_payment_cancelled": gettext_lazy("Payment of {money} by {payer} cancelled ({method_named})."),
    }
)


@word("payer")
def _payer(words: LogWords, data: Data) -> str:
    """Who registered, or a player who was entered."""
    return words.registrant(data["registration"]) if "registration" in data else words.player(data["player"])


@word("money")
def _money(words: LogWords, data: Data) -> str:
    return minus(Decimal(data["amount"]))


@word("method_named")
def _method(words: LogWords, data: Data) -> str:
    return str(Payment.Method(data["method"]).label)


@says("dues_payment_noted")
def _noted(words: LogWords, data: Data) -> str:
    if data["amount"].startswith("-"):
        return words.fill(_("{back} given back to {payer} ({method_named})."), data, back=data["amount"][1:])
    return words.fill(_("{payer} has paid {money} ({method_named})."), data)


@says("dues_fees_set")
def _fees_set(words: LogWords, data: Data) -> str:
    n = data["fees"]
    return words.fill(ngettext("{n} category of fees set.", "{n} categories of fees set.", n), data, n=n)


@says("dues_given")
def _given(words: LogWords, data: Data) -> str:
    n = data["dues"]
    return words.fill(ngettext("{n} person is asked to pay.", "{n} people are asked to pay.", n), data, n=n)


@says("dues_taken_back")
def _taken_back(words: LogWords, data: Data) -> str:
    n = data["dues"]
    text = ngettext("{n} due taken back, as before.", "{n} dues taken back, as before.", n)
    return words.fill(text, data, n=n)


@says("dues_reminded")
def _reminded(words: LogWords, data: Data) -> str:
    n = data["letters"]
    return words.fill(ngettext("{n} reminder written.", "{n} reminders written.", n), data, n=n)


STANDINGS: Final[Mapping[Standing, str | Promise]] = {
    Standing.OWES: gettext_lazy("owes"),
    Standing.PAID: gettext_lazy("paid"),
    Standing.OVERPAID: gettext_lazy("paid too much"),
    Standing.REFUNDED: gettext_lazy("refunded"),
    Standing.FREE: gettext_lazy("free of charge"),
}
KINDS: Final[Mapping[Standing, str]] = {
    Standing.OWES: "wait",
    Standing.PAID: "ok",
    Standing.OVERPAID: "bad",
    Standing.REFUNDED: "",
    Standing.FREE: "",
}
"""How its mark is coloured; the word says it, too."""


def money(amount: Decimal, account: TournamentAccount) -> str:
    """40.00 EUR, with a space that does not break."""
    return money_text(Money(amount, account.currency))


DUES: dict[str, str | Promise] = {
    "fee_name_missing": gettext_lazy("What is the category called?"),
    "fee_amount_missing": gettext_lazy("How much does it cost? 0 for free of charge."),
    "fee_twice": gettext_lazy("There are two categories “{name}”."),
    "fees_too_many": gettext_lazy("At most {most} categories."),
    "no_such_fee": gettext_lazy("There is no such category."),
    "fees_missing": gettext_lazy("There are no categories yet: say first what it costs."),
    "amount_unfit": gettext_lazy("An amount has at most two decimals and is at most {most}."),
    "amount_below_zero": gettext_lazy("Nobody owes less than nothing."),
    "payment_of_nothing": gettext_lazy("A payment is more than nothing; what goes back is below zero."),
    "refund_too_large": gettext_lazy("{paid} has come in, so no more than that can go back."),
    "due_changed": gettext_lazy("Somebody else noted something here in the meantime. Look again."),
    "payment_refunded": gettext_lazy("Some of this went back already. Cancel the refund first."),
    "payment_too_far": gettext_lazy("Payments are noted up to today, and of the last {years} years."),
    "due_has_payments": gettext_lazy("{name} has paid already, so the due stays."),
    "iban_wrong": gettext_lazy("This is no IBAN: a digit or letter is wrong or missing."),
    "bic_wrong": gettext_lazy("A BIC has 8 or 11 letters and digits."),
    "holder_missing": gettext_lazy("Whose account is it? Banks ask for the name."),
    "iban_missing": gettext_lazy("A holder without an account: where is to be paid to?"),
    "mark_wrong": gettext_lazy("Up to 8 capitals and digits, nothing else."),
    "unknown_currency": gettext_lazy("“{currency}” is not a currency Hule knows."),
    "currency_in_use": gettext_lazy("Payments are noted in {currency} already."),
    "link_unfit": gettext_lazy("A link begins with https:// or http://."),
    "nobody_to_remind": gettext_lazy("Nobody of these owes anything and has an address."),
    "nobody_to_charge": gettext_lazy("Everybody of these has a due already."),
}
