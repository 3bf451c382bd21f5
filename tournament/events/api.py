"""The API of tournaments: their page and timetable, their players and their sessions."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.errors import refuse
from tournament.base.event_words import EventWords, words_of
from tournament.base.models.events import EventDocument
from tournament.base.models.people import Player
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import version_for
from tournament.events.selectors import Particulars, TimetableLine, coming, fingerprint
from tournament.events.services import (
    MOST_DOCUMENT_BYTES,
    add_event_document,
    create_tournament,
    delete_tournament,
    remove_event_document,
    set_event_page,
    set_timetable,
    update_tournament,
)
from tournament.play.api.facts import SessionSerializer
from tournament.play.selectors.timetable import timetable
from tournament.play.services.sessions import close_session, reopen_session, start_session
from tournament.players.api import PlayerSerializer
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import (
    add_player,
    delete_player,
    edit_player,
    readmit_player,
    withdraw_player,
)
from tournament.ranking.services import hide_results, show_results
from tournament.seating.engine.draw import DrawWish
from tournament.seating.services.corrections import unstart_session
from tournament.seating.services.seatings import draw_seats
from tournament.web.api.base import Endpoint, PageAsked, Reasoned, numbers_field, page_of


class DeletionRequest(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The tournament's name, so that nobody deletes one by a slip.")


class DrawRequest(serializers.Serializer[Any]):
    seed = serializers.CharField(max_length=80)
    sessions = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        help_text="So many are drawn in advance, the others are seated one by one. Left out: all of them.",
    )


class SessionStepRequest(Reasoned):
    """`reason`: why a final result is opened again, or a step taken although something is still open (409 without).
    `unplayed`: tables without a hand, to close a session without.
    """

    unplayed = numbers_field(required=False, default=list)


class TournamentSerializer(serializers.ModelSerializer[Tournament]):
    venue = serializers.CharField(required=False, allow_blank=True, default="", max_length=120)
    held_out_waits = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether a tile whose four copies one holds oneself is a wait. Left out, as the rulebook says.",
    )
    appeal_minutes = serializers.IntegerField(
        required=False,
        help_text="Appeals are taken so long after a session's end; 0: settled at once, at the table.",
    )
    version = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = (
            "slug", "name", "venue", "starts_on", "ends_on", "rulebook", "held_out_waits", "sessions_planned",
            "minutes", "appeal_minutes", "time_zone", "is_public", "draw_seed", "version",
        )  # fmt: skip
        read_only_fields = ("slug", "draw_seed")

    def get_version(self, tournament: Tournament) -> int:
        """The newest that the asker knows of; a question to the database only where the two differ."""
        if tournament.version == tournament.public_version:
            return tournament.version
        return version_for(access.audience_of(self.context["actor"], tournament), tournament)


# --- The event's page ---


def _texts_by_language(help_text: str) -> serializers.DictField:
    return serializers.DictField(
        child=serializers.CharField(allow_blank=True), required=False, default=dict, help_text=help_text
    )


def _text_line(help_text: str = "") -> serializers.CharField:
    return serializers.CharField(required=False, allow_blank=True, default="", help_text=help_text)


class EventPageRequest(serializers.Serializer[Any]):
    """All that the page says: what is left out is said no more."""

    description = _texts_by_language("Language → Markdown.")
    fee = _texts_by_language("Language → text.")
    rules_note = _texts_by_language("Language → Markdown.")
    address = _text_line()
    country = _text_line("ISO 3166 alpha-3, or empty.")
    map_url = _text_line()
    website = _text_line()
    referees = _text_line()
    contact = _text_line("Shown to everybody.")
    mers = _text_line("ranked, championship, or empty where the European ranking does not count it.")
    seen = _text_line("As it was read: refused when the page says something else by now.")


class EventDocumentSerializer(serializers.ModelSerializer[EventDocument]):
    class Meta:
        model = EventDocument
        fields = ("uuid", "title", "kind", "size", "added_at")


class EventPageSerializer(EventPageRequest):
    """What is told, the files, and what the event weighs as it stands; null where the ranking does not count it."""

    mers_weight = serializers.FloatField(allow_null=True)
    documents = EventDocumentSerializer(many=True)


class EventDocumentRequest(serializers.Serializer[Any]):
    uuid = serializers.UUIDField(help_text="The client's own: the same again is the same file.")
    title = serializers.CharField(allow_blank=True)
    file = serializers.CharField(
        max_length=MOST_DOCUMENT_BYTES * 2, help_text="A PDF, PNG, JPEG or WebP file, in Base64."
    )


class TheEventPage(Endpoint):
    """What the organiser tells about the event."""

    @extend_schema(responses=EventPageSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._answer(self.tournament(slug))

    @extend_schema(request=EventPageRequest, responses=EventPageSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = dict(self.body(EventPageRequest).validated_data)
        seen = data.pop("seen")
        set_event_page(tournament, self.actor, EventWords(**data), seen=seen)
        return self._answer(tournament)

    def _answer(self, tournament: Tournament) -> Response:
        words = words_of(tournament)
        weight = coming(tournament, words).weight
        now = {
            "seen": words.fingerprint(),
            "mers_weight": None if weight is None else float(weight.total),
            "documents": tournament.event_documents.all(),
        }
        return Response(EventPageSerializer(asdict(words) | now).data)


class EventDocuments(Endpoint):
    """The files on the event's page."""

    @extend_schema(request=EventDocumentRequest, responses={201: EventDocumentSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        sent = self.body(EventDocumentRequest).validated_data
        try:
            content = b64decode(sent["file"], validate=True)
        except (binascii.Error, ValueError):
            raise refuse("file_unreadable", "file") from None
        added = add_event_document(tournament, self.actor, sent["title"], content, uuid=sent["uuid"])
        return Response(EventDocumentSerializer(added).data, status=status.HTTP_201_CREATED)


class OneEventDocument(Endpoint):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        """Remove a file from the page."""
        document = self.organised(slug).event_documents.filter(uuid=uuid).first()
        if document is None:
            raise Http404
        remove_event_document(document, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- The timetable ---


class TimetableEntrySerializer(serializers.Serializer[Any]):
    """A line of the timetable; times are null for a session that has none yet, `began_at` until it has begun."""

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
    """What is planned, in order; then the sessions that have no time yet."""

    seen = serializers.CharField(help_text="The fingerprint of this timetable, for who changes it.")
    lines = TimetableEntrySerializer(many=True)


class LineRequest(serializers.Serializer[Any]):
    """A session by its number, or anything else by its title; `day`, `starts` and `ends` by the tournament's clock."""

    uuid = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="That of the line that is changed."
    )
    session = serializers.IntegerField(required=False, allow_null=True, default=None)
    title = serializers.CharField(required=False, allow_blank=True, default="")
    day = serializers.DateField(required=False, allow_null=True, default=None)
    starts = serializers.TimeField(required=False, allow_null=True, default=None)
    ends = serializers.TimeField(
        required=False, allow_null=True, default=None, help_text="Not read for a session: the clock says."
    )


class TimetableRequest(serializers.Serializer[Any]):
    seen = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="As it was read: refused when the timetable is another by now.",
    )
    lines = LineRequest(many=True, help_text="All there are to be; one that says nothing is left out.")


class Timetable(Endpoint):
    """When sessions are to begin and what else is planned. PUT takes the lines as GET gives them."""

    @extend_schema(responses=TimetableSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._answer(self.tournament(slug))

    @extend_schema(request=TimetableRequest, responses=TimetableSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(TimetableRequest).validated_data
        lines = [TimetableLine(**line) for line in body["lines"]]
        set_timetable(tournament, self.actor, lines, seen=body["seen"])
        return self._answer(tournament)

    def _answer(self, tournament: Tournament) -> Response:
        planned = timetable(tournament)
        lines = [*planned.entries, *planned.unplanned]
        now = {"seen": fingerprint(tournament.timetable.all()), "lines": lines}
        return Response(TimetableSerializer(now).data)


# --- Tournaments, players and sessions ---


class _TournamentEndpoint(Endpoint):
    def as_json(self, tournament: Tournament) -> Any:
        return TournamentSerializer(tournament, context={"actor": self.actor}).data


class Tournaments(_TournamentEndpoint):
    """The tournaments one may see, a hundred a page, the latest first; a new one.

    The address of the next page is in the header `Link`, as `rel="next"`; on the last page there is none.
    """

    cuts_itself = True

    @extend_schema(parameters=[PageAsked], responses=TournamentSerializer(many=True))
    def get(self, request: Request) -> Response:
        tournaments, headers = page_of(access.visible_tournaments(self.actor), request)
        data = TournamentSerializer(tournaments, many=True, context={"actor": self.actor}).data
        return Response(data, headers=headers)

    @extend_schema(request=TournamentSerializer, responses={201: TournamentSerializer})
    def post(self, request: Request) -> Response:
        access.require_creator(self.actor)
        particulars = Particulars(**self.body(TournamentSerializer).validated_data)
        tournament = create_tournament(self.actor, particulars)
        return Response(self.as_json(tournament), status=status.HTTP_201_CREATED)


class OneTournament(_TournamentEndpoint):
    """Its particulars. `version`: the newest that the asker is told of."""

    @extend_schema(responses=TournamentSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.as_json(self.tournament(slug)))

    @extend_schema(request=TournamentSerializer, responses=TournamentSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        given = self.body(TournamentSerializer).validated_data
        kept = {name: getattr(tournament, name) for name in ("time_zone", "appeal_minutes")}
        particulars = Particulars(**(kept | given))
        return Response(self.as_json(update_tournament(tournament, self.actor, particulars)))

    @extend_schema(request=DeletionRequest, responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete it for good; its name has to be in the body."""
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        name = self.body(DeletionRequest).validated_data["name"]
        delete_tournament(tournament, self.actor, name=name)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Players(Endpoint):
    @extend_schema(responses=PlayerSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(PlayerSerializer(self.tournament(slug).players.all(), many=True).data)

    @extend_schema(request=PlayerSerializer, responses={201: PlayerSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        entrant = Entrant(**self.body(PlayerSerializer).validated_data)
        player = add_player(tournament, self.actor, entrant)
        return Response(PlayerSerializer(player).data, status=status.HTTP_201_CREATED)


class OnePlayer(Endpoint):
    @extend_schema(responses=PlayerSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(PlayerSerializer(self.player(slug, number)).data)

    @extend_schema(request=PlayerSerializer, responses=PlayerSerializer)
    def put(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(slug, number)
        access.require_organiser(self.actor, player.tournament)
        entrant = Entrant(**self.body(PlayerSerializer).validated_data)
        return Response(PlayerSerializer(edit_player(player, self.actor, entrant)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Somebody entered by mistake is gone; who has results or a seat is not."""
        delete_player(self.player(slug, number), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def player(self, slug: str, number: int) -> Player:
        player = self.tournament(slug).players.filter(number=number).first()
        if player is None:
            raise Http404
        return player


class Withdrawal(OnePlayer):
    """POST withdraws the player, DELETE takes the withdrawal back."""

    http_method_names = ["post", "delete", "options"]

    @extend_schema(request=None, responses=PlayerSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        return Response(PlayerSerializer(withdraw_player(self.player(slug, number), self.actor)).data)

    @extend_schema(request=None, responses={200: PlayerSerializer})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        return Response(PlayerSerializer(readmit_player(self.player(slug, number), self.actor)).data)


class Sessions(Endpoint):
    """Every session with its tables and starting seats; POST draws them all anew."""

    @extend_schema(responses=SessionSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(self._as_json(self.tournament(slug)))

    @extend_schema(request=DrawRequest, responses={201: SessionSerializer(many=True)})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        data = self.body(DrawRequest).validated_data
        draw_seats(tournament, self.actor, seed=data["seed"], wish=DrawWish(sessions=data["sessions"]))
        return Response(self._as_json(tournament), status=status.HTTP_201_CREATED)

    def _as_json(self, tournament: Tournament) -> Any:
        sessions = tournament.sessions.prefetch_related("tables__seats__player")
        context = {"audience": self.audience(tournament)}
        return SessionSerializer(sessions, many=True, context=context).data


class SessionStep(Endpoint):
    """POST moves a session on or back: `start`, `unstart`, `close`, `reopen`; or hides its results from the public, or
    opens them: `hide`, `show`."""

    steps = {
        "start": start_session,
        "unstart": unstart_session,
        "close": close_session,
        "reopen": reopen_session,
        "hide": hide_results,
        "show": show_results,
    }
    takes = {"reopen": ("reason",), "close": ("reason", "unplayed"), "show": ("reason",)}
    """What of the body a step reads."""

    @extend_schema(operation_id="session_step", request=SessionStepRequest, responses=SessionSerializer)
    def post(self, request: Request, slug: str, number: int, step: str) -> Response:
        names = self.takes.get(step, ())
        data = self.body(SessionStepRequest).validated_data if names else {}
        write: Callable[..., Session] = self.steps[step]
        session = write(self.session(slug, number), self.actor, **{name: data[name] for name in names})
        context = {"audience": self.audience(session.tournament)}
        return Response(SessionSerializer(session, context=context).data)
