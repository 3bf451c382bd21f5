"""Reckoning with the European ranking: what results come to, and how seats are shared. Nothing is stored."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.base.engine.table_points import two_decimals
from tournament.ema.engine.mers import Nation, Result, Score, quotas, score

MOST_RESULTS = 200
MOST_NATIONS = 100
MOST_SEATS = 2000


class ResultSerializer(serializers.Serializer[Any]):
    base = serializers.IntegerField(min_value=0, max_value=1000)
    weight = serializers.DecimalField(
        max_digits=4, decimal_places=2, min_value=Decimal("0.25"), max_value=Decimal(10)
    )
    ended = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="Left out: never too old."
    )


class ScoreRequest(serializers.Serializer[Any]):
    results = ResultSerializer(many=True, max_length=MOST_RESULTS)  # type: ignore[call-arg]  # of the list
    on = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="The day; left out: nothing is old."
    )


class ScoreSerializer(serializers.Serializer[Any]):
    """All of them two decimals, and null for fewer than two results that count. `score` is the mean of both parts
    rounded to one decimal, as the published example has it; `exact` that of the parts as they are."""

    part_a = serializers.CharField(allow_null=True)
    part_b = serializers.CharField(allow_null=True)
    score = serializers.CharField(allow_null=True)
    exact = serializers.CharField(allow_null=True)


class NationSerializer(serializers.Serializer[Any]):
    """`above`: players above the mean of all; null: as many seats as come."""

    name = serializers.CharField(max_length=80)
    players = serializers.IntegerField(min_value=0, max_value=100_000)
    strong = serializers.IntegerField(min_value=0, max_value=100_000, help_text="With 700 points or more.")
    above = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=100_000
    )


class QuotasRequest(serializers.Serializer[Any]):
    """`nations`: in the order of the ranking of countries."""

    seats = serializers.IntegerField(min_value=0, max_value=MOST_SEATS)
    nations = NationSerializer(many=True, max_length=MOST_NATIONS)  # type: ignore[call-arg]  # likewise


class QuotaSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(source="nation.name")
    first = serializers.IntegerField()
    strong = serializers.IntegerField()
    top = serializers.IntegerField()
    rest = serializers.IntegerField()
    passed_on = serializers.IntegerField()
    total = serializers.IntegerField()


class _Reckoning(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)


class MersScore(_Reckoning):
    """What results come to in the European ranking."""

    @extend_schema(operation_id="mers_score", request=ScoreRequest, responses=ScoreSerializer)
    def post(self, request: Request) -> Response:
        form = ScoreRequest(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        told = score([_result(one) for one in said["results"]], _day(said["on"]))
        return Response(ScoreSerializer(_said(told)).data)


class MersQuotas(_Reckoning):
    """How the seats of a championship are shared among countries."""

    @extend_schema(operation_id="mers_quotas", request=QuotasRequest, responses=QuotaSerializer(many=True))
    def post(self, request: Request) -> Response:
        form = QuotasRequest(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        told = quotas(said["seats"], [Nation(**one) for one in said["nations"]])
        return Response(QuotaSerializer(told, many=True).data)


def _result(said: dict[str, Any]) -> Result:
    return Result(said["base"], Fraction(said["weight"]), _day(said["ended"]))


def _day(day: date | None) -> tuple[int, int, int] | None:
    return (day.year, day.month, day.day) if day else None


def _said(told: Score | None) -> dict[str, str | None]:
    if told is None:
        return dict.fromkeys(("part_a", "part_b", "score", "exact"))
    figures = {"part_a": told.all.mean, "part_b": told.best.mean, "score": told.rounded, "exact": told.exact}
    return {name: two_decimals(figure) for name, figure in figures.items()}
