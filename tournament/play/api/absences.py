"""Who is missing, over the wire: an empty seat, the arrival, a stand-in; and what follows for the standings."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.engine.attendance import Attendance
from tournament.base.models.play import Absence, Session
from tournament.fouls.services.fouls import set_attendance
from tournament.play.api.at_table import AtTable
from tournament.play.api.facts import AbsenceStepRequest, AbsenceWrite, StandInWrite
from tournament.play.api.fields import AttendanceSerializer
from tournament.play.services.absences import (
    begin_without,
    note_absence,
    note_arrival,
    seat_player_again,
    seat_stand_in,
    take_absence_back,
)
from tournament.players.services.vacancies import name_stand_in
from tournament.web.api.base import Endpoint


class Absences(AtTable):
    """POST notes an empty seat: the clock has been running since the gong. The same uuid twice is the same absence."""

    @extend_schema(request=AbsenceWrite, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(AbsenceWrite)
        note_absence(table, self.actor, body.validated_data["player"], **body.facts())
        return self.done(status.HTTP_201_CREATED)


class OneAbsence(AtTable):
    """PATCH: the player has come (`arrived`), how late is in the state; or the others begin before the foul book
    lets them, `begun_because`. DELETE: the player was not missing."""

    @extend_schema(operation_id="absence_step", request=AbsenceStepRequest, responses=OpenApiTypes.OBJECT)
    def patch(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        absence = self._absence(slug, session, number, uuid)
        body = self.body(AbsenceStepRequest)
        if body.validated_data["arrived"]:
            note_arrival(absence, self.actor, **body.facts())
        else:
            begin_without(absence, self.actor, body.validated_data["begun_because"], **body.facts())
        return self.done()

    @extend_schema(operation_id="absence_take_back", responses={200: OpenApiTypes.OBJECT})
    def delete(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        absence = self._absence(slug, session, number, uuid)
        take_absence_back(absence, self.actor, expected_version=self.seen_version())
        return self.done()

    def _absence(self, slug: str, session: int, number: int, uuid: UUID) -> Absence:
        found = self.umpired(slug, session, number).absences.filter(uuid=uuid).first()
        if found is None:
            raise Http404
        return found


class StandIn(AtTable):
    """POST seats somebody in a player's place, DELETE gives the player the seat back.

    Before the session the organiser names who plays in the seat of a player who has withdrawn.
    """

    @extend_schema(request=StandInWrite, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(StandInWrite)
        name = body.validated_data["name"]
        if table.session.state == Session.State.PLANNED:
            name_stand_in(table, self.actor, player, name)
        else:
            seat_stand_in(table, self.actor, player, name, **body.facts())
        return self.done()

    @extend_schema(operation_id="stand_in_over", responses={200: OpenApiTypes.OBJECT})
    def delete(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        table = self.umpired(slug, session, number)
        seat_player_again(table, self.actor, player, expected_version=self.seen_version())
        return self.done()


class AttendanceSettings(Endpoint):
    """Whose a stand-in's result is, whether who withdraws is ranked, and what a player starts with."""

    @extend_schema(responses=AttendanceSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(AttendanceSerializer(self.tournament(slug).rules.attendance).data)

    @extend_schema(request=AttendanceSerializer, responses=AttendanceSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        wanted = Attendance.from_json(self.body(AttendanceSerializer).validated_data)
        return Response(AttendanceSerializer(set_attendance(tournament, self.actor, wanted)).data)
