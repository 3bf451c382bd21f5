"""Registrations: made by anybody, seen and decided by the desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access.address import place_of
from tournament.base.access.rights import Right
from tournament.base.errors import refuse
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.play.api.requests import MOST, number_field, numbers_field
from tournament.registration.api.applicants import ApplicantRequest, RegisterRequest
from tournament.registration.selectors.applicants import Applicant
from tournament.registration.selectors.registration_link import token_of
from tournament.registration.selectors.registration_plan import plan_of
from tournament.registration.selectors.registration_steps import TO, Step
from tournament.registration.selectors.registrations import last_step, places_in_line
from tournament.registration.services.admissions import add_registrations, decide, enter_registered, undo_step
from tournament.registration.services.registrations import edit_registration, register
from tournament.web.api.base import NOT_KEPT, Endpoint
from tournament.web.api.paging import PageAsked, page_of


class RegistrationSerializer(serializers.ModelSerializer[Registration]):
    """One registration as the desk sees it. `link`: their own page, which is a secret."""

    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    position = serializers.SerializerMethodField()
    link = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = (
            *("number", "state", "position", "player", "last_name", "first_name", "country", "email"),
            *("ema_number", "club", "team", "message", "answers", "language", "photos_agreed", "name_shown"),
            *("made_at", "confirmed_at", "link"),
        )

    def get_position(self, one: Registration) -> int | None:
        """On the waiting list."""
        found: int | None = self.context["places"].get(one.number)
        return found

    def get_link(self, one: Registration) -> str:
        path = reverse("registration", args=[one.tournament.slug, token_of(one)])
        site = self.context.get("request")
        return str(site.build_absolute_uri(path)) if site else path


class RegistrationsAsked(PageAsked):
    """Which page of them, and of which state alone."""

    state = serializers.ChoiceField(choices=Registration.State.values, required=False)


class RegistrationListRequest(serializers.Serializer[Any]):
    """People whom the desk enters; nobody is written to unless `tells`."""

    registrations = serializers.ListField(child=ApplicantRequest(), max_length=MOST)
    tells = serializers.BooleanField(default=False)


class RegistrationStepRequest(serializers.Serializer[Any]):
    """`registrations`: by number; all or none are moved."""

    step = serializers.ChoiceField(choices=[(one.value, one.value) for one in Step])
    registrations = numbers_field()


class StepUndoRequest(serializers.Serializer[Any]):
    step = number_field(2**31 - 1)


class RegistrationStepAnswer(serializers.Serializer[Any]):
    """`undo`: what takes the step back; null when nothing can."""

    registrations = serializers.ListField(child=serializers.IntegerField())
    undo = serializers.IntegerField(allow_null=True)


class DeskEndpoint(Endpoint):
    permission_classes = (IsAuthenticated,)

    def at_desk(self, slug: str) -> Tournament:
        """The tournament, for whoever may admit people."""
        tournament = self.tournament(slug)
        access.require(self.actor, tournament, Right.ADMIT)
        return tournament

    def listed(self, people: Sequence[Registration], request: Request, **more: Any) -> Response:
        data = RegistrationSerializer(people, many=True, context=_seen_from(request, people)).data
        return Response(data, **{"headers": NOT_KEPT} | more)


def _seen_from(request: Request, people: Sequence[Registration]) -> dict[str, Any]:
    """What a serializer of these, all of one tournament, needs to know; the waiting list is read once."""
    return {"request": request, "places": places_in_line(people[0].tournament) if people else {}}


class Registrations(DeskEndpoint):
    """Who registered, for the desk. POST registers somebody, without an account: it counts once it is confirmed by the
    link that is sent. From one place only so many are taken in an hour; more are a 429."""

    permission_classes = (AllowAny,)  # type: ignore[assignment]

    cuts_itself = True

    @extend_schema(
        operation_id="registrations",
        responses=RegistrationSerializer(many=True),
        parameters=[RegistrationsAsked],
    )
    def get(self, request: Request, slug: str) -> Response:
        found = self.at_desk(slug).registrations.select_related("player", "tournament").order_by("number")
        asked = RegistrationsAsked(data=request.query_params)
        asked.is_valid(raise_exception=True)
        if "state" in asked.validated_data:
            found = found.filter(state=asked.validated_data["state"])
        people, headers = page_of(found, request)
        return self.listed(people, request, headers={**headers, **NOT_KEPT})

    @extend_schema(operation_id="register", request=RegisterRequest, responses={202: None})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        if plan_of(tournament) is None:
            raise Http404
        said = self.body(RegisterRequest)
        register(
            tournament,
            self.actor,
            said.applicant(),
            privacy_read=said.validated_data["privacy_read"],
            address=place_of(request),
        )
        return Response(status=status.HTTP_202_ACCEPTED)


class RegistrationList(DeskEndpoint):
    """POST registers many whom the desk knows: they need no confirming, and places go in this order."""

    @extend_schema(
        operation_id="registrations_add",
        request=RegistrationListRequest,
        responses={201: RegistrationSerializer(many=True)},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.at_desk(slug)
        said = self.body(RegistrationListRequest).validated_data
        applicants = [Applicant(**one) for one in said["registrations"]]
        made = add_registrations(tournament, self.actor, applicants, tells=said["tells"])
        return self.listed(made, request, status=status.HTTP_201_CREATED)


class OneRegistration(DeskEndpoint):
    """One in full. PUT changes what is said of them."""

    @extend_schema(operation_id="registration", responses=RegistrationSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        one = self._found(self.at_desk(slug), number)
        return self._alone(one)

    @extend_schema(
        operation_id="registration_change", request=ApplicantRequest, responses=RegistrationSerializer
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        one = self._found(self.at_desk(slug), number)
        changed = edit_registration(one, self.actor, self.body(ApplicantRequest).applicant())
        return self._alone(changed)

    def _alone(self, one: Registration) -> Response:
        context = _seen_from(self.request, [one])
        return Response(RegistrationSerializer(one, context=context).data, headers=NOT_KEPT)

    def _found(self, tournament: Tournament, number: int) -> Registration:
        found = tournament.registrations.select_related("player", "tournament").filter(number=number).first()
        if found is None:
            raise Http404
        return found


class RegistrationSteps(DeskEndpoint):
    """POST moves many at once: accept, wait, decline, cancel, move_up (accepts who waits), or enter (as players)."""

    @extend_schema(
        operation_id="registration_step", request=RegistrationStepRequest, responses=RegistrationStepAnswer
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.at_desk(slug)
        said = self.body(RegistrationStepRequest).validated_data
        step, numbers = Step(said["step"]), said["registrations"]
        if not numbers:
            raise refuse("nobody_chosen")
        if step is Step.ENTER:
            enter_registered(tournament, self.actor, numbers)
        else:
            decide(tournament, self.actor, numbers, TO[step])
        return _step_answer(tournament, numbers)


class StepUndo(DeskEndpoint):
    """POST takes the last step back; `step`: what its answer gave as `undo`."""

    @extend_schema(
        operation_id="registration_step_undo", request=StepUndoRequest, responses=RegistrationStepAnswer
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.at_desk(slug)
        people = undo_step(tournament, self.actor, self.body(StepUndoRequest).validated_data["step"])
        return _step_answer(tournament, [one.number for one in people])


def _step_answer(tournament: Tournament, numbers: Sequence[int]) -> Response:
    undoable = last_step(tournament)
    return Response({"registrations": list(numbers), "undo": undoable.seq if undoable else None})
