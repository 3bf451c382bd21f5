"""API endpoints of appeals, and penalties and appeals in the state of a table."""

from collections.abc import Sequence
from typing import Any, TypedDict
from uuid import UUID

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from penalties.engine import RepeatScope, Sanction
from penalties.models import Penalty
from penalties.texts import foul_name_in, sanction_text
from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.log import name_of
from tournament.base.models.play import Appeal, Session, Table
from tournament.base.problems import NO_SUCH_ACCOUNT
from tournament.fouls.selectors import require_can_rule_on
from tournament.fouls.services.appeals import name_committee, open_appeal, rule_appeal, waive_ruling
from tournament.play.api.answers import TableAnswer
from tournament.play.api.facts import Whole, WholeOrNot, url_of
from tournament.play.api.tables import AtTable
from tournament.play.selectors.clock import appeals_until, is_final
from tournament.play.selectors.tables import UNDO_WITHIN, can_undo_penalty
from tournament.web.api.base import Remark
from tournament.web.texts.words import time_of_day


class AppealSerializer(serializers.ModelSerializer[Appeal]):
    """An appeal against hand `hand_number`, against `penalty`, or, if both are null, against the whole sheet.

    It is `open` until it is dismissed, or granted and then carried out or waived (`settled_as`).
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
    text = serializers.CharField(allow_blank=True, max_length=Appeal.text.field.max_length)


class RulingRequest(serializers.Serializer[Any]):
    granted = serializers.BooleanField()
    ruling = serializers.CharField(allow_blank=True, max_length=Appeal.ruling.field.max_length)
    alone = Remark(
        max_length=Appeal.alone_because.field.max_length,
        help_text="Why nobody else can rule, if an organiser rules on a decision of their own.",
    )


class CommitteeRequest(serializers.Serializer[Any]):
    members = serializers.ListField(
        child=serializers.CharField(max_length=150),
        max_length=10,
        help_text="The usernames of three accounts; empty for no committee.",
    )


class WaiverRequest(serializers.Serializer[Any]):
    because = serializers.CharField(allow_blank=True, max_length=Appeal.settled_because.field.max_length)


class AppealAnswer(TableAnswer):
    appeal = AppealSerializer(required=False)


class Appeals(AtTable):
    """GET lists the appeals at the table, for its umpires. POST opens one; idempotent for the same uuid."""

    @extend_schema(responses=AppealSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        return self.list_response(AppealSerializer, table.appeals.select_related("player", "penalty"))

    @extend_schema(request=AppealRequest, responses={201: AppealAnswer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        data = self.body(AppealRequest).validated_data
        appeal = open_appeal(table, self.actor, **data)
        return self.done(status.HTTP_201_CREATED, lambda: {"appeal": AppealSerializer(appeal).data})


class _AppealEndpoint(AtTable):
    def appeal_or_404(self, slug: str, session: int, number: int, appeal: UUID) -> Appeal:
        table = self.umpired(slug, session, number)
        return get_object_or_404(table.appeals.select_related("table__session__tournament"), uuid=appeal)

    def appeal_response(self, appeal: Appeal) -> Response:
        return self.done(written=lambda: {"appeal": AppealSerializer(appeal).data})


class Ruling(_AppealEndpoint):
    """POST rules on the appeal. Who took the decision may not, except an organiser who says why nobody else can."""

    @extend_schema(request=RulingRequest, responses=AppealAnswer)
    def post(self, request: Request, **where: Any) -> Response:
        unruled = self.appeal_or_404(**where)
        require_can_rule_on(self.actor, unruled)
        return self.appeal_response(
            rule_appeal(unruled, self.actor, **self.body(RulingRequest).validated_data)
        )


class Waiver(_AppealEndpoint):
    """POST closes a granted appeal without a change. Correcting its hand or cancelling its penalty carries it out."""

    @extend_schema(request=WaiverRequest, responses=AppealAnswer)
    def post(self, request: Request, **where: Any) -> Response:
        granted = self.appeal_or_404(**where)
        require_can_rule_on(self.actor, granted)
        return self.appeal_response(
            waive_ruling(granted, self.actor, **self.body(WaiverRequest).validated_data)
        )


class Committee(_AppealEndpoint):
    """PUT names the committee that rules on the appeal: the chief umpire and two who did not take the decision."""

    @extend_schema(request=CommitteeRequest, responses=AppealAnswer)
    def put(self, request: Request, **where: Any) -> Response:
        unruled = self.appeal_or_404(**where)
        access.require(self.actor, unruled.table.session.tournament, Right.RULE)
        names = self.body(CommitteeRequest).validated_data["members"]
        members = list(User.objects.filter(username__in=names))
        if unknown := sorted({*names} - {user.username for user in members}):
            raise Refused(NO_SUCH_ACCOUNT("members", username=unknown[0]))
        return self.appeal_response(name_committee(unruled, self.actor, members))


class UndoUntil(TypedDict):
    url: str
    until: str


class PenaltyState(TypedDict):
    """A penalty for the desk, as text. `undo`: where and until when this user can undo it.

    `effects`: points by player. `unpaid`: points paid to nobody. `instead_of`: the foul book's proposal.
    """

    url: str
    uuid: str
    player: int
    name: str
    key: str
    foul: str
    sanction: str
    hand: int | None
    effects: dict[str, int]
    unpaid: int
    instead_of: str
    because: str
    note: str
    by: str
    at: str
    undo: UndoUntil | None
    cancelled: bool
    cancelled_by: str
    cancelled_because: str


class AppealState(TypedDict):
    """An appeal for the desk. `state`: open, pending, carried_out, waived or dismissed."""

    uuid: str
    name: str
    hand: int | None
    penalty: str | None
    text: str
    at: str
    by: str
    open: bool
    state: str
    ruling: str
    settled_because: str


class FoulsAtTable(TypedDict):
    """Penalties, cancelled ones included, and appeals.

    `fouled_elsewhere`: by player, [foul, hand, session] of their penalties at other tables, for a desk that is
    offline; empty if the book has no foul whose repeats count in the whole tournament.
    """

    penalties: list[PenaltyState]
    appeals: list[AppealState]
    may_appeal: bool
    appeals_until: str
    is_final: bool
    appeals_at_once: bool
    fouled_elsewhere: dict[int, list[list[str | int | None]]]


def fouls_at(
    table: Table, penalties: Sequence[Penalty], appeals: Sequence[Appeal], actor: Actor
) -> FoulsAtTable:
    """Return the penalties and appeals of a table for the desk."""
    session = table.session
    until, final = appeals_until(session), is_final(session)
    return {
        "penalties": [_penalty(penalty, table, actor) for penalty in penalties],
        "appeals": [_appeal(appeal) for appeal in appeals],
        "may_appeal": session.state != Session.State.PLANNED and not final,
        "appeals_until": time_of_day(until) if until and not final else "",
        "is_final": final,
        "appeals_at_once": not session.tournament.appeal_minutes,
        "fouled_elsewhere": _fouled_elsewhere(table),
    }


def _fouled_elsewhere(table: Table) -> dict[int, list[list[str | int | None]]]:
    book = table.session.tournament.rules.fouls
    if not any(foul.repeats is RepeatScope.TOURNAMENT for foul in book.fouls):
        return {}
    fouls: dict[int, list[list[str | int | None]]] = {}
    standing = Penalty.objects.filter(player__seats__table=table, cancelled_at=None).exclude(table=table)
    rows = standing.values_list("player__number", "foul", "hand_number", "table__session__number")
    for player, *foul in rows:
        fouls.setdefault(player, []).append(foul)
    return fouls


def _penalty(penalty: Penalty, table: Table, actor: Actor) -> PenaltyState:
    paid_to_nobody = -sum(penalty.effects_at_table.values())
    return {
        "url": url_of("api_penalty", table, uuid=penalty.uuid),
        "uuid": str(penalty.uuid),
        "player": penalty.player.number,
        "name": penalty.player.name,
        "key": penalty.foul,
        "foul": foul_name_in(table.session.tournament.rules.fouls, penalty.foul),
        "sanction": sanction_text(Sanction.from_json(penalty.sanction)),
        "hand": penalty.hand_number,
        "effects": penalty.effects,
        "unpaid": 0 if penalty.is_cancelled else paid_to_nobody,
        "instead_of": sanction_text(Sanction.from_json(penalty.proposed)) if penalty.proposed else "",
        "because": penalty.because,
        "note": penalty.note,
        "by": name_of(penalty.given_by),
        "at": time_of_day(penalty.given_at),
        "undo": _undo(penalty, table) if can_undo_penalty(penalty, actor) else None,
        "cancelled": penalty.is_cancelled,
        "cancelled_by": name_of(penalty.cancelled_by),
        "cancelled_because": penalty.cancelled_because,
    }


def _undo(penalty: Penalty, table: Table) -> UndoUntil:
    until = penalty.given_at + UNDO_WITHIN
    return {"url": url_of("api_penalty_undo", table, uuid=penalty.uuid), "until": until.isoformat()}


def _appeal(appeal: Appeal) -> AppealState:
    return {
        "uuid": str(appeal.uuid),
        "name": appeal.player.name,
        "hand": appeal.hand_number,
        "penalty": str(appeal.penalty.uuid) if appeal.penalty else None,
        "text": appeal.text,
        "at": time_of_day(appeal.opened_at),
        "by": name_of(appeal.opened_by),
        "open": appeal.is_open,
        "state": _state(appeal),
        "ruling": appeal.ruling,
        "settled_because": appeal.settled_because,
    }


def _state(appeal: Appeal) -> str:
    if not appeal.is_ruled:
        return "open"
    if not appeal.granted:
        return "dismissed"
    return "pending" if appeal.is_pending else appeal.settled_as
