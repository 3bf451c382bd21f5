"""What is told about an event before it begins, read by anybody, and the files on its page."""

from __future__ import annotations

import binascii
from base64 import b64decode
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.errors import refuse
from tournament.base.models.tournament import Tournament
from tournament.events.models.event_page import EventDocument
from tournament.events.selectors.event_page import EventWords, coming, words_of
from tournament.events.services.event_page import (
    MOST_BYTES,
    add_event_document,
    remove_event_document,
    set_event_page,
)
from tournament.web.api.base import Endpoint


def _texts(help_text: str) -> serializers.DictField:
    return serializers.DictField(
        child=serializers.CharField(allow_blank=True), required=False, default=dict, help_text=help_text
    )


def _line(help_text: str = "") -> serializers.CharField:
    return serializers.CharField(required=False, allow_blank=True, default="", help_text=help_text)


class EventPageRequest(serializers.Serializer[Any]):
    """All that the page says: what is left out is said no more."""

    description = _texts("Language → Markdown.")
    fee = _texts("Language → text.")
    rules_note = _texts("Language → Markdown.")
    address = _line()
    country = _line("ISO 3166 alpha-3, or empty.")
    map_url = _line()
    website = _line()
    referees = _line()
    contact = _line("Shown to everybody.")
    mers = _line("ranked, championship, or empty where the European ranking does not count it.")
    seen = _line("As it was read: refused when the page says something else by now.")


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
        max_length=MOST_BYTES * 2, help_text="A PDF, PNG, JPEG or WebP file, in Base64."
    )


class TheEventPage(Endpoint):
    """What the organiser tells about the event."""

    @extend_schema(responses=EventPageSerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._answer(self.tournament(slug))

    @extend_schema(request=EventPageRequest, responses=EventPageSerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        said = dict(self.body(EventPageRequest).validated_data)
        seen = said.pop("seen")
        set_event_page(tournament, self.actor, EventWords(**said), seen=seen)
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
        found = self.organised(slug).event_documents.filter(uuid=uuid).first()
        if found is None:
            raise Http404
        remove_event_document(found, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)
