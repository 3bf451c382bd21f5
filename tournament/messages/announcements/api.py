"""The API of announcements."""

from typing import Any, ClassVar, TypedDict
from uuid import UUID

from django.http import Http404
from django.utils.text import capfirst
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right
from tournament.base.models.play import Table
from tournament.messages.announcements.models import MAX_LENGTH, MAX_MINUTES, Announcement
from tournament.messages.announcements.selectors import (
    active_announcements,
    all_announcements,
    announcements_for_tables,
)
from tournament.messages.announcements.services import announce, cancel_announcement
from tournament.web.api.base import Endpoint, ModelSerializer
from tournament.web.texts.log import tables_text
from tournament.web.texts.words import time_of_day


class AnnouncementSerializer(ModelSerializer[Announcement]):
    """`tables`: numbers of tables in `session`, empty for everybody. `translations`: language → the text in it."""

    translations = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=MAX_LENGTH),
        required=False,
        help_text="Language (en, zh-hans, zh-hant) → the text in it.",
    )
    tables = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        max_length=2000,
        help_text="Numbers of tables in the running session, or the next. Omitted: everybody.",
    )
    minutes = serializers.IntegerField(
        write_only=True,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=MAX_MINUTES,
        help_text="Omitted: until it is withdrawn.",
    )

    class Meta:
        model = Announcement
        read_only_fields = ("session", "made_at", "ends_at", "cancelled_at")
        fields = ("uuid", "text", "translations", "tables", "minutes", *read_only_fields)
        extra_kwargs: ClassVar[Any] = {"uuid": {"required": True}}


class Announcements(Endpoint):
    """The active announcements; POST adds one."""

    @extend_schema(responses=AnnouncementSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(AnnouncementSerializer, active_announcements(self.tournament(slug)))

    @extend_schema(request=AnnouncementSerializer, responses={201: AnnouncementSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.SHOW)
        data = dict(self.body(AnnouncementSerializer).validated_data)
        minutes = data.pop("minutes")
        announcement = announce(Announcement(tournament=tournament, **data), self.actor, minutes=minutes)
        return Response(AnnouncementSerializer(announcement).data, status=status.HTTP_201_CREATED)


class AnnouncementDetail(Endpoint):
    """DELETE withdraws the announcement; it stays in the log."""

    @extend_schema(operation_id="announcement_cancel", responses={200: AnnouncementSerializer})
    def delete(self, request: Request, slug: str, uuid: UUID) -> Response:
        tournament = self.tournament(slug)
        announcement = all_announcements(tournament).select_related("tournament").filter(uuid=uuid).first()
        if announcement is None:
            access.require(self.actor, tournament, Right.SHOW)
            raise Http404
        return Response(AnnouncementSerializer(cancel_announcement(announcement, self.actor)).data)


class AnnouncementState(TypedDict):
    uuid: str
    text: str
    language: str
    tables: str
    at: str
    ends: str


class AnnouncementsAtTable(TypedDict):
    """The active announcements at a table, newest first."""

    announcements: list[AnnouncementState]


def announcements_at(table: Table, *_: object) -> AnnouncementsAtTable:
    """Return the active announcements to everybody and to this table."""
    session, language = table.session, get_language() or ""
    rows: list[AnnouncementState] = [
        {
            "uuid": str(announcement.uuid),
            "text": announcement.text_in(language),
            "language": language if language in announcement.translations else "",
            "tables": capfirst(tables_text(announcement.tables)) if announcement.tables else "",
            "at": time_of_day(announcement.made_at),
            "ends": announcement.ends_at.isoformat() if announcement.ends_at else "",
        }
        for announcement in announcements_for_tables(session.tournament, [(session.number, table.number)])
    ]
    return {"announcements": rows}
