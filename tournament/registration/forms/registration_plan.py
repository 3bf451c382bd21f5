"""The organiser's plan of registration, and the questions that are asked besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from tournament.base.models.registration import KeptPlaces, Question
from tournament.registration.engine import Kept
from tournament.registration.selectors.registration_plan import PlanWish, QuestionWish
from tournament.web.exports.sheets import tidy
from tournament.web.forms.spoken import Form
from tournament.web.texts.countries import country_name, find_country

BLANK: Final = 2
"""Empty lines to write into; saving brings more."""
MOST_LINES: Final = 60


def _moment(label: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
    return forms.DateTimeField(label=label, required=False, widget=widget)


class PlanForm(Form):
    """When registration is open, how many may come, for whom places are kept: by1, value1, places1 …"""

    is_open = forms.BooleanField(
        label=_("Registration is open"),
        help_text=_("Your own switch, above both times."),
        required=False,
    )
    opens_at = _moment(_("From"))
    closes_at = _moment(_("Until"))
    places = forms.IntegerField(
        label=_("Places"), help_text=_("Left empty: as many as come."), required=False
    )
    waiting_places = forms.IntegerField(
        label=_("Places on the waiting list"), help_text=_("Left empty: as many as come."), required=False
    )
    accepts_itself = forms.BooleanField(
        label=_("Whoever confirms has a place at once, as long as there are some"),
        help_text=_("Otherwise you look at everybody and decide."),
        required=False,
    )
    moves_up_itself = forms.BooleanField(
        label=_("Whoever waits first moves up by themselves when a place becomes free"), required=False
    )
    list_is_public = forms.BooleanField(
        label=_("Everybody sees who is coming, as far as they agree"), required=False
    )

    def __init__(self, lines: int, *args: Any, **kwargs: Any) -> None:
        """`lines`: so many kept places can be said."""
        super().__init__(*args, **kwargs)
        self.places_of = range(1, lines + 1)
        for n in self.places_of:
            self.fields[f"by{n}"] = forms.ChoiceField(
                label=_("Kept for"), choices=KeptPlaces.By.choices, required=False
            )
            self.fields[f"value{n}"] = forms.CharField(
                label=_("Which"),
                required=False,
                max_length=80,
                widget=forms.TextInput(attrs={"list": "countries"}),
            )
            self.fields[f"places{n}"] = forms.IntegerField(label=_("Places"), required=False)

    @classmethod
    def of(cls, wish: PlanWish) -> PlanForm:
        """The plan there is, to be changed."""
        said = {name: getattr(wish, name) for name in cls.base_fields}
        for n, one in enumerate(wish.kept, 1):
            value = country_name(one.value) if one.by == "country" else one.value
            said |= {f"by{n}": one.by, f"value{n}": value, f"places{n}": one.places}
        return cls(len(wish.kept) + BLANK, initial=said)

    @classmethod
    def sent(cls, data: Any) -> PlanForm:
        return cls(_lines_in(data, "value"), data)

    @property
    def rows(self) -> list[tuple[BoundField, BoundField, BoundField]]:
        return [(self[f"by{n}"], self[f"value{n}"], self[f"places{n}"]) for n in self.places_of]

    def wish(self) -> PlanWish:
        """What was said, as far as it could be read."""
        data = self.cleaned_data
        said = {name: data.get(name) for name in type(self).base_fields}
        return replace(PlanWish(), **said, kept=tuple(kept for _n, kept in self._kept()))  # type: ignore[arg-type]

    def _kept(self) -> list[tuple[int, Kept]]:
        found = []
        for n in self.places_of:
            by, value = self.cleaned_data.get(f"by{n}", ""), tidy(self.cleaned_data.get(f"value{n}") or "")
            places = self.cleaned_data.get(f"places{n}")
            if value or places:
                code = (find_country(value) or value) if by == "country" else value
                found.append((n, Kept(by, code, places or 0)))
        return found

    def field_at(self, where: str) -> str:
        """The field in which a problem of the plan is mended."""
        name, _dot, index = where.partition(".")
        return f"value{self._kept()[int(index)][0]}" if name == "kept" else name


class QuestionsForm(Form):
    """The questions: kind1, text1_en …, choices1_en …, required1, order1, key1 …; one without a text is none."""

    def __init__(self, lines: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["drop_answers"] = forms.BooleanField(
            label=_("The answers to removed questions may go"), required=False
        )
        self.lines = range(1, lines + 1)
        for n in self.lines:
            self._add(n)

    def _add(self, n: int) -> None:
        kinds = forms.ChoiceField(label=_("Answered by"), choices=Question.Kind.choices, required=False)
        self.fields[f"kind{n}"] = kinds
        for code, language in settings.LANGUAGES:
            self.fields[f"text{n}_{code}"] = forms.CharField(label=language, required=False)
            self.fields[f"choices{n}_{code}"] = forms.CharField(
                label=language, required=False, widget=forms.Textarea(attrs={"rows": 3})
            )
        self.fields[f"required{n}"] = forms.BooleanField(label=_("Has to be answered"), required=False)
        self.fields[f"order{n}"] = forms.IntegerField(label=_("Place in the order"), required=False)
        self.fields[f"key{n}"] = forms.IntegerField(required=False, widget=forms.HiddenInput)

    @classmethod
    def of(cls, questions: Sequence[Question]) -> QuestionsForm:
        said: dict[str, Any] = {}
        for n, one in enumerate(questions, 1):
            said |= {f"kind{n}": one.kind, f"required{n}": one.is_required, f"order{n}": n, f"key{n}": one.pk}
            for code, _name in settings.LANGUAGES:
                said[f"text{n}_{code}"] = one.text.get(code, "")
                said[f"choices{n}_{code}"] = "\n".join(choice.get(code, "") for choice in one.choices)
        return cls(len(questions) + BLANK, initial=said)

    @classmethod
    def sent(cls, data: Any) -> QuestionsForm:
        return cls(_lines_in(data, "kind"), data)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """For the page, line by line."""
        codes = [code for code, _name in settings.LANGUAGES]
        return [
            {name: self[f"{name}{n}"] for name in ("kind", "required", "order", "key")}
            | {name: [self[f"{name}{n}_{code}"] for code in codes] for name in ("text", "choices")}
            | {"is_new": not self[f"key{n}"].value()}
            for n in self.lines
        ]

    def wishes(self) -> list[QuestionWish]:
        return [wish for _n, wish in self._said()]

    def _said(self) -> list[tuple[int, QuestionWish]]:
        """Line and question, in the order that was asked for."""
        found = [(self.cleaned_data.get(f"order{n}") or MOST_LINES + n, n) for n in self.lines]
        said = [(n, self._wish(n)) for _order, n in sorted(found)]
        return [(n, wish) for n, wish in said if wish.text or wish.choices]

    def _wish(self, n: int) -> QuestionWish:
        data, codes = self.cleaned_data, [code for code, _name in settings.LANGUAGES]
        text = {code: said for code in codes if (said := tidy(data.get(f"text{n}_{code}") or ""))}
        kind = data.get(f"kind{n}", "")
        choices = {code: _lines(data.get(f"choices{n}_{code}", "")) for code in codes}
        return QuestionWish(
            kind,
            text,
            _side_by_side(choices) if kind == Question.Kind.CHOICE else (),
            bool(data.get(f"required{n}")),
            data.get(f"key{n}"),
        )

    def field_at(self, where: str) -> str:
        """The field in which a problem of the questions is mended."""
        index, _dot, name = where.partition(".")
        if not index.isdecimal():
            return where if where in self.fields else ""
        n = self._said()[int(index)][0]
        return f"kind{n}" if name == "kind" else f"{name}{n}_{settings.LANGUAGES[0][0]}"


def _lines(text: str) -> list[str]:
    return [said for line in text.splitlines() if (said := tidy(line))]


def _side_by_side(choices: dict[str, list[str]]) -> list[dict[str, str]]:
    """The answers, each in the languages it was written in."""
    most = max(map(len, choices.values()), default=0)
    return [{code: said[n] for code, said in choices.items() if n < len(said)} for n in range(most)]


def _lines_in(data: Iterable[str], name: str) -> int:
    return min(MOST_LINES, sum(key.startswith(name) and key[len(name) :].isdecimal() for key in data))
