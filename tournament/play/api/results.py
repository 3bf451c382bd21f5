"""Results that were kept from the public, told to everybody at once."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.play.api.requests import Reasoned, numbers_field
from tournament.ranking.services import open_results
from tournament.web.api.base import Endpoint


class OpeningRequest(Reasoned):
    """`reason`: why they are opened although something is still open (409 without)."""

    sessions = numbers_field(
        required=False, allow_null=True, default=None, help_text="Left out: all that are hidden."
    )


class Opened(serializers.Serializer[Any]):
    sessions = numbers_field(help_text="Those that were hidden until now.")


class OpenResults(Endpoint):
    """POST opens the results of hidden sessions: what everybody has seen cannot be hidden again."""

    @extend_schema(operation_id="results_open", request=OpeningRequest, responses=Opened)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.RULE)
        said = self.body(OpeningRequest).validated_data
        opened = open_results(tournament, self.actor, said["sessions"], reason=said["reason"])
        return Response({"sessions": opened})
