"""The API of the ranking: standings, their publication, hidden results, and the log."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from penalties.engine.sanctions import UNRANKING_FLAGS
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors import hidden_from, hidden_sessions, next_moment, version_for
from tournament.live.page_cache import set_cache_hint
from tournament.ranking.selectors.groups import GroupKind, current_groups
from tournament.ranking.selectors.standings import current_standings
from tournament.ranking.services import open_results, publish_standings
from tournament.web.api.base import Endpoint, LogPages, Reasoned, TwoDecimalsField, numbers_field


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


class PublishedRowSerializer(serializers.Serializer[Any]):
    """`rank`: null for who has none."""

    rank = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    table_points = serializers.CharField(help_text="Two decimals.")
    game_points = serializers.IntegerField()


class StandingSerializer(RankedSerializer):
    rank = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField()
    unranked_because = serializers.ChoiceField(
        ["", *UNRANKING_FLAGS],
        help_text="The part of a penalty that leaves the player without a rank, or last.",
    )
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


def by_version(serializer: type[Serializer[Any]]) -> Callable[[Any], Any]:
    """Describe an endpoint whose response has an ETag."""
    text = _("The ETag of the response you hold: 304 if nothing has changed.")
    version = _("The version of the standings, and for whom they are.")
    return extend_schema(
        parameters=[
            OpenApiParameter("If-None-Match", location=OpenApiParameter.HEADER, description=text),
            OpenApiParameter(
                "ETag", location=OpenApiParameter.HEADER, description=version, response=[200, 304]
            ),
        ],
        responses={200: serializer, 304: OpenApiResponse(description=_("Nothing has changed."))},
    )


class CurrentStandings(Endpoint):
    """The standings as they are now; the version is the ETag, so an unchanged one costs a 304."""

    @by_version(StandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        audience = self.audience(tournament)
        return _standings_response(
            request,
            tournament,
            audience,
            StandingsSerializer,
            lambda: current_standings(tournament, audience).rows,
        )


def _standings_response(
    request: Request,
    tournament: Tournament,
    audience: Audience,
    serializer: type[Serializer[Any]],
    rows: Callable[[], tuple[Any, ...]],
) -> Response:
    """Return this version of the standings for this audience, or 304 to a client that has it."""
    suffix = f"-{audience.value}" if hidden_sessions(tournament) else ""
    version = version_for(audience, tournament)
    etag = f'"{version}{suffix}"'
    set_cache_hint(request, tournament.pk, tournament.public_version, next_moment(tournament))
    if request.headers.get("If-None-Match") == etag:
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers={"ETag": etag})
    hidden = sorted(hidden_from(audience, tournament))
    body = serializer({"version": version, "hidden_sessions": hidden, "rows": rows()}).data
    return Response(body, headers={"ETag": etag})


class _GroupsEndpoint(Endpoint):
    def _groups(self, request: Request, slug: str, kind: GroupKind) -> Response:
        tournament = self.tournament(slug)
        audience = self.audience(tournament)
        return _standings_response(
            request,
            tournament,
            audience,
            GroupStandingsSerializer,
            lambda: current_groups(tournament, audience, kind),
        )


class CurrentTeams(_GroupsEndpoint):
    """Teams, by the sum of their members; `counted` are the numbers of those whose results are in it."""

    @by_version(GroupStandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._groups(request, slug, "teams")


class CurrentNations(_GroupsEndpoint):
    """Nations, by the sum of their best players; `name` is the country's ISO 3166 code."""

    @by_version(GroupStandingsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._groups(request, slug, "nations")


class PublicationSerializer(serializers.ModelSerializer[Publication]):
    rows = PublishedRowSerializer(many=True)

    class Meta:
        model = Publication
        fields = ("version", "after_session", "is_final", "rows")


class Publish(Endpoint):
    @extend_schema(request=GoingOn, responses={201: PublicationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        reason = self.body(GoingOn).validated_data["reason"]
        publication = publish_standings(tournament, self.actor, reason=reason)
        return Response(PublicationSerializer(publication).data, status=status.HTTP_201_CREATED)


class Log(Endpoint):
    """The append-only log, newest first, a page at a time; for those who may read it.

    The address of the page before is in the header `Link`, as `rel="next"`; on the last page there is none.
    """

    pagination_class = LogPages

    @extend_schema(responses=LogEntrySerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.READ)
        return self.list_response(LogEntrySerializer, tournament.log.select_related("actor"))


class OpenResults(Endpoint):
    """POST opens the results of hidden sessions: what everybody has seen cannot be hidden again."""

    @extend_schema(operation_id="results_reveal", request=OpeningRequest, responses=Opened)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.RULE)
        data = self.body(OpeningRequest).validated_data
        opened = open_results(tournament, self.actor, data["sessions"], reason=data["reason"])
        return Response({"sessions": opened})
