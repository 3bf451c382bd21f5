"""A whole tournament as one file (docs/tournament-file.md has every section in words)."""

from __future__ import annotations

from typing import IO, Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right
from tournament.exchange.event_file.reading import MOST_BYTES
from tournament.exchange.event_file.tournament_file import bring_in, take_away
from tournament.exchange.selectors import SLUG
from tournament.web.api.base import Endpoint


class _Whole(BaseParser):
    """The body as it is, as far as a file may go: larger than what is read into memory for anything else."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream.read(MOST_BYTES + 1)


class TakingSerializer(serializers.Serializer[Any]):
    contacts = serializers.BooleanField(
        required=False,
        default=True,
        help_text="Whether with e-mail addresses, messages, answers and letters.",
    )


class BringingSerializer(serializers.Serializer[Any]):
    slug = serializers.RegexField(
        f"^{SLUG}$", required=False, default="", help_text="Another address than the file's own."
    )


class BroughtSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="The newest entry of its log.")


class TournamentFile(Endpoint):
    """The whole tournament as one file, for its owner; that it was taken is written in the log."""

    @extend_schema(parameters=[TakingSerializer], responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str) -> HttpResponse:
        tournament = self.allowed(slug, Right.OWN)
        asked = TakingSerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        content = take_away(tournament, self.actor, contacts=asked.validated_data["contacts"])
        return HttpResponse(content, content_type="application/json")


class TournamentFiles(Endpoint):
    """A tournament from a file, beside those there are: all of it or nothing. The asker owns it."""

    parser_classes = (_Whole,)

    @extend_schema(
        parameters=[BringingSerializer],
        request={"application/json": OpenApiTypes.OBJECT},
        responses={201: BroughtSerializer},
    )
    def post(self, request: Request) -> Response:
        access.require_creator(self.actor)
        asked = BringingSerializer(data=request.query_params.dict())
        asked.is_valid(raise_exception=True)
        content = request.data if isinstance(request.data, bytes) else b""
        made = bring_in(content, self.actor, asked.validated_data["slug"])
        said = BroughtSerializer({"slug": made.slug, "name": made.name, "version": made.version})
        return Response(said.data, status=status.HTTP_201_CREATED)
