"""Standings, their publication, the log, documents."""

from __future__ import annotations

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament import access
from tournament.api.base import Endpoint
from tournament.api.fields import DocumentSerializer, LogEntrySerializer, StandingsSerializer
from tournament.models import DocumentJob
from tournament.selectors.standings import current_standings
from tournament.services.documents import request_document
from tournament.services.tournaments import publish_standings


class CurrentStandings(Endpoint):
    """The standings as they are now; the version is the ETag, so an unchanged one costs a 304."""

    @extend_schema(responses=StandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        etag = f'"{tournament.version}"'
        if request.headers.get("If-None-Match") == etag:
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": etag})
        rows = current_standings(tournament).rows
        body = StandingsSerializer({"version": tournament.version, "rows": rows}).data
        return Response(body, headers={"ETag": etag})


class Publish(Endpoint):
    @extend_schema(request=None, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str) -> Response:
        made = publish_standings(self.tournament(slug), self.actor)
        body = {
            "version": made.version,
            "after_session": made.after_session,
            "is_final": made.is_final,
            "rows": made.rows,
        }
        return Response(body, status=status.HTTP_201_CREATED)


class Log(Endpoint):
    """The append-only log, newest first; for those with a role in the tournament."""

    @extend_schema(responses=LogEntrySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        return Response(LogEntrySerializer(tournament.log.order_by("-seq"), many=True).data)


class Documents(Endpoint):
    @extend_schema(responses=DocumentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        return Response(DocumentSerializer(tournament.documents.all(), many=True).data)

    @extend_schema(request=DocumentSerializer, responses={202: DocumentSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        asked = self.body(DocumentSerializer).validated_data
        job = request_document(tournament, self.actor, **asked)
        return Response(DocumentSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class DocumentFile(Endpoint):
    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, job: int) -> FileResponse:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        found = tournament.documents.filter(pk=job, state=DocumentJob.State.DONE).first()
        if found is None:
            raise Http404
        return FileResponse(found.file.open("rb"), content_type="application/pdf")
