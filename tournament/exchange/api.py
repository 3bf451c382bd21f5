"""Lists, tournament files (docs/api/tournament-file.md) and transcripts (docs/api/transcript.md) over the wire."""

from collections.abc import Callable
from typing import IO, Any, ClassVar

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
from tournament.base.models.tournament import Tournament
from tournament.exchange.event_file.format import MOST_BYTES, SHAPE
from tournament.exchange.event_file.tournament_file import bring_in, take_away
from tournament.exchange.lists import LISTS, lists_for
from tournament.exchange.selectors import SLUG
from tournament.exchange.transcripts.format import TRANSCRIPT
from tournament.exchange.transcripts.writing import transcript_of
from tournament.web.api.base import Endpoint, ModelSerializer
from tournament.web.exports.lists import FORMATS, TYPES, ListAsJson, ListTable, Reader
from tournament.web.shapes import Shape

# --- Shapes of files ---


class File:
    """A file, in the schema of the API as its own format has it."""

    shape: ClassVar[Callable[[], Shape]]


class EventFile(File):
    shape = SHAPE


class TranscriptFile(File):
    shape = staticmethod(lambda: TRANSCRIPT)


class FileExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    target_class = File
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return dict(self.target.shape().schema())


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
        return self.list_response(ListSerializer, rows)


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
        return HttpResponse(listed.render(reader, form), content_type=TYPES[form])


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


class BroughtSerializer(ModelSerializer[Tournament]):
    """`version`: the newest entry of its log."""

    class Meta:
        model = Tournament
        fields = ("slug", "name", "version")


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
        return Response(BroughtSerializer(tournament).data, status=status.HTTP_201_CREATED)


# --- Transcripts ---


class Transcript(Endpoint):
    """The closed sessions as a transcript, the file that `manage.py replay` plays; for organisers."""

    @extend_schema(responses={(200, "application/json"): TranscriptFile})
    def get(self, request: Request, slug: str) -> HttpResponse:
        tournament = self.organised(slug)
        return HttpResponse(transcript_of(tournament), content_type="application/json")
