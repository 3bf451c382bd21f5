"""The screens in the hall: which there are, what each goes through, and steering one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.base.models.tournament import Tournament
from tournament.play.api.facts import Whole, WholeOrNot
from tournament.screens.engine.screens import USUAL_SECONDS, Kind, Turn
from tournament.screens.engine.steering import MOST_PAGES, Command, Way
from tournament.screens.models.screens import Screen
from tournament.screens.selectors.screens import OnScreen, find_screen, on_screen, screens_of
from tournament.screens.services.screens import add_screen, arrange_screen, remove_screen, steer_screen
from tournament.web.api.base import Endpoint

KINDS = [kind.value for kind in Kind]
MOST_SENT = 100
"""Turns of a request that are read; how many a rotation may have, the service says."""


class TurnSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(KINDS)
    seconds = WholeOrNot(help_text="Each page of it is shown so long. Left out: as long as is usual.")


class TurnsRequest(serializers.Serializer[Any]):
    turns = serializers.ListField(
        child=TurnSerializer(), max_length=MOST_SENT, help_text="None: the screen chooses by itself."
    )

    def rotation(self) -> list[Turn]:
        said = [(Kind(one["kind"]), one["seconds"]) for one in self.validated_data["turns"]]
        return [Turn(kind, USUAL_SECONDS[kind] if seconds is None else seconds) for kind, seconds in said]


class ScreenRequest(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True, max_length=200)


class SteeringRequest(serializers.Serializer[Any]):
    """`hold` stands still at `page` of `kind`, as `shows` has them; `only` goes through the pages of `kind` alone."""

    way = serializers.ChoiceField([way.value for way in Way])
    kind = serializers.ChoiceField(KINDS, required=False, allow_null=True, default=None)
    page = WholeOrNot(min_value=1, max_value=MOST_PAGES)
    turn = Whole(required=False, default=-1, min_value=-1, max_value=MOST_PAGES)

    def command(self) -> Command:
        said = self.validated_data
        kind = Kind(said["kind"]) if said["kind"] else None
        return Command.of(Way(said["way"]), kind, said["page"], said["turn"])


class ShownSerializer(serializers.Serializer[Any]):
    """The page that every projector of the screen shows now."""

    kind = serializers.ChoiceField(KINDS, source="slide.kind.value")
    page = serializers.IntegerField(source="slide.page")
    pages = serializers.IntegerField(source="slide.pages")
    turn = serializers.IntegerField(
        source="slide.turn", help_text="Its place in the rotation, from 0; −1 outside it."
    )
    announced = serializers.BooleanField(
        source="is_interrupted", help_text="Whether a fresh announcement has taken the screen."
    )
    held = serializers.BooleanField(source="steering.is_held")
    alone = serializers.SerializerMethodField()
    turns_at = serializers.SerializerMethodField()

    def get_alone(self, on: OnScreen) -> bool:
        """Whether only this kind is shown."""
        return on.steering.only is not None

    def get_turns_at(self, on: OnScreen) -> datetime | None:
        """When it turns by itself; null while nothing does."""
        return None if on.until is None else datetime.fromtimestamp(on.until / 1000, UTC)


class ScreenSerializer(serializers.Serializer[Any]):
    url = serializers.SerializerMethodField()
    steering = serializers.SerializerMethodField()
    name = serializers.CharField(source="screen.name")
    turns = TurnSerializer(
        many=True, source="screen.turns", help_text="As arranged; none where the screen chooses by itself."
    )
    shows = ShownSerializer(source="*")

    def get_url(self, on: OnScreen) -> str:
        """Where it is arranged and removed."""
        return reverse("api_screen", args=[on.screen.tournament.slug, on.screen.name])

    def get_steering(self, on: OnScreen) -> str:
        """Where it is steered."""
        return reverse("api_screen_steering", args=[on.screen.tournament.slug, on.screen.name])


class Screens(Endpoint):
    """Every screen, the main one first, with what it shows now. POST adds one, which chooses by itself."""

    @extend_schema(operation_id="screens", responses=ScreenSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        shown = [on_screen(screen) for screen in screens_of(self.tournament(slug))]
        return Response(ScreenSerializer(shown, many=True).data)

    @extend_schema(operation_id="screen_add", request=ScreenRequest, responses={201: ScreenSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.SHOW)
        name = self.body(ScreenRequest).validated_data["name"]
        return _answer(add_screen(tournament, self.actor, name), status.HTTP_201_CREATED)


class OneScreen(Endpoint):
    """PUT arranges it and begins anew. DELETE removes it; of the main one, what was arranged."""

    @extend_schema(operation_id="screen", responses=ScreenSerializer)
    def get(self, request: Request, slug: str, screen: str) -> Response:
        return _answer(_found(self.tournament(slug), screen))

    @extend_schema(operation_id="screen_arrange", request=TurnsRequest, responses=ScreenSerializer)
    def put(self, request: Request, slug: str, screen: str) -> Response:
        found = _found(self.allowed(slug, Right.SHOW), screen)
        turns = self.body(TurnsRequest).rotation()
        return _answer(arrange_screen(found.tournament, self.actor, found.name, turns))

    @extend_schema(operation_id="screen_remove", responses={204: None})
    def delete(self, request: Request, slug: str, screen: str) -> Response:
        found = _found(self.allowed(slug, Right.SHOW), screen)
        remove_screen(found.tournament, self.actor, found.name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ScreenSteering(Endpoint):
    """POST: a page on or back, hold one, one kind alone, or the rotation again; on every projector at once."""

    @extend_schema(operation_id="screen_steer", request=SteeringRequest, responses=ScreenSerializer)
    def post(self, request: Request, slug: str, screen: str) -> Response:
        found = _found(self.allowed(slug, Right.SHOW), screen)
        command = self.body(SteeringRequest).command()
        return _answer(steer_screen(found.tournament, self.actor, found.name, command))


def _found(tournament: Tournament, name: str) -> Screen:
    found = find_screen(tournament, name)
    if found is None:
        raise Http404
    return found


def _answer(screen: Screen, code: int = status.HTTP_200_OK) -> Response:
    return Response(ScreenSerializer(on_screen(screen)).data, status=code)
