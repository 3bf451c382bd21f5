"""The screens in the hall and ceremonies, over the wire."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.models.tournament import Tournament
from tournament.play.api.facts import Whole, WholeOrNot
from tournament.ranking.api import GoingOn, PublicationSerializer
from tournament.screens.engine import MOST_PAGES, MOST_TURNS, SECONDS, USUAL_SECONDS, Command, Kind, Turn, Way
from tournament.screens.models import Ceremony, Screen
from tournament.screens.selectors import (
    OnScreen,
    current_ceremony,
    find_screen,
    is_out_of_date,
    kinds_of,
    newest_ceremony,
    on_screen,
    screens_of,
    told_before,
)
from tournament.screens.services import (
    add_screen,
    arrange_screen,
    end_ceremony,
    open_and_publish,
    remove_screen,
    start_ceremony,
    steer_screen,
    take_back,
    tell_next,
)
from tournament.web.api.base import Endpoint

# --- Screens ---


SCREEN_KINDS = [kind.value for kind in Kind]


class TurnSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(SCREEN_KINDS)
    seconds = WholeOrNot(
        min_value=SECONDS[0],
        max_value=SECONDS[-1],
        help_text="Each page of it is shown so long. Left out: as long as is usual.",
    )


class TurnsRequest(serializers.Serializer[Any]):
    turns = serializers.ListField(
        child=TurnSerializer(), max_length=MOST_TURNS, help_text="None: the screen chooses by itself."
    )

    def rotation(self) -> list[Turn]:
        turns = [(Kind(turn["kind"]), turn["seconds"]) for turn in self.validated_data["turns"]]
        return [Turn(kind, USUAL_SECONDS[kind] if seconds is None else seconds) for kind, seconds in turns]


class ScreenRequest(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True)


class SteeringRequest(serializers.Serializer[Any]):
    """`hold` stands still at `page` of `kind`, as `shows` has them; `only` goes through the pages of `kind` alone."""

    way = serializers.ChoiceField([way.value for way in Way])
    kind = serializers.ChoiceField(SCREEN_KINDS, required=False, allow_null=True, default=None)
    page = WholeOrNot(min_value=1, max_value=MOST_PAGES)
    turn = Whole(required=False, default=-1, min_value=-1, max_value=MOST_PAGES)

    def command(self) -> Command:
        data = self.validated_data
        kind = Kind(data["kind"]) if data["kind"] else None
        return Command.of(Way(data["way"]), kind, data["page"], data["turn"])


class ShownSerializer(serializers.Serializer[Any]):
    """The page that every projector of the screen shows now."""

    kind = serializers.ChoiceField(SCREEN_KINDS, source="slide.kind.value")
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
        return self.list_response(ScreenSerializer, [*map(on_screen, screens_of(self.tournament(slug)))])

    @extend_schema(operation_id="screen_add", request=ScreenRequest, responses={201: ScreenSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.SHOW)
        name = self.body(ScreenRequest).validated_data["name"]
        return _screens_answer(add_screen(tournament, self.actor, name), status.HTTP_201_CREATED)


class OneScreen(Endpoint):
    """PUT arranges it and begins anew. DELETE removes it; of the main one, what was arranged."""

    @extend_schema(operation_id="screen", responses=ScreenSerializer)
    def get(self, request: Request, slug: str, screen: str) -> Response:
        return _screens_answer(_screen_or_404(self.tournament(slug), screen))

    @extend_schema(operation_id="screen_arrange", request=TurnsRequest, responses=ScreenSerializer)
    def put(self, request: Request, slug: str, screen: str) -> Response:
        hall_screen = _screen_or_404(self.allowed(slug, Right.SHOW), screen)
        turns = self.body(TurnsRequest).rotation()
        return _screens_answer(arrange_screen(hall_screen.tournament, self.actor, hall_screen.name, turns))

    @extend_schema(operation_id="screen_remove", responses={204: None})
    def delete(self, request: Request, slug: str, screen: str) -> Response:
        hall_screen = _screen_or_404(self.allowed(slug, Right.SHOW), screen)
        remove_screen(hall_screen.tournament, self.actor, hall_screen.name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ScreenSteering(Endpoint):
    """POST: a page on or back, hold one, one kind alone, or the rotation again; on every projector at once."""

    @extend_schema(operation_id="screen_steer", request=SteeringRequest, responses=ScreenSerializer)
    def post(self, request: Request, slug: str, screen: str) -> Response:
        hall_screen = _screen_or_404(self.allowed(slug, Right.SHOW), screen)
        command = self.body(SteeringRequest).command()
        return _screens_answer(steer_screen(hall_screen.tournament, self.actor, hall_screen.name, command))


def _screen_or_404(tournament: Tournament, name: str) -> Screen:
    screen = find_screen(tournament, name)
    if screen is None:
        raise Http404
    return screen


def _screens_answer(screen: Screen, code: int = status.HTTP_200_OK) -> Response:
    return Response(ScreenSerializer(on_screen(screen)).data, status=code)


# --- Ceremonies ---


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
    complete = serializers.SerializerMethodField()

    def get_complete(self, ceremony: Ceremony) -> bool:
        """Whether the winner has been told."""
        return not ceremony.left


class ScriptSerializer(serializers.Serializer[Any]):
    """What only the organiser knows."""

    told = serializers.IntegerField(help_text="The `seen` of the next step.")
    next = LineSerializer(many=True, allow_null=True, help_text="Who comes next; null after the winner.")
    left = serializers.IntegerField(help_text="Steps still to be told.")
    out_of_date = serializers.SerializerMethodField()

    def get_out_of_date(self, ceremony: Ceremony) -> bool:
        """Whether the standings are others by now; it goes on as it was."""
        return is_out_of_date(ceremony)


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
        return _ceremony_answer(self.tournament(slug), self.actor)

    @extend_schema(
        operation_id="ceremony_start", request=CeremonyRequest, responses={201: CeremonySerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(CeremonyRequest).validated_data
        start_ceremony(tournament, self.actor, Ceremony.Kind(data["kind"]), data["first"])
        return _ceremony_answer(tournament, self.actor, status.HTTP_201_CREATED)

    @extend_schema(operation_id="ceremony_end", responses={200: CeremonySerializer})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        end_ceremony(_newest_or_404(tournament), self.actor)
        return _ceremony_answer(tournament, self.actor)


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
        write(_newest_or_404(tournament), self.actor, seen=seen)
        return _ceremony_answer(tournament, self.actor)


class OpenAndPublish(Endpoint):
    """POST opens every hidden result and publishes the standings: both or neither, and either may be done already."""

    @extend_schema(operation_id="open_and_publish", request=GoingOn, responses={201: PublicationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        open_and_publish(tournament, self.actor, reason=self.body(GoingOn).validated_data["reason"])
        publication = tournament.publications.first()
        assert publication is not None
        return Response(PublicationSerializer(publication).data, status=status.HTTP_201_CREATED)


def _newest_or_404(tournament: Tournament) -> Ceremony:
    ceremony = newest_ceremony(tournament)
    if ceremony is None:
        raise Http404
    return ceremony


def _ceremony_answer(tournament: Tournament, actor: Actor, code: int = status.HTTP_200_OK) -> Response:
    ceremony, organises = current_ceremony(tournament), access.can_organise(actor, tournament)
    facts = {
        "stage": ceremony,
        "before": told_before(tournament),
        "script": ceremony if organises else None,
        "kinds": kinds_of(tournament) if organises else None,
    }
    return Response(CeremonySerializer(facts).data, status=code)
