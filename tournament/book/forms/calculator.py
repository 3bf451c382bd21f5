"""What the calculator is asked: the tiles as text, the circumstances, the rulebook, what was announced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.calculator import Claimed
from scoring.classical import CLASSICAL, Flower
from scoring.classical.besides import MOST_WINS, Besides
from scoring.engine import FANS, MCR, RULEBOOKS, WINDS, Fan, Problem, Rulebook, find_fan, find_rulebook
from scoring.engine.notation import FLAGS, SETTINGS
from scoring.engine.validation import MAX_FLOWERS
from scoring.texts import fan_name, problem_sentence, rulebook_called
from scoring.texts.classical import flower_name
from tournament.web.forms.spoken import Form
from tournament.web.texts import winds

LONGEST_TEXT = 300
MOST_TIMES = 4
"""More of one fan than a hand has sets cannot be announced, but for flowers."""

CIRCUMSTANCES: dict[str, str | Promise] = {
    "self_drawn": _("Self-drawn"),
    "last_of_kind": _("Last of its kind"),
    "last_tile_of_wall": _("Last tile of wall"),
    "replacement": _("After a kong"),
    "robbing_kong": _("Robbing a kong"),
}
WAYS: dict[str, str | Promise] = {
    "standing": _("Standing hand"),
    "original": _("Original hand"),
    "first_discard": _("East’s first discard"),
}
"""What the classical game asks of the way of winning."""
SYSTEMS = (*(book.key for book in RULEBOOKS), CLASSICAL.key)
"""What a hand can be scored by."""
_WINDS = [(wind, winds.NAMES[wind]) for wind in WINDS]
TO_FIELD = {
    "seat_wind": "seat",
    "prevalent_wind": "round",
    "flowers": "flowers",
    "named_flowers": "flower",
} | {
    **dict.fromkeys(FLAGS, "flag"),
    **dict.fromkeys(WAYS, "way"),
    "wins_in_a_row": "wins",
}
"""The field at which a problem of the record is said; all others are said at the tiles."""


class Ticked(forms.SelectMultiple):
    """Choices that may come as "" from a list that was left alone."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [value for value in super().value_from_datadict(data, files, name) or () if value]


class CalculatorForm(Form):
    """A GET form; every field may be left out. What the text says of the circumstances counts as if it were ticked."""

    hand = forms.CharField(required=False, max_length=LONGEST_TEXT, label=_("The hand as text"))
    flag = forms.MultipleChoiceField(
        required=False, choices=list(CIRCUMSTANCES.items()), label=_("Circumstances")
    )
    seat = forms.ChoiceField(required=False, choices=_WINDS, label=_("Seat wind"))
    round = forms.ChoiceField(required=False, choices=_WINDS, label=_("Prevalent wind"))
    flowers = forms.IntegerField(required=False, min_value=0, max_value=MAX_FLOWERS, label=_("Flowers"))
    rulebook = forms.ChoiceField(
        required=False,
        choices=lambda: [(key, rulebook_called(key)) for key in SYSTEMS],
        label=_("Rulebook"),
    )
    flower = forms.MultipleChoiceField(
        required=False,
        choices=lambda: [(flower.key, flower_name(flower)) for flower in Flower],
        label=_("Seasons and flowers"),
    )
    way = forms.MultipleChoiceField(required=False, choices=list(WAYS.items()), label=_("How it was won"))
    wins = forms.IntegerField(required=False, min_value=1, max_value=MOST_WINS, label=_("Wins in a row"))
    points = forms.IntegerField(required=False, min_value=0, max_value=9999, label=_("Points announced"))
    fan = forms.MultipleChoiceField(required=False, widget=Ticked, label=_("Fans announced"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["fan"].choices = [(value, value) for fan in FANS for value in times_of(fan)]  # type: ignore[attr-defined]
        self.is_valid()
        self.asked = dict(self.cleaned_data)
        """What could be read. A problem said at a field takes nothing of it away."""

    @property
    def text(self) -> str:
        """The text as it was typed."""
        return str(self.asked.get("hand", self.data.get("hand", "")))

    @property
    def system(self) -> str:
        """The key of what the hand is scored by: a rulebook or the classical game."""
        return str(self.asked.get("rulebook") or MCR.key)

    @property
    def is_classical(self) -> bool:
        return self.system == CLASSICAL.key

    @property
    def book(self) -> Rulebook:
        """The rulebook; that of the competition rules beside the classical game."""
        return MCR if self.is_classical else find_rulebook(self.system)

    @property
    def besides(self) -> Besides:
        """What the classical game asks besides."""
        asked = self.asked
        named = tuple(Flower[key.upper()] for key in asked.get("flower", ()))
        return Besides(named, frozenset(asked.get("way", ())), asked.get("wins") or 1)

    @property
    def claimed(self) -> Claimed:
        fans: Counter[Fan] = Counter()
        for value in self.asked.get("fan", ()):
            key, _star, times = value.partition("*")
            fans[find_fan(key)] += int(times or 1)
        return Claimed(self.asked.get("points"), fans or None)

    def with_circumstances(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The record of the text with what the other fields say."""
        asked = self.cleaned_data
        flags = dict.fromkeys(asked.get("flag", ()), True)
        settings = {
            fact: asked[name]
            for name, fact in SETTINGS.items()
            if asked.get(name) and record.get(fact, "E") in ("E", 0)
        }
        found = {**record, **flags, **settings}
        # Seasons and flowers that are named are flowers of the competition rules too.
        named = len(asked.get("flower", ()))
        return {**found, "flowers": named} if named and self._counts_named(found) else found

    def _counts_named(self, record: Mapping[str, Any]) -> bool:
        """Whether the number of flowers is that of the named ones: the classical game asks which they are."""
        return self.is_classical or not record.get("flowers")

    def say(self, problems: Iterable[Problem]) -> None:
        """Every problem at its field, in words."""
        for problem in problems:
            self.add_error(TO_FIELD.get(problem.where, "hand"), problem_sentence(problem))

    def announceable(self) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """The fans by points, the dearest first: name, how often it may be announced, what was."""
        chosen = set(self["fan"].value() or ())
        for points in sorted({fan.points for fan in FANS}, reverse=True):
            yield (
                points,
                [
                    {"name": fan_name(fan), "key": fan.key, "times": _choices(fan, chosen)}
                    for fan in FANS
                    if fan.points == points
                ],
            )


def times_of(fan: Fan) -> list[str]:
    """How a fan is announced: its key, and key*2 … for one that may count more than once."""
    most = (MAX_FLOWERS if fan is Fan.FLOWER_TILES else MOST_TIMES) if fan.many else 1
    return [fan.key, *(f"{fan.key}*{times}" for times in range(2, most + 1))]


def _choices(fan: Fan, chosen: set[str]) -> list[dict[str, Any]]:
    return [
        {"value": value, "times": times, "chosen": value in chosen}
        for times, value in enumerate(times_of(fan), start=1)
    ]
