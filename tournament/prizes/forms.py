"""Forms of the list of prizes."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.countries import country_name
from tournament.base.errors import Invalid
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.services import MAX_PRIZES
from tournament.seating.engine.plans import UNKNOWN_PLAYER
from tournament.web.forms import ModelForm, numbers_text, parse_numbers, rows_formset


class PrizePlanForm(ModelForm):
    class Meta:
        model = PrizePlan
        fields = ["one_per_person", "ties"]


class PlayersField(forms.CharField):
    """Player numbers as text, "1-5, 8", that cleans to a list of integers."""

    widget = forms.TextInput(attrs={"autocomplete": "off"})

    def clean(self, value: Any) -> Any:
        try:
            return parse_numbers(super().clean(value))
        except ValueError as error:
            raise Invalid(UNKNOWN_PLAYER(player=str(error))) from None


class PrizeForm(ModelForm):
    players = PlayersField(label=_("Players, by number"), required=False)

    class Meta:
        model = Prize
        fields = ["kind", "value", "rank", "text", "amount"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("value", "players", "text", "amount"):  # each is needed for some prizes
            self.fields[name].says_optional = False  # type: ignore[attr-defined]
        if self.instance.kind == Prize.Kind.COUNTRY:
            self.initial["value"] = country_name(self.instance.value)
        if self.instance.pk:
            self.initial["players"] = numbers_text(player.number for player in self.instance.players.all())


PrizeFormSet = rows_formset(Prize, PrizeForm, MAX_PRIZES, can_order=True)
