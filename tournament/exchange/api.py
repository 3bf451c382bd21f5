"""REST endpoints of lists, tournament files (docs/api/tournament-file.md) and transcripts (docs/api/transcript.md)."""

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
from tournament.exchange.event_file.reading import MAX_BYTES, file_shape
from tournament.exchange.forms import largest_file
from tournament.exchange.lists import LISTS, lists_for
from tournament.exchange.selectors import SLUG
from tournament.exchange.services import export_tournament, import_tournament
from tournament.exchange.transcripts.format import TRANSCRIPT
from tournament.exchange.transcripts.writing import transcript_of
from tournament.web.api.base import Endpoint, ModelSerializer
from tournament.web.exports.lists import FORMATS, TYPES, ListAsJson, ListTable, Reader
from tournament.web.shapes import Shape

# --- Schemas of files ---


class File:
    """A file, described in the OpenAPI schema by the shape of its own format."""

    shape: ClassVar[Callable[[], Shape]]


class EventFile(File):
    shape = file_shape


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


LIST_FILE_SCHEMA = extend_schema(
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
    """GET returns the lists that the user may read."""

    @extend_schema(responses=ListSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        rows = [
            {"name": list_table.name, "title": str(list_table.title), "files": _files(slug, list_table)}
            for list_table in lists_for(Reader.of(self.tournament(slug), self.actor))
        ]
        return self.list_response(ListSerializer, rows)


def _files(slug: str, list_table: ListTable) -> dict[str, str]:
    address = {None: "api_list_file", Right.READ: "api_staff_list_file"}.get(list_table.right)
    name = {"name": list_table.name} if address else {}
    return {
        form: reverse(address or f"api_list_{list_table.name}", kwargs={"slug": slug, "form": form} | name)
        for form in FORMATS
    }


class ListFile(Endpoint):
    """GET returns a list as a file, for whoever has the right it requires; it has what this user may see."""

    @LIST_FILE_SCHEMA
    def get(self, request: Request, slug: str, name: str, form: str) -> HttpResponse:
        list_table = LISTS[name]
        tournament = self.allowed(slug, list_table.right) if list_table.right else self.tournament(slug)
        reader = Reader.of(tournament, self.actor)
        if not list_table.may_read(reader):
            raise Http404
        return HttpResponse(list_table.render(reader, form), content_type=TYPES[form])


# --- Tournament files ---


class _JsonFileParser(BaseParser):
    """Reads the body as bytes, up to the limit of a tournament file, which is higher than that of other bodies."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream.read(MAX_BYTES + 1)


class ExportQuerySerializer(serializers.Serializer[Any]):
    contacts = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Whether with e-mail addresses, messages, answers and letters.",
    )


class ImportQuerySerializer(serializers.Serializer[Any]):
    slug = serializers.RegexField(
        f"^{SLUG}$", required=False, default="", help_text="Another address than the file's own."
    )


class ImportedTournamentSerializer(ModelSerializer[Tournament]):
    """`version`: number of the newest entry of its log."""

    class Meta:
        model = Tournament
        fields = ("slug", "name", "version")


class TournamentFile(Endpoint):
    """GET returns the whole tournament as one file, for its owner, and logs the export."""

    @extend_schema(
        operation_id="tournament_export",
        parameters=[ExportQuerySerializer],
        responses={(200, "application/json"): EventFile},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        tournament = self.allowed(slug, Right.OWN)
        query = ExportQuerySerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        content = export_tournament(tournament, self.actor, contacts=query.validated_data["contacts"])
        return HttpResponse(content, content_type="application/json")


class TournamentFiles(Endpoint):
    """POST creates a tournament from a file, all of it or nothing. The user becomes its owner."""

    parser_classes = (_JsonFileParser,)
    largest_body = staticmethod(largest_file)

    @extend_schema(
        operation_id="tournament_import",
        parameters=[ImportQuerySerializer],
        request={"application/json": EventFile},
        responses={201: ImportedTournamentSerializer},
    )
    def post(self, request: Request) -> Response:
        access.require_creator(self.actor)
        query = ImportQuerySerializer(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        content = request.data if isinstance(request.data, bytes) else b""
        tournament = import_tournament(content, self.actor, query.validated_data["slug"])
        return Response(ImportedTournamentSerializer(tournament).data, status=status.HTTP_201_CREATED)


# --- Transcripts ---


class Transcript(Endpoint):
    """GET returns the closed sessions as a transcript, the file that `manage.py replay` plays; for organisers."""

    @extend_schema(responses={(200, "application/json"): TranscriptFile})
    def get(self, request: Request, slug: str) -> HttpResponse:
        tournament = self.organised(slug)
        return HttpResponse(transcript_of(tournament), content_type="application/json")
