"""Forms of the calculator, and of an evening of the classical game."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.calculator import Announcement
from scoring.classical import CLASSICAL, Flower, Rules
from scoring.classical.evening import CIRCUMSTANCES as ENTRIES_CIRCUMSTANCES
from scoring.classical.evening import (
    MAX_LIMIT,
    MAX_NAME_LENGTH,
    MAX_POINTS,
    MAX_TILES_LENGTH,
    PLACES,
    Entry,
    Evening,
    PlayerHand,
)
from scoring.classical.hands import MAX_WINS, WinExtras
from scoring.engine import FANS, MCR, RULEBOOKS, WINDS, Fan, Problem, Rulebook, find_fan, find_rulebook
from scoring.engine.notation import FLAGS, MAX_TEXT_LENGTH, SETTINGS
from scoring.engine.problems import MAX_FLOWERS
from scoring.texts import fan_name, flower_name, problem_sentence, scoring_name
from tournament.web.forms import Form
from tournament.web.texts import words

# --- The calculator ---


MAX_TIMES = 4
"""A fan other than flowers cannot be announced more often than a hand has sets."""

CIRCUMSTANCES: dict[str, str | Promise] = {
    "self_drawn": _("Self-drawn"),
    "last_of_kind": _("Last of its kind"),
    "last_tile_of_wall": _("Last tile of wall"),
    "replacement": _("After a kong"),
    "robbing_kong": _("Robbing a kong"),
}
EXTRA_FLAGS: dict[str, str | Promise] = {
    "standing": _("Standing hand"),
    "original": _("Original hand"),
    "first_discard": _("East’s first discard"),
}
"""Extra flags of the classical game."""
SYSTEMS = (*(book.key for book in RULEBOOKS), CLASSICAL.key)
"""The scoring systems."""
_WIND_CHOICES = [(wind, words.NAMES[wind]) for wind in WINDS]
FIELD_BY_PLACE = {
    "seat_wind": "seat",
    "prevalent_wind": "round",
    "flowers": "flowers",
    "named_flowers": "flower",
} | {
    **dict.fromkeys(FLAGS, "flag"),
    **dict.fromkeys(EXTRA_FLAGS, "way"),
    "wins_in_a_row": "wins",
}
"""The form fields of a record's problems; all other problems are shown at the tiles."""


class NonEmptySelectMultiple(forms.SelectMultiple):
    """A multiple select that ignores the empty option."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return [value for value in super().value_from_datadict(data, files, name) or () if value]


class CalculatorForm(Form):
    """A GET form of tiles as text, circumstances, rulebook and announcement, all of them optional."""

    hand = forms.CharField(required=False, max_length=MAX_TEXT_LENGTH, label=_("The hand as text"))
    flag = forms.MultipleChoiceField(
        required=False, choices=list(CIRCUMSTANCES.items()), label=_("Circumstances")
    )
    seat = forms.ChoiceField(required=False, choices=_WIND_CHOICES, label=_("Seat wind"))
    round = forms.ChoiceField(required=False, choices=_WIND_CHOICES, label=_("Prevalent wind"))
    flowers = forms.IntegerField(required=False, min_value=0, max_value=MAX_FLOWERS, label=_("Flowers"))
    rulebook = forms.ChoiceField(
        required=False,
        choices=lambda: [(key, scoring_name(key)) for key in SYSTEMS],
        label=_("Rulebook"),
    )
    flower = forms.MultipleChoiceField(
        required=False,
        choices=lambda: [(flower.key, flower_name(flower)) for flower in Flower],
        label=_("Seasons and flowers"),
    )
    way = forms.MultipleChoiceField(
        required=False, choices=list(EXTRA_FLAGS.items()), label=_("How it was won")
    )
    wins = forms.IntegerField(required=False, min_value=1, max_value=MAX_WINS, label=_("Wins in a row"))
    points = forms.IntegerField(required=False, min_value=0, max_value=9999, label=_("Points announced"))
    fan = forms.MultipleChoiceField(required=False, widget=NonEmptySelectMultiple, label=_("Fans announced"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["fan"].choices = [(value, value) for fan in FANS for value in times_of(fan)]  # type: ignore[attr-defined]
        self.is_valid()
        self.values = dict(self.cleaned_data)
        """The valid values; unlike `cleaned_data`, `add_error` does not remove them."""

    @property
    def text(self) -> str:
        """The text as typed."""
        return str(self.values.get("hand", self.data.get("hand", "")))

    @property
    def system(self) -> str:
        """The key of the scoring system: a rulebook or the classical game."""
        return str(self.values.get("rulebook") or MCR.key)

    @property
    def is_classical(self) -> bool:
        return self.system == CLASSICAL.key

    @property
    def book(self) -> Rulebook:
        """The rulebook; MCR for the classical game."""
        return MCR if self.is_classical else find_rulebook(self.system)

    @property
    def extras(self) -> WinExtras:
        """The extras of the classical game."""
        values = self.values
        named = tuple(Flower[key.upper()] for key in values.get("flower", ()))
        return WinExtras(named, frozenset(values.get("way", ())), values.get("wins") or 1)

    @property
    def announcement(self) -> Announcement:
        fans: Counter[Fan] = Counter()
        for value in self.values.get("fan", ()):
            key, _star, times = value.partition("*")
            fans[find_fan(key)] += int(times or 1)
        return Announcement(self.values.get("points"), fans or None)

    def with_circumstances(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the record of the text, merged with the other fields."""
        values = self.cleaned_data
        flags = dict.fromkeys(values.get("flag", ()), True)
        settings = {
            fact: values[name]
            for name, fact in SETTINGS.items()
            if values.get(name) and record.get(fact, "E") in ("E", 0)
        }
        merged = {**record, **flags, **settings}
        # Named seasons and flowers are flowers of the competition rules too.
        named = len(values.get("flower", ()))
        counts_named = named and (self.is_classical or not merged.get("flowers"))
        return {**merged, "flowers": named} if counts_named else merged

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Add each problem as an error of its field."""
        for problem in problems:
            self.add_error(FIELD_BY_PLACE.get(problem.where, "hand"), problem_sentence(problem))

    def announceable(self) -> Iterator[tuple[int, list[dict[str, Any]]]]:
        """Yield the fans by points, highest first, each with its choices of times."""
        chosen = set(self["fan"].value() or ())
        for points in sorted({fan.points for fan in FANS}, reverse=True):
            yield (
                points,
                [
                    {"name": fan_name(fan), "key": fan.key, "times": _times_choices(fan, chosen)}
                    for fan in FANS
                    if fan.points == points
                ],
            )


def times_of(fan: Fan) -> list[str]:
    """Return the form values of a fan: its key, and key*2 … for a fan that may count more than once."""
    maximum = (MAX_FLOWERS if fan is Fan.FLOWER_TILES else MAX_TIMES) if fan.many else 1
    return [fan.key, *(f"{fan.key}*{times}" for times in range(2, maximum + 1))]


def _times_choices(fan: Fan, chosen: set[str]) -> list[dict[str, Any]]:
    return [
        {"value": value, "times": times, "chosen": value in chosen}
        for times, value in enumerate(times_of(fan), start=1)
    ]


# --- An evening of the classical game ---


NOBODY = "nobody"
"""The choice of winner for a wash-out."""
RULE_LABELS: dict[str, Any] = {
    "east_doubles": _("East pays and receives double"),
    "losers_settle": _("Losers settle among each other"),
    "losers_have_limit": _("The limit holds for losers’ hands too"),
    "both_winds_of_pair": _("A pair of one’s own wind and the round’s scores twice"),
    "both_winds_of_pung": _("A pung of one’s own wind and the round’s doubles twice"),
    "own_flower_in_four": _("One’s own flower doubles beside all four"),
    "flowers_are_value": _("Flowers spoil “No scoring value”"),
    "concealed_pungs_drawn": _("Concealed pungs are a limit hand only self-drawn"),
    "nine_tiles_called": _("The nine tile hand must wait for all nine"),
    "every_pair_of_losers": _("Every pair of a loser scores"),
}
"""Rules that a club may change, worded as in the decisions."""


class EveningForm(Form):
    """The names of four players and the rules, which default to the source's."""

    limit = forms.IntegerField(min_value=1, max_value=MAX_LIMIT, label=_("Limit"))

    def __init__(self, data: Mapping[str, Any] | None = None, evening: Evening | None = None) -> None:
        super().__init__(data, initial=_initial_values(evening))
        for place in PLACES:
            label = gettext("Player {number}").format(number=place + 1)
            self.fields[f"name_{place}"] = forms.CharField(
                required=False, max_length=MAX_NAME_LENGTH, label=label, strip=True
            )
        for name, label in RULE_LABELS.items():
            self.fields[name] = forms.BooleanField(required=False, label=label)

    def players(self) -> list[forms.BoundField]:
        return [self[f"name_{place}"] for place in PLACES]

    def rule_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in RULE_LABELS]

    def evening(self, entries: tuple[Entry, ...] = ()) -> Evening:
        """Return the evening; players without a name are numbered."""
        data = self.cleaned_data
        names = tuple(data[field.name] or str(field.label) for field in self.players())
        rules = {name: data[name] for name in RULE_LABELS if name != "east_doubles"}
        factor = CLASSICAL.east_factor if data["east_doubles"] else 1
        return Evening(names, Rules(limit=data["limit"], east_factor=factor, **rules), entries)


def _initial_values(evening: Evening | None) -> dict[str, Any]:
    rules = evening.rules if evening else CLASSICAL
    names = {f"name_{place}": name for place, name in enumerate(evening.names)} if evening else {}
    options = {name: getattr(rules, name) for name in RULE_LABELS if name != "east_doubles"}
    return {"limit": rules.limit, "east_doubles": rules.east_factor > 1} | options | names


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
    """One hand: the winner, and points or tiles of each player."""

    winner = forms.ChoiceField(label=_("Who won?"), widget=forms.RadioSelect)
    ways = forms.MultipleChoiceField(
        required=False,
        choices=[(way, {**CIRCUMSTANCES, **EXTRA_FLAGS}[way]) for way in ENTRIES_CIRCUMSTANCES],
        label=_("How it was won"),
    )

    def __init__(self, evening: Evening, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.evening = evening
        players = [(str(place), name) for place, name in enumerate(evening.names)]
        self.fields["winner"].choices = [*players, (NOBODY, gettext("Nobody: wash-out"))]  # type: ignore[attr-defined]
        for place, name in enumerate(evening.names):
            self.fields |= _player_fields(place, name)

    def seats(self) -> Iterator[Seat]:
        for place, name in enumerate(self.evening.names):
            fields = (self[f"{field}_{place}"] for field in ("points", "tiles", "flowers"))
            yield Seat(place, name, self.evening.turn.wind(place), *fields)

    def entry(self) -> Entry:
        data = self.cleaned_data
        if data["winner"] == NOBODY:
            return Entry(None)
        hands = tuple(
            PlayerHand(
                data[f"points_{place}"],
                data[f"tiles_{place}"],
                tuple(Flower[key.upper()] for key in data[f"flowers_{place}"]),
            )
            for place in PLACES
        )
        return Entry(int(data["winner"]), hands, frozenset(data["ways"]))

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Add each problem as an error of its field."""
        for problem in problems:
            _hands, _dot, rest = problem.where.partition(".")
            place, _dot, field = rest.partition(".")
            self.add_error(f"{field}_{place}" if field else problem.where, problem_sentence(problem))


def _player_fields(place: int, name: str) -> dict[str, forms.Field]:
    flowers = [(flower.key, flower_name(flower)) for flower in Flower]
    return {
        f"points_{place}": forms.IntegerField(
            required=False,
            min_value=0,
            max_value=MAX_POINTS,
            label=gettext("{name}: points").format(name=name),
            widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        ),
        f"tiles_{place}": forms.CharField(
            required=False,
            max_length=MAX_TILES_LENGTH,
            label=gettext("{name}: tiles as text").format(name=name),
            widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
        ),
        f"flowers_{place}": forms.MultipleChoiceField(
            required=False, choices=flowers, label=gettext("{name}: seasons and flowers").format(name=name)
        ),
    }
