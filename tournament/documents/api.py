"""API of documents and certificates."""

from typing import Any, ClassVar

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
from tournament.documents.selectors import design_of
from tournament.documents.services import request_document, set_certificates
from tournament.web.api.base import Endpoint, ModelSerializer, SettingsEndpoint, fill
from tournament.web.uploads import file_from


class DocumentSerializer(ModelSerializer[DocumentJob]):
    """`second`: a second language for headings and labels."""

    class Meta:
        model = DocumentJob
        fields = (
            "id", "kind", "language", "second", "paper", "session", "state", "done_steps", "steps", "standings_version",
            "standings_state", "error", "requested_at", "finished_at",
        )  # fmt: skip
        read_only_fields = tuple(
            name for name in fields if name not in ("kind", "language", "second", "paper", "session")
        )


class CertificatesSerializer(ModelSerializer[CertificateDesign]):
    has_picture = serializers.BooleanField(source="file", read_only=True)
    picture = serializers.CharField(
        required=False,
        write_only=True,
        help_text="PNG, JPEG or WebP in Base64; left out, the stored one stays.",
    )
    remove_picture = serializers.BooleanField(write_only=True, default=False)

    class Meta:
        model = CertificateDesign
        fields = ("text", "places", "best_hand", "has_picture", "picture", "remove_picture")
        extra_kwargs: ClassVar[Any] = {
            "text": {"default": ""},
            "places": {"default": 3},
            "best_hand": {"default": True},
        }


class Certificates(SettingsEndpoint):
    """Who gets a certificate, and the organiser's text and picture on it."""

    serializer_class = CertificatesSerializer
    read_right = Right.ORGANISE

    def get_object(self, tournament: Tournament) -> CertificateDesign:
        return design_of(tournament)

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        sent, removes = data.pop("picture", None), data.pop("remove_picture")
        picture = None if sent is None else file_from(sent, "picture")
        set_certificates(fill(design_of(tournament), data), self.actor, picture=picture, removes=removes)


class Documents(Endpoint):
    @extend_schema(responses=DocumentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(DocumentSerializer, self.organised(slug).documents.all())

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
