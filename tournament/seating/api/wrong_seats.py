"""Two players sat in each other's places in the session being played: looked at, corrected, taken back."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.models.play import Seat
from tournament.play.api.requests import number_field
from tournament.seating.api.seats import Seen
from tournament.seating.selectors.wrong_seats import looked_at, state_of, tables_with
from tournament.seating.services.wrong_seats import correct_seats, undo_correction
from tournament.web.api.base import Endpoint


class Correction(serializers.Serializer[Any]):
    """The two by number: each really sat where the other sits by the record."""

    one = number_field()
    other = number_field()


class CorrectionRequest(Correction, Seen):
    pass


class CorrectedSeat(serializers.Serializer[Any]):
    """A player's seat, with what was scored there: by the record, or as it becomes the player's."""

    table = serializers.IntegerField(source="table.number")
    wind = serializers.CharField()
    game_points = serializers.IntegerField()


class CorrectedPlayer(serializers.Serializer[Any]):
    player = serializers.IntegerField()
    now = CorrectedSeat()
    then = CorrectedSeat()


class CorrectionPreview(serializers.Serializer[Any]):
    """Nothing stored. `seen`: the state of their tables; a write there makes it another."""

    players = CorrectedPlayer(many=True)
    seen = serializers.CharField()


class Corrections(Endpoint):
    """POST gives each of two players the other's seat; hands and penalties stay with the seats. DELETE takes the newest
    such correction of the session back."""

    @extend_schema(operation_id="seats_correct", request=CorrectionRequest, responses={204: None})
    def post(self, request: Request, slug: str, number: int) -> Response:
        session = self.organised_session(slug, number)
        correct_seats(session, self.actor, **self.body(CorrectionRequest).validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(operation_id="seats_correct_undo", request=None, responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        undo_correction(self.organised_session(slug, number), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class PreviewCorrection(Endpoint):
    """POST what would be sent to correct seats, and see where the two sit and what was scored there."""

    @extend_schema(operation_id="seats_correct_preview", request=Correction, responses=CorrectionPreview)
    def post(self, request: Request, slug: str, number: int) -> Response:
        session = self.organised_session(slug, number)
        wrong = self.body(Correction).validated_data
        one, other = looked_at(session, **wrong)
        shown = {
            "players": [_moved(one, other), _moved(other, one)],
            "seen": state_of(tables_with(session, **wrong)),
        }
        return Response(CorrectionPreview(shown).data)


def _moved(now: Seat, then: Seat) -> dict[str, Any]:
    return {"player": now.player.number, "now": now, "then": then}
