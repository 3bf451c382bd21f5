"""Forms for penalties, appeals and the tournament's foul book."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.contrib.auth.models import User
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from penalties.engine import Foul, Names, Need, Origin, PaidTo, Points, PointScope, RepeatScope, Sanction
from penalties.engine.catalogue import MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH
from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late, Rule, amounts_text
from penalties.engine.sanctions import MAX_POINTS, SANCTION_FLAGS, WARNING, fine, points
from penalties.models import Penalty
from penalties.texts import CHECKBOX_FACTS, checkbox_facts, flag_text, foul_name, foul_name_in
from scoring.texts import translated
from tournament.base.engine.notices import Audience
from tournament.base.models.log import name_of
from tournament.base.models.play import Appeal, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors import penalised_fouls, visible_penalties
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
    return forms.IntegerField(label=label, min_value=1, max_value=MAX_POINTS, **options)


def _paid_to_field(**options: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Paid to"), choices=PAID_TO, **options)


def _flags_field(**options: Any) -> forms.MultipleChoiceField:
    """Return the field for the flags of a sanction."""
    return forms.MultipleChoiceField(
        label=_("Other sanctions"),
        choices=lambda: [(flag, capfirst(flag_text(flag))) for flag in SANCTION_FLAGS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        **options,
    )


class FilterForm(Form):
    """Filters of the list of penalties."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int, required=False, empty_value=None)
    foul = forms.ChoiceField(label=_("Foul"), required=False)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int, required=False, empty_value=None)
    LOOKUPS: Final = {"player": "player__number", "foul": "foul", "session": "table__session__number"}

    def __init__(self, tournament: Tournament, audience: Audience, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        penalised = tournament.players.filter(
            penalties__in=visible_penalties(tournament, audience)
        ).distinct()
        book = tournament.rules.fouls
        sessions = tournament.sessions.exclude(state=Session.State.PLANNED)
        fouls = [(key, foul_name_in(book, key)) for key in penalised_fouls(tournament, audience)]
        _set_choices(self, "player", [(player.number, player.name) for player in penalised], _("everybody"))
        _set_choices(self, "foul", fouls, _("every foul"))
        _set_choices(
            self, "session", [(session.number, session.number) for session in sessions], _("every session")
        )
        for field in self.fields.values():
            field.says_optional = False  # type: ignore[attr-defined]

    def lookups(self) -> dict[str, Any]:
        """Return the field lookups of the filters; none if one is invalid."""
        filters = self.cleaned_data if self.is_valid() else {}
        return {self.LOOKUPS[name]: value for name, value in filters.items() if value}


def _set_choices(form: forms.Form, name: str, choices: list[Any], empty_label: Any = None) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = choices if empty_label is None else [("", empty_label), *choices]


class PenaltyTargetForm(Form):
    """The player, session and foul of a new penalty. Adds the player's `seat` to the cleaned data."""

    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    session = forms.TypedChoiceField(label=_("Session"), coerce=int)
    foul = forms.ChoiceField(label=_("Foul"))

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        begun = list(tournament.sessions.exclude(state=Session.State.PLANNED).order_by("-number"))
        seated = tournament.players.filter(seats__table__session__in=begun).distinct()
        fouls = tournament.rules.fouls.fouls
        _set_choices(
            self, "player", [(player.number, f"{player.number} {player.full_name}") for player in seated], "–"
        )
        _set_choices(self, "session", [(session.number, session.number) for session in begun])
        _set_choices(self, "foul", [(foul.key, foul_name(foul)) for foul in fouls], "–")
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
    """The facts that a foul needs, and a sanction other than the foul book's. The service validates them."""

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
    scope = forms.ChoiceField(label=_("Deduct points from"), choices=SCOPES, required=False)
    flags = _flags_field()
    because = Penalty.because.field.formfield(label=_("Why not as in the foul book?"))

    OVERRIDE_FIELDS = ("own", "amount", "paid_to", "scope", "flags", "because")

    def __init__(self, foul: Foul, table: Table, player: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.foul, self.player = foul, player
        seated = [seat.player for seat in table.seats.select_related("player")]
        others = [(other.number, other.name) for other in seated if other.number != player]
        hands = range(1, table.hands_begun + 1)
        _set_choices(self, "hand_number", [(number, number) for number in hands], _("outside a hand"))
        _set_choices(self, "victim", others, "–")
        if isinstance(foul.rule, Choice):
            self.fields["points"] = _points_field(foul.rule)
        if isinstance(foul.rule, Cases):
            cases = [(case.key, translated(case.names)) for case in foul.rule.cases]
            _set_choices(self, "circumstance", cases, "–")
        for name in {need.value for need in Need} - {need.value for need in foul.needs} - {"victim"}:
            del self.fields[name]
        for need in foul.needs:
            self.fields[need.value].says_optional = False  # type: ignore[attr-defined]
        for name in CHECKBOX_FACTS.keys() - checkbox_facts(foul.rule):
            del self.fields[name]

    def fact_fields(self) -> list[forms.BoundField]:
        """Return the fields for the facts of the foul."""
        others = (
            *self.OVERRIDE_FIELDS,
            "uuid",
            "note",
            *(() if Need.VICTIM in self.foul.needs else ("victim",)),
        )
        return [field for field in self if field.name not in others]

    def receiver_field(self) -> forms.BoundField | None:
        """Return the field for the receiver of another sanction's points; None if it is among the facts."""
        return None if Need.VICTIM in self.foul.needs else self["victim"]

    def to_accusation(self) -> Accusation:
        """Return the accusation of a valid form."""
        data = self.cleaned_data | {"player": self.player, "foul": self.foul.key}
        points = None
        if data["amount"]:
            paid_to = PaidTo(data["paid_to"] or PaidTo.NOBODY)
            scope = PointScope(data["scope"] or PointScope.SESSION)
            points = Points(data["amount"], scope if paid_to is PaidTo.NOBODY else PointScope.HAND, paid_to)
        imposed = Sanction(points=points, **dict.fromkeys(data["flags"], True))
        return Accusation.of(data, imposed if data["own"] else None)


def _points_field(rule: Choice) -> forms.Field:
    """Return the field for the points: a choice of figures; for a range a number, which the service checks."""
    label, amounts = _("How many points?"), rule.amounts
    if isinstance(amounts, range):
        minimum, maximum = min(amounts), max(amounts)
        help_text = _("Any whole number from %(minimum)s to %(maximum)s.")
        if rule.warning:
            help_text = _("Any whole number from %(minimum)s to %(maximum)s, or 0 for a warning.")
        return forms.IntegerField(
            label=label,
            help_text=help_text % {"minimum": minimum, "maximum": maximum},
            widget=forms.NumberInput(attrs={"min": 0 if rule.warning else minimum, "max": maximum}),
            required=False,
        )
    warning = [(0, capfirst(flag_text("warning")))] if rule.warning else []
    figures = [("", "–"), *warning, *((amount, str(amount)) for amount in amounts)]
    return forms.TypedChoiceField(label=label, choices=figures, coerce=int, required=False, empty_value=None)


class CancelForm(Form):
    reason = Penalty.cancelled_because.field.formfield(
        form_class=CheckedByService, required=True, label=_("Why is it cancelled?")
    )


# --- Sanctions ---


def sanction_fields(n: int, sanction: Sanction) -> dict[str, forms.Field]:
    """Return the fields of a foul's nth sanction."""
    amount = sanction.points.amount if sanction.points else None
    paid_to = sanction.points.paid_to if sanction.points else PaidTo.NOBODY
    return {
        f"amount_{n}": _number_field(_("Points"), required=False, initial=amount),
        f"paid_to_{n}": _paid_to_field(initial=paid_to.value),
        f"flags_{n}": _flags_field(initial=[flag for flag in SANCTION_FLAGS if getattr(sanction, flag)]),
    }


def parse_sanction(data: dict[str, Any], n: int, before: Sanction) -> Sanction:
    """Return the sanction from the fields of `sanction_fields`. Unchanged points keep their scope."""
    amount, paid_to = data[f"amount_{n}"], PaidTo(data[f"paid_to_{n}"])
    new = points(amount, paid_to) if amount else None
    if new and before.points and (new.amount, new.paid_to) == (before.points.amount, before.points.paid_to):
        new = before.points
    return Sanction(points=new, **dict.fromkeys(data[f"flags_{n}"], True))


# --- Foul book ---


REPEATS = (
    (RepeatScope.HAND.value, _("in the hand")),
    (RepeatScope.WIND_ROUND.value, _("in the wind round")),
    (RepeatScope.SESSION.value, _("in the session")),
    (RepeatScope.ANY_FOUL.value, _("in the session, with other fouls that are counted so")),
    (RepeatScope.TOURNAMENT.value, _("in the whole tournament")),
)
KINDS = (
    (Fixed.kind, _("the same every time")),
    (Ladder.kind, _("more with each repeat")),
    (Choice.kind, _("as the umpire decides")),
)


class NamesForm(Form):
    """The names of a foul. An empty Chinese name is filled from the other Chinese name, or the English one."""

    name = CheckedByService(label=pgettext_lazy("of a thing", "Name"), max_length=MAX_NAME_LENGTH)
    name_zh_hans = forms.CharField(label="简体中文", max_length=MAX_NAME_LENGTH, required=False)
    name_zh_hant = forms.CharField(label="繁體中文", max_length=MAX_NAME_LENGTH, required=False)
    CHINESE = ("name_zh_hans", "name_zh_hant")

    def names(self) -> Names:
        return Names.filled(*(self.cleaned_data[name].strip() for name in NamesForm.base_fields))


LATE_FIGURES: Final = {
    "further_points": _("After that, more points"),
    "further_minutes": _("for each further period of (minutes)"),
    "others_start_after": _("The others start after (minutes)"),
}


class FoulForm(NamesForm):
    """The rule of a foul, with fields by its kind; also the names of a house foul."""

    def __init__(self, foul: Foul, data: Any = None) -> None:
        names = dict(zip(NamesForm.base_fields, foul.names.to_json().values(), strict=True))
        super().__init__(data, initial=names, auto_id="foul_%s")
        self.foul, self.is_house = foul, foul.origin is Origin.HOUSE
        self.titles: list[str] = []
        if not self.is_house:
            self.fields.clear()
        self._add_fields(foul.rule)

    def sanctions(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """Yield each sanction's title and fields, for the kinds of rule whose sanctions are changed as a whole."""
        for n, title in enumerate(self.titles):
            yield title, [self[f"{name}_{n}"] for name in ("amount", "paid_to", "flags")]

    def figures(self) -> list[forms.BoundField]:
        """Return the other fields of the rule."""
        others = {
            "name",
            *NamesForm.CHINESE,
            *(f.name for _title, fields in self.sanctions() for f in fields),
        }
        return [field for field in self if field.name not in others]

    def names(self) -> Names:
        return super().names() if self.is_house else self.foul.names

    def rule(self) -> Rule:
        """Return the changed rule of a valid form."""
        data, rule = self.cleaned_data, self.foul.rule
        match rule:
            case Fixed():
                return Fixed(parse_sanction(data, 0, rule.sanction))
            case Ladder():
                return replace(
                    rule, steps=_steps(rule, data["amounts"]), repeats=RepeatScope(data["repeats"])
                )
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
                    replace(case, sanction=parse_sanction(data, n, case.sanction))
                    for n, case in enumerate(rule.cases)
                ]
                return replace(rule, cases=tuple(cases))
        raise TypeError(f"no form for a rule of kind {rule.kind}")

    def _add_fields(self, rule: Rule) -> None:
        match rule:
            case Fixed():
                self._add_sanctions(("", rule.sanction))
            case Ladder():
                self.fields["amounts"] = WebAmounts(
                    label=_("Points, repeat by repeat"),
                    help_text=_(
                        "0 is a warning, for example: 0, 5, 10, 20. The last figure also applies to "
                        "further repeats."
                    ),
                    initial=", ".join(str(_amount(step)) for step in rule.steps),
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
                self._add_sanctions(*((translated(case.names), case.sanction) for case in rule.cases))

    def _add_sanctions(self, *sanctions: tuple[str, Sanction]) -> None:
        for n, (title, sanction) in enumerate(sanctions):
            self.titles.append(title)
            self.fields |= sanction_fields(n, sanction)


def _steps(rule: Ladder, amounts: Iterable[int]) -> tuple[Sanction, ...]:
    """Return the steps of a changed ladder; receiver, flags and unchanged steps stay as they were."""
    paid_to = next((step.points.paid_to for step in rule.steps if step.points), PaidTo.NOBODY)
    flags = replace(rule.steps[0], points=None, warning=False)
    pairs = zip_longest(rule.steps, _sanctions(flags, amounts, paid_to))
    return tuple(
        before if before and _amount(before) == _amount(after) else after for before, after in pairs if after
    )


def _amount(step: Sanction) -> int:
    return step.points.amount if step.points else 0


def _sanctions(flags: Sanction, amounts: Iterable[int], paid_to: PaidTo) -> tuple[Sanction, ...]:
    """Return a sanction with these flags for each amount; 0 is a warning."""
    return tuple(flags | (fine(amount, paid_to) if amount else WARNING) for amount in amounts)


def _repeats_field(initial: RepeatScope) -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Repeats are counted"), choices=REPEATS, initial=initial.value)


class HouseFoulForm(NamesForm):
    """A new house foul."""

    description = forms.CharField(label=_("Description"), max_length=MAX_DESCRIPTION_LENGTH, required=False)
    kind = forms.ChoiceField(label=_("Penalty"), choices=KINDS, widget=forms.RadioSelect, initial=Fixed.kind)
    amounts = WebAmounts(
        label=_("Points"),
        help_text=_(
            "For example 10; or 0, 5, 10, 20, one for each repeat; or 5-60 for the umpire to choose from. 0 is a "
            "warning."
        ),
        required=False,
        warning=True,
        span=True,
    )
    repeats = _repeats_field(RepeatScope.SESSION)
    paid_to = _paid_to_field()
    flags = _flags_field()

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="house_%s")
        self.fields["amounts"].says_optional = False  # type: ignore[attr-defined]

    def rare_fields(self) -> list[forms.BoundField]:
        """Return the fields that few house fouls need."""
        return [self[name] for name in ("repeats", "paid_to", "flags", *self.CHINESE)]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        amounts, kind = data.get("amounts", ()), data.get("kind")
        if kind == Fixed.kind and len(amounts) > 1:
            self.add_error("amounts", _("The same every time: one figure."))
        if kind == Fixed.kind and not amounts and not data.get("flags"):
            self.add_error("amounts", _("What does it cost? Points, or another sanction."))
        if kind in (Ladder.kind, Choice.kind) and not amounts:
            self.add_error("amounts", _("Which points?"))
        if kind != Choice.kind and isinstance(amounts, range):
            self.add_error("amounts", _("A range such as 5-60 is only possible if the umpire decides."))
        if kind == Choice.kind and 0 in amounts:
            self.add_error("amounts", _("The umpire chooses points; leave the warning out."))
        return data

    def descriptions(self) -> Names:
        return Names.filled(self.cleaned_data["description"])

    def rule(self) -> Rule:
        data = self.cleaned_data
        paid_to, amounts = PaidTo(data["paid_to"]), data["amounts"]
        if data["kind"] == Choice.kind:
            return Choice(amounts, points(1, paid_to).scope, paid_to)
        flags = Sanction(points=None, **dict.fromkeys(data["flags"], True))
        steps = _sanctions(flags, amounts, paid_to)
        if data["kind"] == Ladder.kind:
            return Ladder(steps, RepeatScope(data["repeats"]))
        return Fixed(steps[0] if steps else flags)


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

    def __init__(self, *args: Any, is_own: bool, **kwargs: Any) -> None:
        """Ask for the reason only if `is_own`: an organiser rules on a decision of their own."""
        super().__init__(*args, **kwargs)
        if not is_own:
            del self.fields["alone"]


class CommitteeForm(Form):
    """The three members of a committee; nobody for no committee."""

    members = forms.TypedMultipleChoiceField(
        label=_("Committee"),
        help_text=_(
            "The chief umpire and two others. People who took the decision or play at that table cannot be chosen."
        ),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, users: Sequence[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field, by_key = self.fields["members"], {str(user.pk): user for user in users}
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [(user.pk, name_of(user)) for user in users]
        field.coerce = by_key.__getitem__


class WaiverForm(Form):
    because = Appeal.settled_because.field.formfield(
        form_class=CheckedByService,
        required=True,
        label=_("Why was nothing changed, or what was done instead?"),
    )
