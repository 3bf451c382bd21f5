"""API of tournaments: particulars, play settings, page, timetable, players and sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import CHARTS, CRITERIA, MAX_WARNING_MINUTES, LastHand, PlaySettings
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import event_page_of, version_for
from tournament.ema.selectors.results import count_participation
from tournament.events.selectors import fingerprint, fixed_play_settings
from tournament.events.services import (
    MAX_DOCUMENT_BYTES,
    add_event_document,
    create_tournament,
    delete_tournament,
    remove_event_document,
    set_event_page,
    set_logo,
    set_play_settings,
    set_timetable,
    update_tournament,
)
from tournament.play.api.facts import SessionSerializer
from tournament.play.selectors.timetable import timetable
from tournament.play.services.sessions import close_session, reopen_session, start_session
from tournament.players.api import NewPlayerRequest, PlayerSerializer
from tournament.players.selectors.players import public_player, public_players
from tournament.players.services.players import (
    add_player,
    delete_player,
    edit_player,
    reinstate_player,
    replace_player,
    withdraw_player,
)
from tournament.ranking.services import hide_results, show_results
from tournament.seating.engine.draw import DrawOptions
from tournament.seating.services.corrections import unstart_session
from tournament.seating.services.seatings import draw_seats
from tournament.web.api.base import (
    Endpoint,
    ModelSerializer,
    Reasoned,
    Remark,
    SettingsEndpoint,
    ShortPages,
    numbers_field,
)
from tournament.web.uploads import file_from


class DeletionRequest(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The tournament's name, as a confirmation.")


class DrawRequest(serializers.Serializer[Any]):
    seed = serializers.CharField(max_length=80)
    sessions = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        help_text="The number of sessions drawn in advance; the others are seated one by one. Left out: all.",
    )


class SessionStepRequest(Reasoned):
    """`reason`: why a final result is reopened, or why a step is taken although something is open (409 without).
    `unplayed`: tables without a hand, needed to close a session. `empty`: players who have stopped playing and whose
    seats stay empty, needed to start a session.
    """

    unplayed = numbers_field(required=False, default=list)
    empty = numbers_field(required=False, default=list)


class TournamentSerializer(ModelSerializer[Tournament]):
    version = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = (
            "slug", "name", "venue", "starts_on", "ends_on", "rulebook", "foul_book", "sessions_planned",
            "minutes", "appeal_minutes", "appeal_deposit", "time_zone", "is_public", "is_club_evening", "draw_seed",
            "version",
        )  # fmt: skip
        read_only_fields = ("slug", "draw_seed")

    def get_version(self, tournament: Tournament) -> int:
        """Return the newest version the reader may know of; a query only if the two differ."""
        if tournament.version == tournament.public_version:
            return tournament.version
        return version_for(access.audience_of(self.context["actor"], tournament), tournament)


# --- Play settings ---


class PlaySettingsSerializer(serializers.Serializer[PlaySettings]):
    """How it is played, apart from fans and fouls. A new tournament has the defaults of its rulebook."""

    last_hand = serializers.ChoiceField(
        choices=[last.value for last in LastHand],
        help_text="The hand under way when the time is up is not finished and does not count, or is finished and does.",
    )
    warning = serializers.IntegerField(help_text=f"Minutes before the end, 1 to {MAX_WARNING_MINUTES}.")
    chart = serializers.ChoiceField(choices=list(CHARTS), help_text="The seat rotation between wind rounds.")
    scale = serializers.ListField(
        child=serializers.IntegerField(), help_text="Table points from the first place to the fourth."
    )
    criteria = serializers.ListField(
        child=serializers.ChoiceField(choices=list(CRITERIA)),
        help_text="The ranking criteria, in their order.",
    )
    held_out_waits = serializers.BooleanField(
        help_text="Whether a tile counts as a wait if the player holds all four of them."
    )


class PlaySettingsAnswer(PlaySettingsSerializer):
    fixed = serializers.DictField(
        child=serializers.CharField(),
        help_text="Setting → why it cannot be changed: fixed_by_the_draw, fixed_by_the_start.",
    )


class PlaySettingsEndpoint(SettingsEndpoint):
    """How it is played, apart from fans and fouls. PUT takes all settings, as GET returns them."""

    serializer_class = PlaySettingsAnswer
    request_class = PlaySettingsSerializer

    def get_object(self, tournament: Tournament) -> dict[str, Any]:
        fixed = {name: problem.code for name, problem in fixed_play_settings(tournament).items()}
        return tournament.rules.play.to_json() | {"fixed": fixed}

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        set_play_settings(tournament, self.actor, PlaySettings.from_json(data))
        tournament.refresh_from_db()


# --- The event's page ---


class Seen(serializers.Serializer[Any]):
    seen = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="The value that was read: refused if something else is stored by now.",
    )


class EventPageRequest(Seen, ModelSerializer[EventPage]):
    """The event's page; texts by language. Fields that are left out stay."""

    class Meta:
        model = EventPage
        fields: ClassVar[Any] = (
            "description", "rules_note", "address", "country", "map_url", "website", "referees", "contact",
            "mers", "colour", "seen",
        )  # fmt: skip
        extra_kwargs: ClassVar[Any] = {
            "country": {"validators": []}
        }  # the service validates it with the rest


class EventDocumentSerializer(serializers.ModelSerializer[EventDocument]):
    class Meta:
        model = EventDocument
        fields = ("uuid", "title", "kind", "size", "is_logo", "added_at")


class EventPageSerializer(EventPageRequest):
    """The page, its files, and the event's current weight; null if the ranking does not count it."""

    seen = serializers.CharField(source="fingerprint")
    mers_weight = serializers.SerializerMethodField()
    documents = EventDocumentSerializer(many=True, source="tournament.event_documents")

    class Meta(EventPageRequest.Meta):
        fields = (*EventPageRequest.Meta.fields, "mers_weight", "documents")

    def get_mers_weight(self, page: EventPage) -> float | None:
        return float(count_participation(page.tournament, page).weight.total) if page.mers else None


class EventDocumentRequest(ModelSerializer[EventDocument]):
    uuid = serializers.UUIDField(help_text="Chosen by the client; the same UUID is the same file.")
    file = serializers.CharField(
        max_length=MAX_DOCUMENT_BYTES * 2, help_text="A PDF, PNG, JPEG or WebP file, in Base64."
    )

    class Meta:
        model = EventDocument
        fields = ("uuid", "title", "file", "is_logo")


class EventPageEndpoint(SettingsEndpoint):
    """The organiser's description of the event."""

    serializer_class = EventPageSerializer
    request_class = EventPageRequest

    def get_object(self, tournament: Tournament) -> EventPage:
        return event_page_of(tournament)

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        page, seen = event_page_of(tournament), data.pop("seen")
        for name, value in data.items():
            setattr(page, name, value)
        set_event_page(page, self.actor, seen=seen)


class EventDocuments(Endpoint):
    """The files on the event's page."""

    @extend_schema(request=EventDocumentRequest, responses={201: EventDocumentSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(EventDocumentRequest).validated_data
        content = file_from(data.pop("file"), "file")
        document = add_event_document(tournament, self.actor, content=content, **data)
        return Response(EventDocumentSerializer(document).data, status=status.HTTP_201_CREATED)


class LogoRequest(serializers.Serializer[Any]):
    is_logo = serializers.BooleanField(help_text="A picture that becomes the logo replaces another one.")


class EventDocumentDetail(Endpoint):
    @extend_schema(request=LogoRequest, responses=EventDocumentSerializer)
    def put(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Make a picture the event's logo, or a file to download again."""
        document = get_object_or_404(self.organised(slug).event_documents, uuid=uuid)
        is_logo = self.body(LogoRequest).validated_data["is_logo"]
        return Response(EventDocumentSerializer(set_logo(document, self.actor, is_logo=is_logo)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Remove a file from the page."""
        document = get_object_or_404(self.organised(slug).event_documents, uuid=uuid)
        remove_event_document(document, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- The timetable ---


class TimetableEntrySerializer(serializers.Serializer[Any]):
    """A line of the timetable. Times are null for a session without a time, `began_at` until it begins."""

    uuid = serializers.UUIDField(source="item.uuid", default=None, allow_null=True)
    session = serializers.IntegerField(source="number", allow_null=True)
    title = serializers.CharField()
    day = serializers.DateField(source="item.day", default=None, allow_null=True)
    starts = serializers.TimeField(source="item.starts", default=None, allow_null=True)
    ends = serializers.TimeField(source="item.ends", default=None, allow_null=True)
    starts_at = serializers.DateTimeField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    began_at = serializers.DateTimeField(source="session.started_at", default=None, allow_null=True)


class TimetableSerializer(serializers.Serializer[Any]):
    """The planned items in order, then the sessions without a time."""

    seen = serializers.CharField(help_text="The fingerprint of this timetable; send it back with changes.")
    lines = TimetableEntrySerializer(many=True)


class TimetableItemSerializer(ModelSerializer[TimetableItem]):
    """A session by its number, or anything else by its title; `day`, `starts` and `ends` by the tournament's clock."""

    uuid = serializers.UUIDField(required=False, allow_null=True, help_text="The UUID of the line to change.")

    class Meta:
        model = TimetableItem
        fields = ("uuid", "session", "title", "day", "starts", "ends")
        extra_kwargs: ClassVar[Any] = {
            **{key: {"required": False, "allow_null": True} for key in ("day", "starts")},
            "ends": {"help_text": "Ignored for a session, which ends by its clock."},
        }


class TimetableRequest(Seen):
    lines = TimetableItemSerializer(many=True, help_text="All lines; empty ones are ignored.")


class Timetable(SettingsEndpoint):
    """The planned sessions and other items. PUT replaces all lines, as GET returns them."""

    serializer_class = TimetableSerializer
    request_class = TimetableRequest

    def get_object(self, tournament: Tournament) -> dict[str, Any]:
        planned = timetable(tournament)
        lines = [*planned.entries, *planned.unplanned]
        return {"seen": fingerprint(tournament.timetable.all()), "lines": lines}

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        items = [TimetableItem(**line) for line in data["lines"]]
        set_timetable(tournament, self.actor, items, seen=data["seen"])


# --- Tournaments, players and sessions ---


class _TournamentEndpoint(Endpoint):
    def serialize(self, tournament: Tournament) -> Any:
        return TournamentSerializer(tournament, context={"actor": self.actor}).data


class Tournaments(_TournamentEndpoint):
    """The visible tournaments, a hundred per page, the latest first. POST creates one.

    The URL of the next page is in the header `Link`, as `rel="next"`; the last page has none.
    """

    pagination_class = ShortPages

    @extend_schema(responses=TournamentSerializer(many=True))
    def get(self, request: Request) -> Response:
        return self.list_response(
            TournamentSerializer, access.visible_tournaments(self.actor), actor=self.actor
        )

    @extend_schema(request=TournamentSerializer, responses={201: TournamentSerializer})
    def post(self, request: Request) -> Response:
        access.require_creator(self.actor)
        tournament = create_tournament(self.actor, self.deserialize(TournamentSerializer, Tournament()))
        return Response(self.serialize(tournament), status=status.HTTP_201_CREATED)


class TournamentDetail(_TournamentEndpoint):
    """The particulars of a tournament. `version`: the newest one that is public, or for staff the newest one."""

    @extend_schema(responses=TournamentSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.serialize(self.tournament(slug)))

    @extend_schema(request=TournamentSerializer, responses=TournamentSerializer)
    def put(self, request: Request, slug: str) -> Response:
        """Change the particulars; fields that are left out stay."""
        tournament = self.deserialize(TournamentSerializer, self.organised(slug))
        return Response(self.serialize(update_tournament(tournament, self.actor)))

    @extend_schema(request=DeletionRequest, responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete the tournament; the body has to contain its name."""
        tournament = self.organised(slug)
        name = self.body(DeletionRequest).validated_data["name"]
        delete_tournament(tournament, self.actor, name=name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Players(Endpoint):
    @extend_schema(responses=PlayerSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List players. Before the first session those who did not agree to be named are initials, except for staff."""
        tournament = self.tournament(slug)
        players = tournament.players.all()
        is_staff = self.audience(tournament) is Audience.STAFF
        return self.list_response(
            PlayerSerializer, players if is_staff else public_players(players, tournament)
        )

    @extend_schema(request=NewPlayerRequest, responses={201: PlayerSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = dict(self.body(NewPlayerRequest).validated_data)
        is_another_person = data.pop("is_another_person")
        player = Player(tournament=tournament, **data)
        entered = add_player(player, self.actor, is_another_person=is_another_person)
        return Response(PlayerSerializer(entered).data, status=status.HTTP_201_CREATED)


class PlayerDetail(Endpoint):
    @extend_schema(responses=PlayerSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(slug, number)
        if self.audience(player.tournament) is not Audience.STAFF:
            player = public_player(player.tournament, number) or player
        return Response(PlayerSerializer(player).data)

    @extend_schema(request=PlayerSerializer, responses=PlayerSerializer)
    def put(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(slug, number)
        access.require(self.actor, player.tournament, Right.ORGANISE)
        player = self.deserialize(PlayerSerializer, player)
        return Response(PlayerSerializer(edit_player(player, self.actor)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Delete a player entered by mistake; refused for one with results or a seat."""
        delete_player(self.player(slug, number), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def player(self, slug: str, number: int) -> Player:
        return get_object_or_404(self.tournament(slug).players, number=number)


class WithdrawalRequest(serializers.Serializer[Any]):
    stand_in = Remark(
        max_length=80, help_text="The name of the stand-in for the player's current and future seats."
    )


class Withdrawal(PlayerDetail):
    """POST withdraws the player, DELETE undoes that."""

    http_method_names = ["post", "delete", "options"]

    @extend_schema(operation_id="player_withdraw", request=WithdrawalRequest, responses=PlayerSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        player, stand_in = self.player(slug, number), self.body(WithdrawalRequest).validated_data["stand_in"]
        if stand_in:
            return Response(PlayerSerializer(replace_player(player, self.actor, stand_in)).data)
        return Response(PlayerSerializer(withdraw_player(player, self.actor)).data)

    @extend_schema(operation_id="player_reinstate", request=None, responses={200: PlayerSerializer})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        return Response(PlayerSerializer(reinstate_player(self.player(slug, number), self.actor)).data)


class Sessions(Endpoint):
    """Every session with its tables and starting seats. POST draws the seats again."""

    @extend_schema(responses=SessionSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self._list_sessions(self.tournament(slug))

    @extend_schema(
        operation_id="seat_draw", request=DrawRequest, responses={201: SessionSerializer(many=True)}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(DrawRequest).validated_data
        draw_seats(tournament, self.actor, seed=data["seed"], options=DrawOptions(sessions=data["sessions"]))
        return self._list_sessions(tournament, status.HTTP_201_CREATED)

    def _list_sessions(self, tournament: Tournament, code: int = status.HTTP_200_OK) -> Response:
        sessions = tournament.sessions.prefetch_related("tables__seats__player")
        return self.list_response(SessionSerializer, sessions, code, audience=self.audience(tournament))


class SessionStep(Endpoint):
    """POST changes the state of a session (`start`, `unstart`, `close`, `reopen`), or hides its results from the public
    or reveals them (`hide`, `show`)."""

    steps = {
        "start": start_session,
        "unstart": unstart_session,
        "close": close_session,
        "reopen": reopen_session,
        "hide": hide_results,
        "show": show_results,
    }
    fields = {
        "start": ("empty",),
        "reopen": ("reason",),
        "close": ("reason", "unplayed"),
        "show": ("reason",),
    }
    """Step → the fields of the body that it reads."""

    @extend_schema(
        operation_id="session_step_perform", request=SessionStepRequest, responses=SessionSerializer
    )
    def post(self, request: Request, slug: str, number: int, step: str) -> Response:
        names = self.fields.get(step, ())
        data = self.body(SessionStepRequest).validated_data if names else {}
        write: Callable[..., Session] = self.steps[step]
        session = write(self.session(slug, number), self.actor, **{name: data[name] for name in names})
        context = {"audience": self.audience(session.tournament)}
        return Response(SessionSerializer(session, context=context).data)
