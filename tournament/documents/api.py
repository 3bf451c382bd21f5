"""Documents made from an event, and what its certificates say."""

from typing import Any

from django.conf import settings
from django.http import FileResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.base.requests import site_address
from tournament.documents.selectors import Wording, design_of
from tournament.documents.services import MOST_PLACES, request_document, set_certificates
from tournament.events.api import file_from
from tournament.web.api.base import Endpoint, SettingsEndpoint


class DocumentSerializer(serializers.ModelSerializer[DocumentJob]):
    second = serializers.ChoiceField(settings.LANGUAGES, required=False, allow_blank=True, default="")
    """The language beside the first in headings and labels."""

    class Meta:
        model = DocumentJob
        fields = (
            "id", "kind", "language", "second", "paper", "session", "state", "done_steps", "steps", "standings_version",
            "standings_state", "error", "requested_at", "finished_at",
        )  # fmt: skip
        read_only_fields = tuple(
            name for name in fields if name not in ("kind", "language", "second", "paper", "session")
        )


class CertificatesSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(required=False, allow_blank=True, default="")
    places = serializers.IntegerField(required=False, default=3, min_value=0, max_value=MOST_PLACES)
    best_hand = serializers.BooleanField(required=False, default=True)
    has_picture = serializers.BooleanField(source="file", read_only=True)
    picture = serializers.CharField(
        required=False,
        write_only=True,
        help_text="PNG, JPEG or WebP in Base64; left out, the one there is stays.",
    )
    remove_picture = serializers.BooleanField(required=False, write_only=True, default=False)


class Certificates(SettingsEndpoint):
    """For whom there are certificates, and the organiser's own words on them."""

    serializer_class = CertificatesSerializer
    read_right = Right.ORGANISE

    def get_object(self, tournament: Tournament) -> CertificateDesign:
        return design_of(tournament)

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        wording = Wording(data["text"], data["places"], data["best_hand"])
        picture = file_from(data["picture"], "picture") if "picture" in data else None
        set_certificates(tournament, self.actor, wording, picture=picture, removes=data["remove_picture"])


class Documents(Endpoint):
    @extend_schema(responses=DocumentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.listed(DocumentSerializer, self.organised(slug).documents.all())

    @extend_schema(request=DocumentSerializer, responses={202: DocumentSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(DocumentSerializer).validated_data
        job = request_document(tournament, self.actor, site=f"{site_address()}/", **data)
        return Response(DocumentSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class DocumentFile(Endpoint):
    @extend_schema(
        responses={
            (200, "application/pdf"): OpenApiTypes.BINARY,
            (200, "application/zip"): OpenApiTypes.BINARY,
        }
    )
    def get(self, request: Request, slug: str, job: int) -> FileResponse:
        tournament = self.organised(slug)
        document = get_object_or_404(tournament.documents, pk=job, state=DocumentJob.State.DONE)
        return FileResponse(document.file.open("rb"), content_type=document.content_type)
