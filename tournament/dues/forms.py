"""Forms of payments, dues, fees and the account."""

from decimal import Decimal
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.base.errors import Invalid
from tournament.base.models.tournament import Tournament
from tournament.base.problems import VALUE_TOO_LOW
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.dues.selectors import Ledger
from tournament.dues.services import MAX_FEES
from tournament.web.forms import DayInput, ModelForm, rows_formset


class PaymentForm(ModelForm):
    back = forms.BooleanField(label=_("This is a refund"), required=False)
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    class Meta:
        model = Payment
        fields = ["amount", "method", "on"]
        widgets = {"on": DayInput()}

    def clean_amount(self) -> Decimal:
        amount: Decimal = self.cleaned_data["amount"]
        if amount < 0:
            raise Invalid(VALUE_TOO_LOW(minimum="0"))
        return amount

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("back") and data.get("amount"):
            data["amount"] = -data["amount"]
        self.instance.uuid = data.get("uuid")
        return data


class DueForm(ModelForm):
    """A due's category, or an own amount."""

    class Meta:
        model = Due
        fields = ["fee", "amount"]

    def __init__(self, ledger: Ledger, data: Any = None) -> None:
        due = ledger.due
        follows_category = due.fee is not None and due.fee.amount == due.amount
        super().__init__(data, instance=due, initial={"amount": None if follows_category else due.amount})
        choose_fee(self.fields["fee"], due.tournament, _("none of them"))


def choose_fee(field: Any, tournament: Tournament, empty_label: Any) -> None:
    """Let a field choose from the event's categories, shown by name."""
    field.queryset, field.empty_label = tournament.fees.all(), empty_label
    field.label_from_instance = lambda fee: fee.name


class AccountForm(ModelForm):
    class Meta:
        model = TournamentAccount
        fields = ["currency", "holder", "iban", "bic", "mark", "link", "confirms_by_mail"]


class FeeForm(ModelForm):
    class Meta:
        model = Fee
        fields = ["name", "amount", "from_day"]
        labels = {"from_day": pgettext_lazy("a day", "From")}
        widgets = {"from_day": DayInput()}


FeeFormSet = rows_formset(Fee, FeeForm, MAX_FEES)
