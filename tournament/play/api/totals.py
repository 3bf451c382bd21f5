"""Totals from paper: typed, corrected, set aside for the hands, read a second time and settled; what is on paper."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.play.api.facts import TableWrite, Whole, WholeOrNot
from tournament.play.api.tables import AtTable
from tournament.play.engine.statements import BestHand, TotalsEntry
from tournament.play.models import Totals
from tournament.play.selectors.totals import open_second, standing_totals, versions_of_totals
from tournament.play.services.totals import (
    correct_totals,
    enter_totals,
    keep_on_paper,
    read_again,
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


class TableTotals(AtTable):
    """The totals of a table kept on paper. POST types them, PUT corrects them, DELETE sets them aside for the hands.

    GET: {"totals", "versions", "differs"}; `differs`: a second reading waits to be settled.
    """

    @extend_schema(operation_id="totals", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        self.told(table)
        standing = standing_totals(table)
        return Response(
            {
                "totals": standing and totals_as_json(standing),
                "versions": [totals_as_json(version) for version in versions_of_totals(table)],
                "differs": open_second(table) is not None,
            }
        )

    @extend_schema(request=TotalsWrite, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.umpired(slug, session, number), self.body(TotalsWrite)
        totals = enter_totals(table, self.actor, body.entry(), **body.facts("hand_in"))
        return self.done(status.HTTP_201_CREATED, lambda: {"totals": totals_as_json(totals)})

    @extend_schema(request=TotalsCorrection, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.umpired(slug, session, number), self.body(TotalsCorrection)
        totals = correct_totals(table, self.actor, body.entry(), **body.facts("reason"))
        return self.done(written=lambda: {"totals": totals_as_json(totals)})

    @extend_schema(request=SetAside, responses={200: OpenApiTypes.OBJECT})
    def delete(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.judged(slug, session, number), self.body(SetAside)
        set_totals_aside(table, self.actor, **body.facts("reason"))
        return self.done()


def totals_as_json(totals: Totals) -> dict[str, Any]:
    """Return {"version", "uuid", "figures": [{"player", "points", "wins", "deal_ins"}], "hands", "best", …}."""
    wins, deal_ins = totals.wins or {}, totals.deal_ins or {}
    return {
        "version": totals.version,
        "uuid": str(totals.uuid),
        "figures": [
            {
                "player": int(player),
                "points": points,
                "wins": wins.get(player),
                "deal_ins": deal_ins.get(player),
            }
            for player, points in totals.points.items()
        ],
        "hands": totals.hands,
        "best": totals.best,
        "reason": totals.reason,
        "counts": totals.is_current,
        "recorded_at": totals.recorded_at,
    }


class SecondTotals(AtTable):
    """POST: the same sheet, read by somebody who has not seen the first figures. PUT settles a difference."""

    @extend_schema(request=SecondReading, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table, body = self.umpired(slug, session, number), self.body(SecondReading)
        uuid = body.validated_data["uuid"]
        second = read_again(table, self.actor, body.entry(), uuid=uuid)
        return Response({"settled": second.settled_as or None}, status=status.HTTP_201_CREATED)

    @extend_schema(request=Settling, responses=OpenApiTypes.OBJECT)
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
        return self.done(written=lambda: {"totals": totals_as_json(totals)})


def _typed_entry(data: dict[str, Any]) -> TotalsEntry | None:
    """Read the totals that are of neither reading, where they were sent."""
    if data["totals"] is None:
        return None
    fact = TotalsFact(data=data["totals"])
    fact.is_valid(raise_exception=True)
    return fact.entry()


class Paper(Endpoint):
    """PUT says which tables keep their sheets on paper."""

    @extend_schema(operation_id="paper", request=PaperRequest, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request, slug: str) -> Response:
        tournament, data = self.organised(slug), self.body(PaperRequest).validated_data
        keep_on_paper(tournament, self.actor, data["on_paper"], session=data["session"], table=data["table"])
        return Response({"on_paper": tournament.on_paper})
