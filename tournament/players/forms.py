"""Forms of check-in and of a player."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.models.people import Player
from tournament.players.models import CheckIn
from tournament.players.selectors.doubles import PROBABLE_DOUBLE
from tournament.web.forms import Form, ModelForm, MomentInput, NameOrderSelect, add_problems


class CheckInForm(ModelForm):
    class Meta:
        model = CheckIn
        fields = ["ends_at", "self_check_in"]
        widgets = {"ends_at": MomentInput()}


class AsksAboutDouble(Form):
    """A form that asks whether somebody of the same name is another person, once a service has refused them."""

    is_another_person = forms.BooleanField(label=_("This is another person"), required=False)
    has_double = False

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Add the problems of a refusal to their fields, and ask if somebody is probably there already."""
        problems = list(problems)
        self.has_double = any(problem.code == PROBABLE_DOUBLE.code for problem in problems)
        add_problems(self, problems)

    @property
    def asks_about_double(self) -> bool:
        """Whether the question is shown: after a refusal, and once it is answered."""
        return self.has_double or (self.is_bound and self.cleaned_data.get("is_another_person", False))


class PlayerForm(AsksAboutDouble, ModelForm):
    class Meta:
        model = Player
        fields = [
            *("last_name", "first_name", "family_name_first", "second_name"),
            *("country", "ema_number", "team", "club", "number", "is_substitute"),
        ]
        widgets = {"family_name_first": NameOrderSelect()}
        help_texts = {"club": _("The draw can keep club-mates apart for as long as possible.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["number"].required = False
        self.teams = self._suggestions("team")
        self.clubs = self._suggestions("club")

    def _suggestions(self, name: str) -> list[str]:
        """Return the values of other players in a field, for its datalist `<name>s`."""
        players = self.instance.tournament.players
        names = players.exclude(**{name: ""}).order_by(name).values_list(name, flat=True)
        values = list(names.distinct())
        if values:
            self.fields[name].widget.attrs["list"] = f"{name}s"
        return values
