"""Forms of the screens in the hall, of ceremonies, and of puzzles of an event's own."""

from typing import Any, ClassVar
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament
from tournament.screens.engine import MOST_TURNS, Kind
from tournament.screens.models import Ceremony
from tournament.screens.selectors import kinds_of
from tournament.screens.texts import KINDS
from tournament.web.forms import CheckedByService, Form, ModelForm, ValuesFormSet

FEWEST, SPARE = 6, 2
"""Lines to fill in: at least so many, and always so many empty ones."""


class NewScreenForm(Form):
    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        help_text=_("For instance foyer: letters, digits and hyphens."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class TurnForm(Form):
    """What is shown, and for how many seconds a page of it; empty: as long as is usual."""

    kind = forms.ChoiceField(choices=[("", "–"), *((kind.value, KINDS[kind]) for kind in Kind)])
    seconds = forms.IntegerField(required=False)


class _Turns(ValuesFormSet):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.extra = max(FEWEST - len(kwargs["initial"]), SPARE)
        super().__init__(*args, **kwargs)

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        n = {"n": "" if index is None else index + 1}
        form.fields["kind"].label = _("Part %(n)s") % n
        form.fields["seconds"].label = _("Seconds a page, part %(n)s") % n


TurnFormSet = forms.formset_factory(
    TurnForm,
    formset=_Turns,
    can_delete=True,
    can_delete_extra=False,
    max_num=MOST_TURNS,
    absolute_max=MOST_TURNS + SPARE,
)


SIZES = (3, 5, 8, 10, 16, 20, 32)
USUAL, ALL = 10, 0


class CeremonyForm(ModelForm):
    """Of whom the ceremony is, and from which place on."""

    class Meta:
        model = Ceremony
        fields = ["kind", "first"]
        labels: ClassVar[Any] = {"kind": _("What is announced"), "first": _("How many places")}
        widgets: ClassVar[Any] = {"first": forms.Select()}

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        super().__init__(data, initial={"first": USUAL})
        fields: Any = self.fields
        fields["kind"].choices = [(kind.value, kind.label) for kind in kinds_of(tournament)]
        sizes = [(n, gettext("the best {n}").format(n=n)) for n in SIZES]
        fields["first"].widget.choices = [*sizes, (ALL, _("all"))]

    def clean_first(self) -> int | None:
        return self.cleaned_data["first"] or None


class PuzzleForm(Form):
    """A puzzle of one's own: a hand as text."""

    hand = CheckedByService(
        label=_("The hand as text"),
        help_text=_(
            "14 tiles ask what the hand is worth, 13 which tiles complete it: 123m 456p 678s 55m 23s +1s self-drawn"
        ),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
