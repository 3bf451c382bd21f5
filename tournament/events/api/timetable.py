"""The timetable: read by anybody, and written all at once by organisers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.models.tournament import Tournament
from tournament.events.selectors.timetable import fingerprint, timetable
from tournament.events.selectors.timetable_lines import TimetableLine
from tournament.events.services.timetable import set_timetable
from tournament.web.api.base import Endpoint


class TimetableEntrySerializer(serializers.Serializer[Any]):
    """A line of the timetable; times are null for a session that has none yet, `began_at` until it has begun."""

    uuid = serializers.UUIDField(source="item.uuid", default=None, allow_null=True)
    session = serializers.IntegerField(source="number", allow_null=True)
    title = serializers.CharField()
    day = serializers.DateField(source="item.day", default=None, allow_null=True)
    starts = serializers.TimeField(source="item.starts", default=None, allow_null=True)
    ends = serializers.TimeField(source="item.ends", default=None, allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    began_at = serializers.DateTimeField(source="session.started_at", default=None, allow_null=True)


class TimetableSerializer(serializers.Serializer[Any]):
    """What is planned, in order; then the sessions that have no time yet."""

    seen = serializers.CharField(help_text="The fingerprint of this timetable, for who changes it.")
    lines = TimetableEntrySerializer(many=True)


class LineRequest(serializers.Serializer[Any]):
    """A session by its number, or anything else by its title; `day`, `starts` and `ends` by the tournament's clock."""

    uuid = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="That of the line that is changed."
    )
    session = serializers.IntegerField(required=False, allow_null=True, default=None)
    title = serializers.CharField(required=False, allow_blank=True, default="")
    day = serializers.DateField(required=False, allow_null=True, default=None)
    starts = serializers.TimeField(required=False, allow_null=True, default=None)
    ends = serializers.TimeField(
        required=False, allow_null=True, default=None, help_text="Not read for a session: the clock says."
    )


class TimetableRequest(serializers.Serializer[Any]):
    seen = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="As it was read: refused when the timetable is another by now.",
    )
    lines = LineRequest(many=True, help_text="All there are to be; one that says nothing is left out.")


class Timetable(Endpoint):
    """When sessions are to begin and what else is planned. PUT takes the lines as GET gives them."""

    @extend_schema(responses=TimetableSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._answer(self.tournament(slug))

    @extend_schema(request=TimetableRequest, responses=TimetableSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(TimetableRequest).validated_data
        lines = [TimetableLine(**line) for line in body["lines"]]
        set_timetable(tournament, self.actor, lines, seen=body["seen"])
        return self._answer(tournament)

    def _answer(self, tournament: Tournament) -> Response:
        found = timetable(tournament)
        lines = [*found.entries, *found.unplanned]
        now = {"seen": fingerprint(tournament.timetable.all()), "lines": lines}
        return Response(TimetableSerializer(now).data)
