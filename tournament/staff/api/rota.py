"""The rota: who umpires which tables in which session."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.base.models.tournament import Tournament
from tournament.staff.selectors.rota import RotaNow, proposed, rota_of
from tournament.staff.services.rota import set_rota
from tournament.web.api.base import Endpoint

MOST = 32_767


class RotaRow(serializers.Serializer[Any]):
    session = serializers.IntegerField(min_value=1, max_value=MOST)
    table = serializers.IntegerField(min_value=1, max_value=MOST)
    umpire = serializers.IntegerField(min_value=1, help_text="The id of the member of the staff.")


class RotaRequest(serializers.Serializer[Any]):
    rota = RotaRow(many=True)


class Rota(Endpoint):
    """GET has the rota, or with `?propose` an even one that is not kept; PUT sets the whole of it."""

    @extend_schema(operation_id="rota", responses=RotaRequest)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.READ)
        return Response(
            _as_json(proposed(tournament) if "propose" in request.query_params else rota_of(tournament))
        )

    @extend_schema(operation_id="rota_set", request=RotaRequest, responses=RotaRequest)
    def put(self, request: Request, slug: str) -> Response:
        tournament: Tournament = self.allowed(slug, Right.RULE)
        rows: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for row in self.body(RotaRequest).validated_data["rota"]:
            rows[row["session"], row["table"]].append(row["umpire"])
        set_rota(tournament, self.actor, rows)
        return Response(_as_json(rota_of(tournament)))


def _as_json(rota: RotaNow) -> dict[str, Any]:
    rows = [
        {"session": session, "table": table, "umpire": line.membership.pk}
        for line in rota.lines
        for session, tables in line.tables.items()
        for table in tables or ()
    ]
    return {"rota": sorted(rows, key=lambda row: (row["session"], row["table"], row["umpire"]))}
