"""The list of players that was entered last: what it wrote, and taken back."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.players.selectors.list_steps import Written, list_step
from tournament.players.services.player_lists import undo_list
from tournament.web.api.base import Endpoint
from tournament.web.texts.problems import sentence


class UndoListRequest(serializers.Serializer[Any]):
    """`step`: as GET gave it. `without`: players, by number, who stay as they are."""

    step = serializers.IntegerField(min_value=0)
    without = serializers.ListField(child=serializers.IntegerField(), required=False, default=list)


class WrittenSerializer(serializers.Serializer[Any]):
    """`before`, `after`: the fields that the list changed. `problem`: why this cannot be put back."""

    player = serializers.IntegerField(source="number")
    new = serializers.BooleanField(source="is_new")
    left = serializers.BooleanField(source="has_left")
    before = serializers.DictField()
    after = serializers.DictField()
    problem = serializers.SerializerMethodField()

    def get_problem(self, one: Written) -> str | None:
        return sentence(one.problem) if one.problem else None


class ListStepSerializer(serializers.Serializer[Any]):
    """The newest list; `step` null when none can be undone."""

    step = serializers.IntegerField(source="seq", allow_null=True)
    people = WrittenSerializer(many=True)


class UndoList(Endpoint):
    """GET the newest list with what it wrote; POST takes it back, but for those who changed since and are named."""

    @extend_schema(operation_id="player_list_step", responses=ListStepSerializer)
    def get(self, request: Request, slug: str) -> Response:
        step = list_step(self.organised(slug))
        return Response(ListStepSerializer(step).data if step else {"step": None, "people": []})

    @extend_schema(operation_id="player_list_undo", request=UndoListRequest, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        tournament, said = self.organised(slug), self.body(UndoListRequest).validated_data
        undo_list(tournament, self.actor, said["step"], said["without"])
        return Response(status=status.HTTP_204_NO_CONTENT)
