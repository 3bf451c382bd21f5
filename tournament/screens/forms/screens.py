"""Screens in the hall: a new one, and what one goes through."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.screens.engine.screens import USUAL_SECONDS, Kind, Turn
from tournament.screens.engine.steering import MOST_TURNS, SECONDS
from tournament.screens.models.screens import Screen
from tournament.screens.texts.screens import KINDS
from tournament.web.forms.spoken import Form

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

    def __init__(self, screen: Screen, given: Any = None) -> None:
        known = screen.rotation
        lines = min(MOST_TURNS, max(FEWEST, len(known) + SPARE, _lines_in(given)))
        initial: dict[str, Any] = {f"kind_{n}": turn.kind.value for n, turn in enumerate(known, 1)}
        initial |= {f"seconds_{n}": turn.seconds for n, turn in enumerate(known, 1)}
        super().__init__(given, initial=initial)
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
        found = []
        for n in self.numbers:
            if value := self.cleaned_data[f"kind_{n}"]:
                kind = Kind(value)
                found.append(Turn(kind, self.cleaned_data[f"seconds_{n}"] or USUAL_SECONDS[kind]))
        return found


def _lines_in(given: Any) -> int:
    return sum(key.startswith("kind_") for key in given) if given else 0
