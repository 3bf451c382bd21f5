"""A foul of a tournament's own book: what it costs, and for a house foul what it is called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from penalties.engine import Foul, Names, Origin, PaidTo, RepeatScope, Sanction
from penalties.engine.rules import Case, Cases, Choice, Fixed, Ladder, Late, Rule, amounts_text
from penalties.engine.sanctions import MOST_POINTS
from penalties.engine.scale import WARNING, fine, points
from tournament.fouls.forms.penalties import PAID_TO
from tournament.fouls.forms.sanctions import flag_choices, flagged, sanction_fields, sanction_of
from tournament.web.forms.figures import Amounts, Bands
from tournament.web.forms.problems import ServiceChecked
from tournament.web.forms.spoken import Form

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


class FoulForm(Form):
    """What one foul costs, by the kind of its rule; the name as well when it is a house foul."""

    def __init__(self, entry: Foul, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entry = entry
        if entry.origin is Origin.HOUSE:
            self.fields.update(_name_fields(entry.names))
        self._ask(entry.rule)

    def names(self) -> Names | None:
        return _names(self.cleaned_data) if "name" in self.fields else None

    def rule(self) -> Rule:
        """The rule as changed; call when the form is valid."""
        data, rule = self.cleaned_data, self.entry.rule
        match rule:
            case Fixed():
                return Fixed(sanction_of(data, "always", rule.sanction))
            case Ladder():
                return replace(rule, steps=_steps(rule, data["steps"]), repeats=RepeatScope(data["repeats"]))
            case Choice():
                return replace(rule, amounts=data["amounts"])
            case Late():
                return self._late(rule)
            case Cases():
                return replace(rule, cases=tuple(self._case(case) for case in rule.cases))
        raise TypeError(f"no form for a rule of kind {rule.kind}")

    def _ask(self, rule: Rule) -> None:
        match rule:
            case Fixed():
                self.fields.update(sanction_fields("always", rule.sanction, _("Points")))
            case Ladder():
                steps = ", ".join(str(step.points.amount) if step.points else "0" for step in rule.steps)
                self.fields["steps"] = Amounts(
                    label=_("Points, time by time"),
                    help_text=_("0 for a warning: 0, 5, 10, 20. The last one stays."),
                    initial=steps,
                    warning=True,
                )
                self.fields["repeats"] = _repeats(rule.repeats)
            case Choice():
                self.fields["amounts"] = Amounts(
                    label=_("Points to choose from"),
                    help_text=_("5, 10, 20: these. 5-60: any whole number from 5 to 60."),
                    initial=amounts_text(rule.amounts),
                    span=True,
                )
            case Late():
                self._ask_late(rule)
            case Cases():
                for case in rule.cases:
                    title = case.names.in_language(get_language() or "en")
                    self.fields.update(sanction_fields(case.key, case.sanction, title))

    def _ask_late(self, rule: Late) -> None:
        bands = ", ".join(f"{limit}: {s.points.amount}" for limit, s in rule.bands if s.points)
        self.fields["bands"] = Bands(
            label=_("Minutes and points"),
            help_text=_("10: 10, 15: 20 means: up to minute 10 ten points, up to minute 15 twenty."),
            initial=bands,
        )
        if rule.beyond is None:
            self.fields["further_points"] = _number(_("After that, more points"), rule.further_points)
            self.fields["further_minutes"] = _number(
                _("each time so many more minutes begin"), rule.further_minutes
            )
        self.fields["others_start_after"] = _number(
            _("Minutes after which the others start"), rule.others_start_after
        )

    def _late(self, rule: Late) -> Late:
        data = self.cleaned_data
        before = dict(rule.bands)
        bands = tuple(
            (limit, replace(before.get(limit, Sanction()), points=points(amount)))
            for limit, amount in data["bands"]
        )
        return replace(
            rule,
            bands=bands,
            further_points=data.get("further_points", rule.further_points),
            further_minutes=data.get("further_minutes", rule.further_minutes),
            others_start_after=data["others_start_after"],
        )

    def _case(self, case: Case) -> Case:
        return replace(case, sanction=sanction_of(self.cleaned_data, case.key, case.sanction))


class HouseFoulForm(Form):
    """A foul that is in no rulebook."""

    kind = forms.ChoiceField(label=_("It costs"), choices=KINDS, widget=forms.RadioSelect, initial=Fixed.kind)
    amounts = Amounts(
        label=_("Points"),
        help_text=_(
            "One figure; or several with commas, for the repeats or for the umpire to choose. 0 is a warning."
        ),
        required=False,
        warning=True,
        span=True,
    )
    paid_to = forms.ChoiceField(label=_("Paid to"), choices=PAID_TO)
    flags = forms.MultipleChoiceField(
        label=_("What else?"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        description = forms.CharField(label=_("What it is, in a sentence"), max_length=300, required=False)
        own = dict(self.fields)
        self.fields = _name_fields(None) | {"description": description} | own
        self.fields["repeats"] = _repeats(RepeatScope.SESSION)
        self.order_fields([*_name_fields(None), "description", "kind", "amounts", "repeats"])
        self.fields["flags"].choices = flag_choices()  # type: ignore[attr-defined]

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
            self.add_error("amounts", _("From one figure to another is for the umpire to choose."))
        if kind == Choice.kind and 0 in amounts:
            self.add_error("amounts", _("The umpire chooses points; leave the warning out."))
        return data

    def names(self) -> Names:
        return _names(self.cleaned_data)

    def description(self) -> Names:
        return Names.filled(self.cleaned_data["description"])

    def rule(self) -> Rule:
        data = self.cleaned_data
        paid_to, extra = PaidTo(data["paid_to"]), flagged(data["flags"])
        amounts = data["amounts"]
        if data["kind"] == Choice.kind:
            return Choice(amounts, points(1, paid_to).scope, paid_to)
        steps = tuple(extra | (fine(amount, paid_to) if amount else WARNING) for amount in amounts)
        if data["kind"] == Ladder.kind:
            return Ladder(steps, RepeatScope(data["repeats"]))
        return Fixed(steps[0] if steps else extra)


def _number(label: Any, initial: int) -> forms.IntegerField:
    return forms.IntegerField(label=label, initial=initial, min_value=1, max_value=MOST_POINTS)


def _steps(rule: Ladder, amounts: Iterable[int]) -> tuple[Sanction, ...]:
    """The steps with these amounts, paid as before and with what goes with every step."""
    paid_to = next((step.points.paid_to for step in rule.steps if step.points), PaidTo.NOBODY)
    always = replace(rule.steps[0], points=None, warning=False)
    return tuple(always | (fine(amount, paid_to) if amount else WARNING) for amount in amounts)


def _name_fields(names: Names | None) -> dict[str, forms.Field]:
    return {
        "name": ServiceChecked(
            label=pgettext_lazy("of a thing", "Name"), initial=names.en if names else "", max_length=80
        ),
        "name_zh_hans": forms.CharField(
            label="简体中文", initial=names.zh_hans if names else "", max_length=80, required=False
        ),
        "name_zh_hant": forms.CharField(
            label="繁體中文", initial=names.zh_hant if names else "", max_length=80, required=False
        ),
    }


def _names(data: dict[str, Any]) -> Names:
    return Names.filled(*(data[name].strip() for name in ("name", "name_zh_hans", "name_zh_hant")))


def _repeats(initial: RepeatScope) -> forms.ChoiceField:
    return forms.ChoiceField(label=_("Repeats are counted"), choices=REPEATS, initial=initial.value)
