"""A ceremony: begun, told place by place, taken back, ended; and the results opened to everybody after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.models.tournament import Tournament
from tournament.play.api.facts import Whole, WholeOrNot
from tournament.play.api.requests import GoingOn
from tournament.ranking.api import publication_as_json
from tournament.screens.models.ceremonies import Ceremony
from tournament.screens.selectors.ceremony import (
    current_ceremony,
    kinds_of,
    newest_ceremony,
    podium_of,
    script_of,
    told_before,
)
from tournament.screens.services.ceremonies import (
    end_ceremony,
    open_and_publish,
    start_ceremony,
    take_back,
    tell_next,
)
from tournament.web.api.base import Endpoint

KINDS = Ceremony.Kind.values
MOST_PLACES = 9999


class LineSerializer(serializers.Serializer[Any]):
    """A player, a team or a nation."""

    rank = serializers.IntegerField()
    name = serializers.CharField(help_text="A nation's is its ISO 3166 code.")
    country = serializers.CharField(help_text="A player's.")
    about = serializers.CharField(help_text="A player's team; the players of a team or a nation.")
    table_points = serializers.CharField()
    game_points = serializers.IntegerField()


class StageSerializer(serializers.Serializer[Any]):
    """What everybody has been told."""

    kind = serializers.ChoiceField(KINDS)
    first = serializers.IntegerField(allow_null=True, help_text="So many places are told; null: all.")
    places = serializers.ListField(
        child=LineSerializer(many=True), help_text="The newest first, whoever shares a place together."
    )
    complete = serializers.BooleanField(source="is_complete", help_text="Whether the winner has been told.")


class ScriptSerializer(serializers.Serializer[Any]):
    """What only the organiser knows."""

    told = serializers.IntegerField(source="ceremony.told", help_text="The `seen` of the next step.")
    next = LineSerializer(many=True, allow_null=True, help_text="Who comes next; null after the winner.")
    left = serializers.IntegerField(help_text="Steps still to be told.")
    out_of_date = serializers.BooleanField(
        source="is_out_of_date", help_text="Whether the standings are others by now; it goes on as it was."
    )


class CeremonySerializer(serializers.Serializer[Any]):
    """`stage`: the ceremony that is on, or null; `before`: what those that are over have told, one of each kind."""

    stage = StageSerializer(allow_null=True)
    before = StageSerializer(many=True)
    script = ScriptSerializer(allow_null=True, help_text="For organisers.")
    kinds = serializers.ListField(
        child=serializers.ChoiceField(KINDS),
        allow_null=True,
        help_text="What there is to tell; for organisers.",
    )


class CeremonyRequest(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(KINDS)
    first = WholeOrNot(
        min_value=1, max_value=MOST_PLACES, help_text="The best so many places. Left out: all of them."
    )


class StepRequest(serializers.Serializer[Any]):
    seen = Whole(
        min_value=0,
        max_value=MOST_PLACES,
        help_text="How many steps were told when this was asked for; sent twice it is one step.",
    )


class TheCeremony(Endpoint):
    """What has been told, for everybody; what comes next, for organisers.

    POST begins one with nothing told yet, and ends one that is on. DELETE ends it: what was told stays told.
    """

    @extend_schema(operation_id="ceremony", responses=CeremonySerializer)
    def get(self, request: Request, slug: str) -> Response:
        return _answer(self.tournament(slug), self.actor)

    @extend_schema(
        operation_id="ceremony_start", request=CeremonyRequest, responses={201: CeremonySerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        asked = self.body(CeremonyRequest).validated_data
        start_ceremony(tournament, self.actor, Ceremony.Kind(asked["kind"]), asked["first"])
        return _answer(tournament, self.actor, status.HTTP_201_CREATED)

    @extend_schema(operation_id="ceremony_end", responses={200: CeremonySerializer})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        end_ceremony(_newest(tournament), self.actor)
        return _answer(tournament, self.actor)


class CeremonyPlaces(Endpoint):
    """POST tells the next place, whoever shares it together. DELETE takes the newest back."""

    @extend_schema(operation_id="ceremony_tell", request=StepRequest, responses=CeremonySerializer)
    def post(self, request: Request, slug: str) -> Response:
        return self._step(slug, tell_next)

    @extend_schema(
        operation_id="ceremony_take_back", request=StepRequest, responses={200: CeremonySerializer}
    )
    def delete(self, request: Request, slug: str) -> Response:
        return self._step(slug, take_back)

    def _step(self, slug: str, write: Callable[..., Ceremony]) -> Response:
        tournament = self.organised(slug)
        seen = self.body(StepRequest).validated_data["seen"]
        write(_newest(tournament), self.actor, seen=seen)
        return _answer(tournament, self.actor)


class OpenAndPublish(Endpoint):
    """POST opens every hidden result and publishes the standings: both or neither, and either may be done already."""

    @extend_schema(operation_id="open_and_publish", request=GoingOn, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        open_and_publish(tournament, self.actor, reason=self.body(GoingOn).validated_data["reason"])
        made = tournament.publications.first()
        assert made is not None
        return Response(publication_as_json(made), status=status.HTTP_201_CREATED)


def _newest(tournament: Tournament) -> Ceremony:
    found = newest_ceremony(tournament)
    if found is None:
        raise Http404
    return found


def _answer(tournament: Tournament, actor: Actor, code: int = status.HTTP_200_OK) -> Response:
    ceremony, organises = current_ceremony(tournament), access.can_organise(actor, tournament)
    facts = {
        "stage": podium_of(ceremony) if ceremony else None,
        "before": told_before(tournament),
        "script": script_of(ceremony) if ceremony and organises else None,
        "kinds": kinds_of(tournament) if organises else None,
    }
    return Response(CeremonySerializer(facts).data, status=code)
