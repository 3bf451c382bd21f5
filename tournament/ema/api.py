"""The API of results for the European Mahjong Association, and of reckoning with its ranking."""

from dataclasses import asdict
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.base.engine.rules import two_decimals
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.ema.engine import FIELDS, LONGEST, Column, Nation, Result, Score, quotas, score
from tournament.ema.exports import EMA
from tournament.ema.selectors import EmaLine, Found, Gap, columns_of, ema_gaps, ema_results
from tournament.ema.services import set_ema_columns
from tournament.web.api.base import Endpoint
from tournament.web.exports.lists import TYPES, Reader

# --- Results for the EMA ---


class WeightSerializer(serializers.Serializer[Any]):
    """Of the event, by its parts; `total` is their sum."""

    days = serializers.FloatField()
    players = serializers.FloatField()
    countries = serializers.FloatField()
    championship = serializers.FloatField()
    total = serializers.FloatField()


class EmaLineSerializer(serializers.Serializer[Any]):
    """`place`, `base`: null for who has none."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField()
    ema_number = serializers.CharField()
    is_member = serializers.BooleanField()
    place = serializers.IntegerField(allow_null=True)
    table_points = serializers.CharField(help_text="Two decimals.")
    game_points = serializers.CharField(
        help_text="Whole, or two decimals where points were carried in halves."
    )
    base = serializers.IntegerField(allow_null=True)


class GapSerializer(serializers.Serializer[Any]):
    """What the association would ask about. `is_note`: it may well be so."""

    code = serializers.ChoiceField([gap.value.code for gap in Gap])
    text = serializers.CharField()
    is_note = serializers.BooleanField()
    player = serializers.IntegerField(allow_null=True)
    session = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)


class EmaSerializer(serializers.Serializer[Any]):
    is_counted = serializers.BooleanField(
        help_text="Whether the event's page says that the ranking counts it."
    )
    participants = serializers.IntegerField(
        help_text="Who takes part, substitutes not among them: the number that the file states."
    )
    weight = WeightSerializer()
    gaps = GapSerializer(many=True)
    lines = EmaLineSerializer(many=True)


class ColumnSerializer(serializers.Serializer[Any]):
    """`text` stands in every line where `field` is text."""

    heading = serializers.CharField(max_length=LONGEST)
    field = serializers.ChoiceField(FIELDS)
    text = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST)


class EmaResultsNow(Endpoint):
    """What would be sent as things stand, for organisers: hidden sessions count."""

    @extend_schema(operation_id="ema", responses=EmaSerializer)
    def get(self, request: Request, slug: str) -> Response:
        results = ema_results(self.organised(slug))
        weight = results.weighed.weight
        data = {
            "is_counted": results.is_counted,
            "participants": results.participants,
            "weight": {name: float(part) for name, part in asdict(weight).items()}
            | {"total": float(weight.total)},
            "gaps": [_gap_data(gap) for gap in ema_gaps(results)],
            "lines": [_line_data(line) for line in results.lines],
        }
        return Response(EmaSerializer(data).data)


def _gap_data(gap: Found) -> dict[str, Any]:
    place = {"player": gap.player, "session": gap.session, "table": gap.table}
    text = sentence(gap.problem)
    return {"code": gap.gap.value.code, "text": text, "is_note": gap.is_note} | place


def _line_data(line: EmaLine) -> dict[str, Any]:
    player, points = line.player, line.row.standing.game_points
    return {
        "number": player.number,
        "name": player.name,
        "country": player.country,
        "ema_number": player.ema_number,
        "is_member": line.is_member,
        "place": line.place,
        "table_points": two_decimals(line.row.standing.table_points),
        "game_points": str(points) if points.denominator == 1 else two_decimals(points),
        "base": line.base,
    }


class EmaFileColumns(Endpoint):
    """The columns of the file. PUT: all of them, in this order."""

    @extend_schema(operation_id="ema_columns", responses=ColumnSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self._answer(self.organised(slug))

    @extend_schema(
        operation_id="ema_columns_set",
        request=ColumnSerializer(many=True),
        responses=ColumnSerializer(many=True),
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        filled: Any = ColumnSerializer(data=request.data, many=True)
        filled.is_valid(raise_exception=True)
        set_ema_columns(tournament, self.actor, [Column(**column) for column in filled.validated_data])
        return self._answer(tournament)

    def _answer(self, tournament: Tournament) -> Response:
        return self.listed(ColumnSerializer, [column.to_json() for column in columns_of(tournament)])


class _EmaFile(Endpoint):
    def file(self, slug: str, form: str) -> HttpResponse:
        content = EMA.written(Reader.of(self.organised(slug), self.actor), form)
        return HttpResponse(content, content_type=TYPES[form])


class EmaSheet(_EmaFile):
    """The file as a spreadsheet, whatever is missing."""

    @extend_schema(operation_id="ema_sheet", responses={(200, TYPES["xlsx"]): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.file(slug, "xlsx")


class EmaCsv(_EmaFile):
    """The same as CSV."""

    @extend_schema(operation_id="ema_csv", responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.file(slug, "csv")


# --- Reckoning with the European ranking ---


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


class _CalculationEndpoint(APIView):
    authentication_classes = ()
    permission_classes = (AllowAny,)


class MersScore(_CalculationEndpoint):
    """What results come to in the European ranking."""

    @extend_schema(operation_id="mers_score", request=ScoreRequest, responses=ScoreSerializer)
    def post(self, request: Request) -> Response:
        form = ScoreRequest(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        results = [
            Result(result["base"], Fraction(result["weight"]), _as_tuple(result["ended"]))
            for result in data["results"]
        ]
        return Response(ScoreSerializer(_score_data(score(results, _as_tuple(data["on"])))).data)


def _as_tuple(day: date | None) -> tuple[int, int, int] | None:
    return (day.year, day.month, day.day) if day else None


def _score_data(result: Score | None) -> dict[str, str | None]:
    if result is None:
        return dict.fromkeys(("part_a", "part_b", "score", "exact"))
    figures = {
        "part_a": result.all.mean,
        "part_b": result.best.mean,
        "score": result.rounded,
        "exact": result.exact,
    }
    return {name: two_decimals(figure) for name, figure in figures.items()}


class MersQuotas(_CalculationEndpoint):
    """How the seats of a championship are shared among countries."""

    @extend_schema(operation_id="mers_quotas", request=QuotasRequest, responses=QuotaSerializer(many=True))
    def post(self, request: Request) -> Response:
        form = QuotasRequest(data=request.data)
        form.is_valid(raise_exception=True)
        data = form.validated_data
        shared = quotas(data["seats"], [Nation(**nation) for nation in data["nations"]])
        return Response(QuotaSerializer(shared, many=True).data)
