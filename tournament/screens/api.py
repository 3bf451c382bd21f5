"""REST endpoints of screens in the hall and of ceremonies."""

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
from tournament.screens.engine import (
    DEFAULT_SECONDS,
    MAX_PAGES,
    MAX_TURNS,
    SECONDS,
    Command,
    Kind,
    ScreenAction,
    Turn,
)
from tournament.screens.models import Ceremony, Screen
from tournament.screens.selectors import (
    ScreenState,
    ceremony_kinds,
    current_ceremony,
    find_screen,
    is_out_of_date,
    newest_ceremony,
    past_ceremonies,
    screen_state,
    screens_of,
)
from tournament.screens.services import (
    add_screen,
    announce_next_place,
    arrange_screen,
    control_screen,
    end_ceremony,
    open_and_publish,
    remove_screen,
    start_ceremony,
    undo_place,
)
from tournament.web.api.base import Endpoint

# --- Screens ---


SCREEN_KINDS = [kind.value for kind in Kind]


class TurnSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(SCREEN_KINDS)
    seconds = WholeOrNot(
        min_value=SECONDS[0],
        max_value=SECONDS[-1],
        help_text="How long each page is shown. Left out: the default of the kind.",
    )


class TurnsRequest(serializers.Serializer[Any]):
    turns = serializers.ListField(
        child=TurnSerializer(), max_length=MAX_TURNS, help_text="Without any, the screen chooses by itself."
    )

    def rotation(self) -> list[Turn]:
        turns = [(Kind(turn["kind"]), turn["seconds"]) for turn in self.validated_data["turns"]]
        return [Turn(kind, DEFAULT_SECONDS[kind] if seconds is None else seconds) for kind, seconds in turns]


class ScreenRequest(serializers.Serializer[Any]):
    name = serializers.CharField(allow_blank=True)


class SteeringRequest(serializers.Serializer[Any]):
    """`hold` holds the screen at `page` of `kind`, as in `shows`; `only` shows only the pages of `kind`."""

    way = serializers.ChoiceField([action.value for action in ScreenAction])
    kind = serializers.ChoiceField(SCREEN_KINDS, required=False, allow_null=True, default=None)
    page = WholeOrNot(min_value=1, max_value=MAX_PAGES)
    turn = Whole(required=False, default=-1, min_value=-1, max_value=MAX_PAGES)

    def command(self) -> Command:
        data = self.validated_data
        kind = Kind(data["kind"]) if data["kind"] else None
        return Command.of(ScreenAction(data["way"]), kind, data["page"], data["turn"])


class ShownSerializer(serializers.Serializer[Any]):
    """The page that all projectors of the screen show now."""

    kind = serializers.ChoiceField(SCREEN_KINDS, source="slide.kind.value")
    page = serializers.IntegerField(source="slide.page")
    pages = serializers.IntegerField(source="slide.pages")
    turn = serializers.IntegerField(
        source="slide.turn", help_text="Index of its turn in the rotation, from 0; −1 outside it."
    )
    announced = serializers.BooleanField(
        source="is_interrupted", help_text="Whether a new announcement interrupts the rotation."
    )
    is_held = serializers.BooleanField(source="steering.is_held")
    alone = serializers.SerializerMethodField()
    turns_at = serializers.SerializerMethodField()

    def get_alone(self, state: ScreenState) -> bool:
        """Return whether only this kind is shown."""
        return state.steering.only is not None

    def get_turns_at(self, state: ScreenState) -> datetime | None:
        """Return when the next page follows; null if the page stays."""
        return None if state.until is None else datetime.fromtimestamp(state.until / 1000, UTC)


class ScreenSerializer(serializers.Serializer[Any]):
    url = serializers.SerializerMethodField()
    steering = serializers.SerializerMethodField()
    name = serializers.CharField(source="screen.name")
    turns = TurnSerializer(
        many=True, source="screen.turns", help_text="Empty if the screen chooses by itself."
    )
    shows = ShownSerializer(source="*")

    def get_url(self, state: ScreenState) -> str:
        """Return the URL at which it is arranged and removed."""
        return reverse("api_screen", args=[state.screen.tournament.slug, state.screen.name])

    def get_steering(self, state: ScreenState) -> str:
        """Return the URL at which it is steered."""
        return reverse("api_screen_steering", args=[state.screen.tournament.slug, state.screen.name])


class Screens(Endpoint):
    """GET returns all screens, first the main screen, with what they show now. POST adds one that chooses by itself."""

    @extend_schema(responses=ScreenSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(ScreenSerializer, [*map(screen_state, screens_of(self.tournament(slug)))])

    @extend_schema(request=ScreenRequest, responses={201: ScreenSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.SHOW)
        name = self.body(ScreenRequest).validated_data["name"]
        return _screen_response(add_screen(tournament, self.actor, name), status.HTTP_201_CREATED)


class ScreenDetail(Endpoint):
    """PUT stores its turns and starts the rotation. DELETE removes it; of the main screen, only its turns."""

    @extend_schema(responses=ScreenSerializer)
    def get(self, request: Request, slug: str, screen: str) -> Response:
        return _screen_response(_screen_or_404(self.tournament(slug), screen))

    @extend_schema(request=TurnsRequest, responses=ScreenSerializer)
    def put(self, request: Request, slug: str, screen: str) -> Response:
        hall_screen = _screen_or_404(self.allowed(slug, Right.SHOW), screen)
        turns = self.body(TurnsRequest).rotation()
        return _screen_response(arrange_screen(hall_screen.tournament, self.actor, hall_screen.name, turns))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, screen: str) -> Response:
        hall_screen = _screen_or_404(self.allowed(slug, Right.SHOW), screen)
        remove_screen(hall_screen.tournament, self.actor, hall_screen.name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ScreenSteering(Endpoint):
    """POST steers the screen: next or previous page, hold, only one kind, or the rotation. All projectors follow."""

    @extend_schema(operation_id="screen_control", request=SteeringRequest, responses=ScreenSerializer)
    def post(self, request: Request, slug: str, screen: str) -> Response:
        hall_screen = _screen_or_404(self.allowed(slug, Right.SHOW), screen)
        command = self.body(SteeringRequest).command()
        return _screen_response(control_screen(hall_screen.tournament, self.actor, hall_screen.name, command))


def _screen_or_404(tournament: Tournament, name: str) -> Screen:
    screen = find_screen(tournament, name)
    if screen is None:
        raise Http404
    return screen


def _screen_response(screen: Screen, code: int = status.HTTP_200_OK) -> Response:
    return Response(ScreenSerializer(screen_state(screen)).data, status=code)


# --- Ceremonies ---


KINDS = Ceremony.Kind.values
MAX_PLACES = 9999


class LineSerializer(serializers.Serializer[Any]):
    """A player, a team or a nation."""

    rank = serializers.IntegerField()
    name = serializers.CharField(help_text="A nation's is its ISO 3166 code.")
    country = serializers.CharField(help_text="A player's.")
    about = serializers.CharField(help_text="A player's team; the players of a team or a nation.")
    table_points = serializers.CharField()
    game_points = serializers.IntegerField()
    prize = serializers.CharField(help_text="What the player or team gets.")


class StageSerializer(serializers.Serializer[Any]):
    """The announced places."""

    kind = serializers.ChoiceField(KINDS)
    first = serializers.IntegerField(allow_null=True, help_text="Number of places to announce; null: all.")
    places = serializers.ListField(
        child=LineSerializer(many=True), help_text="Newest first; those who share a place are one item."
    )
    complete = serializers.SerializerMethodField()

    def get_complete(self, ceremony: Ceremony) -> bool:
        """Return whether the winner has been announced."""
        return not ceremony.left


class ScriptSerializer(serializers.Serializer[Any]):
    """The next step, for organisers only."""

    announced_steps = serializers.IntegerField(help_text="The `seen` of the next step.")
    next = LineSerializer(many=True, allow_null=True, help_text="The next place; null after the winner.")
    left = serializers.IntegerField(help_text="Number of steps that are left.")
    out_of_date = serializers.SerializerMethodField()

    def get_out_of_date(self, ceremony: Ceremony) -> bool:
        """Return whether the standings have changed since the start; the ceremony continues with the old ones."""
        return is_out_of_date(ceremony)


class CeremonySerializer(serializers.Serializer[Any]):
    """`stage`: the current ceremony or null; `before`: the newest ended ceremony of each kind."""

    stage = StageSerializer(allow_null=True)
    before = StageSerializer(many=True)
    script = ScriptSerializer(allow_null=True, help_text="For organisers.")
    kinds = serializers.ListField(
        child=serializers.ChoiceField(KINDS),
        allow_null=True,
        help_text="Kinds that can be announced; for organisers.",
    )


class CeremonyRequest(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(KINDS)
    first = WholeOrNot(
        min_value=1, max_value=MAX_PLACES, help_text="Number of places to announce. Left out: all."
    )


class StepRequest(serializers.Serializer[Any]):
    seen = Whole(
        min_value=0,
        max_value=MAX_PLACES,
        help_text="Number of announced steps that the client knows of. Sent twice, it is one step.",
    )


class CeremonyDetail(Endpoint):
    """GET returns the announced places, and for organisers the next one.

    POST starts a ceremony and ends the one before. DELETE ends it; announced places stay public.
    """

    @extend_schema(responses=CeremonySerializer)
    def get(self, request: Request, slug: str) -> Response:
        return _ceremony_response(self.tournament(slug), self.actor)

    @extend_schema(
        operation_id="ceremony_start", request=CeremonyRequest, responses={201: CeremonySerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(CeremonyRequest).validated_data
        start_ceremony(tournament, self.actor, Ceremony.Kind(data["kind"]), data["first"])
        return _ceremony_response(tournament, self.actor, status.HTTP_201_CREATED)

    @extend_schema(operation_id="ceremony_end", responses={200: CeremonySerializer})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        end_ceremony(_newest_or_404(tournament), self.actor)
        return _ceremony_response(tournament, self.actor)


class CeremonyPlaces(Endpoint):
    """POST announces the next place. DELETE takes the newest announcement back."""

    @extend_schema(operation_id="ceremony_place_announce", request=StepRequest, responses=CeremonySerializer)
    def post(self, request: Request, slug: str) -> Response:
        return self._step(slug, announce_next_place)

    @extend_schema(
        operation_id="ceremony_place_undo", request=StepRequest, responses={200: CeremonySerializer}
    )
    def delete(self, request: Request, slug: str) -> Response:
        return self._step(slug, undo_place)

    def _step(self, slug: str, write: Callable[..., Ceremony]) -> Response:
        tournament = self.organised(slug)
        seen = self.body(StepRequest).validated_data["seen"]
        write(_newest_or_404(tournament), self.actor, seen=seen)
        return _ceremony_response(tournament, self.actor)


class OpenAndPublish(Endpoint):
    """POST opens all hidden results and publishes the standings, both or neither."""

    @extend_schema(request=GoingOn, responses={201: PublicationSerializer})
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


def _ceremony_response(tournament: Tournament, actor: Actor, code: int = status.HTTP_200_OK) -> Response:
    ceremony, can_organise = current_ceremony(tournament), access.can_organise(actor, tournament)
    data = {
        "stage": ceremony,
        "before": past_ceremonies(tournament),
        "script": ceremony if can_organise else None,
        "kinds": ceremony_kinds(tournament) if can_organise else None,
    }
    return Response(CeremonySerializer(data).data, status=code)
