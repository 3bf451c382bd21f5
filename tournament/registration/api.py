"""The API of registration: its plan, registrations for the desk, and one's own by its link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.base.errors import refuse
from tournament.base.models.registration import KeptPlaces, Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.requests import own_address, place_of
from tournament.base.selectors import registration_by_token, token_of
from tournament.registration.engine import Kept
from tournament.registration.selectors.plan import (
    PlanWish,
    QuestionWish,
    Registering,
    asked_by,
    plan_of,
    registering,
)
from tournament.registration.selectors.registrations import (
    TO,
    Answer,
    Applicant,
    Step,
    is_expired,
    last_step,
    places_in_line,
    position_of,
)
from tournament.registration.services.admissions import (
    add_registrations,
    decide,
    enter_registered,
    set_plan,
    set_questions,
    undo_step,
)
from tournament.registration.services.registrations import (
    cancel_registration,
    change_registration,
    confirm_registration,
    edit_registration,
    register,
)
from tournament.web.api.base import (
    HIGHEST_NUMBER,
    NOT_KEPT,
    Endpoint,
    PageAsked,
    number_field,
    numbers_field,
    page_of,
)

# --- What people say of themselves ---


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]})
class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """A text, the index of a choice, or yes and no."""

    def to_internal_value(self, data: Any) -> Answer:
        if not isinstance(data, str | bool | int):
            raise serializers.ValidationError("A text, the index of a choice, true or false.")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class ApplicantRequest(serializers.Serializer[Any]):
    """Who wants to play. `answers`: a question's key → the answer."""

    last_name = serializers.CharField(allow_blank=True, max_length=300)
    first_name = serializers.CharField(allow_blank=True, default="", max_length=300)
    country = serializers.CharField(
        allow_blank=True, default="", max_length=300, help_text="Three letters, ISO 3166."
    )
    email = serializers.CharField(allow_blank=True, default="", max_length=400)
    ema_number = serializers.CharField(allow_blank=True, default="", max_length=80)
    club = serializers.CharField(allow_blank=True, default="", max_length=300)
    team = serializers.CharField(allow_blank=True, default="", max_length=300)
    message = serializers.CharField(allow_blank=True, default="", max_length=5000)
    answers = serializers.DictField(child=AnswerField(), default=dict)
    language = serializers.CharField(allow_blank=True, default="", max_length=10)
    photos_agreed = serializers.BooleanField(default=False)
    name_shown = serializers.BooleanField(default=False)

    def applicant(self) -> Applicant:
        return Applicant(**{name: self.validated_data[name] for name in Applicant.__dataclass_fields__})


class RegisterRequest(ApplicantRequest):
    """`privacy_read`: the privacy notice has been read; without that nothing is kept."""

    privacy_read = serializers.BooleanField(default=False)


# --- One's own registration ---


class OwnRegistrationSerializer(serializers.ModelSerializer[Registration]):
    """One registration as its person sees it."""

    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    position = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = (
            *("number", "state", "position", "player", "last_name", "first_name", "country", "email"),
            *("ema_number", "club", "team", "message", "answers", "photos_agreed", "name_shown"),
        )

    def get_position(self, registration: Registration) -> int | None:
        """On the waiting list."""
        return position_of(registration)


class OwnRegistration(Endpoint):
    """Where somebody stands. POST confirms, PUT changes what was said (but for the address), DELETE cancels."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="own_registration", responses=OwnRegistrationSerializer)
    def get(self, request: Request, slug: str, token: str) -> Response:
        return _own_answer(self._registration(slug, token))

    @extend_schema(operation_id="own_registration_confirm", request=None, responses=OwnRegistrationSerializer)
    def post(self, request: Request, slug: str, token: str) -> Response:
        return _own_answer(confirm_registration(self._registration(slug, token), self.actor))

    @extend_schema(
        operation_id="own_registration_change", request=ApplicantRequest, responses=OwnRegistrationSerializer
    )
    def put(self, request: Request, slug: str, token: str) -> Response:
        registration = self._registration(slug, token)
        return _own_answer(
            change_registration(registration, self.actor, self.body(ApplicantRequest).applicant())
        )

    @extend_schema(operation_id="own_registration_cancel", responses={200: OwnRegistrationSerializer})
    def delete(self, request: Request, slug: str, token: str) -> Response:
        return _own_answer(cancel_registration(self._registration(slug, token), self.actor))

    def _registration(self, slug: str, token: str) -> Registration:
        registration = registration_by_token(token, self.tournament(slug))
        if registration is None or registration.erased_at or is_expired(registration):
            raise Http404
        return registration


def _own_answer(registration: Registration, **more: Any) -> Response:
    return Response(OwnRegistrationSerializer(registration).data, headers=NOT_KEPT, **more)


# --- The plan ---


MOST = 9999


class KeptSerializer(serializers.Serializer[Any]):
    """`value`: a country's three letters, or a club's name."""

    by = serializers.ChoiceField(choices=KeptPlaces.By.choices)
    value = serializers.CharField(max_length=80)
    places = serializers.IntegerField(min_value=1, max_value=MOST)


class RegistrationPlanRequest(serializers.Serializer[Any]):
    """Without `places` or `waiting_places` there is room for all."""

    is_open = serializers.BooleanField(default=True)
    opens_at = serializers.DateTimeField(allow_null=True, default=None)
    closes_at = serializers.DateTimeField(allow_null=True, default=None)
    places = serializers.IntegerField(allow_null=True, default=None, min_value=0, max_value=MOST)
    waiting_places = serializers.IntegerField(allow_null=True, default=None, min_value=0, max_value=MOST)
    accepts_itself = serializers.BooleanField(default=False)
    moves_up_itself = serializers.BooleanField(default=True)
    list_is_public = serializers.BooleanField(default=True)
    kept = KeptSerializer(many=True, default=list)


class RegistrationQuestionSerializer(serializers.Serializer[Any]):
    """`key`: of one that there is, so that its answers stay. `text`: language → the question; `choices` likewise."""

    key = serializers.IntegerField(allow_null=True, default=None, min_value=1, max_value=2**31 - 1)
    kind = serializers.ChoiceField(choices=Question.Kind.choices)
    text = serializers.DictField(child=serializers.CharField(max_length=200))
    choices = serializers.ListField(
        child=serializers.DictField(child=serializers.CharField(max_length=200)), default=list, max_length=20
    )
    is_required = serializers.BooleanField(default=False)


class RegisteringSerializer(serializers.Serializer[Any]):
    """How registration stands. `phase`: none, coming, open, full, over or closed; `left`: places nobody has."""

    phase = serializers.CharField()
    taken = serializers.IntegerField()
    waiting = serializers.IntegerField()
    left = serializers.IntegerField(allow_null=True)
    plan = RegistrationPlanRequest(allow_null=True)
    questions = RegistrationQuestionSerializer(many=True)


class QuestionsRequest(serializers.Serializer[Any]):
    questions = serializers.ListField(child=RegistrationQuestionSerializer(), max_length=20)
    drop_answers = serializers.BooleanField(
        default=False, help_text="Answers to a question that is left out may go; without, that is refused."
    )


class OnePlan(Endpoint):
    """How registration stands, and what is asked. PUT says what it is to be, for organisers."""

    @extend_schema(operation_id="registration_plan", responses=RegisteringSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return _plan_answer(registering(self.tournament(slug)))

    @extend_schema(
        operation_id="registration_plan_set", request=RegistrationPlanRequest, responses=RegisteringSerializer
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = dict(self.body(RegistrationPlanRequest).validated_data)
        kept = tuple(Kept(**places) for places in data.pop("kept"))
        set_plan(tournament, self.actor, PlanWish(**data, kept=kept), site=f"{own_address(request)}/")
        return _plan_answer(registering(tournament))


class Questions(OnePlan):
    """PUT says what is asked besides, in this order; a question left out is gone."""

    @extend_schema(
        operation_id="registration_questions_set", request=QuestionsRequest, responses=RegisteringSerializer
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(QuestionsRequest).validated_data
        wishes = [QuestionWish(**question) for question in data["questions"]]
        set_questions(tournament, self.actor, wishes, drop_answers=data["drop_answers"])
        return _plan_answer(registering(tournament))

    @extend_schema(operation_id="registration_questions", responses=RegisteringSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return super().get(request, slug)


def _plan_answer(now: Registering) -> Response:
    plan = now.plan
    questions = [
        {
            "key": question.pk,
            "kind": question.kind,
            "text": question.text,
            "choices": question.choices,
            "is_required": question.is_required,
        }
        for question in (asked_by(plan) if plan else ())
    ]
    plan_data = {"kept": [vars(kept) for kept, _left in now.kept]} if plan else None
    if plan and plan_data is not None:
        plan_data |= {name: getattr(plan, name) for name in PlanWish.__dataclass_fields__ if name != "kept"}
    counts = {name: getattr(now, name) for name in ("phase", "taken", "waiting", "left")}
    return Response(RegisteringSerializer(counts | {"plan": plan_data, "questions": questions}).data)


# --- Registrations ---


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

    def get_position(self, registration: Registration) -> int | None:
        """On the waiting list."""
        position: int | None = self.context["places"].get(registration.number)
        return position

    def get_link(self, registration: Registration) -> str:
        path = reverse("registration", args=[registration.tournament.slug, token_of(registration)])
        site = self.context.get("request")
        return str(site.build_absolute_uri(path)) if site else path


class RegistrationsAsked(PageAsked):
    """Which page of them, and of which state alone."""

    state = serializers.ChoiceField(choices=Registration.State.values, required=False)


class RegistrationListRequest(serializers.Serializer[Any]):
    """People whom the desk enters; nobody is written to unless `tells`."""

    registrations = serializers.ListField(child=ApplicantRequest(), max_length=HIGHEST_NUMBER)
    tells = serializers.BooleanField(default=False)


class RegistrationStepRequest(serializers.Serializer[Any]):
    """`registrations`: by number; all or none are moved."""

    step = serializers.ChoiceField(choices=[(step.value, step.value) for step in Step])
    registrations = numbers_field()


class StepUndoRequest(serializers.Serializer[Any]):
    step = number_field(2**31 - 1)


class RegistrationStepAnswer(serializers.Serializer[Any]):
    """`undo`: what takes the step back; null when nothing can."""

    registrations = serializers.ListField(child=serializers.IntegerField())
    undo = serializers.IntegerField(allow_null=True)


class DeskEndpoint(Endpoint):
    permission_classes = (IsAuthenticated,)

    def listed(self, people: Sequence[Registration], request: Request, **more: Any) -> Response:
        data = RegistrationSerializer(people, many=True, context=_serializer_context(request, people)).data
        return Response(data, **{"headers": NOT_KEPT} | more)


def _serializer_context(request: Request, people: Sequence[Registration]) -> dict[str, Any]:
    """Return what a serializer of these, all of one tournament, needs; the waiting list is read once."""
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
        registrations = (
            self.allowed(slug, Right.ADMIT)
            .registrations.select_related("player", "tournament")
            .order_by("number")
        )
        query = RegistrationsAsked(data=request.query_params)
        query.is_valid(raise_exception=True)
        if "state" in query.validated_data:
            registrations = registrations.filter(state=query.validated_data["state"])
        people, headers = page_of(registrations, request)
        return self.listed(people, request, headers={**headers, **NOT_KEPT})

    @extend_schema(operation_id="register", request=RegisterRequest, responses={202: None})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        if plan_of(tournament) is None:
            raise Http404
        body = self.body(RegisterRequest)
        register(
            tournament,
            self.actor,
            body.applicant(),
            privacy_read=body.validated_data["privacy_read"],
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
        tournament = self.allowed(slug, Right.ADMIT)
        data = self.body(RegistrationListRequest).validated_data
        applicants = [Applicant(**person) for person in data["registrations"]]
        registrations = add_registrations(tournament, self.actor, applicants, tells=data["tells"])
        return self.listed(registrations, request, status=status.HTTP_201_CREATED)


class OneRegistration(DeskEndpoint):
    """One in full. PUT changes what is said of them."""

    @extend_schema(operation_id="registration", responses=RegistrationSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self._answer(self._registration(self.allowed(slug, Right.ADMIT), number))

    @extend_schema(
        operation_id="registration_change", request=ApplicantRequest, responses=RegistrationSerializer
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        registration = self._registration(self.allowed(slug, Right.ADMIT), number)
        changed = edit_registration(registration, self.actor, self.body(ApplicantRequest).applicant())
        return self._answer(changed)

    def _answer(self, registration: Registration) -> Response:
        context = _serializer_context(self.request, [registration])
        return Response(RegistrationSerializer(registration, context=context).data, headers=NOT_KEPT)

    def _registration(self, tournament: Tournament, number: int) -> Registration:
        registration = (
            tournament.registrations.select_related("player", "tournament").filter(number=number).first()
        )
        if registration is None:
            raise Http404
        return registration


class RegistrationSteps(DeskEndpoint):
    """POST moves many at once: accept, wait, decline, cancel, move_up (accepts who waits), or enter (as players)."""

    @extend_schema(
        operation_id="registration_step", request=RegistrationStepRequest, responses=RegistrationStepAnswer
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        data = self.body(RegistrationStepRequest).validated_data
        step, numbers = Step(data["step"]), data["registrations"]
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
        tournament = self.allowed(slug, Right.ADMIT)
        people = undo_step(tournament, self.actor, self.body(StepUndoRequest).validated_data["step"])
        return _step_answer(tournament, [registration.number for registration in people])


def _step_answer(tournament: Tournament, numbers: Sequence[int]) -> Response:
    undoable = last_step(tournament)
    return Response({"registrations": list(numbers), "undo": undoable.seq if undoable else None})
