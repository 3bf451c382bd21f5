"""Answers to the quiz, and what the pages of the rules are asked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine import Fan, find_fan
from scoring.quiz.discards import Discard
from scoring.quiz.questions import (
    HandQuestion,
    Kind,
    Question,
    WaitsQuestion,
    grade_fans,
    grade_waits,
    grade_worth,
)
from scoring.texts import fan_name, tile_name
from tournament.base.engine.rules import APPENDIX_2, CHARTS, WINDS, Chart
from tournament.play.engine.wall import THROWS
from tournament.web.forms import Form
from tournament.web.texts import words

# --- Quiz ---
# Answers to the quiz. They come in the address, so that an answered puzzle can be passed on like an open one.


ANSWERED: Final = "answered"
"""In the query of a page that is answered, though nothing may be ticked."""
MOST_POINTS: Final = 999


class WorthForm(Form):
    points = forms.IntegerField(
        label=_("Points"),
        min_value=0,
        max_value=MOST_POINTS,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
    )

    def __init__(self, asked: HandQuestion, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.asked = asked

    @property
    def grade(self) -> int:
        return grade_worth(self.asked, self.cleaned_data["points"])


class FansForm(Form):
    fan = forms.MultipleChoiceField(label=_("Fans"), required=False)

    def __init__(self, asked: HandQuestion, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.asked = asked
        _choose(self, "fan", ((fan.key, fan_name(fan)) for fan in asked.offered))

    @property
    def grade(self) -> int:
        return grade_fans(self.asked, self._named)

    @property
    def missed(self) -> list[Fan]:
        """What counts and was not ticked."""
        return [fan for fan in self.asked.offered if fan in self.asked.fans - self._named]

    @property
    def wrong(self) -> list[Fan]:
        """What was ticked and does not count."""
        return [fan for fan in self.asked.offered if fan in self._named - self.asked.fans]

    @property
    def _named(self) -> set[Fan]:
        return set(map(find_fan, self.cleaned_data["fan"]))


class WaitsForm(Form):
    completes = forms.MultipleChoiceField(label=_("These complete the hand"), required=False)
    reaches = forms.MultipleChoiceField(label=_("And of these it reaches 8 points with"), required=False)

    def __init__(self, asked: WaitsQuestion, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.asked = asked
        for name in ("completes", "reaches"):
            _choose(self, name, ((tile, tile_name(tile)) for tile in asked.offered))

    @property
    def grade(self) -> int:
        return grade_waits(self.asked, self._said, self.cleaned_data["reaches"])

    @property
    def missed(self) -> list[str]:
        """Tiles that complete the hand and were not ticked."""
        return self._of(self.asked.completing - self._said)

    @property
    def wrong(self) -> list[str]:
        """Ticked, and they do not complete it."""
        return self._of(self._said - self.asked.completing)

    @property
    def too_little(self) -> list[str]:
        """Said to reach the minimum; they complete the hand and do not."""
        return self._of(set(self.cleaned_data["reaches"]) & self.asked.completing - self.asked.reaching)

    @property
    def enough(self) -> list[str]:
        """They reach the minimum, and it was not said."""
        return self._of((self.asked.reaching & self._said) - set(self.cleaned_data["reaches"]))

    @property
    def _said(self) -> set[str]:
        return {*self.cleaned_data["completes"], *self.cleaned_data["reaches"]}

    def _of(self, some: Collection[str]) -> list[str]:
        return [tile for tile in self.asked.offered if tile in some]


class DiscardForm(Form):
    tile = forms.ChoiceField(label=_("Discard"), widget=forms.RadioSelect)

    def __init__(self, asked: Discard, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.asked = asked
        _choose(self, "tile", ((tile, tile_name(tile)) for tile in asked.choices))

    @property
    def grade(self) -> int | None:
        """None for a tile that the source does not grade."""
        return self.asked.grades.get(self.cleaned_data["tile"])


QuizForm = WorthForm | FansForm | WaitsForm


def quiz_form(asked: Question, data: Mapping[str, Any]) -> QuizForm:
    """The form of a question, bound when it was answered."""
    given = data if ANSWERED in data else None
    if isinstance(asked, WaitsQuestion):
        return WaitsForm(asked, given)
    return WorthForm(asked, given) if asked.kind is Kind.WORTH else FansForm(asked, given)


def _choose(form: Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


# --- Rules ---
# What the pages of the rules are asked: two throws of dice, the wind one starts with, words to look for.


CHART_NAMES: dict[str, str | Promise] = {
    "appendix2": _("Appendix 2"),
    "exchanged": _("West and North round exchanged"),
}
_THROWS = [(throw, str(throw)) for throw in THROWS]
EXAMPLE = (5, 8)
"""The throws of the rules' own example (000:270-271)."""


class _Asked(Form):
    """A GET form whose every field may be left out, or hold nonsense: then it is as if left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_valid()


class ThrowsForm(_Asked):
    first = forms.ChoiceField(required=False, choices=_THROWS, label=_("First throw, by East"))
    second = forms.ChoiceField(required=False, choices=_THROWS, label=_("Second throw"))

    @property
    def throws(self) -> tuple[int, int]:
        first, second = (self.cleaned_data.get(name) for name in ("first", "second"))
        return int(first or EXAMPLE[0]), int(second or EXAMPLE[1])


class OwnSeatForm(_Asked):
    start = forms.ChoiceField(
        required=False, choices=[(wind, words.NAMES[wind]) for wind in WINDS], label=_("You start as")
    )
    chart = forms.ChoiceField(required=False, choices=list(CHART_NAMES.items()), label=_("Seat rotation"))

    @property
    def wind(self) -> str:
        return self.cleaned_data.get("start") or "E"

    @property
    def rotation(self) -> Chart:
        return CHARTS[self.cleaned_data.get("chart") or APPENDIX_2.key]
