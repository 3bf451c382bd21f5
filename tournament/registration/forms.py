"""Forms of registrations, and of the plan with its questions."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, Final

from django import forms
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournament.base.countries import country_name, find_country
from tournament.base.engine.text import tidy
from tournament.base.errors import Invalid
from tournament.base.models.registration import PlaceReservation, Question, Registration, RegistrationPlan
from tournament.base.problems import sentence
from tournament.dues.models import Fee, TournamentAccount
from tournament.dues.selectors import account_of, fees_offered_now
from tournament.dues.services import PRICE_CHANGED
from tournament.dues.texts import money
from tournament.messages.mail import delivery
from tournament.players.forms import AsksAboutDouble
from tournament.registration.selectors.plan import questions_of
from tournament.registration.selectors.registrations import MAX_ANSWER_LENGTH, Answer
from tournament.registration.services.admissions import MAX_QUESTIONS
from tournament.registration.services.registrations import PRIVACY_NOT_READ
from tournament.registration.texts import in_language
from tournament.web.forms import ModelForm, MomentInput, NameOrderSelect, rows_formset

LANGUAGES: Final = [code for code, _name in settings.LANGUAGES]

# --- Registering ---


YES, NO = "yes", "no"
"""Values of a required yes-or-no question; an optional one is a checkbox."""


class RegistrationForm(ModelForm):
    """A person's own registration with answers and agreements.

    `website` is a honeypot. Existing registrations have no fields for address and privacy notice. `questions`, `fees`,
    `account`: others than those stored, for a preview.
    """

    privacy = forms.BooleanField(label=_("I have read how my data is used."), required=False)
    website = forms.CharField(
        required=False, widget=forms.TextInput(attrs={"tabindex": "-1", "autocomplete": "off"})
    )
    is_self_service = True
    without_mail = _("Only the organisers see it. No e-mail is sent from this site.")
    """The help text of the address where there is no mail server."""

    class Meta:
        model = Registration
        fields = [
            *("last_name", "first_name", "second_name", "email", "country", "ema_number", "club", "team"),
            *("message", "photos_agreed", "name_shown", "declines_messages"),
        ]
        widgets = {
            "last_name": forms.TextInput(attrs={"autocomplete": "family-name"}),
            "first_name": forms.TextInput(attrs={"autocomplete": "given-name"}),
            "message": forms.Textarea(attrs={"rows": 4}),
        }
        error_messages = {
            "last_name": {"required": _("Enter your last name.")},
            "email": {"required": _("Enter your e-mail address.")},
        }

    def __init__(
        self,
        plan: RegistrationPlan | None,
        *args: Any,
        questions: list[Question] | None = None,
        fees: list[Fee] | None = None,
        account: TournamentAccount | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if questions is None:
            questions = questions_of(plan) if plan else []
        self.questions = questions
        for question in self.questions:
            name, answer = f"q{question.pk}", self.instance.answers.get(str(question.pk))
            self.fields[name] = _field_of(question, is_required=question.is_required and self.is_self_service)
            self.initial[name] = _initial_answer(question, answer)
        for name in self._excluded_fields():
            del self.fields[name]
        self.prices: dict[str, Fee] = {}
        """Value of `price` → the category: with the amount that was shown, so that no other is charged."""
        if plan is not None and self.instance.pk is None:
            self._offer_prices(
                fees_offered_now(plan.tournament) if fees is None else fees,
                account or account_of(plan.tournament),
            )
        if "email" in self.fields:
            self.fields["email"].required = self.is_self_service
            if not delivery.is_configured():
                self.fields["email"].help_text = self.without_mail

    def _excluded_fields(self) -> tuple[str, ...]:
        return () if self.instance.pk is None else ("email", "privacy", "website")

    def _offer_prices(self, fees: list[Fee], account: TournamentAccount) -> None:
        """Add the choice of a category, if there are any."""
        self.prices = {f"{fee.pk}-{fee.amount}": fee for fee in fees}
        if not self.prices:
            return
        self.fields["price"] = forms.ChoiceField(
            label=_("Price"),
            choices=[
                (value, f"{fee.name}: {money(fee.amount, account)}") for value, fee in self.prices.items()
            ],
            widget=forms.RadioSelect,
            required=self.is_self_service,
            initial=None if self.is_self_service else next(iter(self.prices)),
            error_messages={"invalid_choice": sentence(PRICE_CHANGED())},
        )

    @property
    def fee(self) -> Fee | None:
        """The chosen category; None if there is nothing to choose."""
        return self.prices.get(self.cleaned_data.get("price", ""))

    @property
    def question_fields(self) -> list[forms.BoundField]:
        return [self[f"q{question.pk}"] for question in self.questions]

    @property
    def is_spam(self) -> bool:
        return bool(self.data.get("website"))

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "privacy" in self.fields and not data.get("privacy"):
            self.add_error("privacy", Invalid(PRIVACY_NOT_READ()))
        if self.instance.pk is None:
            self.instance.language = get_language() or ""
        self.instance.answers = self._answers()
        return data

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


class DeskRegistrationForm(AsksAboutDouble, RegistrationForm):
    """A registration that the desk adds or changes; an address is optional, since the link can be copied."""

    notify = forms.BooleanField(
        label=_("Notify the person of the status"),
        help_text=_("Without an address, or without this, you pass on the link yourself."),
        required=False,
    )
    is_self_service = False
    without_mail = _("No e-mail is sent from this site: you pass on the link yourself.")

    class Meta(RegistrationForm.Meta):
        fields = [*RegistrationForm.Meta.fields, "family_name_first"]
        widgets = RegistrationForm.Meta.widgets | {"family_name_first": NameOrderSelect()}
        labels = {
            "message": _("Message"),
            "name_shown": _("Show the full name in the list of participants"),
            "photos_agreed": _("Photos may be taken and published"),
            "declines_messages": _("No general messages by e-mail"),
        }
        help_texts = {
            "email": _("Without it, you pass on the link yourself."),
            "name_shown": _("Otherwise the initials are shown until play begins."),
            "declines_messages": "",
        }
        error_messages: dict[str, Any] = {}

    def _excluded_fields(self) -> tuple[str, ...]:
        can_notify = self.instance.pk is None and delivery.is_configured()
        return ("privacy", "website") if can_notify else ("privacy", "website", "notify")


def _initial_answer(question: Question, answer: Any) -> Any:
    if isinstance(answer, bool) and question.is_required:
        return YES if answer else NO
    return answer


def _field_of(question: Question, *, is_required: bool) -> forms.Field:
    label, required = in_language(question.text), is_required
    # An unticked checkbox would count as an answer.
    if question.kind == Question.Kind.YES_NO and question.is_required:
        yes_or_no = [("", "–"), (YES, _("yes")), (NO, _("no"))]
        return forms.ChoiceField(label=label, choices=yes_or_no, required=required)
    if question.kind == Question.Kind.YES_NO:
        return forms.BooleanField(label=label, required=False)
    if question.kind == Question.Kind.CHOICE:
        choices = [(str(index), in_language(choice)) for index, choice in enumerate(question.choices)]
        return forms.ChoiceField(label=label, choices=[("", "–"), *choices], required=required)
    return forms.CharField(label=label, required=required, max_length=MAX_ANSWER_LENGTH)


# --- The plan and its questions ---


class PlanForm(ModelForm):
    """The times of registration and the limits; buttons open and close it."""

    class Meta:
        model = RegistrationPlan
        fields = [
            *("is_open", "opens_at", "closes_at", "places", "waiting_places"),
            *("accepts_automatically", "moves_up_automatically", "list_is_public"),
        ]
        labels = {
            "moves_up_automatically": _(
                "Whenever a place becomes free, the first on the waiting list gets it."
            ),
        }
        widgets = {"is_open": forms.HiddenInput(), "opens_at": MomentInput(), "closes_at": MomentInput()}


class ReservedPlacesForm(ModelForm):
    """Places reserved for a country, named in any language, or a club."""

    class Meta:
        model = PlaceReservation
        fields = ["by", "value", "places"]
        widgets = {"value": forms.TextInput(attrs={"list": "countries"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.by == PlaceReservation.By.COUNTRY:
            self.initial["value"] = country_name(self.instance.value)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("by") == PlaceReservation.By.COUNTRY and "value" in data:
            data["value"] = find_country(data["value"]) or data["value"]
        return data


ReservedPlacesFormSet = rows_formset(PlaceReservation, ReservedPlacesForm, 60)


class ByLanguage(forms.MultiWidget):
    """An input for each language; those of other languages than the reader's are folded."""

    template_name = "registration/by_language.html"
    use_fieldset = True

    def __init__(self, widget: type[forms.Widget], **attrs: Any) -> None:
        super().__init__({code: widget({"lang": code} | attrs) for code in LANGUAGES})

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        parts = context["widget"]["subwidgets"]
        own = next((part for part in parts if part["attrs"]["lang"] == get_language()), parts[0])
        others = [part for part in parts if part is not own]
        return context | {
            "own": own,
            "others": others,
            "is_elsewhere": not own["value"] and any(part["value"] for part in others),
        }

    def decompress(self, value: Any) -> list[str]:
        return [(value or {}).get(code, "") for code in LANGUAGES]


class TextField(forms.MultiValueField):
    """A text by language, without the empty ones."""

    widget = ByLanguage(forms.TextInput)

    def __init__(self, **options: Any) -> None:
        fields = [forms.CharField(required=False) for _code in LANGUAGES]
        super().__init__(fields, require_all_fields=False, **options)

    def compress(self, data_list: list[str]) -> Any:
        texts = dict(zip(LANGUAGES, map(tidy, data_list), strict=False))
        return {code: text for code, text in texts.items() if text}


class TextsField(TextField):
    """Several texts by language, one a line."""

    widget = ByLanguage(forms.Textarea, rows=3)

    def compress(self, data_list: list[str]) -> Any:
        lines = [list(filter(None, map(tidy, text.splitlines()))) for text in data_list]
        by_text = zip_longest(*lines, fillvalue="")
        return [TextField.compress(self, list(texts)) for texts in by_text]


class QuestionForm(ModelForm):
    """One of the organiser's questions."""

    text = TextField(label=_("Question"))
    choices = TextsField(label=_("The answers to choose from, one per line"), required=False)

    class Meta:
        model = Question
        fields = ["text", "kind", "is_required", "choices"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = self.instance.choices
        # Browsers send these line breaks, so that unchanged texts are equal.
        self.initial["choices"] = [
            "\r\n".join(texts.get(code, "") for texts in choices) for code in LANGUAGES
        ]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("kind") != Question.Kind.CHOICE:
            data["choices"] = []
        return data


QuestionFormSet = rows_formset(Question, QuestionForm, MAX_QUESTIONS, can_order=True)
