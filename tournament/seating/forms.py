"""Forms for a draw, a session, a final, a swap, the filmed table and a correction."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem, ProblemCode, problem_code
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import WINDS
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.finals import MAX_SESSIONS, FinalsOptions, finals_options
from tournament.roster.exports.list_import import NUMBER_NOT_WHOLE
from tournament.seating.engine.draw import DrawOptions
from tournament.seating.engine.swiss import SeatingMethod
from tournament.seating.selectors.changes import SessionOptions
from tournament.web.forms import Form, add_problems
from tournament.web.texts.words import NAMES

NOT_PAIRS = problem_code(
    "not_pairs", "“{text}” is not a pair of player numbers: write for instance 3-17, 5-12."
)
NOT_STAYS = problem_code("not_stays", "“{text}” is not a player and a table: write for instance 3:1, 17:4.")


class DrawForm(Form):
    """The seed and the options of a draw."""

    seed = forms.CharField(
        label=_("Code word for the draw"),
        help_text=_(
            "The same players and the same word always give the same seats. Choose something that everyone "
            "in the hall can check, such as lottery numbers or a word that someone calls out."
        ),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    sessions = forms.TypedChoiceField(
        label=_("Draw now"),
        help_text=_("The other sessions get their seats later, one by one, for instance by standing."),
        coerce=int,
        required=False,
        empty_value=None,
    )
    teams = forms.BooleanField(
        label=_("Team-mates never meet"),
        help_text=_(
            "Even if this causes repeat meetings. Otherwise they meet as rarely as possible without them."
        ),
        required=False,
    )
    clubs = forms.BooleanField(label=_("Club-mates meet late and rarely"), required=False)
    countries = forms.BooleanField(label=_("Compatriots meet late and rarely"), required=False)
    forbidden = forms.CharField(
        label=_("Pairs that must not meet"),
        help_text=_("Player numbers, for instance 3-17, 5-12. Published with the draw’s certificate."),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    stay = forms.CharField(
        label=_("Players who always play at the same table"),
        help_text=_("Player and table, for instance 3:1, 17:4. Published with the draw’s certificate."),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        planned = tournament.sessions_planned
        numbered = [
            (n, ngettext("the first session", "the first %(n)s sessions", n) % {"n": n})
            for n in range(1, planned)
        ]
        _set_choices(self, "sessions", [("", _("all sessions")), *numbered])
        self.fields["sessions"].says_optional = False  # type: ignore[attr-defined]
        if planned == 1:
            del self.fields["sessions"]
        for name, attribute in (("teams", "team"), ("clubs", "club"), ("countries", "country")):
            if not tournament.players.exclude(**{attribute: ""}).exists():
                del self.fields[name]

    def clean_forbidden(self) -> tuple[tuple[int, int], ...]:
        return self._pairs_of_numbers("forbidden", r"[-–—]", NOT_PAIRS)

    def clean_stay(self) -> tuple[tuple[int, int], ...]:
        return self._pairs_of_numbers("stay", r"[:：]", NOT_STAYS)

    def to_options(self) -> DrawOptions:
        """Return the options; requires a valid form."""
        data = self.cleaned_data
        return DrawOptions(
            teams=data.get("teams", False),
            clubs=data.get("clubs", False),
            countries=data.get("countries", False),
            forbidden=data["forbidden"],
            stay=data["stay"],
            sessions=data.get("sessions"),
        )

    def _pairs_of_numbers(self, field: str, between: str, code: ProblemCode) -> tuple[tuple[int, int], ...]:
        """Read pairs of numbers with a sign between the two; adds a problem and returns none if one is malformed."""
        pairs = []
        for part in filter(
            None, (part.strip() for part in re.split(r"[,;、，；]", self.cleaned_data[field]))
        ):
            match = re.fullmatch(rf"(\d{{1,4}})\s*{between}\s*(\d{{1,4}})", part, re.ASCII)
            if match is None:
                add_problems(self, [code(field, text=part)])
                return ()
            pairs.append((int(match[1]), int(match[2])))
        return tuple(pairs)


def random_seed() -> str:
    """Propose a seed of six numbers, as in a lottery; any other text is as good."""
    numbers = sorted(secrets.SystemRandom().sample(range(1, 50), 6))
    return " · ".join(map(str, numbers))


class FinalsForm(Form):
    """The options of a final."""

    size = forms.ChoiceField(
        label=_("Qualified players"),
        choices=[
            ("4", _("The best 4")),
            ("8", _("The best 8")),
            ("16", _("The best 16")),
            ("16/4", _("The best 16, in groups of four by place")),
        ],
        widget=forms.RadioSelect,
    )
    carry = forms.ChoiceField(
        label=_("Points before the final"),
        help_text=_(
            "Table points and game points alike; half of an odd number of game points is rounded down."
        ),
        choices=[
            (Carry.FULL.value, _("count in full")),
            (Carry.HALF.value, _("count half")),
            (Carry.NOTHING.value, _("do not count")),
        ],
        widget=forms.RadioSelect,
    )
    sessions = forms.IntegerField(
        label=_("Sessions"),
        help_text=_("Sessions are added if too few are planned; extra ones stay empty for another final."),
        min_value=1,
        max_value=MAX_SESSIONS,
    )
    seed = forms.CharField(
        label=_("Code word for the draw"),
        help_text=_("The same finalists and the same word give the same seats."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    first = forms.TypedMultipleChoiceField(
        label=_("Which players go through?"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    replace = forms.BooleanField(required=False, widget=forms.HiddenInput)
    """Whether the final that is set up gives way to this one."""

    def __init__(self, players: Iterable[Player], *args: Any, **kwargs: Any) -> None:
        """`players`: those who can go on."""
        super().__init__(*args, **kwargs)
        self.limit_first_to(players)

    def limit_first_to(self, players: Iterable[Player]) -> None:
        """Offer only these players: those who share the last place that goes on."""
        _set_choices(self, "first", [(player.number, player.name) for player in players])

    def to_options(self) -> FinalsOptions:
        """Return the options; requires a valid form."""
        return finals_options(self.cleaned_data)


BY_HAND = "hand"
METHODS = [
    (SeatingMethod.STANDING.value, _("By standing (Swiss): neighbours in the standings meet, nobody twice")),
    (SeatingMethod.INTERVAL.value, _("At intervals: one from each quarter of the standings at every table")),
    (SeatingMethod.LOT.value, _("By lot, nobody twice")),
    (BY_HAND, _("By hand")),
]


class SeatsForm(Form):
    """How a session is seated."""

    how = forms.ChoiceField(
        label=_("Method"),
        choices=METHODS,
        widget=forms.RadioSelect,
    )
    seed = forms.CharField(
        label=_("Code word for the draw"),
        help_text=_("By standing and by lot: the same standings and the same word give the same seats."),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    @property
    def is_by_hand(self) -> bool:
        return bool(self.cleaned_data["how"] == BY_HAND)

    def to_options(self) -> SessionOptions:
        """Return the options; requires a valid form, not by hand. At intervals there is no seed."""
        method = SeatingMethod(self.cleaned_data["how"])
        return SessionOptions(method, "" if method is SeatingMethod.INTERVAL else self.cleaned_data["seed"])


class HandSeatsForm(Form):
    """A player's number for every seat of a session: fields t1E, t1S … in the order of the tables."""

    def __init__(self, tables: Sequence[Mapping[str, int]], *args: Any, **kwargs: Any) -> None:
        """`tables`: the initial seats, one entry for each table; 0 for nobody."""
        super().__init__(*args, **kwargs)
        self.tables = len(tables)
        for number, table in enumerate(tables, 1):
            for wind in WINDS:
                self.fields[f"t{number}{wind}"] = forms.IntegerField(
                    label=gettext("Table %(n)s, %(wind)s") % {"n": number, "wind": NAMES[wind]},
                    initial=table.get(wind) or None,
                    widget=forms.TextInput(
                        attrs={"inputmode": "numeric", "list": "people", "autocomplete": "off"}
                    ),
                )

    def rows(self) -> list[tuple[int, list[tuple[str, BoundField]]]]:
        """Return (table, its four fields by wind)."""
        return [
            (number, [(wind, self[f"t{number}{wind}"]) for wind in WINDS])
            for number in range(1, self.tables + 1)
        ]

    def to_options(self) -> SessionOptions:
        """Return the options; requires a valid form."""
        data, numbers = self.cleaned_data, range(1, self.tables + 1)
        tables = [{wind: data[f"t{number}{wind}"] for wind in WINDS} for number in numbers]
        return SessionOptions(tables=tables)

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Add each problem to the seat that it is about, where that is known."""
        add_problems(self, [problem.at(self._field_of(problem)) for problem in problems])

    def _field_of(self, problem: Problem) -> str:
        """Return the last field at the table in the problem's `where` that holds its player; "" if none."""
        table = problem.where.rpartition(" ")[2]
        names = [f"t{table}{wind}" for wind in WINDS if f"t{table}{wind}" in self.fields]
        matches = [name for name in names if self.cleaned_data.get(name) == problem.params.get("player")]
        return matches[-1] if matches else ""


class StreamForm(Form):
    """The players at the filmed table, and the sessions."""

    players = forms.CharField(
        label=_("Players"),
        help_text=_(
            "Player numbers, for instance 3, 17: one player in any number of sessions, or up to four together."
        ),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )
    table = forms.IntegerField(label=_("Filmed table"), min_value=1, initial=1)
    sessions = forms.TypedMultipleChoiceField(
        label=_("Sessions"), coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        planned = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False).distinct()
        self.planned = [session.number for session in planned]
        _set_choices(self, "sessions", [(number, str(number)) for number in self.planned])
        self.fields["sessions"].widget.attrs["class"] = "numbers"

    def clean_players(self) -> list[int]:
        numbers = []
        for part in filter(None, re.split(r"[\s,;、，；]+", self.cleaned_data["players"])):
            if not re.fullmatch(r"\d{1,4}", part, re.ASCII):
                add_problems(self, [NUMBER_NOT_WHOLE("players", text=part)])
                return []
            numbers.append(int(part))
        return numbers


class SwapForm(Form):
    """The two players who change seats, and the session."""

    first = forms.TypedChoiceField(label=_("Player"), coerce=int)
    second = forms.TypedChoiceField(label=_("Changes seats with"), coerce=int)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int, required=False, empty_value=None)

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        planned = tournament.sessions.filter(state=Session.State.PLANNED)
        self.planned = [session.number for session in planned]
        self.seated = [session.number for session in planned.filter(tables__isnull=False).distinct()]
        seated = tournament.players.filter(seats__isnull=False).distinct()
        players = [(player.number, f"{player.number} {player.full_name}") for player in seated]
        _set_choices(self, "first", [("", "–"), *players])
        _set_choices(self, "second", [("", "–"), *players])
        all_remaining = ("", _("every session still to play"))
        _set_choices(self, "session", [all_remaining, *((number, str(number)) for number in self.planned)])

    def sessions(self) -> list[int]:
        """Return the sessions chosen; requires a valid form."""
        chosen = self.cleaned_data["session"]
        return self.planned if chosen is None else [chosen]


class WrongSeatsForm(Form):
    """The two players of a session who sat in each other's places."""

    first = forms.TypedChoiceField(label=_("Player"), coerce=int)
    second = forms.TypedChoiceField(label=_("Sat in the place of"), coerce=int)

    def __init__(self, session: Session, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = Seat.objects.filter(table__session=session).select_related("player", "table")
        players = [(seat.player.number, _seat_label(seat)) for seat in seats.order_by("table__number", "id")]
        for name in ("first", "second"):
            _set_choices(self, name, [("", "–"), *players])


def _seat_label(seat: Seat) -> str:
    text = gettext("Table %(n)s, %(wind)s") % {"n": seat.table.number, "wind": NAMES[seat.wind]}
    return f"{text}: {seat.player.full_name} ({seat.player.number})"


def _set_choices(form: Form, name: str, choices: list[Any]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices
