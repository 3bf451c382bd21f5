"""A final as the organiser wishes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.ranking.engine.finals import MOST_SESSIONS, Carry, FinalsWish, chosen
from tournament.web.forms.spoken import Form


class FinalsForm(Form):
    size = forms.ChoiceField(
        label=_("Who plays on"),
        choices=[
            ("4", _("The best 4")),
            ("8", _("The best 8")),
            ("16", _("The best 16")),
            ("16/4", _("The best 16 in groups of four, by their places")),
        ],
        widget=forms.RadioSelect,
    )
    carry = forms.ChoiceField(
        label=_("Their points so far"),
        help_text=_(
            "Table points and game points alike; half of an odd number of game points is rounded down."
        ),
        choices=[
            (Carry.FULL.value, _("count in full")),
            (Carry.HALF.value, _("count half")),
            (Carry.NOTHING.value, _("do not count")),
        ],
        widget=forms.RadioSelect,
    )
    sessions = forms.IntegerField(
        label=_("Sessions"),
        help_text=_(
            "Sessions are added when too few are planned; those planned beyond these stay empty for a further final."
        ),
        min_value=1,
        max_value=MOST_SESSIONS,
    )
    seed = forms.CharField(
        label=_("Seed"),
        help_text=_("The same finalists and the same seed give the same seats."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    first = forms.TypedMultipleChoiceField(
        label=_("Who of them goes on?"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, players: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        """`players`: those who may go on."""
        super().__init__(*args, **kwargs)
        self.offer(players)

    def offer(self, players: Iterable[Player]) -> None:
        """Ask only about these: who shares the last place that goes on."""
        field = self.fields["first"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(player.number, player.name) for player in players]

    def wish(self) -> FinalsWish:
        """Call when the form is valid."""
        return chosen(self.cleaned_data)
