"""Photographs of disputed hands over the API."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.play.api.tables import AtTable
from tournament.play.models import HandPhoto
from tournament.play.selectors.photos import require_viewer
from tournament.play.services.photos import add_photo, delete_photo
from tournament.web.api.base import ModelSerializer
from tournament.web.uploads import MAX_PICTURE_BYTES, file_from, uploaded_file_response


class PhotoSerializer(ModelSerializer[HandPhoto]):
    class Meta:
        model = HandPhoto
        fields = ("uuid", "added_at")


class PhotoRequest(ModelSerializer[HandPhoto]):
    uuid = serializers.UUIDField(help_text="Chosen by the client; the same UUID is the same photograph.")
    file = serializers.CharField(
        max_length=MAX_PICTURE_BYTES * 2, help_text="A PNG, JPEG or WebP file, in Base64."
    )

    class Meta:
        model = HandPhoto
        fields = ("uuid", "file")


class Photos(AtTable):
    """The photographs of a disputed hand, for its umpires and organisers."""

    @extend_schema(responses=PhotoSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.table(slug, session, number)
        require_viewer(self.actor, table)
        return self.list_response(PhotoSerializer, table.photos.filter(hand_number=hand))

    @extend_schema(operation_id="photo_create", request=PhotoRequest, responses={201: PhotoSerializer})
    def post(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.umpired(slug, session, number)
        data = self.body(PhotoRequest).validated_data
        content = file_from(data["file"], "file")
        photo = add_photo(table, self.actor, hand, content, uuid=data["uuid"])
        return Response(PhotoSerializer(photo).data, status=status.HTTP_201_CREATED)


class OnePhoto(AtTable):
    """The picture itself; DELETE deletes it."""

    def _photo(self, slug: str, session: int, number: int, hand: int, uuid: UUID) -> HandPhoto:
        table = self.table(slug, session, number)
        require_viewer(self.actor, table)
        return get_object_or_404(
            HandPhoto.objects.select_related("table__session__tournament"),
            table=table,
            hand_number=hand,
            uuid=uuid,
        )

    @extend_schema(responses={(200, "image/jpeg"): OpenApiTypes.BINARY})
    def get(
        self, request: Request, slug: str, session: int, number: int, hand: int, uuid: UUID
    ) -> HttpResponse:
        response = uploaded_file_response(self._photo(slug, session, number, hand, uuid), "image/jpeg")
        response["Cache-Control"] = "private, no-store"
        return response

    @extend_schema(operation_id="photo_delete", responses={204: None})
    def delete(
        self, request: Request, slug: str, session: int, number: int, hand: int, uuid: UUID
    ) -> Response:
        delete_photo(self._photo(slug, session, number, hand, uuid), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)
