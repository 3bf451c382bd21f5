"""The organiser's page of registration: places, prices, questions and payment, with the visitor's form beside them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.base.access import Right
from tournament.base.countries import country_names
from tournament.base.models.registration import PlaceReservation, Question, RegistrationPlan
from tournament.dues.selectors import account_of, offered_fees
from tournament.dues.views import PaymentPart, PricesPart
from tournament.messages.mail import delivery
from tournament.messages.mail.selectors import list_letters
from tournament.registration.forms import PlanForm, QuestionFormSet, RegistrationForm, ReservedPlacesFormSet
from tournament.registration.selectors.plan import Phase, phase_of, plan_of, questions_of, registration_status
from tournament.registration.services.admissions import set_plan, set_questions
from tournament.web.generic import Part, PartsView
from tournament.web.views import rights_of


class PlacesPart(Part):
    name, rows_name = "places", "reserved_places"
    form_class = PlanForm
    formset_class = ReservedPlacesFormSet

    def get_object(self) -> RegistrationPlan:
        return plan_of(self.tournament) or RegistrationPlan(tournament=self.tournament, is_open=False)

    def get_queryset(self) -> QuerySet[PlaceReservation]:
        return PlaceReservation.objects.filter(plan__tournament=self.tournament)

    def save(self, instance: RegistrationPlan, rows: list[PlaceReservation]) -> None:
        set_plan(instance, self.actor, rows)


class QuestionsPart(Part):
    name = rows_name = "questions"
    formset_class = QuestionFormSet

    def get_queryset(self) -> QuerySet[Question]:
        return Question.objects.filter(plan__tournament=self.tournament)

    def save(self, instance: None, rows: list[Question]) -> None:
        if plan_of(self.tournament) is None:  # Questions can be written before anything else.
            set_plan(RegistrationPlan(tournament=self.tournament, is_open=False), self.actor)
        set_questions(self.tournament, self.actor, rows, drop_answers="drop_answers" in self.request.POST)


class RegistrationPage(PartsView):
    """With `?preview` the answer is the visitor's form: as it is, or to a POST as it would be, without saving."""

    rights = (Right.ORGANISE, Right.CASH)
    part_classes = (PlacesPart, PricesPart, QuestionsPart, PaymentPart)
    template, section, success_page = (
        "registration/registration_organising",
        "registration",
        "organiser_registration",
    )

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        return self._preview([]) if "preview" in request.GET else super().get(request, **kwargs)

    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if "preview" not in request.GET:
            return super().post(request, **kwargs)
        self.bind_parts(request.POST)
        return self._preview(self.parts)

    def success(self, instance: Any) -> HttpResponse:
        if isinstance(instance, RegistrationPlan) and instance.pk:
            says = {
                Phase.OPEN: _("Saved. Registration is open."),
                Phase.CLOSED: _("Saved. Registration is closed."),
            }
            self.success_message = says.get(phase_of(instance), self.success_message)
        return super().success(instance)

    def extra_context(self) -> dict[str, Any]:
        context = {"status": registration_status(self.tournament), "countries": country_names()}
        if rights_of(self.request, self.tournament)["organise"]:
            context |= {"sends_mail": delivery.is_configured(), "letters": list_letters(self.tournament)}
        return context

    def _preview(self, parts: Sequence[Part]) -> HttpResponse:
        """Return the visitor's form with what is valid in these parts, and what is stored of others."""
        plan, account = plan_of(self.tournament), account_of(self.tournament)
        questions, fees = questions_of(plan) if plan else [], list(self.tournament.fees.all())
        for part in parts:
            part.is_valid()
            if part.name == "prices":
                fees = _rows_of(part)
            elif part.name == "questions":
                questions = _rows_of(part)
            elif part.name == "payment":
                account = part.instance
        form = RegistrationForm(
            plan or RegistrationPlan(tournament=self.tournament),
            auto_id="visitor_%s",
            questions=questions,
            fees=offered_fees(fees, timezone.localdate(timezone=self.tournament.zone)),
            account=account,
        )
        context = {"form": form, "tournament": self.tournament}
        return render(self.request, "registration/_visitors_form.html", context)


def _rows_of(part: Part) -> list[Any]:
    """Return the valid rows, not to be stored, with keys for the names of fields, which new rows do not have yet."""
    assert part.formset is not None
    rows = [row.instance for row in part.formset.row_forms if row.is_valid()]
    for n, row in enumerate(rows):
        row.pk = n
    return rows
