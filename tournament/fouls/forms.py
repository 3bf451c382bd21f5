"""Forms for penalties, for the tournament's own foul book, for absence and for appeals."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.contrib.auth.models import User
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from penalties.engine import Foul, Names, Need, Origin, PaidTo, Points, PointScope, RepeatScope, Sanction
from penalties.engine.catalogue import LONGEST_DESCRIPTION, LONGEST_NAME
from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late, Rule, amounts_text
from penalties.engine.sanctions import MOST_POINTS, SANCTION_FLAGS, WARNING, fine, points
from penalties.models import Penalty
from penalties.texts import TICKS, flag_text, foul_name, name_in, ticks
from scoring.texts import translated
from tournament.base.access import Audience
from tournament.base.engine.rules import Credit
from tournament.base.models.log import name_of
from tournament.base.models.play import Appeal, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors import fouls_given, penalties_of
from tournament.play.engine.statements import Accusation
from tournament.web.forms import Amounts as WebAmounts
from tournament.web.forms import Bands, CheckedByService, Form

# --- Penalties ---


PAID_TO = (
    (PaidTo.NOBODY.value, _("nobody is paid")),
    (PaidTo.EACH_OPPONENT.value, _("each of the others")),
    (PaidTo.VICTIM.value, _("one of the others")),
)
SCOPES = (
    (PointScope.SESSION.value, _("the session’s score")),
    (PointScope.TOURNAMENT.value, _("the final sum alone")),
    (PointScope.TABLE_POINTS.value, _("the table points")),
)


def _number_field(label: Any, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=1, max_value=MOST_POINTS, **options)


def _paid_to_field(**options: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Paid to"), choices=PAID_TO, **options)


def _flags_field(**options: Any) -> forms.MultipleChoiceField:
    """Build the field for everything a sanction can hold besides points."""
    return forms.MultipleChoiceField(
        label=_("What else?"),
        choices=lambda: [(flag, capfirst(flag_text(flag))) for flag in SANCTION_FLAGS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        **options,
    )


class FilterForm(Form):
    """Which penalties to list."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int, required=False, empty_value=None)
    foul = forms.ChoiceField(label=_("Foul"), required=False)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int, required=False, empty_value=None)
    LOOKUPS: Final = {"player": "player__number", "foul": "foul", "session": "table__session__number"}

    def __init__(self, tournament: Tournament, audience: Audience, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fined = tournament.players.filter(penalties__in=penalties_of(tournament, audience)).distinct()
        book = tournament.rules.fouls
        sessions = tournament.sessions.exclude(state=Session.State.PLANNED)
        fouls = [(key, name_in(book, key)) for key in fouls_given(tournament, audience)]
        _choose(self, "player", [(player.number, player.name) for player in fined], _("everybody"))
        _choose(self, "foul", fouls, _("every foul"))
        _choose(
            self, "session", [(session.number, session.number) for session in sessions], _("every session")
        )

    def lookups(self) -> dict[str, Any]:
        """Return the lookups of what was chosen; none where a choice is invalid."""
        chosen = self.cleaned_data if self.is_valid() else {}
        return {self.LOOKUPS[name]: value for name, value in chosen.items() if value}


def _choose(form: forms.Form, name: str, choices: list[Any], none: Any = None) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices if none is None else [("", none), *choices]


class WhoAndWhat(Form):
    """The player, the session and the foul: all a penalty starts from. `seat`: where the player sits then."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int)
    foul = forms.ChoiceField(label=_("Foul"))

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        begun = list(tournament.sessions.exclude(state=Session.State.PLANNED).order_by("-number"))
        seated = tournament.players.filter(seats__table__session__in=begun).distinct()
        fouls = tournament.rules.fouls.fouls
        _choose(self, "player", [(player.number, f"{player.number} {player.name}") for player in seated], "–")
        _choose(self, "session", [(session.number, session.number) for session in begun])
        _choose(self, "foul", [(foul.key, foul_name(foul)) for foul in fouls], "–")
        self.tournament = tournament

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if not self.errors:
            seats = Seat.objects.filter(table__session__number=data["session"], player__number=data["player"])
            seats = seats.filter(player__tournament=self.tournament)
            data["seat"] = seats.select_related("player", "table__session__tournament").first()
            if data["seat"] is None:
                self.add_error("session", _("The player has no seat in this session."))
        return data


class PenaltyForm(Form):
    """What this foul asks for, and another sanction than the foul book's. The service says what is wrong."""

    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    hand_number = forms.TypedChoiceField(label=_("Hand"), coerce=int, required=False, empty_value=None)
    minutes = forms.IntegerField(label=_("Minutes late"), required=False)
    points = forms.IntegerField(label=_("How many points?"), required=False)
    victim = forms.TypedChoiceField(
        label=_("Who was the injured party?"), coerce=int, required=False, empty_value=None
    )
    hu_was_valid = forms.TypedChoiceField(
        label=_("Was the hu valid?"),
        choices=[("", "–"), ("yes", _("Yes")), ("no", _("No"))],
        coerce=lambda value: value == "yes",
        required=False,
        empty_value=None,
    )
    circumstance = forms.TypedChoiceField(label=_("How did it happen?"), required=False, empty_value=None)
    tile_seen = forms.BooleanField(label=_("The tile was seen"), required=False)
    stopped = forms.BooleanField(label=_("The offender may not continue"), required=False)
    note = Penalty.note.field.formfield(label=_("Note"))
    own = forms.BooleanField(label=_("Impose something else"), required=False)
    amount = _number_field(_("Points"), required=False)
    paid_to = _paid_to_field(required=False)
    scope = forms.ChoiceField(label=_("Points taken off"), choices=SCOPES, required=False)
    flags = _flags_field()
    because = Penalty.because.field.formfield(label=_("Why not as in the foul book?"))

    OWN = ("own", "amount", "paid_to", "scope", "flags", "because")

    def __init__(self, entry: Foul, table: Table, player: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entry, self.player = entry, player
        seated = [seat.player for seat in table.seats.select_related("player")]
        others = [(other.number, other.name) for other in seated if other.number != player]
        hands = range(1, table.hands_begun + 1)
        _choose(self, "hand_number", [(number, number) for number in hands], _("outside a hand"))
        _choose(self, "victim", others, "–")
        if isinstance(entry.rule, Choice):
            self.fields["points"] = _points_field(entry.rule)
        if isinstance(entry.rule, Cases):
            cases = [(case.key, translated(case.names)) for case in entry.rule.cases]
            _choose(self, "circumstance", cases, "–")
        for name in {need.value for need in Need} - {need.value for need in entry.needs} - {"victim"}:
            del self.fields[name]
        for name in TICKS.keys() - ticks(entry.rule):
            del self.fields[name]

    def facts(self) -> list[forms.BoundField]:
        """List the fields about what happened."""
        others = (*self.OWN, "uuid", "note", *(() if Need.VICTIM in self.entry.needs else ("victim",)))
        return [field for field in self if field.name not in others]

    def receiver(self) -> forms.BoundField | None:
        """Return the field for who is paid by another sanction, where the foul itself does not ask for anybody."""
        return None if Need.VICTIM in self.entry.needs else self["victim"]

    def stated(self) -> Accusation:
        """Return what was entered; call when the form is valid."""
        data = self.cleaned_data | {"player": self.player, "foul": self.entry.key}
        points = None
        if data["amount"]:
            paid_to = PaidTo(data["paid_to"] or PaidTo.NOBODY)
            scope = PointScope(data["scope"] or PointScope.SESSION)
            points = Points(data["amount"], scope if paid_to is PaidTo.NOBODY else PointScope.HAND, paid_to)
        own = Sanction(points=points, **dict.fromkeys(data["flags"], True))
        return Accusation.of(data, own if data["own"] else None)


def _points_field(rule: Choice) -> forms.Field:
    """Build the field for the points: a choice of figures; for a range a number, which the service checks."""
    label, amounts = _("How many points?"), rule.amounts
    if isinstance(amounts, range):
        least, most = min(amounts), max(amounts)
        choice = _("Any whole number from %(least)s to %(most)s.")
        if rule.warning:
            choice = _("Any whole number from %(least)s to %(most)s, or 0 for a warning.")
        return forms.IntegerField(
            label=label,
            help_text=choice % {"least": least, "most": most},
            widget=forms.NumberInput(attrs={"min": 0 if rule.warning else least, "max": most}),
            required=False,
        )
    warning = [(0, capfirst(flag_text("warning")))] if rule.warning else []
    figures = [("", "–"), *warning, *((amount, str(amount)) for amount in amounts)]
    return forms.TypedChoiceField(label=label, choices=figures, coerce=int, required=False, empty_value=None)


class CancelForm(Form):
    reason = Penalty.cancelled_because.field.formfield(label=_("Why is it cancelled?"))


# --- Sanctions ---


def sanction_fields(prefix: str, sanction: Sanction, title: Any) -> dict[str, forms.Field]:
    """Build the fields in which a sanction is entered, under names that begin with `prefix`."""
    amount = sanction.points.amount if sanction.points else None
    paid_to = sanction.points.paid_to if sanction.points else PaidTo.NOBODY
    return {
        f"{prefix}_amount": _number_field(title, required=False, initial=amount),
        f"{prefix}_paid_to": _paid_to_field(initial=paid_to.value),
        f"{prefix}_flags": _flags_field(initial=[flag for flag in SANCTION_FLAGS if getattr(sanction, flag)]),
    }


def sanction_of(data: dict[str, Any], prefix: str, before: Sanction) -> Sanction:
    """Return the sanction that was entered; points that were left alone keep the scope they had."""
    amount, paid_to = data[f"{prefix}_amount"], PaidTo(data[f"{prefix}_paid_to"])
    new = points(amount, paid_to) if amount else None
    if new and before.points and (new.amount, new.paid_to) == (before.points.amount, before.points.paid_to):
        new = before.points
    return Sanction(points=new, **dict.fromkeys(data[f"{prefix}_flags"], True))


# --- Foul book ---


REPEATS = (
    (RepeatScope.HAND.value, _("in the hand")),
    (RepeatScope.WIND_ROUND.value, _("in the wind round")),
    (RepeatScope.SESSION.value, _("in the session")),
    (RepeatScope.TOURNAMENT.value, _("in the whole tournament")),
)
KINDS = (
    (Fixed.kind, _("the same every time")),
    (Ladder.kind, _("more with each repeat")),
    (Choice.kind, _("as the umpire decides")),
)


class NamesForm(Form):
    """What a foul is called. Left empty, a Chinese name is the other one, or the English."""

    name = CheckedByService(label=pgettext_lazy("of a thing", "Name"), max_length=LONGEST_NAME)
    name_zh_hans = forms.CharField(label="简体中文", max_length=LONGEST_NAME, required=False)
    name_zh_hant = forms.CharField(label="繁體中文", max_length=LONGEST_NAME, required=False)

    def names(self) -> Names:
        return Names.filled(*(self.cleaned_data[name].strip() for name in NamesForm.base_fields))


LATE_FIGURES: Final = {
    "further_points": _("After that, more points"),
    "further_minutes": _("for each further period of (minutes)"),
    "others_start_after": _("The others start after (minutes)"),
}


class FoulForm(NamesForm):
    """What one foul costs, by the kind of its rule; the name as well when it is a house foul."""

    def __init__(self, entry: Foul, data: Any = None) -> None:
        names = dict(zip(NamesForm.base_fields, entry.names.to_json().values(), strict=True))
        super().__init__(data, initial=names)
        self.entry, self.is_house = entry, entry.origin is Origin.HOUSE
        if not self.is_house:
            self.fields.clear()
        self._add_fields(entry.rule)

    def names(self) -> Names:
        return super().names() if self.is_house else self.entry.names

    def rule(self) -> Rule:
        """Return the rule as changed; call when the form is valid."""
        data, rule = self.cleaned_data, self.entry.rule
        match rule:
            case Fixed():
                return Fixed(sanction_of(data, "always", rule.sanction))
            case Ladder():
                return replace(rule, steps=_steps(rule, data["steps"]), repeats=RepeatScope(data["repeats"]))
            case Choice():
                return replace(rule, amounts=data["amounts"])
            case Late():
                before = dict(rule.bands)
                bands = tuple(
                    (limit, replace(before.get(limit, Sanction()), points=points(amount)))
                    for limit, amount in data["bands"]
                )
                figures = {name: data[name] for name in LATE_FIGURES if name in data}
                return replace(rule, bands=bands, **figures)
            case Cases():
                cases = [
                    replace(case, sanction=sanction_of(data, case.key, case.sanction)) for case in rule.cases
                ]
                return replace(rule, cases=tuple(cases))
        raise TypeError(f"no form for a rule of kind {rule.kind}")

    def _add_fields(self, rule: Rule) -> None:
        match rule:
            case Fixed():
                self.fields |= sanction_fields("always", rule.sanction, _("Points"))
            case Ladder():
                self.fields["steps"] = WebAmounts(
                    label=_("Points, repeat by repeat"),
                    help_text=_(
                        "0 is a warning, for example: 0, 5, 10, 20. The last figure also applies to "
                        "further repeats."
                    ),
                    initial=", ".join(str(step.points.amount if step.points else 0) for step in rule.steps),
                    warning=True,
                )
                self.fields["repeats"] = _repeats_field(rule.repeats)
            case Choice():
                self.fields["amounts"] = WebAmounts(
                    label=_("Points to choose from"),
                    help_text=_("For example 5, 10, 20; or 5-60 for any whole number from 5 to 60."),
                    initial=amounts_text(rule.amounts),
                    span=True,
                )
            case Late():
                self.fields["bands"] = Bands(
                    label=_("Minutes and points"),
                    help_text=_(
                        "For example 10: 10, 15: 20 – ten points up to minute 10, twenty up to minute 15."
                    ),
                    initial=", ".join(f"{limit}: {s.points.amount}" for limit, s in rule.bands if s.points),
                )
                for name, label in LATE_FIGURES.items():
                    if rule.beyond is None or not name.startswith("further"):
                        self.fields[name] = _number_field(label, initial=getattr(rule, name))
            case Cases():
                for case in rule.cases:
                    self.fields |= sanction_fields(case.key, case.sanction, translated(case.names))


def _steps(rule: Ladder, amounts: Iterable[int]) -> tuple[Sanction, ...]:
    """Build the steps with these amounts, paid as before and with what goes with every step."""
    paid_to = next((step.points.paid_to for step in rule.steps if step.points), PaidTo.NOBODY)
    always = replace(rule.steps[0], points=None, warning=False)
    return _sanctions(always, amounts, paid_to)


def _sanctions(always: Sanction, amounts: Iterable[int], paid_to: PaidTo) -> tuple[Sanction, ...]:
    """Build a sanction of each amount, 0 for a warning, with what always goes with it."""
    return tuple(always | (fine(amount, paid_to) if amount else WARNING) for amount in amounts)


def _repeats_field(initial: RepeatScope) -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Repeats are counted"), choices=REPEATS, initial=initial.value)


class HouseFoulForm(NamesForm):
    """A foul that is in no rulebook."""

    description = forms.CharField(
        label=_("What it is, in a sentence"), max_length=LONGEST_DESCRIPTION, required=False
    )
    kind = forms.ChoiceField(label=_("It costs"), choices=KINDS, widget=forms.RadioSelect, initial=Fixed.kind)
    amounts = WebAmounts(
        label=_("Points"),
        help_text=_(
            "One figure, or several separated by commas, for repeats or for the umpire to choose from. 0 is a "
            "warning."
        ),
        required=False,
        warning=True,
        span=True,
    )
    repeats = _repeats_field(RepeatScope.SESSION)
    paid_to = _paid_to_field()
    flags = _flags_field()

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        amounts, kind = data.get("amounts", ()), data.get("kind")
        if kind == Fixed.kind and len(amounts) > 1:
            self.add_error("amounts", _("The same every time: one figure."))
        if kind == Fixed.kind and not amounts and not data.get("flags"):
            self.add_error("amounts", _("What does it cost? Points, or something else below."))
        if kind in (Ladder.kind, Choice.kind) and not amounts:
            self.add_error("amounts", _("Which points?"))
        if kind != Choice.kind and isinstance(amounts, range):
            self.add_error("amounts", _("A range such as 5-60 is only possible if the umpire decides."))
        if kind == Choice.kind and 0 in amounts:
            self.add_error("amounts", _("The umpire chooses points; leave the warning out."))
        return data

    def rule(self) -> Rule:
        data = self.cleaned_data
        paid_to, amounts = PaidTo(data["paid_to"]), data["amounts"]
        if data["kind"] == Choice.kind:
            return Choice(amounts, points(1, paid_to).scope, paid_to)
        always = Sanction(points=None, **dict.fromkeys(data["flags"], True))
        steps = _sanctions(always, amounts, paid_to)
        if data["kind"] == Ladder.kind:
            return Ladder(steps, RepeatScope(data["repeats"]))
        return Fixed(steps[0] if steps else always)


# --- Appeals ---


class RulingForm(Form):
    granted = forms.TypedChoiceField(
        label=_("The appeal is"),
        choices=[("yes", _("granted")), ("no", _("dismissed"))],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one.")},
    )
    ruling = Appeal.ruling.field.formfield(
        form_class=CheckedByService,
        required=True,
        label=_("Ruling"),
        help_text=_("The decision and the reason."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    alone = Appeal.alone_because.field.formfield(
        form_class=CheckedByService,
        required=True,
        label=_("Why can nobody else rule on it?"),
        help_text=_("You took the decision being appealed. This is recorded in the log."),
    )

    def __init__(self, *args: Any, own: bool, **kwargs: Any) -> None:
        """`own`: the appeal is against a decision of who rules, an organiser."""
        super().__init__(*args, **kwargs)
        if not own:
            del self.fields["alone"]


class CommitteeForm(Form):
    """Which three of those who may rule on the appeal. None ticked: no committee."""

    members = forms.TypedMultipleChoiceField(
        label=_("Committee"),
        help_text=_(
            "The chief umpire and two others. People who took the decision or play at that table cannot be chosen."
        ),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, people: Sequence[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chooser, by_key = self.fields["members"], {str(user.pk): user for user in people}
        assert isinstance(chooser, forms.TypedMultipleChoiceField)
        chooser.choices = [(user.pk, name_of(user)) for user in people]
        chooser.coerce = by_key.__getitem__


class WaiverForm(Form):
    because = Appeal.settled_because.field.formfield(
        form_class=CheckedByService,
        required=True,
        label=_("Why was nothing changed, or what was done instead?"),
    )


# --- Attendance ---


class AttendanceForm(Form):
    """What follows for the standings when a player is not there, as `Attendance` has it in JSON."""

    stand_in = forms.ChoiceField(
        label=_("If a stand-in plays to the end, the result is"),
        choices=[
            (
                Credit.NOBODY.value,
                _(
                    "not counted: no place at the table; the absent player gets 0 table points and keeps any "
                    "penalty points"
                ),
            ),
            (Credit.PLAYER.value, _("the absent player’s, including the place")),
        ],
    )
    withdrawn_ranked = forms.TypedChoiceField(
        label=_("Players who withdraw after having played"),
        help_text=_("Players who withdraw earlier are neither ranked nor counted."),
        choices=[("True", _("keeps a rank")), ("False", _("is listed without a rank"))],
        coerce=lambda chosen: chosen == "True",
    )
    starting_points = forms.IntegerField(
        label=_("Points a player starts a session with"),
        help_text=_(
            "A lateness penalty cannot exceed the points a player holds. 0: no starting points, and "
            "the penalty keeps growing."
        ),
        min_value=0,
        max_value=MOST_POINTS,
    )
