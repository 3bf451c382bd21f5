"""Documents made from an event, and what its certificates say."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.errors import refuse
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.requests import own_address
from tournament.documents.selectors import Wording, design_of
from tournament.documents.services import MOST_PLACES, request_document, set_certificates
from tournament.web.api.base import Endpoint


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
    has_picture = serializers.BooleanField(read_only=True)
    picture = serializers.CharField(
        required=False,
        write_only=True,
        help_text="PNG, JPEG or WebP in Base64; left out, the one there is stays.",
    )
    remove_picture = serializers.BooleanField(required=False, write_only=True, default=False)


class Certificates(Endpoint):
    """For whom there are certificates, and the organiser's own words on them."""

    @extend_schema(responses=CertificatesSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return _design_answer(design_of(self.organised(slug)))

    @extend_schema(request=CertificatesSerializer, responses=CertificatesSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        sent = self.body(CertificatesSerializer).validated_data
        wording = Wording(sent["text"], sent["places"], sent["best_hand"])
        picture = _picture_from(sent["picture"]) if "picture" in sent else None
        return _design_answer(
            set_certificates(tournament, self.actor, wording, picture=picture, removes=sent["remove_picture"])
        )


def _picture_from(picture: str) -> bytes:
    try:
        return b64decode(picture, validate=True)
    except (binascii.Error, ValueError):
        raise refuse("file_unreadable", "picture") from None


def _design_answer(design: CertificateDesign) -> Response:
    now = {name: getattr(design, name) for name in ("text", "places", "best_hand")}
    return Response(CertificatesSerializer(now | {"has_picture": bool(design.file)}).data)


class Documents(Endpoint):
    @extend_schema(responses=DocumentSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        return Response(DocumentSerializer(tournament.documents.all(), many=True).data)

    @extend_schema(request=DocumentSerializer, responses={202: DocumentSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        data = self.body(DocumentSerializer).validated_data
        job = request_document(tournament, self.actor, site=f"{own_address(request)}/", **data)
        return Response(DocumentSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class DocumentFile(Endpoint):
    @extend_schema(
        responses={
            (200, "application/pdf"): OpenApiTypes.BINARY,
            (200, "application/zip"): OpenApiTypes.BINARY,
        }
    )
    def get(self, request: Request, slug: str, job: int) -> FileResponse:
        tournament = self.tournament(slug)
        access.require_organiser(self.actor, tournament)
        document = tournament.documents.filter(pk=job, state=DocumentJob.State.DONE).first()
        if document is None:
            raise Http404
        return FileResponse(document.file.open("rb"), content_type=document.content_type)
