"""Forms of screens in the hall, ceremonies, and an event's own puzzles."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import MAX_TURNS, Kind
from tournament.screens.models import Ceremony
from tournament.screens.selectors import ceremony_kinds
from tournament.screens.texts import KIND_NAMES
from tournament.web.forms import CheckedByService, Form, ModelForm, ValuesFormSet

MIN_ROWS, EXTRA_ROWS = 6, 2
"""Smallest number of rows in the formset, and smallest number of empty rows."""


class NewScreenForm(Form):
    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        help_text=_("For instance foyer: letters, digits and hyphens."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class TurnForm(Form):
    """A turn of a rotation. Without `seconds` it has the default of its kind."""

    kind = forms.ChoiceField(choices=[("", "–"), *((kind.value, KIND_NAMES[kind]) for kind in Kind)])
    seconds = forms.IntegerField(required=False)


class _Turns(ValuesFormSet):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.extra = max(MIN_ROWS - len(kwargs["initial"]), EXTRA_ROWS)
        super().__init__(*args, **kwargs)

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        n = {"n": "" if index is None else index + 1}
        form.fields["kind"].label = _("Part %(n)s") % n
        form.fields["seconds"].label = _("Seconds per page, part %(n)s") % n


TurnFormSet = forms.formset_factory(
    TurnForm,
    formset=_Turns,
    can_delete=True,
    can_delete_extra=False,
    max_num=MAX_TURNS,
    absolute_max=MAX_TURNS + EXTRA_ROWS,
)


SIZES = (3, 5, 8, 10, 16, 20, 32)
DEFAULT_SIZE, ALL = 10, 0


class CeremonyForm(ModelForm):
    class Meta:
        model = Ceremony
        fields = ["kind", "first"]
        labels: ClassVar[Any] = {"kind": _("What is announced"), "first": _("How many places")}
        widgets: ClassVar[Any] = {"first": forms.Select()}

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, initial={"first": DEFAULT_SIZE})
        fields: Any = self.fields
        fields["kind"].choices = [(kind.value, kind.label) for kind in ceremony_kinds(tournament)]
        sizes = [(n, gettext("the best {n}").format(n=n)) for n in SIZES]
        fields["first"].required = True
        fields["first"].widget.choices = [*sizes, (ALL, _("all"))]

    def clean_first(self) -> int | None:
        return self.cleaned_data["first"] or None


class OverlayForm(Form):
    """Which overlays are listed: of a table and a player, in a size. Anything unknown counts as the first choice."""

    SIZES: ClassVar[Any] = {
        "m": pgettext_lazy("size", "Medium"),
        "s": pgettext_lazy("size", "Small"),
        "l": pgettext_lazy("size", "Large"),
    }
    """Values of `?size=`: type of 36, 28 and 44 pixels on a picture of 1920 × 1080."""

    table = forms.TypedChoiceField(label=_("Table"), coerce=int, required=False)
    player = forms.TypedChoiceField(label=_("Player"), coerce=int, required=False)
    size = forms.ChoiceField(label=_("Size"), choices=list(SIZES.items()), required=False)

    def __init__(self, tables: Sequence[int], players: Sequence[Player], data: Mapping[str, Any]) -> None:
        super().__init__(data)
        fields: Any = self.fields
        fields["table"].choices = [(number, number) for number in tables]
        fields["player"].choices = [
            (player.number, f"{player.number} {player.full_name}") for player in players
        ]
        self.full_clean()

    def value(self, name: str) -> Any:
        """Return the chosen value, else the first choice; None without choices."""
        field: Any = self.fields[name]
        choices = [value for value, _label in field.choices]
        return self.cleaned_data.get(name) or next(iter(choices), None)


class PuzzleForm(Form):
    hand = CheckedByService(
        label=_("The hand as text"),
        help_text=_(
            "14 tiles ask what the hand is worth, 13 which tiles complete it: 123m 456p 678s 55m 23s +1s self-drawn"
        ),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
