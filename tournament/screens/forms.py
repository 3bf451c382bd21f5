"""Forms of the screens in the hall, of ceremonies, and of puzzles of an event's own."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.quiz.questions import LONGEST
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import MOST_TURNS, SECONDS, Kind
from tournament.screens.models import Ceremony
from tournament.screens.selectors import kinds_of
from tournament.screens.texts import KINDS
from tournament.web.forms import Form, ServiceChecked, ValuesFormSet

FEWEST, SPARE = 6, 2
"""Lines to fill in: at least so many, and always so many empty ones."""


class NewScreenForm(Form):
    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        help_text=_("For instance foyer: letters, digits and hyphens."),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class TurnForm(Form):
    """What is shown, and for how many seconds a page of it; empty: as long as is usual."""

    kind = forms.ChoiceField(choices=[("", "–"), *((kind.value, KINDS[kind]) for kind in Kind)])
    seconds = forms.IntegerField(min_value=SECONDS[0], max_value=SECONDS[-1], required=False)


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


class CeremonyForm(Form):
    """Of whom the ceremony is, and from which place on."""

    kind = forms.ChoiceField(label=_("Who is called"))
    first = forms.TypedChoiceField(label=_("How many places"), coerce=int)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_choices(self, "kind", [(kind.value, str(kind.label)) for kind in kinds_of(tournament)])
        sizes = [(str(n), gettext("the best {n}").format(n=n)) for n in SIZES]
        _set_choices(self, "first", [*sizes, (str(ALL), _("all"))])
        self.initial.setdefault("first", USUAL)

    @property
    def has_kinds(self) -> bool:
        return bool(self.fields["kind"].choices)  # type: ignore[attr-defined]  # set in __init__

    def places(self) -> int | None:
        """So many; None: all."""
        return self.cleaned_data["first"] or None

    def kind_chosen(self) -> Ceremony.Kind:
        return Ceremony.Kind(self.cleaned_data["kind"])


def _set_choices(form: forms.Form, name: str, choices: list[tuple[str, Any]]) -> None:
    form.fields[name].choices = choices  # type: ignore[attr-defined]  # a Field in the stubs, a ChoiceField here


class PuzzleForm(Form):
    """A puzzle of one's own: a hand as text."""

    hand = ServiceChecked(
        label=_("The hand as text"),
        help_text=_(
            "14 tiles ask what the hand is worth, 13 which tiles complete it: 123m 456p 678s 55m 23s +1s self-drawn"
        ),
        max_length=LONGEST,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, initial={"uuid": uuid4()})
