"""Forms: payments and dues, fees, and the account."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.money import CURRENCIES, MOST, Standing
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Fee, Payment, TournamentAccount
from tournament.dues.selectors import MOST_FEES, AccountWish, FeeWish, Owes, Paid, Wanted
from tournament.dues.texts import STANDINGS
from tournament.web.forms import DayInput, Form, add_problems
from tournament.web.texts.problems import sentence

BLANK_LINES: Final = 2


class AmountField(forms.DecimalField):
    """Money as people type it: 40, 40.00, 40,00."""

    def __init__(self, **more: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "class": "num"})
        super().__init__(max_digits=None, decimal_places=2, max_value=MOST, widget=widget, **more)

    def to_python(self, value: Any) -> Decimal | None:  # type: ignore[override]  # as DecimalField itself does
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class WantedForm(Form):
    """Which dues to list."""

    q = forms.CharField(required=False, max_length=100)
    standing = forms.ChoiceField(
        label=_("Who"),
        required=False,
        choices=[("", _("everybody")), *((standing.value, STANDINGS[standing]) for standing in Standing)],
    )
    fee = forms.TypedChoiceField(label=_("Category"), required=False, coerce=int, empty_value=None)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fees = [(fee.pk, fee.name) for fee in tournament.fees.all()]
        field: Any = self.fields["fee"]
        field.choices = [("", _("every category")), *fees]

    def wanted(self) -> Wanted:
        """What was asked for, as far as it can be."""
        self.is_valid()
        data = self.cleaned_data
        standing = Standing(data["standing"]) if data.get("standing") else None
        return Wanted(standing, data.get("fee"), data.get("q", "").strip())


class PaymentForm(Form):
    """Money that came, or went back."""

    amount = AmountField(label=_("Amount"), min_value=Decimal("0.01"))
    method = forms.ChoiceField(label=_("How"), choices=Payment.Method.choices)
    on = forms.DateField(label=_("On"), widget=DayInput())
    back = forms.BooleanField(label=_("It was given back"), required=False)
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def paid(self) -> Paid:
        """Call when the form is valid."""
        data = self.cleaned_data
        return Paid(-data["amount"] if data["back"] else data["amount"], data["method"], data["on"])


class DueForm(Form):
    """The category, or an amount of one's own."""

    fee = forms.TypedChoiceField(label=_("Category"), required=False, coerce=int, empty_value=None)
    amount = AmountField(
        label=_("An amount of their own"),
        help_text=_("Empty: what the category costs. 0: free of charge."),
        required=False,
        min_value=Decimal(0),
    )

    def __init__(self, owed: Owes, data: Any = None) -> None:
        due = owed.due
        own = due.amount if due.fee is None or due.fee.amount != due.amount else None
        super().__init__(data, initial={"fee": due.fee_id, "amount": own})
        self.fees = {fee.pk: fee for fee in due.tournament.fees.all()}
        field: Any = self.fields["fee"]
        field.choices = [("", _("none of them")), *((fee.pk, fee.name) for fee in self.fees.values())]

    def asked(self) -> dict[str, Any]:
        """Call when the form is valid."""
        data = self.cleaned_data
        return {"fee": self.fees.get(data["fee"]), "amount": data["amount"]}


class AccountForm(Form):
    """Currency and bank account."""

    currency = forms.ChoiceField(
        label=_("Currency"), choices=[(currency, currency) for currency in CURRENCIES]
    )
    holder = forms.CharField(label=_("Account holder"), max_length=70, required=False)
    iban = forms.CharField(
        label="IBAN",
        max_length=60,
        required=False,
        help_text=_("Without one people are told to pay in cash."),
    )
    bic = forms.CharField(
        label="BIC", max_length=20, required=False, help_text=_("Only where banks ask for it.")
    )
    mark = forms.CharField(
        label=_("References begin with"),
        max_length=20,
        required=False,
        help_text=_(
            "Up to 8 capitals and digits, for instance MCR27, so that you know them in your statements. Those that "
            "were told to people stay."
        ),
    )
    link = forms.CharField(
        label=_("Link for paying elsewhere"),
        max_length=300,
        required=False,
        help_text=_("A shop or a page for cards: people find it beside what they owe."),
    )
    tells = forms.BooleanField(label=_("Confirm payments by e-mail"), required=False)

    @staticmethod
    def of(account: TournamentAccount) -> dict[str, Any]:
        names = ("currency", "holder", "iban", "bic", "mark", "link", "tells")
        return {name: getattr(account, name) for name in names}

    def wish(self) -> AccountWish:
        return AccountWish(**self.cleaned_data)


@dataclass(frozen=True)
class Line:
    """A category on the page."""

    pk: BoundField
    name: BoundField
    amount: BoundField
    from_day: BoundField

    @property
    def fields(self) -> tuple[BoundField, ...]:
        return self.name, self.amount, self.from_day


class FeesForm(Form):
    """Fields name1, amount1, from_day1, pk1 … in the order of the lines; a line that is emptied goes away."""

    sent = forms.BooleanField(widget=forms.HiddenInput, initial=True)
    """Required: an empty request changes no categories."""

    def __init__(self, fees: Sequence[Fee], data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.count = len(fees) + BLANK_LINES
        if data is not None:
            self.count = next(n for n in range(MOST_FEES + 2) if f"name{n + 1}" not in data or n > MOST_FEES)
        for n in range(self.count):
            self._add(n + 1, fees[n] if n < len(fees) else None)

    def _add(self, n: int, fee: Fee | None) -> None:
        self.fields[f"pk{n}"] = forms.IntegerField(
            required=False, widget=forms.HiddenInput, initial=fee and fee.pk, max_value=2**62
        )
        self.fields[f"name{n}"] = forms.CharField(
            label=_("Category"), max_length=80, required=False, initial=fee and fee.name
        )
        self.fields[f"amount{n}"] = AmountField(
            label=_("Amount"), required=False, initial=fee and fee.amount, min_value=Decimal(0)
        )
        self.fields[f"from_day{n}"] = forms.DateField(
            label=_("For registrations from"),
            required=False,
            initial=fee and fee.from_day,
            widget=DayInput(),
        )

    def lines(self) -> list[Line]:
        return [
            Line(self[f"pk{n}"], self[f"name{n}"], self[f"amount{n}"], self[f"from_day{n}"])
            for n in range(1, self.count + 1)
        ]

    def wishes(self) -> list[FeeWish]:
        """Call when the form is valid."""
        data = self.cleaned_data
        return [
            FeeWish(data[f"name{n}"], data[f"amount{n}"], data[f"from_day{n}"], data[f"pk{n}"])
            for n in self._filled_lines()
        ]

    def say(self, refused: Refused) -> None:
        """Each problem at its line."""
        filled = self._filled_lines()
        for problem in refused.problems:
            where, _dot, rest = problem.where.partition(".")
            n, _dot, name = rest.partition(".")
            if where == "fees" and n.isdecimal() and f"{name}{filled[int(n)]}" in self.fields:
                self.add_error(f"{name}{filled[int(n)]}", sentence(problem))
            else:
                add_problems(self, [problem])

    def _filled_lines(self) -> list[int]:
        """The lines in which something stands."""
        data = self.cleaned_data
        return [
            n
            for n in range(1, self.count + 1)
            if data.get(f"name{n}") or data.get(f"amount{n}") is not None or data.get(f"from_day{n}")
        ]
