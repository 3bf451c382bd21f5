"""Sentences about fees, dues and payments."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

DUES: dict[str, str | Promise] = {
    "fee_name_missing": _("What is the category called?"),
    "fee_amount_missing": _("How much does it cost? 0 for free of charge."),
    "fee_twice": _("There are two categories “{name}”."),
    "fees_too_many": _("At most {most} categories."),
    "no_such_fee": _("There is no such category."),
    "fees_missing": _("There are no categories yet: say first what it costs."),
    "amount_unfit": _("An amount has at most two decimals and is at most {most}."),
    "amount_below_zero": _("Nobody owes less than nothing."),
    "payment_of_nothing": _("A payment is more than nothing; what goes back is below zero."),
    "refund_too_large": _("{paid} has come in, so no more than that can go back."),
    "due_changed": _("Somebody else noted something here in the meantime. Look again."),
    "payment_refunded": _("Some of this went back already. Cancel the refund first."),
    "payment_too_far": _("Payments are noted up to today, and of the last {years} years."),
    "due_has_payments": _("{name} has paid already, so the due stays."),
    "iban_wrong": _("This is no IBAN: a digit or letter is wrong or missing."),
    "bic_wrong": _("A BIC has 8 or 11 letters and digits."),
    "holder_missing": _("Whose account is it? Banks ask for the name."),
    "iban_missing": _("A holder without an account: where is to be paid to?"),
    "mark_wrong": _("Up to 8 capitals and digits, nothing else."),
    "unknown_currency": _("“{currency}” is not a currency Hule knows."),
    "currency_in_use": _("Payments are noted in {currency} already."),
    "link_unfit": _("A link begins with https:// or http://."),
    "nobody_to_remind": _("Nobody of these owes anything and has an address."),
    "nobody_to_charge": _("Everybody of these has a due already."),
}
