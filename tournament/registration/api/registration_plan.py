"""The plan of registration: read by everybody, written by organisers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access.own_address import own_address
from tournament.base.access.rights import Right
from tournament.base.models.registration import KeptPlaces, Question
from tournament.base.models.tournament import Tournament
from tournament.registration.engine import Kept
from tournament.registration.selectors.registration_plan import (
    PlanWish,
    QuestionWish,
    Registering,
    asked_by,
    registering,
)
from tournament.registration.services.registration_plan import set_plan, set_questions
from tournament.web.api.base import Endpoint

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
        return _answer(registering(self.tournament(slug)))

    @extend_schema(
        operation_id="registration_plan_set", request=RegistrationPlanRequest, responses=RegisteringSerializer
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = self._planned(slug)
        said = dict(self.body(RegistrationPlanRequest).validated_data)
        kept = tuple(Kept(**one) for one in said.pop("kept"))
        set_plan(tournament, self.actor, PlanWish(**said, kept=kept), site=f"{own_address(request)}/")
        return _answer(registering(tournament))

    def _planned(self, slug: str) -> Tournament:
        tournament = self.tournament(slug)
        access.require(self.actor, tournament, Right.ORGANISE)
        return tournament


class Questions(OnePlan):
    """PUT says what is asked besides, in this order; a question left out is gone."""

    @extend_schema(
        operation_id="registration_questions_set", request=QuestionsRequest, responses=RegisteringSerializer
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = self._planned(slug)
        said = self.body(QuestionsRequest).validated_data
        wishes = [QuestionWish(**one) for one in said["questions"]]
        set_questions(tournament, self.actor, wishes, drop_answers=said["drop_answers"])
        return _answer(registering(tournament))

    @extend_schema(operation_id="registration_questions", responses=RegisteringSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return super().get(request, slug)


def _answer(now: Registering) -> Response:
    plan = now.plan
    questions = [
        {
            "key": one.pk,
            "kind": one.kind,
            "text": one.text,
            "choices": one.choices,
            "is_required": one.is_required,
        }
        for one in (asked_by(plan) if plan else ())
    ]
    said = {"kept": [vars(kept) for kept, _left in now.kept]} if plan else None
    if plan and said is not None:
        said |= {name: getattr(plan, name) for name in PlanWish.__dataclass_fields__ if name != "kept"}
    told = {name: getattr(now, name) for name in ("phase", "taken", "waiting", "left")}
    return Response(RegisteringSerializer(told | {"plan": said, "questions": questions}).data)
