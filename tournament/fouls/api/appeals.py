"""Appeals at a table over the API: opened, ruled by an umpire or a committee, closed without a change."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right
from tournament.base.errors import refuse
from tournament.base.models.play import Appeal
from tournament.fouls.selectors import require_ruling_on
from tournament.fouls.services.appeals import (
    LONGEST_TEXT,
    name_committee,
    open_appeal,
    rule_appeal,
    waive_ruling,
)
from tournament.play.api.facts import Whole, WholeOrNot
from tournament.play.api.tables import AtTable
from tournament.play.engine.statements import Objection
from tournament.web.api.base import Remark


class AppealSerializer(serializers.ModelSerializer[Appeal]):
    """Against hand `hand_number`, or against `penalty`; against the whole sheet when both are null.

    `open` until it is dismissed, or granted and then carried out or waived (`settled_as`).
    """

    player = serializers.IntegerField(source="player.number")
    penalty = serializers.UUIDField(source="penalty.uuid", default=None, allow_null=True)
    open = serializers.BooleanField(source="is_open")
    committee: Any = serializers.SlugRelatedField(slug_field="username", many=True, read_only=True)

    class Meta:
        model = Appeal
        fields = (
            "uuid", "player", "hand_number", "penalty", "text", "opened_at", "open", "granted", "ruling", "ruled_at",
            "alone_because", "settled_as", "settled_at", "settled_because",
            "committee",
        )  # fmt: skip


class AppealRequest(serializers.Serializer[Any]):
    uuid = serializers.UUIDField()
    player = Whole(help_text="Who appeals.")
    hand_number = WholeOrNot()
    penalty = serializers.UUIDField(required=False, allow_null=True, default=None)
    text = serializers.CharField(allow_blank=True, max_length=LONGEST_TEXT)


class RulingRequest(serializers.Serializer[Any]):
    granted = serializers.BooleanField()
    ruling = serializers.CharField(allow_blank=True, max_length=LONGEST_TEXT)
    alone = Remark(help_text="Why nobody else can rule, where an organiser rules on a decision of their own.")


class CommitteeRequest(serializers.Serializer[Any]):
    members = serializers.ListField(
        child=serializers.CharField(max_length=150),
        max_length=10,
        help_text="The names that three accounts sign in with; none: no committee.",
    )


class WaiverRequest(serializers.Serializer[Any]):
    because = serializers.CharField(allow_blank=True, max_length=300)


class Appeals(AtTable):
    """Every appeal at the table, for its umpires; POST opens one. The same uuid twice is the same appeal."""

    @extend_schema(operation_id="appeals", responses=AppealSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        appeals = table.appeals.select_related("player", "penalty")
        return Response(AppealSerializer(appeals, many=True).data)

    @extend_schema(operation_id="appeal_open", request=AppealRequest, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        data = dict(self.body(AppealRequest).validated_data)
        uuid = data.pop("uuid")
        appeal = open_appeal(table, self.actor, Objection(**data), uuid=uuid)
        return self.done(status.HTTP_201_CREATED, lambda: {"appeal": AppealSerializer(appeal).data})


class _OneAppeal(AtTable):
    def appeal_or_404(self, slug: str, session: int, number: int, uuid: UUID) -> Appeal:
        table = self.umpired(slug, session, number)
        appeal = table.appeals.select_related("table__session__tournament").filter(uuid=uuid).first()
        if appeal is None:
            raise Http404
        return appeal

    def appeal_to_rule_on(self, slug: str, session: int, number: int, uuid: UUID) -> Appeal:
        """Find an appeal that the asker may rule on."""
        appeal = self.appeal_or_404(slug, session, number, uuid)
        require_ruling_on(self.actor, appeal)
        return appeal


class Ruling(_OneAppeal):
    """POST rules on it: not who took the decision, unless the organiser says why there is nobody else."""

    @extend_schema(operation_id="appeal_rule", request=RulingRequest, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, appeal: UUID) -> Response:
        unruled = self.appeal_to_rule_on(slug, session, number, appeal)
        ruled = rule_appeal(unruled, self.actor, **self.body(RulingRequest).validated_data)
        return self.done(written=lambda: {"appeal": AppealSerializer(ruled).data})


class Waiver(_OneAppeal):
    """POST closes a granted one without a correction. Correcting its hand or cancelling its penalty carries it out."""

    @extend_schema(operation_id="appeal_waive", request=WaiverRequest, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, appeal: UUID) -> Response:
        granted = self.appeal_to_rule_on(slug, session, number, appeal)
        waived = waive_ruling(granted, self.actor, **self.body(WaiverRequest).validated_data)
        return self.done(written=lambda: {"appeal": AppealSerializer(waived).data})


class Committee(_OneAppeal):
    """PUT names the committee that rules on it: the chief umpire and two who did not take the decision."""

    @extend_schema(operation_id="appeal_committee", request=CommitteeRequest, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request, slug: str, session: int, number: int, appeal: UUID) -> Response:
        unruled = self.appeal_or_404(slug, session, number, appeal)
        access.require(self.actor, unruled.table.session.tournament, Right.RULE)
        names = self.body(CommitteeRequest).validated_data["members"]
        members = list(User.objects.filter(username__in=names))
        if unknown := sorted({*names} - {user.username for user in members}):
            raise refuse("no_such_account", "members", username=unknown[0])
        named = name_committee(unruled, self.actor, members)
        return self.done(written=lambda: {"appeal": AppealSerializer(named).data})
