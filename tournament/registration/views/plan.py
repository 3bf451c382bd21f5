"""The organiser's pages of registration: the plan with reserved places, and its questions."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournament.base.countries import country_names
from tournament.base.models.registration import PlaceReservation, Question, RegistrationPlan
from tournament.messages.mail import delivery
from tournament.registration.forms import PlanForm, QuestionFormSet, ReservedPlacesFormSet
from tournament.registration.selectors.plan import plan_of, registration_status
from tournament.registration.services.admissions import set_plan, set_questions
from tournament.web.generic import EditView


class PlanPage(EditView):
    form_class = PlanForm
    formset_class = ReservedPlacesFormSet
    rows_name = "reserved_places"
    template, section, success_page = "registration/registration_plan", "registration", "organiser_people"

    def get_object(self) -> RegistrationPlan:
        return plan_of(self.tournament) or RegistrationPlan(tournament=self.tournament)

    def get_queryset(self) -> QuerySet[PlaceReservation]:
        return PlaceReservation.objects.filter(plan__tournament=self.tournament)

    def save(self, instance: RegistrationPlan, rows: list[PlaceReservation]) -> None:
        set_plan(instance, self.actor, rows)

    def extra_context(self) -> dict[str, Any]:
        status = registration_status(self.tournament)
        is_new, sends_mail = status.plan is None, delivery.is_configured()
        return {"status": status, "is_new": is_new, "sends_mail": sends_mail, "countries": country_names()}


class QuestionsPage(EditView):
    formset_class = QuestionFormSet
    rows_name = "questions"
    template, section, success_page = (
        "registration/registration_questions",
        "registration",
        "organiser_registration_questions",
    )

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if plan_of(self.tournament) is None:
            return redirect("organiser_registration_plan", self.tournament.slug)
        return super().get(request, **kwargs)

    def get_queryset(self) -> QuerySet[Question]:
        return Question.objects.filter(plan__tournament=self.tournament)

    def save(self, instance: None, rows: list[Question]) -> None:
        set_questions(self.tournament, self.actor, rows, drop_answers="drop_answers" in self.request.POST)
