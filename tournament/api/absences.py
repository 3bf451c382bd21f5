"""Who is missing at a table, who stands in, and what follows for the standings."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament import access
from tournament.access import Audience
from tournament.api.base import Endpoint
from tournament.api.fields import AttendanceSerializer
from tournament.api.requests import AbsenceStepRequest, AbsenceWrite, StandInWrite, TableWrite
from tournament.api.tables import as_json
from tournament.engine.attendance import Attendance
from tournament.models import Session, Table
from tournament.services.absences import (
    begin_without,
    note_absence,
    note_arrival,
    seat_player_again,
    seat_stand_in,
    take_absence_back,
)
from tournament.services.fouls import set_attendance
from tournament.services.vacancies import name_stand_in


class AtTable(Endpoint):
    """A table that the asker umpires; every write answers with the table as it stands after it."""

    def umpired(self, slug: str, session: int, number: int) -> Table:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        return table

    def after(self, slug: str, session: int, number: int, code: int = status.HTTP_200_OK) -> Response:
        return Response(as_json(self.table(slug, session, number), Audience.STAFF), status=code)


class Absences(AtTable):
    """POST notes an empty seat: the clock has been running since the gong. The same uuid twice is the same absence."""

    @extend_schema(request=AbsenceWrite, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        data = self.body(AbsenceWrite).validated_data
        note_absence(
            table, self.actor, data["player"], uuid=data["uuid"], expected_version=data["table_version"]
        )
        return self.after(slug, session, number, status.HTTP_201_CREATED)


class AbsenceStep(AtTable):
    """POST: the player has come (`arrived`) or was not missing (`take-back`), or the others `begin` before the foul
    book lets them, for a `reason`."""

    steps = {"arrived": note_arrival, "take-back": take_absence_back}

    @extend_schema(operation_id="absence_step", request=AbsenceStepRequest, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, uuid: UUID, step: str) -> Response:
        absence = self.umpired(slug, session, number).absences.filter(uuid=uuid).first()
        if absence is None:
            raise Http404
        data = self.body(AbsenceStepRequest).validated_data
        write: Any = self.steps.get(step) or partial(begin_without, reason=data["reason"])
        write(absence, self.actor, expected_version=data["table_version"])
        return self.after(slug, session, number)


class StandIn(AtTable):
    """POST seats somebody in a player's place, DELETE gives the player the seat back.

    Before the session the organiser names who plays in the seat of a player who has withdrawn.
    """

    @extend_schema(request=StandInWrite, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        table = self.umpired(slug, session, number)
        data = self.body(StandInWrite).validated_data
        if table.session.state == Session.State.PLANNED:
            name_stand_in(table, self.actor, player, data["name"])
        else:
            seat_stand_in(table, self.actor, player, data["name"], expected_version=data["table_version"])
        return self.after(slug, session, number)

    @extend_schema(request=TableWrite, responses=OpenApiTypes.OBJECT)
    def delete(self, request: Request, slug: str, session: int, number: int, player: int) -> Response:
        table = self.umpired(slug, session, number)
        version = self.body(TableWrite).validated_data["table_version"]
        seat_player_again(table, self.actor, player, expected_version=version)
        return self.after(slug, session, number)


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
