"""The API of prizes."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.base.access import Right
from tournament.base.models.tournament import Tournament
from tournament.prizes.models import Prize, PrizePlan
from tournament.prizes.selectors import Winner, prize_plan_of, winners_of
from tournament.prizes.services import set_prizes
from tournament.web.api.base import ModelSerializer, SettingsEndpoint


class PlayerNumbersField(serializers.ListField):
    """The numbers of the players of a prize."""

    child = serializers.IntegerField(min_value=1, max_value=9999)

    def get_attribute(self, instance: Prize) -> list[int]:
        return [player.number for player in instance.players.all()]


class PrizeSerializer(ModelSerializer[Prize]):
    """A prize. `value`: the country (ISO 3166), club or category; `players`: of a category, or of newcomers."""

    players = PlayerNumbersField(required=False, default=list)

    class Meta:
        model = Prize
        fields = ("kind", "value", "players", "rank", "text", "amount")


class WinnerSerializer(serializers.Serializer[Any]):
    """Who gets what now. `player`: null for a team; `positions`: of the prizes in the list, from 1."""

    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    name = serializers.CharField()
    kind = serializers.ChoiceField(Prize.Kind.choices)
    value = serializers.CharField()
    place = serializers.IntegerField(source="award.place")
    positions = serializers.SerializerMethodField()
    amount = serializers.DecimalField(max_digits=10, decimal_places=2, source="award.amount")
    is_shared = serializers.BooleanField(source="award.is_shared")

    def get_positions(self, winner: Winner) -> list[int]:
        return [prize.position for prize in winner.award.prizes]


class PrizesRequest(ModelSerializer[PrizePlan]):
    prizes = PrizeSerializer(many=True, source="tournament.prizes")

    class Meta:
        model = PrizePlan
        fields: ClassVar[Any] = ("one_per_person", "ties", "prizes")


class PrizesSerializer(PrizesRequest):
    winners = serializers.SerializerMethodField()

    class Meta(PrizesRequest.Meta):
        fields = (*PrizesRequest.Meta.fields, "winners")

    @extend_schema_field(WinnerSerializer(many=True))
    def get_winners(self, plan: PrizePlan) -> Any:
        return WinnerSerializer(winners_of(plan.tournament), many=True).data


class Prizes(SettingsEndpoint):
    """How prizes are given, the list, and who gets them now. PUT replaces the list, in this order."""

    serializer_class = PrizesSerializer
    request_class = PrizesRequest
    read_right = Right.ORGANISE

    def get_object(self, tournament: Tournament) -> PrizePlan:
        return prize_plan_of(tournament)

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        plan = prize_plan_of(tournament)
        for name in ("one_per_person", "ties"):
            setattr(plan, name, data.get(name, getattr(plan, name)))
        rows = data["tournament"]["prizes"]
        numbers = [row.pop("players") for row in rows]
        set_prizes(plan, self.actor, [Prize(**row) for row in rows], numbers)
