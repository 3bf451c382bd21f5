"""Calls for an umpire: raised at a table by anybody who sees the tournament, answered by its umpires."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right, name_of
from tournament.base.access.address import place_of
from tournament.play.models.calls import Call
from tournament.play.selectors.calls import call_at, calls_for, calls_of
from tournament.play.services.calls import end_call, raise_call, take_call
from tournament.web.api.base import Endpoint


class OpenCallSerializer(serializers.ModelSerializer[Call]):
    """A call as everybody may know it: that an umpire is called, and is on the way once it is taken."""

    url = serializers.SerializerMethodField()
    session = serializers.IntegerField(source="table.session.number")
    table = serializers.IntegerField(source="table.number")

    class Meta:
        model = Call
        fields: tuple[str, ...] = ("url", "session", "table", "called_at", "taken_at", "done_at")

    def get_url(self, call: Call) -> str:
        """Where its umpires take it and end it."""
        return reverse("api_call", args=[call.table.session.tournament.slug, call.pk])


class CallSerializer(OpenCallSerializer):
    """A call as its umpires know it."""

    taken_by = serializers.SerializerMethodField()

    class Meta(OpenCallSerializer.Meta):
        fields = (*OpenCallSerializer.Meta.fields, "topic", "taken_by")

    def get_taken_by(self, call: Call) -> str:
        """Their name; empty while nobody has."""
        return name_of(call.taken_by)


class CallRequest(serializers.Serializer[Any]):
    topic = serializers.CharField(
        allow_blank=True, max_length=20, help_text="What about: tiles, claim, foul, score or other."
    )


class TableCalls(Endpoint):
    """The call that is open at a table, if there is one. POST calls an umpire, without an account too.

    A table has one call at a time: raised again, the open one is answered. From one address only so many are taken in
    ten minutes; more are a 429.
    """

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="table_calls", responses=OpenCallSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        call = call_at(table, self.audience(table.session.tournament))
        return Response(OpenCallSerializer([call] if call else [], many=True).data)

    @extend_schema(operation_id="call_raise", request=CallRequest, responses={201: OpenCallSerializer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        topic = self.body(CallRequest).validated_data["topic"]
        call = raise_call(table, self.actor, topic, address=place_of(request))
        return Response(OpenCallSerializer(call).data, status=status.HTTP_201_CREATED)


class Calls(Endpoint):
    """The open calls that are the asker's to answer: the longest waiting first, those taken at the end."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="calls", responses=CallSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        if not access.may(self.actor, tournament, Right.ENTER):
            raise PermissionDenied
        return Response(CallSerializer(calls_for(self.actor, tournament), many=True).data)


class OneCall(Endpoint):
    """A call, for an umpire of its table in person. POST takes it: the umpire is on the way. DELETE ends it."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="call", responses=CallSerializer)
    def get(self, request: Request, slug: str, call: int) -> Response:
        return Response(CallSerializer(self._call(slug, call)).data)

    @extend_schema(operation_id="call_take", request=None, responses=CallSerializer)
    def post(self, request: Request, slug: str, call: int) -> Response:
        return Response(CallSerializer(take_call(self._call(slug, call), self.actor)).data)

    @extend_schema(operation_id="call_end", responses={200: CallSerializer})
    def delete(self, request: Request, slug: str, call: int) -> Response:
        return Response(CallSerializer(end_call(self._call(slug, call), self.actor)).data)

    def _call(self, slug: str, call: int) -> Call:
        found = calls_of(self.tournament(slug)).filter(pk=call).first()
        if found is None:
            raise Http404
        access.require_judge(self.actor, found.table)
        return found
