"""An evening of the classical game: who plays and by what, and what everybody held in one hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.classical import CLASSICAL, Flower, Rules
from scoring.classical.entries import CIRCUMSTANCES, Entry, Held
from scoring.classical.evening import Evening
from scoring.classical.records import LONGEST_NAME, LONGEST_TILES, MOST_LIMIT, MOST_POINTS
from scoring.classical.turn import PLACES
from scoring.engine import Problem
from scoring.texts import problem_sentence
from scoring.texts.classical import flower_name
from tournament.book.forms.calculator import CIRCUMSTANCES as FLAGS
from tournament.book.forms.calculator import WAYS
from tournament.web.forms.spoken import Form

NOBODY = "nobody"
"""A wash-out, among who may have won."""
AGREED: dict[str, Any] = {
    "east_doubles": gettext_lazy("East pays and receives double"),
    "losers_settle": gettext_lazy("Losers settle among each other"),
    "losers_have_limit": gettext_lazy("The limit holds for losers’ hands too"),
    "both_winds_of_pair": gettext_lazy("A pair of one’s own wind and the round’s scores twice"),
    "both_winds_of_pung": gettext_lazy("A pung of one’s own wind and the round’s doubles twice"),
    "own_flower_in_four": gettext_lazy("One’s own flower doubles beside all four"),
    "flowers_are_value": gettext_lazy("Flowers spoil “No scoring value”"),
    "concealed_pungs_drawn": gettext_lazy("Concealed pungs are a limit hand only self-drawn"),
    "nine_tiles_called": gettext_lazy("The nine tile hand must wait for all nine"),
    "every_pair_of_losers": gettext_lazy("Every pair of a loser scores"),
}
"""What a club may agree upon, ticked or not, in the words of the decisions."""


class AgreedForm(Form):
    """Four names and the rules; what is left alone is as the source has it."""

    limit = forms.IntegerField(min_value=1, max_value=MOST_LIMIT, label=gettext_lazy("Limit"))

    def __init__(self, data: Mapping[str, Any] | None = None, evening: Evening | None = None) -> None:
        super().__init__(data, initial=_initial(evening))
        for place in PLACES:
            label = _("Player {number}").format(number=place + 1)
            self.fields[f"name_{place}"] = forms.CharField(
                required=False, max_length=LONGEST_NAME, label=label, strip=True
            )
        for name, said in AGREED.items():
            self.fields[name] = forms.BooleanField(required=False, label=said)

    def players(self) -> list[forms.BoundField]:
        return [self[f"name_{place}"] for place in PLACES]

    def agreements(self) -> list[forms.BoundField]:
        return [self[name] for name in AGREED]

    def evening(self, entries: tuple[Entry, ...] = ()) -> Evening:
        """The evening that is asked for; who has no name is called by number."""
        said = self.cleaned_data
        names = tuple(said[field.name] or str(field.label) for field in self.players())
        agreed = {name: said[name] for name in AGREED if name != "east_doubles"}
        factor = CLASSICAL.east_factor if said["east_doubles"] else 1
        return Evening(names, Rules(limit=said["limit"], east_factor=factor, **agreed), entries)


def _initial(evening: Evening | None) -> dict[str, Any]:
    rules = evening.rules if evening else CLASSICAL
    names = {f"name_{place}": name for place, name in enumerate(evening.names)} if evening else {}
    agreed = {name: getattr(rules, name) for name in AGREED if name != "east_doubles"}
    return {"limit": rules.limit, "east_doubles": rules.east_factor > 1} | agreed | names


@dataclass(frozen=True, slots=True)
class Seat:
    """The fields of one player."""

    place: int
    name: str
    wind: str
    points: forms.BoundField
    tiles: forms.BoundField
    flowers: forms.BoundField


class HandForm(Form):
    """One hand: who won, and for each of the four points or tiles."""

    winner = forms.ChoiceField(label=gettext_lazy("Who won?"), widget=forms.RadioSelect)
    ways = forms.MultipleChoiceField(
        required=False,
        choices=[(way, {**FLAGS, **WAYS}[way]) for way in CIRCUMSTANCES],
        label=gettext_lazy("How it was won"),
    )

    def __init__(self, evening: Evening, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.before = evening
        players = [(str(place), name) for place, name in enumerate(evening.names)]
        self.fields["winner"].choices = [*players, (NOBODY, _("Nobody: wash-out"))]  # type: ignore[attr-defined]
        for place, name in enumerate(evening.names):
            self.fields |= _fields_of(place, name)

    def seats(self) -> Iterator[Seat]:
        for place, name in enumerate(self.before.names):
            fields = (self[f"{field}_{place}"] for field in ("points", "tiles", "flowers"))
            yield Seat(place, name, self.before.turn.wind(place), *fields)

    def entry(self) -> Entry:
        said = self.cleaned_data
        if said["winner"] == NOBODY:
            return Entry(None)
        held = tuple(
            Held(
                said[f"points_{place}"],
                said[f"tiles_{place}"],
                tuple(Flower[key.upper()] for key in said[f"flowers_{place}"]),
            )
            for place in PLACES
        )
        return Entry(int(said["winner"]), held, frozenset(said["ways"]))

    def say(self, problems: Iterable[Problem]) -> None:
        """Every problem at its field, in words."""
        for problem in problems:
            _held, _dot, rest = problem.where.partition(".")
            place, _dot, field = rest.partition(".")
            self.add_error(f"{field}_{place}" if field else problem.where, problem_sentence(problem))


def _fields_of(place: int, name: str) -> dict[str, forms.Field]:
    flowers = [(flower.key, flower_name(flower)) for flower in Flower]
    return {
        f"points_{place}": forms.IntegerField(
            required=False,
            min_value=0,
            max_value=MOST_POINTS,
            label=_("{name}: points").format(name=name),
            widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        ),
        f"tiles_{place}": forms.CharField(
            required=False,
            max_length=LONGEST_TILES,
            label=_("{name}: tiles as text").format(name=name),
            widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
        ),
        f"flowers_{place}": forms.MultipleChoiceField(
            required=False, choices=flowers, label=_("{name}: seasons and flowers").format(name=name)
        ),
    }
