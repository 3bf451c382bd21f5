"""The API of the ranking: standings, their publication, hidden results, and the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import hidden_from, hidden_sessions, next_moment, version_for
from tournament.live.page_cache import offer
from tournament.ranking.selectors.ranking import Kind, groups_now
from tournament.ranking.selectors.standings import current_standings
from tournament.ranking.services import open_results, publish_standings
from tournament.web.api.base import Endpoint, LogPage, Reasoned, TwoDecimalsField, numbers_field


class OpeningRequest(Reasoned):
    """`reason`: why they are opened although something is still open (409 without)."""

    sessions = numbers_field(
        required=False, allow_null=True, default=None, help_text="Left out: all that are hidden."
    )


class Opened(serializers.Serializer[Any]):
    sessions = numbers_field(help_text="Those that were hidden until now.")


class GoingOn(Reasoned):
    """`reason`: why it is done although something is still open; without one that is a 409 with everything open."""


class LogEntrySerializer(serializers.ModelSerializer[LogEntry]):
    actor_name = serializers.CharField(read_only=True)

    class Meta:
        model = LogEntry
        fields = ("seq", "at", "actor_code", "actor_name", "action", "data", "texts", "previous_hash", "hash")


class SessionScoreSerializer(serializers.Serializer[Any]):
    session = serializers.IntegerField()
    table = serializers.IntegerField()
    place = serializers.IntegerField(
        allow_null=True, help_text="Null for an absent player, who takes no place at the table."
    )
    table_points = TwoDecimalsField()
    game_points = serializers.IntegerField()
    provisional = serializers.BooleanField()


class CarriedSerializer(serializers.Serializer[Any]):
    """What a finalist's totals count in place of the sessions up to this one."""

    after_session = serializers.IntegerField(source="after")
    table_points = TwoDecimalsField()
    game_points = serializers.IntegerField()


class RankedSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    shared = serializers.BooleanField()
    table_points = TwoDecimalsField()
    game_points = serializers.IntegerField()
    provisional = serializers.BooleanField()


class StandingSerializer(RankedSerializer):
    rank = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    decided_by = serializers.CharField(allow_null=True)
    sessions = SessionScoreSerializer(many=True)
    carried = CarriedSerializer(
        many=True, help_text="Into each final that counts, of the points had before it."
    )


class ReleaseSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    hidden_sessions = serializers.ListField(
        child=serializers.IntegerField(), help_text="Sessions that are left out of these standings."
    )


class StandingsSerializer(ReleaseSerializer):
    rows = StandingSerializer(many=True)


class GroupStandingSerializer(RankedSerializer):
    name = serializers.CharField()
    counted = serializers.ListField(child=serializers.IntegerField(), source="counted_numbers")
    members = serializers.ListField(child=serializers.IntegerField(), source="member_numbers")


class GroupStandingsSerializer(ReleaseSerializer):
    rows = GroupStandingSerializer(many=True)


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


class _GroupsEndpoint(Endpoint):
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


class CurrentTeams(_GroupsEndpoint):
    """Teams, by the sum of their members; `counted` are the numbers of those whose results are in it."""

    @extend_schema(responses=GroupStandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._groups(request, slug, "teams")


class CurrentNations(_GroupsEndpoint):
    """Nations, by the sum of their best players; `name` is the country's ISO 3166 code."""

    @extend_schema(responses=GroupStandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._groups(request, slug, "nations")


class Publish(Endpoint):
    @extend_schema(request=GoingOn, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        reason = self.body(GoingOn).validated_data["reason"]
        publication = publish_standings(tournament, self.actor, reason=reason)
        return Response(publication_as_json(publication), status=status.HTTP_201_CREATED)


def publication_as_json(publication: Publication) -> dict[str, Any]:
    return {
        "version": publication.version,
        "after_session": publication.after_session,
        "is_final": publication.is_final,
        "rows": publication.rows,
    }


class Log(Endpoint):
    """The append-only log, newest first, a page at a time; for those who may read it.

    The address of the page before is in the header `Link`, as `rel="next"`; on the last page there is none.
    """

    cuts_itself = True

    @extend_schema(parameters=[LogPage], responses=LogEntrySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.READ)
        page = LogPage(data=request.query_params)
        page.is_valid(raise_exception=True)
        before, most = page.validated_data["before"], page.validated_data["most"]
        entries = list(
            tournament.log.select_related("actor").filter(seq__lt=before).order_by("-seq")[: most + 1]
        )
        shown, more = entries[:most], len(entries) > most
        earlier = (
            f"{request.build_absolute_uri(request.path)}?before={shown[-1].seq}&most={most}" if more else ""
        )
        headers = {"Link": f'<{earlier}>; rel="next"'} if more else {}
        return Response(LogEntrySerializer(shown, many=True).data, headers=headers)


class OpenResults(Endpoint):
    """POST opens the results of hidden sessions: what everybody has seen cannot be hidden again."""

    @extend_schema(operation_id="results_open", request=OpeningRequest, responses=Opened)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.RULE)
        data = self.body(OpeningRequest).validated_data
        opened = open_results(tournament, self.actor, data["sessions"], reason=data["reason"])
        return Response({"sessions": opened})
