"""What the certificates of an event say, and the picture behind them."""

from __future__ import annotations

import binascii
from base64 import b64decode
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.errors import refuse
from tournament.base.models.documents import CertificateDesign
from tournament.documents.selectors import Wording, design_of
from tournament.documents.services import MOST_PLACES, set_certificates
from tournament.web.api.base import Endpoint


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
        return _answer(design_of(self.organised(slug)))

    @extend_schema(request=CertificatesSerializer, responses=CertificatesSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        sent = self.body(CertificatesSerializer).validated_data
        said = Wording(sent["text"], sent["places"], sent["best_hand"])
        picture = _decoded(sent["picture"]) if "picture" in sent else None
        return _answer(
            set_certificates(tournament, self.actor, said, picture=picture, removes=sent["remove_picture"])
        )


def _decoded(picture: str) -> bytes:
    try:
        return b64decode(picture, validate=True)
    except (binascii.Error, ValueError):
        raise refuse("file_unreadable", "picture") from None


def _answer(design: CertificateDesign) -> Response:
    now = {name: getattr(design, name) for name in ("text", "places", "best_hand")}
    return Response(CertificatesSerializer(now | {"has_picture": bool(design.file)}).data)
