"""What concerns the hall: its clock, calls for an umpire, who is missing, and stand-ins."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from config.front.addresses import rate_limit_key
from tournament.base import access
from tournament.base.access import Right
from tournament.base.models.log import name_of
from tournament.base.models.play import Absence, Session
from tournament.play.api.answers import TableAnswer
from tournament.play.api.facts import AbsenceStepRequest, AbsenceWrite, StandInWrite, Whole
from tournament.play.api.tables import AtTable
from tournament.play.models import Call
from tournament.play.selectors.clock import Clock, clock_of
from tournament.play.selectors.closing import call_at, calls_for, calls_of
from tournament.play.services.absences import (
    begin_without,
    cancel_absence,
    name_stand_in,
    record_absence,
    record_arrival,
    seat_player_again,
    seat_stand_in,
)
from tournament.play.services.sessions import (
    accept_call,
    end_call,
    extend_clock,
    pause_clock,
    raise_call,
    resume_clock,
)
from tournament.web.api.base import Endpoint, Reasoned

# --- Clock of the hall ---


class ClockSerializer(serializers.Serializer[Clock]):
    stage = serializers.ChoiceField(choices=["playing", "paused", "warning", "over"])
    ends_at = serializers.DateTimeField(help_text="While it is paused, as if it had gone on.")
    warns_at = serializers.DateTimeField()
    paused_at = serializers.DateTimeField(source="pause.since", default=None, allow_null=True)
    minutes = serializers.IntegerField(help_text="How long the hall plays, `longer` included.")
    longer = serializers.IntegerField(source="hall_extra")


class ClockRequest(Reasoned):
    """`reason`: why; the log tells it, the public stream does not. `minutes`: to extend alone, in all."""

    minutes = Whole(required=False, default=0)


class TheClock(Endpoint):
    """The time of the session being played; 404 while it is not."""

    @extend_schema(responses=ClockSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self._clock_response(slug, number)

    def _clock_response(self, slug: str, number: int) -> Response:
        clock = clock_of(self.session(slug, number))
        if clock is None:
            raise Http404
        return Response(ClockSerializer(clock).data)


class ClockStep(TheClock):
    """POST: the clock of the hall stands still (`pause`), goes on (`go-on`), or the hall plays so many minutes longer
    than planned, in all (`extend`; 0 takes them back)."""

    steps: dict[str, Callable[..., Session]] = {
        "pause": pause_clock,
        "go-on": resume_clock,
        "extend": extend_clock,
    }
    http_method_names = ["post", "options"]

    @extend_schema(operation_id="clock_step_perform", request=ClockRequest, responses=ClockSerializer)
    def post(self, request: Request, slug: str, number: int, step: str) -> Response:
        session, data = self.session(slug, number), self.body(ClockRequest).validated_data
        names = ("reason", "minutes") if step == "extend" else ("reason",)
        self.steps[step](session, self.actor, **{name: data[name] for name in names})
        return self._clock_response(slug, number)


# --- Calls for an umpire ---


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

    A table has one call at a time: raised again, the open one is answered. Without an account only so many are taken
    from one address in ten minutes; more are a 429.
    """

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="table_call_list", responses=OpenCallSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        call = call_at(table, self.audience(table.session.tournament))
        return self.list_response(OpenCallSerializer, [call] if call else [])

    @extend_schema(request=CallRequest, responses={201: OpenCallSerializer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        topic = self.body(CallRequest).validated_data["topic"]
        call = raise_call(table, self.actor, topic, address=rate_limit_key(request))
        return Response(OpenCallSerializer(call).data, status=status.HTTP_201_CREATED)


class Calls(Endpoint):
    """The open calls that are the asker's to answer: the longest waiting first, those taken at the end."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=CallSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        if not access.may(self.actor, tournament, Right.ENTER):
            raise PermissionDenied
        return self.list_response(CallSerializer, calls_for(self.actor, tournament))


class OneCall(Endpoint):
    """A call, for an umpire of its table in person. POST takes it: the umpire is on the way. DELETE ends it."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(responses=CallSerializer)
    def get(self, request: Request, slug: str, call: int) -> Response:
        return Response(CallSerializer(self._call(slug, call)).data)

    @extend_schema(operation_id="call_accept", request=None, responses=CallSerializer)
    def post(self, request: Request, slug: str, call: int) -> Response:
        return Response(CallSerializer(accept_call(self._call(slug, call), self.actor)).data)

    @extend_schema(operation_id="call_end", responses={200: CallSerializer})
    def delete(self, request: Request, slug: str, call: int) -> Response:
        return Response(CallSerializer(end_call(self._call(slug, call), self.actor)).data)

    def _call(self, slug: str, pk: int) -> Call:
        call = get_object_or_404(calls_of(self.tournament(slug)), pk=pk)
        access.require_at(self.actor, call.table, Right.JUDGE)
        return call


# --- Absences ---


class Absences(AtTable):
    """POST notes an empty seat: the clock has been running since the gong. The same uuid twice is the same absence."""

    @extend_schema(request=AbsenceWrite, responses={201: TableAnswer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(AbsenceWrite)
        record_absence(table, self.actor, body.validated_data["player"], **body.facts())
        return self.done(status.HTTP_201_CREATED)


class OneAbsence(AtTable):
    """PATCH: the player has come (`arrived`), how late is in the state; or the others begin before the foul book
    lets them, `begun_because`. DELETE: the player was not missing."""

    @extend_schema(request=AbsenceStepRequest, responses=TableAnswer)
    def patch(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        absence = self._absence(slug, session, number, uuid)
        body = self.body(AbsenceStepRequest)
        if body.validated_data["arrived"]:
            record_arrival(absence, self.actor, **body.facts())
        else:
            begin_without(absence, self.actor, body.validated_data["begun_because"], **body.facts())
        return self.done()

    @extend_schema(operation_id="absence_cancel", responses={200: TableAnswer})
    def delete(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        absence = self._absence(slug, session, number, uuid)
        cancel_absence(absence, self.actor, expected_version=self.seen_version())
        return self.done()

    def _absence(self, slug: str, session: int, number: int, uuid: UUID) -> Absence:
        return get_object_or_404(self.umpired(slug, session, number).absences, uuid=uuid)


class StandIn(AtTable):
    """POST seats somebody in a player's place, DELETE gives the player the seat back.

    Before the session the organiser names who plays in the seat of a player who has withdrawn.
    """

    @extend_schema(request=StandInWrite, responses=TableAnswer)
    def post(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(StandInWrite)
        name = body.validated_data["name"]
        if table.session.state == Session.State.PLANNED:
            name_stand_in(table, self.actor, player, name)
        else:
            seat_stand_in(table, self.actor, player, name, **body.facts())
        return self.done()

    @extend_schema(operation_id="stand_in_end", responses={200: TableAnswer})
    def delete(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        table = self.umpired(slug, session, number)
        seat_player_again(table, self.actor, player, expected_version=self.seen_version())
        return self.done()
