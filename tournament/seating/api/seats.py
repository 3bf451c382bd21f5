"""The seats of single sessions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.play.api.fields import SessionSerializer
from tournament.play.api.requests import MOST_SESSIONS, number_field
from tournament.seating.engine import How, certify, fingerprint
from tournament.seating.selectors.session_seats import SessionWish, seated
from tournament.seating.services.reseating import undo_reseating
from tournament.seating.services.seatings import seat_session
from tournament.web.api.base import Endpoint

HAND = "hand"


class TableSeats(serializers.Serializer[Any]):
    """A player's number at each starting wind."""

    E = serializers.IntegerField()
    S = serializers.IntegerField()
    W = serializers.IntegerField()
    N = serializers.IntegerField()


class SessionSeats(serializers.Serializer[Any]):
    number = number_field(MOST_SESSIONS)
    tables = TableSeats(many=True)


class Seen(serializers.Serializer[Any]):
    seen = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="The fingerprint that the preview gave: refused when it would be other seats by now.",
    )


class AsSeen(Seen):
    """What a draw is made from, and which one was looked at before it is taken."""

    seed = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")


class SeatsRequest(AsSeen):
    how = serializers.ChoiceField([*(how.value for how in How), HAND])
    tables = TableSeats(
        many=True, required=False, default=list, help_text="By hand: the tables in their order."
    )

    def wish(self) -> SessionWish:
        data = self.validated_data
        if data["how"] == HAND:
            return SessionWish(tables=[dict(table) for table in data["tables"]])
        return SessionWish(How(data["how"]), data["seed"])


class SeatsPreview(serializers.Serializer[Any]):
    """Nothing stored: the seats as they would be, the certificate of the whole event with them, its fingerprint."""

    tables = TableSeats(many=True)
    quality = serializers.DictField()
    seen = serializers.CharField()


class Seats(Endpoint):
    """POST seats a session that has not begun: by standing (Swiss), at intervals, by lot, or by hand."""

    @extend_schema(operation_id="session_seats", request=SeatsRequest, responses=SessionSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.organised_session(slug, number).tournament
        body = self.body(SeatsRequest)
        seat_session(tournament, self.actor, number, body.wish(), seen=body.validated_data["seen"])
        context = {"audience": self.audience(tournament)}
        return Response(SessionSerializer(self.session(slug, number), context=context).data)


class PreviewSeats(Endpoint):
    """POST what would be sent to seat a session, and see the seats."""

    @extend_schema(operation_id="session_seats_preview", request=SeatsRequest, responses=SeatsPreview)
    def post(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.organised_session(slug, number).tournament
        again, _inputs = seated(tournament, number, self.body(SeatsRequest).wish())
        return Response(
            {
                "tables": list(again.after[number - 1]),
                "quality": certify(again.after).to_json(),
                "seen": fingerprint(again.after),
            }
        )


class UndoSeats(Endpoint):
    """POST takes the newest change of seats back, until one of its sessions begins."""

    @extend_schema(operation_id="seats_undo", request=None, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        undo_reseating(self.tournament(slug), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)
