"""Substitutes: who fills a table."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.play.api.fields import PlayerSerializer
from tournament.players.selectors.entrants import LONGEST
from tournament.players.services.players import add_substitutes
from tournament.web.api.base import Endpoint


class SubstitutesRequest(serializers.Serializer[Any]):
    name = serializers.CharField(
        max_length=LONGEST - 6,
        required=False,
        allow_blank=True,
        default="",
        help_text="What they are called, each with a number after it.",
    )


class Substitutes(Endpoint):
    """POST enters as many players as fill the tables; none of them is ranked."""

    @extend_schema(request=SubstitutesRequest, responses={201: PlayerSerializer(many=True)})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        name = self.body(SubstitutesRequest).validated_data["name"].strip() or _("Substitute")
        made = add_substitutes(tournament, self.actor, name)
        return Response(PlayerSerializer(made, many=True).data, status=status.HTTP_201_CREATED)
