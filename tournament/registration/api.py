"""The API of registration: its plan, registrations for the desk, and one's own by its link."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from config.front.addresses import rate_limit_key
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.registration import PlaceReservation, Question, Registration, RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_by_token, registration_url
from tournament.messages.mail import delivery
from tournament.players.services.players import NOBODY_CHOSEN
from tournament.registration.selectors.plan import (
    RegistrationStatus,
    plan_of,
    registration_status,
)
from tournament.registration.selectors.registrations import (
    EDITABLE_FIELDS,
    TARGET_STATES,
    Answer,
    Step,
    is_expired,
    last_step,
    position_of,
    waiting_positions,
)
from tournament.registration.services.admissions import (
    add_registrations,
    confirm_registrations,
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
    Endpoint,
    ModelSerializer,
    SettingsEndpoint,
    ShortPages,
    fill,
    instances_from_rows,
    no_store,
    number_field,
    numbers_field,
)

# --- What people say of themselves ---


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]})
class AnswerField(serializers.Field[Any, Any, Any, Any]):
    """A text, the index of a choice, or a boolean."""

    def to_internal_value(self, data: Any) -> Answer:
        if not isinstance(data, str | bool | int):
            raise serializers.ValidationError("A text, the index of a choice, true or false.")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class RegistrationRequest(ModelSerializer[Registration]):
    """The person's data. `answers`: key of a question → the answer."""

    answers = serializers.DictField(child=AnswerField(), required=False)

    class Meta:
        model = Registration
        fields: tuple[str, ...] = EDITABLE_FIELDS


class RegisterRequest(RegistrationRequest):
    """`privacy_read`: whether the privacy notice has been read, without which nothing is stored."""

    privacy_read = serializers.BooleanField(default=False)
    category = serializers.CharField(
        allow_null=True,
        default=None,
        max_length=80,
        help_text="The name of a fee category that is offered now; null: the first of them.",
    )

    class Meta(RegistrationRequest.Meta):
        fields = (*EDITABLE_FIELDS, "privacy_read", "category")


class RegisteredSerializer(serializers.Serializer[Any]):
    """`link`: the secret URL of the person's own page. Without a mail server it is returned only here."""

    link = serializers.CharField()


# --- One's own registration ---


class OwnRegistrationSerializer(serializers.ModelSerializer[Registration]):
    """A registration as its person sees it."""

    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    position = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = (
            *("number", "state", "position", "player", "last_name", "first_name", "country", "email"),
            *("second_name", "family_name_first", "ema_number", "club", "team", "message", "answers"),
            *("photos_agreed", "name_shown", "declines_messages"),
        )

    def get_position(self, registration: Registration) -> int | None:
        """On the waiting list."""
        return position_of(registration)


@no_store
class OwnRegistration(Endpoint):
    """One's own registration. POST confirms it, PUT changes it (except the address), DELETE cancels it."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="own_registration_get", responses=OwnRegistrationSerializer)
    def get(self, request: Request, slug: str, token: str) -> Response:
        return _own_answer(self._registration(slug, token))

    @extend_schema(operation_id="own_registration_confirm", request=None, responses=OwnRegistrationSerializer)
    def post(self, request: Request, slug: str, token: str) -> Response:
        return _own_answer(confirm_registration(self._registration(slug, token), self.actor))

    @extend_schema(
        operation_id="own_registration_replace",
        request=RegistrationRequest,
        responses=OwnRegistrationSerializer,
    )
    def put(self, request: Request, slug: str, token: str) -> Response:
        registration = self.deserialize(RegistrationRequest, self._registration(slug, token))
        return _own_answer(change_registration(registration, self.actor))

    @extend_schema(operation_id="own_registration_cancel", responses={200: OwnRegistrationSerializer})
    def delete(self, request: Request, slug: str, token: str) -> Response:
        return _own_answer(cancel_registration(self._registration(slug, token), self.actor))

    def _registration(self, slug: str, token: str) -> Registration:
        registration = registration_by_token(token, self.tournament(slug))
        if registration is None or registration.erased_at or is_expired(registration):
            raise Http404
        return registration


def _own_answer(registration: Registration) -> Response:
    return Response(OwnRegistrationSerializer(registration).data)


# --- The plan ---


class ReservedPlacesSerializer(ModelSerializer[PlaceReservation]):
    """`value`: a country's three-letter code, or a club's name."""

    class Meta:
        model = PlaceReservation
        fields = ("by", "value", "places")


class RegistrationPlanSerializer(ModelSerializer[RegistrationPlan]):
    """Without `places` or `waiting_places` the number is unlimited."""

    reserved_places = ReservedPlacesSerializer(many=True, required=False, source="reservations")

    class Meta:
        model = RegistrationPlan
        fields = (
            *("is_open", "opens_at", "closes_at", "places", "waiting_places"),
            *("accepts_automatically", "moves_up_automatically", "list_is_public", "reserved_places"),
        )


class RegistrationQuestionSerializer(ModelSerializer[Question]):
    """`key`: of an existing question, which retains its answers. `text`, `choices`: language → the text."""

    key = serializers.IntegerField(source="pk", allow_null=True, default=None, max_value=2**62)
    text = serializers.DictField(child=serializers.CharField())
    choices = serializers.ListField(child=serializers.DictField(child=serializers.CharField()), default=list)

    class Meta:
        model = Question
        fields = ("key", "kind", "text", "choices", "is_required")


class RegistrationStatusSerializer(serializers.Serializer[Any]):
    """The status of registration. `phase`: none, coming, open, full, over or closed. `left`: free places."""

    phase = serializers.CharField()
    taken = serializers.IntegerField()
    waiting = serializers.IntegerField()
    left = serializers.IntegerField(allow_null=True)
    plan = RegistrationPlanSerializer(allow_null=True)
    questions = RegistrationQuestionSerializer(many=True, source="plan.questions.all", default=())


class QuestionsRequest(serializers.Serializer[Any]):
    questions = RegistrationQuestionSerializer(many=True)
    drop_answers = serializers.BooleanField(
        default=False,
        help_text="Whether answers to omitted questions may be deleted; otherwise that is refused.",
    )


class RegistrationPlanEndpoint(SettingsEndpoint):
    """The status of registration with its plan and questions. PUT changes the plan, for organisers."""

    serializer_class = RegistrationStatusSerializer
    request_class: type[serializers.Serializer[Any]] = RegistrationPlanSerializer

    def get_object(self, tournament: Tournament) -> RegistrationStatus:
        return registration_status(tournament)

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        plan = plan_of(tournament) or RegistrationPlan(tournament=tournament)
        reservations = list(plan.reservations.all()) if plan.pk else []
        if "reservations" in data:
            reservations = [PlaceReservation(**places) for places in data.pop("reservations")]
        set_plan(fill(plan, data), self.actor, reservations)


class Questions(RegistrationPlanEndpoint):
    """PUT replaces the questions by those given, in this order."""

    request_class = QuestionsRequest

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        stored = Question.objects.filter(plan__tournament=tournament)
        questions = instances_from_rows(data["questions"], stored)
        set_questions(tournament, self.actor, questions, drop_answers=data["drop_answers"])


# --- Registrations ---


class RegistrationSerializer(serializers.ModelSerializer[Registration]):
    """A registration as the desk sees it. `link`: the secret URL of the person's own page.

    `changed_from`: country and club before the person changed them, which count for reserved places until a PUT.
    """

    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    position = serializers.SerializerMethodField()
    link = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = (
            *("number", "state", "position", "player", "last_name", "first_name", "country", "email"),
            *("second_name", "family_name_first", "ema_number", "club", "team", "message", "answers"),
            *("language", "photos_agreed", "name_shown"),
            *("declines_messages", "made_at", "confirmed_at", "link", "changed_from"),
        )

    def get_position(self, registration: Registration) -> int | None:
        """On the waiting list."""
        position: int | None = self.context["places"].get(registration.number)
        return position

    def get_link(self, registration: Registration) -> str:
        return registration_url(registration)


class RegistrationFilter(serializers.Serializer[Any]):
    """`state`: only registrations in this state."""

    state = serializers.ChoiceField(choices=Registration.State.values, required=False)


class RegistrationListRequest(serializers.Serializer[Any]):
    """People whom the desk registers. `notify`: whether they get an e-mail.

    `apart`: indexes of those who are other people than the players and registrations of the same name.
    """

    registrations = serializers.ListField(child=RegistrationRequest(), max_length=HIGHEST_NUMBER)
    notify = serializers.BooleanField(default=False)
    apart = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=HIGHEST_NUMBER),
        max_length=HIGHEST_NUMBER,
        default=list,
    )


class RegistrationStepRequest(serializers.Serializer[Any]):
    """`registrations`: numbers. All are moved or none; "accept" gives the places in this order, and the others wait.

    For "enter", `same` and `apart` answer `probable_double`: the numbers of those who are a player already, and get no
    new one, and of those who are other people.
    """

    step = serializers.ChoiceField(choices=[(step.value, step.value) for step in Step])
    registrations = numbers_field()
    same = numbers_field(default=list)
    apart = numbers_field(default=list)


class StepUndoRequest(serializers.Serializer[Any]):
    step = number_field(2**31 - 1)


class RegistrationStepAnswer(serializers.Serializer[Any]):
    """`waiting`: those on the waiting list now. `undo`: the `step` to undo this with; null when it cannot be undone."""

    registrations = serializers.ListField(child=serializers.IntegerField())
    waiting = serializers.ListField(child=serializers.IntegerField())
    undo = serializers.IntegerField(allow_null=True)


@no_store
class DeskEndpoint(Endpoint):
    permission_classes = (IsAuthenticated,)


class Registrations(DeskEndpoint):
    """The registrations, for the desk. POST registers a person, without an account.

    The registration counts once it is confirmed by the link that is sent (202); without a mail server it counts at
    once, and the response has the link (201). Too many within an hour from one address are refused with 429.
    """

    permission_classes = (AllowAny,)  # type: ignore[assignment]

    pagination_class = ShortPages

    @extend_schema(
        responses=RegistrationSerializer(many=True),
        parameters=[RegistrationFilter],
    )
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        registrations = tournament.registrations.select_related("player", "tournament").order_by("number")
        query = RegistrationFilter(data=request.query_params)
        query.is_valid(raise_exception=True)
        if "state" in query.validated_data:
            registrations = registrations.filter(state=query.validated_data["state"])
        return self.list_response(RegistrationSerializer, registrations, places=waiting_positions(tournament))

    @extend_schema(request=RegisterRequest, responses={201: RegisteredSerializer, 202: None})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        if plan_of(tournament) is None:
            raise Http404
        fields = dict(self.body(RegisterRequest).validated_data)
        privacy_read, category = fields.pop("privacy_read"), fields.pop("category")
        fee = None
        if category is not None:
            fee = tournament.fees.filter(name=category).first()
            if fee is None:
                raise serializers.ValidationError({"category": "no such category"})
        registration = register(
            tournament,
            self.actor,
            Registration(**fields),
            privacy_read=privacy_read,
            address=rate_limit_key(request),
            fee=fee,
        )
        if delivery.is_configured():
            return Response(status=status.HTTP_202_ACCEPTED)
        answer = RegisteredSerializer({"link": registration_url(registration)}).data
        return Response(answer, status=status.HTTP_201_CREATED)


class RegistrationList(DeskEndpoint):
    """POST registers several people. They need no confirmation, and places are given in this order."""

    @extend_schema(
        request=RegistrationListRequest,
        responses={201: RegistrationSerializer(many=True)},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        data = self.body(RegistrationListRequest).validated_data
        registrations = [Registration(**fields) for fields in data["registrations"]]
        add_registrations(tournament, self.actor, registrations, notify=data["notify"], apart=data["apart"])
        places = waiting_positions(tournament)
        return self.list_response(
            RegistrationSerializer, registrations, status.HTTP_201_CREATED, places=places
        )


class RegistrationDetail(DeskEndpoint):
    """A registration. PUT changes it."""

    @extend_schema(responses=RegistrationSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self._answer(self._registration(slug, number))

    @extend_schema(request=RegistrationRequest, responses=RegistrationSerializer)
    def put(self, request: Request, slug: str, number: int) -> Response:
        registration = self.deserialize(RegistrationRequest, self._registration(slug, number))
        return self._answer(edit_registration(registration, self.actor))

    def _answer(self, registration: Registration) -> Response:
        context = {"places": waiting_positions(registration.tournament)}
        return Response(RegistrationSerializer(registration, context=context).data)

    def _registration(self, slug: str, number: int) -> Registration:
        registrations = self.allowed(slug, Right.ADMIT).registrations
        return get_object_or_404(registrations.select_related("player", "tournament"), number=number)


class RegistrationSteps(DeskEndpoint):
    """POST takes a step for several registrations.

    accept, wait, decline, cancel, move_up (accepts from the waiting list), confirm (for them), or enter (as players).
    """

    @extend_schema(
        operation_id="registration_step_perform",
        request=RegistrationStepRequest,
        responses=RegistrationStepAnswer,
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        data = self.body(RegistrationStepRequest).validated_data
        step, numbers = Step(data["step"]), data["registrations"]
        if not numbers:
            raise Refused(NOBODY_CHOSEN())
        if step is Step.ENTER:
            enter_registered(tournament, self.actor, numbers, same=data["same"], apart=data["apart"])
        elif step is Step.CONFIRM:
            confirm_registrations(tournament, self.actor, numbers)
        else:
            decide(tournament, self.actor, numbers, TARGET_STATES[step])
        return _step_answer(tournament, numbers)


class StepUndo(DeskEndpoint):
    """POST undoes the last step. `step`: the `undo` of its response."""

    @extend_schema(request=StepUndoRequest, responses=RegistrationStepAnswer)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        people = undo_step(tournament, self.actor, self.body(StepUndoRequest).validated_data["step"])
        return _step_answer(tournament, [registration.number for registration in people])


def _step_answer(tournament: Tournament, numbers: Sequence[int]) -> Response:
    undoable = last_step(tournament)
    waiting = waiting_positions(tournament).keys() & {*numbers}
    answer = {
        "registrations": list(numbers),
        "waiting": sorted(waiting),
        "undo": undoable.seq if undoable else None,
    }
    return Response(answer)
