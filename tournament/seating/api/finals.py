"""Finals: who plays on, looked at before it is taken. `POST seats/undo/` takes the newest back."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.play.api.fields import TwoDecimalsField
from tournament.ranking.engine.finals import MOST_SESSIONS, SIZES, Carry, FinalsWish, chosen
from tournament.seating.api.seats import AsSeen, SessionSeats
from tournament.seating.engine import fingerprint
from tournament.seating.models import Final
from tournament.seating.selectors.final_plans import planned_final
from tournament.seating.selectors.finals import places_with
from tournament.seating.services.finals import set_up_final
from tournament.web.api.base import Endpoint


class FinalSerializer(serializers.ModelSerializer[Final]):
    groups = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="The finalists' numbers, the best group first.",
    )

    class Meta:
        model = Final
        fields = ("after_session", "carry", "groups")


class FinalRequest(AsSeen):
    size = serializers.ChoiceField(
        [*SIZES], help_text="16/4: the best 16 in groups of four, by their places."
    )
    carry = serializers.ChoiceField([carry.value for carry in Carry])
    sessions = serializers.IntegerField(min_value=1, max_value=MOST_SESSIONS)
    first = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        default=list,
        help_text="Who of those that share the last place goes on.",
    )

    def wish(self) -> FinalsWish:
        return chosen(self.validated_data)


class FinalPlace(serializers.Serializer[Any]):
    """Where a player goes from here; who is not in the final keeps the rank and all points."""

    number = serializers.IntegerField(source="then.number")
    group = serializers.IntegerField(
        allow_null=True, help_text="In the final, from 1; null for who is not in it."
    )
    rank = serializers.IntegerField(source="then.rank", allow_null=True)
    table_points = TwoDecimalsField(source="then.table_points", help_text="Those carried, of a finalist.")
    game_points = serializers.IntegerField(source="then.game_points")


class FinalPreview(serializers.Serializer[Any]):
    """Nothing stored: the final as it would be, and who shares the last place that goes on."""

    after_session = serializers.IntegerField()
    groups = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    tied = serializers.ListField(child=serializers.IntegerField())
    places = FinalPlace(many=True, help_text="Everybody, the finalists first.")
    sessions = SessionSeats(many=True)
    emptied = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Sessions planned beyond the final, which lose their seats.",
    )
    seen = serializers.CharField()


class Finals(Endpoint):
    """The finals that are set up, for organisers; POST sets one up after the session closed last."""

    @extend_schema(operation_id="finals_list", responses=FinalSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(FinalSerializer(self.organised(slug).finals.all(), many=True).data)

    @extend_schema(operation_id="finals_set", request=FinalRequest, responses={201: FinalSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament, body = self.organised(slug), self.body(FinalRequest)
        final = set_up_final(tournament, self.actor, body.wish(), seen=body.validated_data["seen"])
        return Response(FinalSerializer(final).data, status=status.HTTP_201_CREATED)


class PreviewFinal(Endpoint):
    """POST what would be sent to set up a final, and see finalists and seats."""

    @extend_schema(operation_id="finals_preview", request=FinalRequest, responses=FinalPreview)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        found = planned_final(tournament, self.body(FinalRequest).wish())
        plan = found.again.after
        return Response(
            {
                "after_session": found.cut.after,
                "groups": found.cut.groups,
                "tied": found.tied,
                "places": FinalPlace(places_with(tournament, found.cut), many=True).data,
                "sessions": [{"number": n, "tables": list(plan[n - 1])} for n in found.sessions],
                "emptied": found.again.sessions[len(found.sessions) :],
                "seen": fingerprint(plan),
            }
        )
