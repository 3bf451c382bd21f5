"""Forms of the screens in the hall, of ceremonies, and of puzzles of an event's own."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.quiz.questions import LONGEST
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import MOST_TURNS, SECONDS, USUAL_SECONDS, Kind, Turn
from tournament.screens.models import Ceremony, Screen
from tournament.screens.selectors import kinds_of
from tournament.screens.texts import KINDS
from tournament.web.forms import Form, ServiceChecked

FEWEST, SPARE = 6, 2
"""Lines to fill in: at least so many, and always so many empty ones."""


class NewScreenForm(Form):
    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        help_text=_("For instance foyer: letters, digits and hyphens."),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )


class ArrangeForm(Form):
    """One line a turn: what is shown, and for how many seconds a page of it. Empty lines count for nothing."""

    def __init__(self, screen: Screen, data: Any = None) -> None:
        rotation = screen.rotation
        lines = min(MOST_TURNS, max(FEWEST, len(rotation) + SPARE, _lines_in(data)))
        initial: dict[str, Any] = {f"kind_{n}": turn.kind.value for n, turn in enumerate(rotation, 1)}
        initial |= {f"seconds_{n}": turn.seconds for n, turn in enumerate(rotation, 1)}
        super().__init__(data, initial=initial)
        self.numbers = range(1, lines + 1)
        for n in self.numbers:
            self.fields[f"kind_{n}"] = forms.ChoiceField(
                label=_("Part %(n)s") % {"n": n},
                choices=[("", "–"), *((kind.value, KINDS[kind]) for kind in Kind)],
                required=False,
            )
            self.fields[f"seconds_{n}"] = forms.IntegerField(
                label=_("Seconds a page, part %(n)s") % {"n": n},
                min_value=SECONDS[0],
                max_value=SECONDS[-1],
                required=False,
            )

    @property
    def lines(self) -> list[tuple[int, forms.BoundField, forms.BoundField]]:
        return [(n, self[f"kind_{n}"], self[f"seconds_{n}"]) for n in self.numbers]

    def turns(self) -> list[Turn]:
        """The rotation; call when the form is valid. Without seconds: as long as is usual."""
        turns = []
        for n in self.numbers:
            if value := self.cleaned_data[f"kind_{n}"]:
                kind = Kind(value)
                turns.append(Turn(kind, self.cleaned_data[f"seconds_{n}"] or USUAL_SECONDS[kind]))
        return turns


def _lines_in(data: Any) -> int:
    return sum(key.startswith("kind_") for key in data) if data else 0


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
