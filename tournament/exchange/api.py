"""Lists, tournament files (docs/tournament-file.md) and transcripts (docs/transcript.md) over the wire."""

from typing import IO, Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right
from tournament.base.engine.finals import Carry
from tournament.base.models.play import Hand
from tournament.exchange.event_file.format import MOST_BYTES, SHAPE
from tournament.exchange.event_file.tournament_file import bring_in, take_away
from tournament.exchange.lists import LISTS, lists_for
from tournament.exchange.selectors import SLUG
from tournament.exchange.transcripts.reading import FORMAT, VERSION
from tournament.exchange.transcripts.score_sheet import What
from tournament.exchange.transcripts.writing import transcript_of
from tournament.play.api.facts import Field, fact_fields
from tournament.web.api.base import Endpoint
from tournament.web.exports.lists import FORMATS, TYPES, ListAsJson, ListTable, Reader

# --- Lists ---


FILE = extend_schema(
    responses={
        (200, "application/json"): ListAsJson,
        (200, "text/csv"): OpenApiTypes.STR,
        (200, TYPES["xlsx"]): OpenApiTypes.BINARY,
    }
)


class ListSerializer(serializers.Serializer[Any]):
    """`files`: format → address."""

    name = serializers.CharField()
    title = serializers.CharField()
    files = serializers.DictField(child=serializers.CharField())


class Lists(Endpoint):
    """The lists that whoever asks may have."""

    @extend_schema(operation_id="lists", responses=ListSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        rows = [
            {"name": listed.name, "title": str(listed.title), "files": _files(slug, listed)}
            for listed in lists_for(Reader.of(self.tournament(slug), self.actor))
        ]
        return self.listed(ListSerializer, rows)


def _files(slug: str, listed: ListTable) -> dict[str, str]:
    address = {None: "api_list_file", Right.READ: "api_staff_list_file"}.get(listed.right)
    name = {"name": listed.name} if address else {}
    return {
        form: reverse(address or f"api_list_{listed.name}", kwargs={"slug": slug, "form": form} | name)
        for form in FORMATS
    }


class ListFile(Endpoint):
    """For whoever has the right that the list asks for, as far as they are told."""

    @FILE
    def get(self, request: Request, slug: str, name: str, form: str) -> HttpResponse:
        listed = LISTS[name]
        tournament = self.allowed(slug, listed.right) if listed.right else self.tournament(slug)
        reader = Reader.of(tournament, self.actor)
        if not listed.may_read(reader):
            raise Http404
        return HttpResponse(listed.written(reader, form), content_type=TYPES[form])


# --- Tournament files ---


class _Whole(BaseParser):
    """The body as it is, as far as a file may go: larger than what is read into memory for anything else."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream.read(MOST_BYTES + 1)


class TakingSerializer(serializers.Serializer[Any]):
    contacts = serializers.BooleanField(
        required=False,
        default=True,
        help_text="Whether with e-mail addresses, messages, answers and letters.",
    )


class BringingSerializer(serializers.Serializer[Any]):
    slug = serializers.RegexField(
        f"^{SLUG}$", required=False, default="", help_text="Another address than the file's own."
    )


class BroughtSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    version = serializers.IntegerField(help_text="The newest entry of its log.")


class EventFile:
    """A tournament's file, in the schema of the API."""


class EventFileExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """The file's own schema, which is also published by itself: docs/formats."""

    target_class = EventFile

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        return "EventFile"

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return SHAPE().schema()


class TournamentFile(Endpoint):
    """The whole tournament as one file, for its owner; that it was taken is written in the log."""

    @extend_schema(parameters=[TakingSerializer], responses={(200, "application/json"): EventFile})
    def get(self, request: Request, slug: str) -> HttpResponse:
        tournament = self.allowed(slug, Right.OWN)
        query = TakingSerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        content = take_away(tournament, self.actor, contacts=query.validated_data["contacts"])
        return HttpResponse(content, content_type="application/json")


class TournamentFiles(Endpoint):
    """A tournament from a file, beside those there are: all of it or nothing. The asker owns it."""

    parser_classes = (_Whole,)

    @extend_schema(
        parameters=[BringingSerializer],
        request={"application/json": EventFile},
        responses={201: BroughtSerializer},
    )
    def post(self, request: Request) -> Response:
        access.require_creator(self.actor)
        query = BringingSerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        content = request.data if isinstance(request.data, bytes) else b""
        tournament = bring_in(content, self.actor, query.validated_data["slug"])
        brought = {"slug": tournament.slug, "name": tournament.name, "version": tournament.version}
        return Response(BroughtSerializer(brought).data, status=status.HTTP_201_CREATED)


# --- Transcripts ---


class _Part(serializers.Serializer[Any]):
    """Part of a transcript: described here, written by `exchange`. What does not apply is left out."""


def _number(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(**options)


def _optional_number(**options: Any) -> serializers.IntegerField:
    return serializers.IntegerField(required=False, **options)


def _numbers(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(), required=False, **options)


def _text(**options: Any) -> serializers.CharField:
    return serializers.CharField(required=False, **options)


def _yes(**options: Any) -> serializers.BooleanField:
    return serializers.BooleanField(required=False, **options)


class TranscriptFoul(_Part):
    key = serializers.CharField()
    rule = serializers.JSONField(help_text="As GET fouls/ gives it.")
    names = serializers.JSONField(required=False, help_text="Of a foul of the house.")
    description = serializers.JSONField(required=False)


class TranscriptTournament(_Part):
    name = serializers.CharField()
    venue = serializers.CharField(allow_blank=True)
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()
    time_zone = serializers.CharField()
    rulebook = serializers.CharField()
    sessions = _number(help_text="How many are written down.")
    minutes = _number()
    appeal_minutes = _number()
    public = _yes(help_text="Where it is not.")
    penalties_public = _yes(help_text="Where they are not.")
    last_hand = _text(
        help_text="This and what follows, where it is not as the rulebook says: GET play-settings/."
    )
    warning = _optional_number()
    chart = _text()
    scale = serializers.ListField(required=False)
    criteria = serializers.ListField(child=serializers.CharField(), required=False)
    held_out_waits = _yes()
    fouls = TranscriptFoul(many=True, required=False)
    attendance = serializers.JSONField(required=False, help_text="As GET attendance/ gives it.")


class TranscriptPlayer(_Part):
    number = _number()
    first_name = serializers.CharField(allow_blank=True)
    last_name = serializers.CharField()
    country = serializers.CharField(allow_blank=True)
    ema_number = serializers.CharField(allow_blank=True)
    team = serializers.CharField(allow_blank=True)
    club = serializers.CharField(allow_blank=True)
    substitute = _yes()
    withdrawn = _yes(help_text="Before the first session.")


class _Played(_Part):
    outcome = serializers.ChoiceField(Hand.Outcome.choices)
    winner = _optional_number()
    discarder = _optional_number()
    claimants = _numbers()
    absent = _numbers()
    hand = serializers.JSONField(required=False)
    fans = serializers.DictField(child=serializers.IntegerField(), required=False)
    points = _optional_number()
    override = _text()


class TranscriptVersion(_Played):
    """A hand as it stood."""


class TranscriptHand(_Played):
    number = _number()


class TranscriptPenalty(_Part):
    player = _number()
    foul = serializers.CharField()
    hand = _optional_number()
    after = _optional_number(help_text="After how many of the table's hands; left out: all of them.")
    sanction = serializers.JSONField(required=False)
    because = _text()
    cancelled = _text(help_text="Why it was taken back, after an appeal.")

    def get_fields(self) -> dict[str, Field]:
        return super().get_fields() | fact_fields(_optional_number, _yes, _text)


class TranscriptMove(_Part):
    what = serializers.ChoiceField([what.value for what in What])
    player = _number()
    after = _optional_number()
    minutes = _optional_number()
    name = _text()
    because = _text()
    after_penalties = _optional_number(help_text="How many of the table's penalties were given by then.")


class TranscriptAppeal(_Part):
    player = _number()
    text = serializers.CharField()
    hand = _optional_number()
    penalty = _optional_number(help_text="Which of the table's penalties, from 1.")
    after = _optional_number()
    granted = _yes()
    ruling = _text()
    carried_out = _yes()
    waived = _text()
    was = TranscriptVersion(required=False)


class TranscriptSeats(_Part):
    E = _number()
    S = _number()
    W = _number()
    N = _number()


class TranscriptFigures(_Part):
    player = _number()
    points = serializers.IntegerField(help_text="Game points without the penalties.")
    wins = _optional_number()
    deal_ins = _optional_number()


class TranscriptBest(_Part):
    player = _number()
    points = serializers.IntegerField()


class TranscriptTotals(_Part):
    figures = TranscriptFigures(many=True)
    hands = _optional_number()
    best = TranscriptBest(required=False)


class TranscriptTable(_Part):
    number = _number()
    seats = TranscriptSeats()
    unplayed = _yes()
    extra_minutes = _optional_number()
    totals = TranscriptTotals(required=False)
    hands = TranscriptHand(many=True)
    penalties = TranscriptPenalty(many=True)
    presence = TranscriptMove(many=True, required=False)
    appeals = TranscriptAppeal(many=True, required=False)
    signed = _numbers()
    disagreed = _numbers()


class TranscriptFinal(_Part):
    carry = serializers.ChoiceField([carry.value for carry in Carry])
    groups = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class TranscriptPause(_Part):
    at = _number()
    seconds = _optional_number()
    because = serializers.CharField()


class TranscriptSession(_Part):
    number = _number()
    final = TranscriptFinal(required=False)
    without = _numbers()
    withdrawn = _numbers()
    readmitted = _numbers()
    extra_minutes = _optional_number()
    pauses = TranscriptPause(many=True, required=False)
    tables = TranscriptTable(many=True)


class TranscriptFile(_Part):
    format = serializers.ChoiceField([FORMAT])
    version = serializers.ChoiceField([VERSION])
    tournament = TranscriptTournament()
    players = TranscriptPlayer(many=True)
    sessions = TranscriptSession(many=True)


class Transcript(Endpoint):
    """The closed sessions as a transcript, the file that `manage.py replay` plays; for organisers."""

    @extend_schema(responses={(200, "application/json"): TranscriptFile})
    def get(self, request: Request, slug: str) -> HttpResponse:
        tournament = self.organised(slug)
        return HttpResponse(transcript_of(tournament), content_type="application/json")
