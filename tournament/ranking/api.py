"""Standings, their publication, the log, documents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.requests import own_address
from tournament.base.selectors import hidden_from, hidden_sessions, version_for
from tournament.documents.services import request_document
from tournament.events.services import publish_standings
from tournament.live.page_cache import offer
from tournament.play.api.fields import (
    DocumentSerializer,
    GoingOn,
    GroupStandingsSerializer,
    LogEntrySerializer,
    StandingsSerializer,
)
from tournament.play.selectors.clock import next_moment
from tournament.ranking.selectors.ranking import Kind, groups_now
from tournament.ranking.selectors.standings import current_standings
from tournament.web.api.base import Endpoint, LogPage


class CurrentStandings(Endpoint):
    """The standings as they are now; the version is the ETag, so an unchanged one costs a 304."""

    @extend_schema(responses=StandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        audience = self.audience(tournament)
        return _unless_known(
            request,
            tournament,
            audience,
            StandingsSerializer,
            lambda: current_standings(tournament, audience).rows,
        )


class _Groups(Endpoint):
    def _groups(self, request: Request, slug: str, kind: Kind) -> Response:
        tournament = self.tournament(slug)
        audience = self.audience(tournament)
        return _unless_known(
            request,
            tournament,
            audience,
            GroupStandingsSerializer,
            lambda: groups_now(tournament, audience, kind),
        )


class CurrentTeams(_Groups):
    """Teams, by the sum of their members; `counted` are the numbers of those whose results are in it."""

    @extend_schema(responses=GroupStandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._groups(request, slug, "teams")


class CurrentNations(_Groups):
    """Nations, by the sum of their best players; `name` is the country's ISO 3166 code."""

    @extend_schema(responses=GroupStandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._groups(request, slug, "nations")


def _unless_known(
    request: Request,
    tournament: Tournament,
    audience: Audience,
    serializer: type[Serializer[Any]],
    rows: Callable[[], tuple[Any, ...]],
) -> Response:
    """This version of the standings for this audience, or 304 for who has it."""
    mark = f"-{audience.value}" if hidden_sessions(tournament) else ""
    version = version_for(audience, tournament)
    etag = f'"{version}{mark}"'
    offer(request._request, tournament.pk, tournament.public_version, next_moment(tournament))
    if request.headers.get("If-None-Match") == etag:
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": etag})
    hidden = sorted(hidden_from(audience, tournament))
    body = serializer({"version": version, "hidden_sessions": hidden, "rows": rows()}).data
    return Response(body, headers={"ETag": etag})


class Publish(Endpoint):
    @extend_schema(request=GoingOn, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        reason = self.body(GoingOn).validated_data["reason"]
        made = publish_standings(tournament, self.actor, reason=reason)
        return Response(publication_as_json(made), status=status.HTTP_201_CREATED)


def publication_as_json(made: Publication) -> dict[str, Any]:
    return {
        "version": made.version,
        "after_session": made.after_session,
        "is_final": made.is_final,
        "rows": made.rows,
    }


class Log(Endpoint):
    """The append-only log, newest first, a page at a time; for those who may read it.

    The address of the page before is in the header `Link`, as `rel="next"`; on the last page there is none.
    """

    cuts_itself = True

    @extend_schema(parameters=[LogPage], responses=LogEntrySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.READ)
        asked = LogPage(data=request.query_params)
        asked.is_valid(raise_exception=True)
        before, most = asked.validated_data["before"], asked.validated_data["most"]
        entries = list(
            tournament.log.select_related("actor").filter(seq__lt=before).order_by("-seq")[: most + 1]
        )
        shown, more = entries[:most], len(entries) > most
        earlier = (
            f"{request.build_absolute_uri(request.path)}?before={shown[-1].seq}&most={most}" if more else ""
        )
        headers = {"Link": f'<{earlier}>; rel="next"'} if more else {}
        return Response(LogEntrySerializer(shown, many=True).data, headers=headers)


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
        job = request_document(tournament, self.actor, site=f"{own_address(request)}/", **asked)
        return Response(DocumentSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class DocumentFile(Endpoint):
    @extend_schema(
        responses={
            (200, "application/pdf"): OpenApiTypes.BINARY,
            (200, "application/zip"): OpenApiTypes.BINARY,
        }
    )
    def get(self, request: Request, slug: str, job: int) -> FileResponse:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        found = tournament.documents.filter(pk=job, state=DocumentJob.State.DONE).first()
        if found is None:
            raise Http404
        return FileResponse(found.file.open("rb"), content_type=found.content_type)
