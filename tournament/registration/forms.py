"""What is asked of somebody who wants to play, and the organiser's plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.conf import settings
from django.forms import BoundField
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.models.registration import KeptPlaces, Question, Registration, RegistrationPlan
from tournament.players.selectors.players import LONGEST
from tournament.registration.engine import Kept
from tournament.registration.selectors.plan import PlanWish, QuestionWish, asked_by
from tournament.registration.selectors.registrations import (
    Answer,
    Applicant,
    applicant_of,
    applicant_problems,
)
from tournament.registration.texts import in_language
from tournament.web.exports.sheets import tidy
from tournament.web.forms import Form, ServiceChecked, add_problems
from tournament.web.texts.words import country_name, find_country

# --- Registering ---


YES, NO = "yes", "no"
"""Of a question that has to be answered; else it is a box."""
TEXTS = ("last_name", "first_name", "country", "email", "ema_number", "club", "team")


def _text_field(label: Any, help_text: Any = "", *, required: bool = False, **attrs: Any) -> forms.CharField:
    kind = ServiceChecked if required else forms.CharField
    return kind(label=label, help_text=help_text, required=required, widget=forms.TextInput(attrs=attrs))


class RegistrationForm(Form):
    """Who somebody is, what the organiser asks besides, and what they agree to. `website`, which nobody sees, is for
    robots."""

    last_name = _text_field(_("Last name"), required=True, maxlength=LONGEST, autocomplete="family-name")
    first_name = _text_field(_("First name"), maxlength=LONGEST, autocomplete="given-name")
    email = _text_field(
        _("E-mail"),
        _("The link to confirm is sent there; nobody else sees the address."),
        required=True,
        inputmode="email",
        autocomplete="email",
        maxlength=254,
    )
    country = _text_field(
        _("Country"),
        _("A name in any language, or a code: Denmark, Danmark, DNK."),
        list="countries",
        autocomplete="off",
    )
    ema_number = _text_field(_("EMA number"), _("Eight digits."), inputmode="numeric", autocomplete="off")
    club = _text_field(_("Club"), maxlength=LONGEST)
    team = _text_field(_("Team"), maxlength=LONGEST)
    message = forms.CharField(
        label=_("Message to the organiser"), required=False, widget=forms.Textarea(attrs={"rows": 4})
    )
    privacy = forms.BooleanField(label=_("I have read how my data are used."), required=False)
    photos_agreed = forms.BooleanField(
        label=_("I may be photographed, and the pictures shown."), required=False
    )
    name_shown = forms.BooleanField(
        label=_("My name may stand on the list of who is coming."), required=False
    )
    website = forms.CharField(
        required=False, widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"})
    )

    def __init__(
        self, plan: RegistrationPlan | None, *args: Any, known: Registration | None = None, **kwargs: Any
    ) -> None:
        """`known`: one to be changed; then neither the address nor the privacy notice is asked again."""
        if known is not None:
            kwargs["initial"] = _initial_of(known) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        self.known = known
        self.questions = asked_by(plan) if plan else []
        for question in self.questions:
            name = f"q{question.pk}"
            self.fields[name] = _field_of(question)
            if name in self.initial:
                self.initial[name] = _initial_answer(question, self.initial[name])
        for name in self._not_asked():
            del self.fields[name]

    def _not_asked(self) -> tuple[str, ...]:
        return () if self.known is None else ("email", "privacy", "website")

    @property
    def asked(self) -> list[forms.BoundField]:
        """The organiser's own questions."""
        return [self[f"q{question.pk}"] for question in self.questions]

    @property
    def is_robots(self) -> bool:
        return bool(self.data.get("website"))

    def clean(self) -> dict[str, Any]:
        if self.errors:
            mentioned = set(self.errors)
            problems = applicant_problems(self.applicant(), self.questions, by_themselves=self._by_themselves)
            if "privacy" in self.fields and not self.cleaned_data.get("privacy"):
                problems.append(Problem("privacy_not_read", "privacy"))
            add_problems(self, [problem for problem in problems if problem.where not in mentioned])
        return self.cleaned_data

    _by_themselves = True

    def applicant(self) -> Applicant:
        """The person as far as could be read; a country nobody knows stays as typed."""
        data = self.cleaned_data
        texts = {name: tidy(data.get(name) or "") for name in TEXTS}
        texts["country"] = find_country(texts["country"]) or texts["country"]
        texts["ema_number"] = texts["ema_number"].replace(" ", "")
        if "email" not in self.fields and self.known:
            texts["email"] = self.known.email
        return Applicant(
            **texts,
            message=(data.get("message") or "").strip(),
            answers=self._answers(),
            language=self.known.language if self.known else get_language() or "",
            photos_agreed=bool(data.get("photos_agreed")),
            name_shown=bool(data.get("name_shown")),
        )

    def _answers(self) -> dict[str, Answer]:
        answers: dict[str, Answer] = {}
        for question in self.questions:
            value = self.cleaned_data.get(f"q{question.pk}")
            if question.kind == Question.Kind.YES_NO:
                if value != "":
                    answers[str(question.pk)] = value in (True, YES)
            elif question.kind == Question.Kind.CHOICE and value not in (None, ""):
                answers[str(question.pk)] = int(value)
            elif question.kind == Question.Kind.TEXT and value:
                answers[str(question.pk)] = value.strip()
        return answers


class DeskRegistrationForm(RegistrationForm):
    """Somebody whom the desk enters or changes: an address is not needed, the link can be copied."""

    tells = forms.BooleanField(
        label=_("Write to them where they stand"),
        help_text=_("Without an address, or without this, you hand them the link yourself."),
        required=False,
    )
    _by_themselves = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].required = False
        self.fields["email"].help_text = _("May be left empty: then you hand them the link yourself.")
        for question in self.questions:
            self.fields[f"q{question.pk}"].required = False

    def _not_asked(self) -> tuple[str, ...]:
        return ("privacy", "website") if self.known is None else ("privacy", "website", "tells")


def _initial_of(registration: Registration) -> dict[str, Any]:
    applicant = applicant_of(registration)
    initial = {name: getattr(applicant, name) for name in (*TEXTS, "message", "photos_agreed", "name_shown")}
    initial["country"] = country_name(registration.country) if registration.country else ""
    return initial | {f"q{key}": answer for key, answer in applicant.answers.items()}


def _initial_answer(question: Question, answer: Any) -> Any:
    """As its field has it."""
    if isinstance(answer, bool) and question.is_required:
        return YES if answer else NO
    return answer


def _field_of(question: Question) -> forms.Field:
    """The field that takes the answer."""
    label, required = in_language(question.text), question.is_required
    if question.kind == Question.Kind.YES_NO and required:  # a box that nobody ticked is no answer
        yes_or_no = [("", "–"), (YES, _("yes")), (NO, _("no"))]
        return forms.ChoiceField(label=label, choices=yes_or_no)
    if question.kind == Question.Kind.YES_NO:
        return forms.BooleanField(label=label, required=False)
    if question.kind == Question.Kind.CHOICE:
        choices = [(str(index), in_language(choice)) for index, choice in enumerate(question.choices)]
        return forms.ChoiceField(label=label, choices=[("", "–"), *choices], required=required)
    return forms.CharField(label=label, required=required, max_length=500)


# --- The plan and its questions ---


BLANK: Final = 2
"""Empty lines to write into; saving brings more."""
MOST_LINES: Final = 60


def _moment_field(label: Any) -> forms.DateTimeField:
    widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
    return forms.DateTimeField(label=label, required=False, widget=widget)


class PlanForm(Form):
    """When registration is open, how many may come, for whom places are kept: by1, value1, places1 …"""

    is_open = forms.BooleanField(
        label=_("Registration is open"),
        help_text=_("Your own switch, above both times."),
        required=False,
    )
    opens_at = _moment_field(_("From"))
    closes_at = _moment_field(_("Until"))
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
    def of(cls, plan: PlanWish) -> PlanForm:
        """The plan there is, to be changed."""
        initial = {name: getattr(plan, name) for name in cls.base_fields}
        for n, kept in enumerate(plan.kept, 1):
            value = country_name(kept.value) if kept.by == "country" else kept.value
            initial |= {f"by{n}": kept.by, f"value{n}": value, f"places{n}": kept.places}
        return cls(len(plan.kept) + BLANK, initial=initial)

    @classmethod
    def sent(cls, data: Any) -> PlanForm:
        return cls(_lines_in(data, "value"), data)

    @property
    def rows(self) -> list[tuple[BoundField, BoundField, BoundField]]:
        return [(self[f"by{n}"], self[f"value{n}"], self[f"places{n}"]) for n in self.places_of]

    def wish(self) -> PlanWish:
        """What was said, as far as it could be read."""
        data = self.cleaned_data
        values = {name: data.get(name) for name in type(self).base_fields}
        return replace(PlanWish(), **values, kept=tuple(kept for _n, kept in self._kept()))  # type: ignore[arg-type]

    def _kept(self) -> list[tuple[int, Kept]]:
        lines = []
        for n in self.places_of:
            by, value = self.cleaned_data.get(f"by{n}", ""), tidy(self.cleaned_data.get(f"value{n}") or "")
            places = self.cleaned_data.get(f"places{n}")
            if value or places:
                code = (find_country(value) or value) if by == "country" else value
                lines.append((n, Kept(by, code, places or 0)))
        return lines

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
        initial: dict[str, Any] = {}
        for n, question in enumerate(questions, 1):
            initial |= {f"kind{n}": question.kind, f"required{n}": question.is_required}
            initial |= {f"order{n}": n, f"key{n}": question.pk}
            for code, _name in settings.LANGUAGES:
                initial[f"text{n}_{code}"] = question.text.get(code, "")
                initial[f"choices{n}_{code}"] = "\n".join(choice.get(code, "") for choice in question.choices)
        return cls(len(questions) + BLANK, initial=initial)

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
        return [question for _n, question in self._filled_lines()]

    def _filled_lines(self) -> list[tuple[int, QuestionWish]]:
        """Line and question, in the order that was asked for."""
        order = [(self.cleaned_data.get(f"order{n}") or MOST_LINES + n, n) for n in self.lines]
        lines = [(n, self._question(n)) for _place, n in sorted(order)]
        return [(n, question) for n, question in lines if question.text or question.choices]

    def _question(self, n: int) -> QuestionWish:
        data, codes = self.cleaned_data, [code for code, _name in settings.LANGUAGES]
        texts = {code: tidy(data.get(f"text{n}_{code}") or "") for code in codes}
        kind = data.get(f"kind{n}", "")
        choices = {code: _text_lines(data.get(f"choices{n}_{code}", "")) for code in codes}
        return QuestionWish(
            kind,
            {code: text for code, text in texts.items() if text},
            _choices_by_language(choices) if kind == Question.Kind.CHOICE else (),
            bool(data.get(f"required{n}")),
            data.get(f"key{n}"),
        )

    def field_at(self, where: str) -> str:
        """The field in which a problem of the questions is mended."""
        index, _dot, name = where.partition(".")
        if not index.isdecimal():
            return where if where in self.fields else ""
        n = self._filled_lines()[int(index)][0]
        return f"kind{n}" if name == "kind" else f"{name}{n}_{settings.LANGUAGES[0][0]}"


def _text_lines(text: str) -> list[str]:
    return list(filter(None, map(tidy, text.splitlines())))


def _choices_by_language(choices: dict[str, list[str]]) -> list[dict[str, str]]:
    """The answers, each in the languages it was written in."""
    most = max(map(len, choices.values()), default=0)
    return [{code: lines[n] for code, lines in choices.items() if n < len(lines)} for n in range(most)]


def _lines_in(data: Iterable[str], name: str) -> int:
    return min(MOST_LINES, sum(key.startswith(name) and key[len(name) :].isdecimal() for key in data))
