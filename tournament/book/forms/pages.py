"""Forms of the quiz, and of the drawings beside the rules: two throws of dice, one's starting wind.

They are GET forms, so that an answered puzzle can be shared like an open one.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django import forms
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

ANSWERED: Final = "answered"
"""In the query of an answer, even if nothing is ticked."""
MAX_POINTS: Final = 999


class WorthForm(Form):
    points = forms.IntegerField(
        label=_("Points"),
        min_value=0,
        max_value=MAX_POINTS,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
    )

    def __init__(self, question: HandQuestion, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.question = question

    @property
    def grade(self) -> int:
        return grade_worth(self.question, self.cleaned_data["points"])


class FansForm(Form):
    fan = forms.MultipleChoiceField(label=_("Fans"), required=False)

    def __init__(self, question: HandQuestion, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.question = question
        _set_choices(self, "fan", ((fan.key, fan_name(fan)) for fan in question.offered))

    @property
    def grade(self) -> int:
        return grade_fans(self.question, self._named)

    @property
    def missed(self) -> list[Fan]:
        """Fans that count and were not ticked."""
        return [fan for fan in self.question.offered if fan in self.question.fans - self._named]

    @property
    def wrong(self) -> list[Fan]:
        """Ticked fans that do not count."""
        return [fan for fan in self.question.offered if fan in self._named - self.question.fans]

    @property
    def _named(self) -> set[Fan]:
        return set(map(find_fan, self.cleaned_data["fan"]))


class WaitsForm(Form):
    completes = forms.MultipleChoiceField(label=_("Tiles that complete the hand"), required=False)
    reaches = forms.MultipleChoiceField(label=_("Tiles that also reach 8 points"), required=False)

    def __init__(self, question: WaitsQuestion, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.question = question
        for name in ("completes", "reaches"):
            _set_choices(self, name, ((tile, tile_name(tile)) for tile in question.offered))

    @property
    def grade(self) -> int:
        return grade_waits(self.question, self._ticked, self.cleaned_data["reaches"])

    @property
    def missed(self) -> list[str]:
        """Tiles that complete the hand and were not ticked."""
        return self._offered(self.question.completing - self._ticked)

    @property
    def wrong(self) -> list[str]:
        """Ticked tiles that do not complete it."""
        return self._offered(self._ticked - self.question.completing)

    @property
    def too_little(self) -> list[str]:
        """Tiles wrongly ticked as reaching the minimum; they do complete the hand."""
        return self._offered(
            set(self.cleaned_data["reaches"]) & self.question.completing - self.question.reaching
        )

    @property
    def enough(self) -> list[str]:
        """Tiles that reach the minimum and were not ticked so."""
        return self._offered((self.question.reaching & self._ticked) - set(self.cleaned_data["reaches"]))

    @property
    def _ticked(self) -> set[str]:
        return {*self.cleaned_data["completes"], *self.cleaned_data["reaches"]}

    def _offered(self, tiles: Collection[str]) -> list[str]:
        return [tile for tile in self.question.offered if tile in tiles]


class DiscardForm(Form):
    tile = forms.ChoiceField(label=_("Discard"), widget=forms.RadioSelect)

    def __init__(self, question: Discard, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.question = question
        _set_choices(self, "tile", ((tile, tile_name(tile)) for tile in question.choices))

    @property
    def grade(self) -> int | None:
        """None for a tile that the source does not grade."""
        return self.question.grades.get(self.cleaned_data["tile"])


QuizForm = WorthForm | FansForm | WaitsForm


def quiz_form(question: Question, data: Mapping[str, Any]) -> QuizForm:
    """Return the form of a question, bound if there is an answer."""
    answers = data if ANSWERED in data else None
    if isinstance(question, WaitsQuestion):
        return WaitsForm(question, answers)
    return WorthForm(question, answers) if question.kind is Kind.WORTH else FansForm(question, answers)


def _set_choices(form: Form, name: str, choices: Iterable[tuple[str, str]]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


_THROWS = [(throw, str(throw)) for throw in THROWS]
EXAMPLE = (5, 8)
"""The throws of the rules' own example (000:270-271)."""


class _LenientForm(Form):
    """A GET form whose fields may be missing or invalid: then they count as missing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_valid()


class ThrowsForm(_LenientForm):
    first = forms.ChoiceField(required=False, choices=_THROWS, label=_("First throw, by East"))
    second = forms.ChoiceField(required=False, choices=_THROWS, label=_("Second throw"))

    @property
    def throws(self) -> tuple[int, int]:
        first, second = (self.cleaned_data.get(name) for name in ("first", "second"))
        return int(first or EXAMPLE[0]), int(second or EXAMPLE[1])


class OwnSeatForm(_LenientForm):
    start = forms.ChoiceField(
        required=False, choices=[(wind, words.NAMES[wind]) for wind in WINDS], label=_("You start as")
    )
    chart = forms.ChoiceField(
        required=False, choices=list(words.CHART_NAMES.items()), label=_("Seat rotation")
    )

    @property
    def wind(self) -> str:
        return self.cleaned_data.get("start") or "E"

    @property
    def rotation(self) -> Chart:
        return CHARTS[self.cleaned_data.get("chart") or APPENDIX_2.key]
