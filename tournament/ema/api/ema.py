"""Results for the European Mahjong Association: the weight, everybody's base, what is missing, the file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.engine.table_points import two_decimals
from tournament.base.models.tournament import Tournament
from tournament.ema import exports as ema_file
from tournament.ema.engine.ema_columns import FIELDS, Column
from tournament.ema.selectors.ema_gaps import Found, Gap, ema_gaps
from tournament.ema.selectors.ema_results import EmaLine, columns_of, ema_results
from tournament.ema.services import set_ema_columns
from tournament.web.api.base import Endpoint
from tournament.web.exports.spreadsheets import CONTENT_TYPE
from tournament.web.texts.problems import sentence


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

    code = serializers.ChoiceField([gap.value for gap in Gap])
    text = serializers.CharField()
    is_note = serializers.BooleanField()
    player = serializers.IntegerField(allow_null=True)
    session = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)


class EmaSerializer(serializers.Serializer[Any]):
    is_counted = serializers.BooleanField(
        help_text="Whether the event's page says that the ranking counts it."
    )
    participants = serializers.IntegerField(help_text="Among whom the places are.")
    weight = WeightSerializer()
    gaps = GapSerializer(many=True)
    lines = EmaLineSerializer(many=True)


class ColumnSerializer(serializers.Serializer[Any]):
    """`text` stands in every line where `field` is text."""

    heading = serializers.CharField(allow_blank=True)
    field = serializers.ChoiceField(FIELDS)
    text = serializers.CharField(required=False, allow_blank=True, default="")


class EmaResultsNow(Endpoint):
    """What would be sent as things stand, for organisers: hidden sessions count."""

    @extend_schema(operation_id="ema", responses=EmaSerializer)
    def get(self, request: Request, slug: str) -> Response:
        results = ema_results(self.organised(slug))
        weight = results.weighed.weight
        said = {
            "is_counted": results.is_counted,
            "participants": results.participants,
            "weight": {name: float(part) for name, part in asdict(weight).items()}
            | {"total": float(weight.total)},
            "gaps": [_gap(one) for one in ema_gaps(results)],
            "lines": [_line(one) for one in results.lines],
        }
        return Response(EmaSerializer(said).data)


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
        set_ema_columns(tournament, self.actor, [Column(**one) for one in filled.validated_data])
        return self._answer(tournament)

    @staticmethod
    def _answer(tournament: Tournament) -> Response:
        columns = [column.to_json() for column in columns_of(tournament)]
        return Response(ColumnSerializer(columns, many=True).data)


class EmaSheet(Endpoint):
    """The file as a spreadsheet, whatever is missing."""

    @extend_schema(operation_id="ema_sheet", responses={(200, CONTENT_TYPE): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str) -> HttpResponse:
        return HttpResponse(ema_file.workbook(ema_results(self.organised(slug))), content_type=CONTENT_TYPE)


class EmaCsv(Endpoint):
    """The same as CSV."""

    @extend_schema(operation_id="ema_csv", responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> HttpResponse:
        data = ema_file.csv_file(ema_results(self.organised(slug)))
        return HttpResponse(data, content_type="text/csv; charset=utf-8")


def _gap(found: Found) -> dict[str, Any]:
    place = {"player": found.player, "session": found.session, "table": found.table}
    text = sentence(found.problem)
    return {"code": found.gap.value, "text": text, "is_note": found.is_note} | place


def _line(line: EmaLine) -> dict[str, Any]:
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
