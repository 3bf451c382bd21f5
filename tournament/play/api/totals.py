"""Totals from paper: typed, corrected, set aside for the hands, read a second time and settled; what is on paper."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.play.api.answers import TableAnswer
from tournament.play.api.facts import TableWrite, Whole, WholeOrNot
from tournament.play.api.tables import AtTable
from tournament.play.engine.statements import BestHand, TotalsEntry
from tournament.play.models import Totals
from tournament.play.selectors.totals import open_second_reading, standing_totals, totals_versions
from tournament.play.services.totals import (
    correct_totals,
    enter_second_reading,
    enter_totals,
    set_on_paper,
    set_totals_aside,
    settle_totals,
)
from tournament.web.api.base import Endpoint, Reasoned


class PlayerFigure(serializers.Serializer[Any]):
    player = Whole()
    points = WholeOrNot(help_text="Game points, penalties at the table included; null for one that follows.")
    wins = WholeOrNot()
    deal_ins = WholeOrNot()


class BestHandFact(serializers.Serializer[Any]):
    player = Whole()
    points = Whole()


class TotalsFact(serializers.Serializer[Any]):
    """`figures`: a line a player; of the totals one may be left out. Wins and deal-ins of all four, or of nobody."""

    figures = PlayerFigure(many=True)
    hands = WholeOrNot(help_text="How many hands the sheet has.")
    best = BestHandFact(required=False, allow_null=True, default=None)
    sure = serializers.BooleanField(
        required=False, default=False, help_text="An unlikely total is what the sheet has."
    )

    def validate_figures(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len(value) > 4 or len({line["player"] for line in value}) < len(value):
            raise serializers.ValidationError("a table has four players, each named once")
        return value

    def entry(self) -> TotalsEntry:
        data = self.validated_data
        best = data["best"]
        return TotalsEntry(
            points={line["player"]: line["points"] for line in data["figures"]},
            wins=self._counted("wins"),
            deal_ins=self._counted("deal_ins"),
            hands=data["hands"],
            best=BestHand(best["player"], best["points"]) if best else None,
            sure=data["sure"],
        )

    def _counted(self, name: str) -> dict[int, int | None] | None:
        figures = {line["player"]: line[name] for line in self.validated_data["figures"]}
        return None if all(value is None for value in figures.values()) else figures


class TotalsWrite(TotalsFact, TableWrite):
    uuid = serializers.UUIDField()
    hand_in = serializers.BooleanField(required=False, default=True)


class TotalsCorrection(TotalsFact, TableWrite, Reasoned):
    uuid = serializers.UUIDField()


class SecondReading(TotalsFact, TableWrite):
    uuid = serializers.UUIDField()


class Settling(TableWrite, Reasoned):
    uuid = serializers.UUIDField()
    choice = serializers.ChoiceField(["first", "second", "typed"])
    totals = TotalsFact(required=False, allow_null=True, default=None)


class SetAside(TableWrite, Reasoned):
    pass


class PaperRequest(serializers.Serializer[Any]):
    """Of the whole event, of a session, or of a table of one; null: as the wider one."""

    on_paper = serializers.BooleanField(allow_null=True)
    session = WholeOrNot()
    table = WholeOrNot()


class TotalsSerializer(serializers.ModelSerializer[Totals]):
    figures = serializers.SerializerMethodField()
    best = BestHandFact(allow_null=True)
    counts = serializers.BooleanField(source="is_current")

    class Meta:
        model = Totals
        fields = ("version", "uuid", "figures", "hands", "best", "reason", "counts", "recorded_at")

    @extend_schema_field(PlayerFigure(many=True))
    def get_figures(self, totals: Totals) -> list[dict[str, Any]]:
        wins, deal_ins = totals.wins or {}, totals.deal_ins or {}
        return [
            {
                "player": int(player),
                "points": points,
                "wins": wins.get(player),
                "deal_ins": deal_ins.get(player),
            }
            for player, points in totals.points.items()
        ]


class TotalsOfTable(serializers.Serializer[Any]):
    """`differs`: a second reading waits to be settled."""

    totals = TotalsSerializer(allow_null=True)
    versions = TotalsSerializer(many=True)
    differs = serializers.BooleanField()


class TotalsAnswer(TableAnswer):
    totals = TotalsSerializer(required=False)


class Reading(serializers.Serializer[Any]):
    settled = serializers.ChoiceField(Totals.Settled.choices, allow_null=True)


class OnPaper(serializers.Serializer[Any]):
    on_paper = serializers.BooleanField()


class TableTotals(AtTable):
    """The totals of a table kept on paper. POST types them, PUT corrects them, DELETE sets them aside for the hands."""

    @extend_schema(responses=TotalsOfTable)
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        self.results_audience(table)
        facts = {
            "totals": standing_totals(table),
            "versions": totals_versions(table),
            "differs": open_second_reading(table) is not None,
        }
        return Response(TotalsOfTable(facts).data)

    @extend_schema(request=TotalsWrite, responses={201: TotalsAnswer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.umpired(slug, session, number), self.body(TotalsWrite)
        totals = enter_totals(table, self.actor, body.entry(), **body.facts("hand_in"))
        return self.done(status.HTTP_201_CREATED, lambda: {"totals": TotalsSerializer(totals).data})

    @extend_schema(request=TotalsCorrection, responses=TotalsAnswer)
    def put(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.umpired(slug, session, number), self.body(TotalsCorrection)
        totals = correct_totals(table, self.actor, body.entry(), **body.facts("reason"))
        return self.done(written=lambda: {"totals": TotalsSerializer(totals).data})

    @extend_schema(request=SetAside, responses={200: TableAnswer})
    def delete(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.judged(slug, session, number), self.body(SetAside)
        set_totals_aside(table, self.actor, **body.facts("reason"))
        return self.done()


class SecondTotals(AtTable):
    """POST: the same sheet, read by somebody who has not seen the first figures. PUT settles a difference."""

    @extend_schema(request=SecondReading, responses={201: Reading})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.umpired(slug, session, number), self.body(SecondReading)
        uuid = body.validated_data["uuid"]
        second = enter_second_reading(table, self.actor, body.entry(), uuid=uuid)
        return Response({"settled": second.settled_as or None}, status=status.HTTP_201_CREATED)

    @extend_schema(request=Settling, responses=TotalsAnswer)
    def put(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.judged(slug, session, number), self.body(Settling)
        data = body.validated_data
        totals = settle_totals(
            table,
            self.actor,
            Totals.Settled(data["choice"]),
            entry=_typed_entry(data),
            **body.facts("reason"),
        )
        return self.done(written=lambda: {"totals": TotalsSerializer(totals).data})


def _typed_entry(data: dict[str, Any]) -> TotalsEntry | None:
    """Read the totals that are of neither reading, where they were sent."""
    if data["totals"] is None:
        return None
    fact = TotalsFact(data=data["totals"])
    fact.is_valid(raise_exception=True)
    return fact.entry()


class Paper(Endpoint):
    """PUT says which tables keep their sheets on paper."""

    @extend_schema(request=PaperRequest, responses=OnPaper)
    def put(self, request: Request, slug: str) -> Response:
        tournament, data = self.organised(slug), self.body(PaperRequest).validated_data
        set_on_paper(tournament, self.actor, data["on_paper"], session=data["session"], table=data["table"])
        return Response({"on_paper": tournament.on_paper})
