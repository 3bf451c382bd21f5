"""A ceremony: of whom, and from which place on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament
from tournament.screens.models.ceremonies import Ceremony
from tournament.screens.selectors.ceremony import kinds_of
from tournament.web.forms.spoken import Form

SIZES = (3, 5, 8, 10, 16, 20, 32)
USUAL, ALL = 10, 0


class CeremonyForm(Form):
    kind = forms.ChoiceField(label=_("Who is called"))
    first = forms.TypedChoiceField(label=_("How many places"), coerce=int)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "kind", [(kind.value, str(kind.label)) for kind in kinds_of(tournament)])
        sizes = [(str(n), gettext("the best {n}").format(n=n)) for n in SIZES]
        _offer(self, "first", [*sizes, (str(ALL), _("all"))])
        self.initial.setdefault("first", USUAL)

    @property
    def has_kinds(self) -> bool:
        return bool(self.fields["kind"].choices)  # type: ignore[attr-defined]  # set in __init__

    def places(self) -> int | None:
        """So many; None: all."""
        return self.cleaned_data["first"] or None

    def kind_chosen(self) -> Ceremony.Kind:
        return Ceremony.Kind(self.cleaned_data["kind"])


def _offer(form: forms.Form, name: str, choices: list[tuple[str, Any]]) -> None:
    form.fields[name].choices = choices  # type: ignore[attr-defined]  # a Field in the stubs, a ChoiceField here
