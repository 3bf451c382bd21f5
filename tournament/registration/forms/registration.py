"""What is asked of somebody who wants to play."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.models.registration import Question, Registration, RegistrationPlan
from tournament.players.selectors.entrants import LONGEST
from tournament.registration.selectors.applicants import Answer, Applicant, applicant_of, applicant_problems
from tournament.registration.selectors.registration_plan import asked_by
from tournament.registration.texts.registration import in_language
from tournament.web.exports.sheets import tidy
from tournament.web.forms.problems import ServiceChecked, add_problems
from tournament.web.forms.spoken import Form
from tournament.web.texts.countries import country_name, find_country

YES, NO = "yes", "no"
"""Of a question that has to be answered; else it is a box."""
TEXTS = ("last_name", "first_name", "country", "email", "ema_number", "club", "team")


def _text(label: Any, help_text: Any = "", *, required: bool = False, **attrs: Any) -> forms.CharField:
    kind = ServiceChecked if required else forms.CharField
    return kind(label=label, help_text=help_text, required=required, widget=forms.TextInput(attrs=attrs))


class RegistrationForm(Form):
    """Who somebody is, what the organiser asks besides, and what they agree to. `website`, which nobody sees, is for
    robots."""

    last_name = _text(_("Last name"), required=True, maxlength=LONGEST, autocomplete="family-name")
    first_name = _text(_("First name"), maxlength=LONGEST, autocomplete="given-name")
    email = _text(
        _("E-mail"),
        _("The link to confirm is sent there; nobody else sees the address."),
        required=True,
        inputmode="email",
        autocomplete="email",
        maxlength=254,
    )
    country = _text(
        _("Country"),
        _("A name in any language, or a code: Denmark, Danmark, DNK."),
        list="countries",
        autocomplete="off",
    )
    ema_number = _text(_("EMA number"), _("Eight digits."), inputmode="numeric", autocomplete="off")
    club = _text(_("Club"), maxlength=LONGEST)
    team = _text(_("Team"), maxlength=LONGEST)
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
            kwargs["initial"] = _said_by(known) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs)
        self.known = known
        self.questions = asked_by(plan) if plan else []
        for question in self.questions:
            name = f"q{question.pk}"
            self.fields[name] = _field_of(question)
            if name in self.initial:
                self.initial[name] = _as_chosen(question, self.initial[name])
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
            said = set(self.errors)
            problems = applicant_problems(self.applicant(), self.questions, by_themselves=self._by_themselves)
            if "privacy" in self.fields and not self.cleaned_data.get("privacy"):
                problems.append(Problem("privacy_not_read", "privacy"))
            add_problems(self, [one for one in problems if one.where not in said])
        return self.cleaned_data

    _by_themselves = True

    def applicant(self) -> Applicant:
        """The person as far as could be read; a country nobody knows stays as typed."""
        data = self.cleaned_data
        said = {name: tidy(data.get(name) or "") for name in TEXTS}
        said["country"] = find_country(said["country"]) or said["country"]
        said["ema_number"] = said["ema_number"].replace(" ", "")
        if "email" not in self.fields and self.known:
            said["email"] = self.known.email
        return Applicant(
            **said,
            message=(data.get("message") or "").strip(),
            answers=self._answers(),
            language=self.known.language if self.known else get_language() or "",
            photos_agreed=bool(data.get("photos_agreed")),
            name_shown=bool(data.get("name_shown")),
        )

    def _answers(self) -> dict[str, Answer]:
        found: dict[str, Answer] = {}
        for question in self.questions:
            said = self.cleaned_data.get(f"q{question.pk}")
            if question.kind == Question.Kind.YES_NO:
                if said != "":
                    found[str(question.pk)] = said in (True, YES)
            elif question.kind == Question.Kind.CHOICE and said not in (None, ""):
                found[str(question.pk)] = int(said)
            elif question.kind == Question.Kind.TEXT and said:
                found[str(question.pk)] = said.strip()
        return found


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


def _said_by(known: Registration) -> dict[str, Any]:
    applicant = applicant_of(known)
    said = {name: getattr(applicant, name) for name in (*TEXTS, "message", "photos_agreed", "name_shown")}
    said["country"] = country_name(known.country) if known.country else ""
    return said | {f"q{key}": answer for key, answer in applicant.answers.items()}


def _as_chosen(question: Question, answer: Any) -> Any:
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
