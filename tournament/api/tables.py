"""A table: its state, its hands, its penalties. What the umpire's desk writes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament import access
from tournament.access import Audience
from tournament.api.base import Endpoint
from tournament.api.fields import HandSerializer, PenaltySerializer
from tournament.api.requests import (
    Cancellation,
    HandCorrection,
    HandPreview,
    HandWrite,
    PenaltyWrite,
    TableWrite,
)
from tournament.display.effects import effect_as_json
from tournament.models import Hand, Table
from tournament.selectors.absences import empty_seats
from tournament.selectors.effect import effect_of
from tournament.selectors.embargo import versions_of
from tournament.selectors.tables import newest_version, table_now
from tournament.services.hands import correct_hand, judge_at, record_hand, undo_hand
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.tables import current_hand, hand_in, reopen
from tournament.words.differences import differences_of
from tournament.words.problems import sentence


class OneTable(Endpoint):
    """Who sits where in the coming hand, the running scores, what is recorded."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        return Response(as_json(table, self.audience(table.session.tournament)))


class Hands(Endpoint):
    """The recorded hands; POST records the next one. The same uuid twice is the same hand."""

    @extend_schema(responses=HandSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        return Response(HandSerializer(table_now(table, self.told(table)).hands, many=True).data)

    @extend_schema(request=HandWrite, responses={201: HandSerializer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        body = self.body(HandWrite)
        data = body.validated_data
        hand = record_hand(
            table,
            self.actor,
            body.entry(),
            number=data["number"],
            uuid=data["uuid"],
            expected_version=data["table_version"],
        )
        return Response(HandSerializer(hand).data, status=status.HTTP_201_CREATED)


class OneHand(Endpoint):
    """All versions of a hand, newest first; PUT corrects it."""

    @extend_schema(operation_id="hand_versions", responses=HandSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.table(slug, session, number)
        return Response(HandSerializer(versions_of(self.told(table), table, hand), many=True).data)

    @extend_schema(request=HandCorrection, responses=HandSerializer)
    def put(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        recorded = _recorded(table, hand)
        body = self.body(HandCorrection)
        data = body.validated_data
        corrected = correct_hand(
            recorded,
            self.actor,
            body.entry(),
            reason=data["reason"],
            uuid=data["uuid"],
            expected_version=data["table_version"],
        )
        return Response(HandSerializer(corrected).data)


class UndoHand(Endpoint):
    """Takes back the hand just recorded: within a minute, by who recorded it."""

    @extend_schema(operation_id="hand_undo", request=TableWrite, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        last = _recorded(table, hand)
        version = self.body(TableWrite).validated_data["table_version"]
        undo_hand(last, self.actor, expected_version=version)
        return Response(as_json(self.table(slug, session, number), Audience.STAFF))


class Preview(Endpoint):
    """What a hand would score and who would pay, and what its correction would change; stores nothing."""

    @extend_schema(request=HandPreview, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        body = self.body(HandPreview)
        hand, entry = body.validated_data["number"], body.entry()
        verdict = judge_at(table, hand, entry)
        score = verdict.score
        is_correction = verdict.is_legal and current_hand(table, hand) is not None
        return Response(
            {
                "legal": verdict.is_legal,
                "problems": [
                    {"code": problem.code, "where": problem.where, "message": sentence(problem)}
                    for problem in verdict.problems
                ],
                "points": verdict.points if verdict.is_legal else score.points if score else None,
                "fans": [
                    {"key": fan.key, "points": worth, "count": times} for fan, times, worth in verdict.fans
                ],
                "payments": verdict.payments,
                "agrees": verdict.agrees,
                "overridden": verdict.overridden,
                "differences": differences_of(verdict),
                "effect": effect_as_json(
                    effect_of(table, self.audience(table.session.tournament), hand, entry, verdict)
                )
                if is_correction
                else None,
            }
        )


class Penalties(Endpoint):
    """The table's penalties, the cancelled ones too, for whoever may see them; POST gives one."""

    @extend_schema(responses=PenaltySerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        if not access.can_see_penalties(self.actor, table.session.tournament):
            raise Http404
        self.told(table)
        given = table.penalties.select_related("player", "victim")
        return Response(PenaltySerializer(given, many=True).data)

    @extend_schema(request=PenaltyWrite, responses={201: PenaltySerializer})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        body = self.body(PenaltyWrite)
        data = body.validated_data
        penalty = give_penalty(
            table, self.actor, body.stated(), uuid=data["uuid"], expected_version=data["table_version"]
        )
        return Response(PenaltySerializer(penalty).data, status=status.HTTP_201_CREATED)


class CancelPenalty(Endpoint):
    @extend_schema(request=Cancellation, responses=PenaltySerializer)
    def post(self, request: Request, slug: str, session: int, number: int, uuid: UUID) -> Response:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        penalty = table.penalties.filter(uuid=uuid).first()
        if penalty is None:
            raise Http404
        data = self.body(Cancellation).validated_data
        cancelled = cancel_penalty(
            penalty, self.actor, reason=data["reason"], expected_version=data["table_version"]
        )
        return Response(PenaltySerializer(cancelled).data)


class TableStep(Endpoint):
    """POST hands the table's sheet in (`hand-in`), or takes it back (`reopen`)."""

    steps = {"hand-in": hand_in, "reopen": reopen}

    @extend_schema(operation_id="table_step", request=TableWrite, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int, step: str) -> Response:
        table = self.table(slug, session, number)
        access.require_umpire(self.actor, table)
        version = self.body(TableWrite).validated_data["table_version"]
        table = self.steps[step](table, self.actor, expected_version=version)
        return Response(as_json(table, Audience.STAFF))


def _recorded(table: Table, number: int) -> Hand:
    """The hand as it was last written; where it was taken back since, the services say so."""
    hand = newest_version(table, number)
    if hand is None:
        raise Http404
    return hand


def as_json(table: Table, audience: Audience) -> dict[str, Any]:
    """{"version", "hand_number", "prevalent_wind", "seats": [{"wind", "player", "score", …}], …}

    Scores are null where the audience is not told of them, `hand_number` where no hand follows.
    """
    now, empty = table_now(table, audience), empty_seats(table)
    return {
        "session": table.session.number,
        "number": table.number,
        "version": table.version,
        "hands_played": table.hands_played,
        "is_in": table.is_in,
        "hand_number": None if now.is_full or table.is_in else now.hand_number,
        "prevalent_wind": now.prevalent_wind,
        "hidden": table.session.hidden,
        "seats": [
            {
                "wind": seat.wind,
                "start_wind": seat.start_wind,
                "player": seat.player.number,
                "score": seat.score,
                "stand_in": seat.stand_in,
                "empty": seat.player.number in empty,
            }
            for seat in now.seats
        ],
        "paid_to_nobody": now.unpaid,
    }
