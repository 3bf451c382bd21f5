"""API of results for the European Mahjong Association, and of calculations for its ranking."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.base.access import Right
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.ema.engine.certification import Clause, Status
from tournament.ema.engine.columns import MAX_COLUMN_LENGTH, Column
from tournament.ema.engine.mers import MAX_SEATS, Nation, Result, quotas, score
from tournament.ema.models import EmaCertification, EmaColumns
from tournament.ema.selectors.certification import certification_of, clauses_of
from tournament.ema.selectors.results import EmaLine, Gap, GapKind, columns_of, ema_results
from tournament.ema.services import set_certification, set_ema_columns
from tournament.ema.texts import REQUIREMENTS, fact_text
from tournament.web.api.base import Endpoint, ModelSerializer, SettingsEndpoint, TwoDecimalsField
from tournament.web.exports.lists import points

# --- Results for the EMA ---


class WeightSerializer(serializers.Serializer[Any]):
    """The weight of the event by its parts; `total` is their sum."""

    days = serializers.FloatField()
    players = serializers.FloatField()
    countries = serializers.FloatField()
    championship = serializers.FloatField()
    total = serializers.FloatField()


class EmaLineSerializer(serializers.Serializer[Any]):
    """`place`, `base`: null without one."""

    number = serializers.IntegerField(source="player.number")
    name = serializers.CharField(source="player.full_name")
    country = serializers.CharField(source="player.country")
    ema_number = serializers.CharField(source="player.ema_number")
    is_member = serializers.BooleanField()
    place = serializers.IntegerField(allow_null=True)
    table_points = TwoDecimalsField(source="row.standing.table_points")
    game_points = serializers.SerializerMethodField()
    base = serializers.IntegerField(allow_null=True)

    def get_game_points(self, line: EmaLine) -> str:
        """Return a whole number, or two decimals if points were halved before a final."""
        return str(points(line.row.standing.game_points))


class GapSerializer(serializers.Serializer[Any]):
    """What is missing or doubtful. `is_note`: it may be correct."""

    code = serializers.ChoiceField([kind.value.code for kind in GapKind], source="kind.value.code")
    text = serializers.SerializerMethodField()
    is_note = serializers.BooleanField()
    player = serializers.IntegerField(allow_null=True)
    session = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)

    def get_text(self, gap: Gap) -> str:
        return sentence(gap.problem)


class EmaSerializer(serializers.Serializer[Any]):
    is_counted = serializers.BooleanField(
        help_text="Whether the event's page says that the ranking counts it."
    )
    participants = serializers.IntegerField(
        help_text="The number of participants in the file, without substitutes.",
        source="participation.players",
    )
    weight = WeightSerializer(source="participation.weight")
    gaps = GapSerializer(many=True)
    lines = EmaLineSerializer(many=True)


class ColumnSerializer(serializers.Serializer[Any]):
    """`text`: the content of every row if `field` is "text"."""

    heading = serializers.CharField(max_length=MAX_COLUMN_LENGTH)
    field = serializers.ChoiceField(EmaColumns.Field.values)
    text = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_COLUMN_LENGTH)


class EmaResultsEndpoint(Endpoint):
    """The current results, for organisers: with hidden sessions."""

    @extend_schema(responses=EmaSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(EmaSerializer(ema_results(self.organised(slug))).data)


class EmaFileColumns(Endpoint):
    """The columns of the file. PUT replaces them, in this order."""

    @extend_schema(responses=ColumnSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self._list_columns(self.organised(slug))

    @extend_schema(
        request=ColumnSerializer(many=True),
        responses=ColumnSerializer(many=True),
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        serializer: Any = ColumnSerializer(data=request.data, many=True)
        serializer.is_valid(raise_exception=True)
        set_ema_columns(tournament, self.actor, [Column(**column) for column in serializer.validated_data])
        return self._list_columns(tournament)

    def _list_columns(self, tournament: Tournament) -> Response:
        return self.list_response(ColumnSerializer, columns_of(tournament))


# --- Certification ---


class ClauseSerializer(serializers.Serializer[Any]):
    """A requirement of the EMA. `is_required`: the document says "must"."""

    number = serializers.CharField(help_text="The clause, for instance 3.6.")
    key = serializers.CharField()
    status = serializers.ChoiceField([status.value for status in Status])
    is_required = serializers.BooleanField()
    text = serializers.SerializerMethodField()
    fact = serializers.SerializerMethodField()

    def get_text(self, clause: Clause) -> str:
        return str(REQUIREMENTS[clause.key])

    def get_fact(self, clause: Clause) -> str:
        return fact_text(clause)


class CertificationRequest(ModelSerializer[EmaCertification]):
    """What the organiser knows. Fields that are left out stay."""

    class Meta:
        model = EmaCertification
        fields: ClassVar[Any] = (
            *("applied_on", "is_national"),
            *("observer", "observer_country", "observer_named_on"),
        )
        extra_kwargs: ClassVar[Any] = {
            "observer_country": {"validators": []}
        }  # the service validates it with the rest


class CertificationSerializer(CertificationRequest):
    clauses = serializers.SerializerMethodField()

    class Meta(CertificationRequest.Meta):
        fields = (*CertificationRequest.Meta.fields, "clauses")

    @extend_schema_field(ClauseSerializer(many=True))
    def get_clauses(self, certification: EmaCertification) -> Any:
        return ClauseSerializer(clauses_of(certification.tournament), many=True).data


class CertificationEndpoint(SettingsEndpoint):
    """The EMA's requirements with the status of each, and what the organiser knows."""

    serializer_class = CertificationSerializer
    request_class = CertificationRequest
    read_right = Right.ORGANISE

    def get_object(self, tournament: Tournament) -> EmaCertification:
        return certification_of(tournament)

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        certification = certification_of(tournament)
        for name, value in data.items():
            setattr(certification, name, value)
        set_certification(certification, self.actor)


# --- Calculations for the European ranking ---


MAX_RESULTS = 200
MAX_NATIONS = 100


class ResultSerializer(serializers.Serializer[Any]):
    base = serializers.IntegerField(min_value=0, max_value=1000)
    weight = serializers.DecimalField(
        max_digits=4, decimal_places=2, min_value=Decimal("0.25"), max_value=Decimal(10)
    )
    ended = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="Left out: never too old."
    )


class ScoreRequest(serializers.Serializer[Any]):
    results = ResultSerializer(many=True, max_length=MAX_RESULTS)  # type: ignore[call-arg]  # an argument of the list
    on = serializers.DateField(
        required=False, allow_null=True, default=None, help_text="The day; left out: nothing is old."
    )


class ScoreSerializer(serializers.Serializer[Any]):
    """All with two decimals, and null with fewer than two results that count. `score`: the mean of both parts rounded
    to one decimal, as in the published example; `exact`: the mean of the exact parts."""

    part_a = TwoDecimalsField(source="part_a.mean", allow_null=True)
    part_b = TwoDecimalsField(source="part_b.mean", allow_null=True)
    score = TwoDecimalsField(source="rounded", allow_null=True)
    exact = TwoDecimalsField(allow_null=True)


class NationSerializer(serializers.Serializer[Any]):
    """`above`: players above the mean of all, which limits the seats; null: no limit."""

    name = serializers.CharField(max_length=80)
    players = serializers.IntegerField(min_value=0, max_value=100_000)
    strong = serializers.IntegerField(min_value=0, max_value=100_000, help_text="With 700 points or more.")
    above = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, max_value=100_000
    )


class QuotasRequest(serializers.Serializer[Any]):
    """`nations`: in the order of the ranking of countries."""

    seats = serializers.IntegerField(min_value=0, max_value=MAX_SEATS)
    nations = NationSerializer(many=True, max_length=MAX_NATIONS)  # type: ignore[call-arg]  # an argument of the list


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
    """The score of results in the European ranking."""

    @extend_schema(operation_id="mers_score_calculate", request=ScoreRequest, responses=ScoreSerializer)
    def post(self, request: Request) -> Response:
        serializer = ScoreRequest(data=request.data)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        results = [
            Result(result["base"], Fraction(result["weight"]), _ordinal(result["ended"]))
            for result in data["results"]
        ]
        result = score(results, _ordinal(data["on"]))
        empty = dict.fromkeys(ScoreSerializer().fields)
        return Response(ScoreSerializer(result).data if result else empty)


def _ordinal(day: date | None) -> int | None:
    return day.toordinal() if day else None


class MersQuotas(_CalculationEndpoint):
    """The seats of a championship by country."""

    @extend_schema(
        operation_id="mers_quota_calculate", request=QuotasRequest, responses=QuotaSerializer(many=True)
    )
    def post(self, request: Request) -> Response:
        serializer = QuotasRequest(data=request.data)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        rows = quotas(data["seats"], [Nation(**nation) for nation in data["nations"]])
        return Response(QuotaSerializer(rows, many=True).data)
