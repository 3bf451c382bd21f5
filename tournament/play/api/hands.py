"""Hands: what these tiles are worth, save, correct, take back."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.engine.problems import Problem
from tournament.base.engine.entry import HandEntry
from tournament.base.models.hands import Hand
from tournament.base.models.play import Table
from tournament.base.selectors.embargo import versions_of
from tournament.play.api.at_table import AtTable
from tournament.play.api.effects import effect_as_json
from tournament.play.api.facts import HandCorrection, HandPreview, HandWrite
from tournament.play.api.fields import HandSerializer
from tournament.play.engine.judge import Verdict
from tournament.play.engine.opinion import ahead, judged
from tournament.play.selectors.effect import effect_of
from tournament.play.selectors.records import current_hand, seats_of
from tournament.play.selectors.tables import newest_version, table_now
from tournament.play.selectors.verdicts import judge_at, says_more
from tournament.play.services.hands import correct_hand, record_hand, undo_hand
from tournament.web.texts.problems import sentence


class Hands(AtTable):
    """The recorded hands; POST records the next one. The same uuid twice is the same hand."""

    @extend_schema(responses=HandSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.table(slug, session, number)
        return Response(HandSerializer(table_now(table, self.told(table)).hands, many=True).data)

    @extend_schema(request=HandWrite, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(HandWrite)
        hand = record_hand(table, self.actor, body.entry(), **body.facts("number"))
        return self.done(status.HTTP_201_CREATED, lambda: _written(hand))


class OneHand(AtTable):
    """All versions of a hand, newest first; PUT corrects it, DELETE takes back the one just recorded.

    Taken back it is within a minute, by who recorded it.
    """

    @extend_schema(operation_id="hand_versions", responses=HandSerializer(many=True))
    def get(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.table(slug, session, number)
        return Response(HandSerializer(versions_of(self.told(table), table, hand), many=True).data)

    @extend_schema(request=HandCorrection, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(HandCorrection)
        corrected = correct_hand(_recorded(table, hand), self.actor, body.entry(), **body.facts("reason"))
        return self.done(written=lambda: _written(corrected))

    @extend_schema(operation_id="hand_undo", responses={200: OpenApiTypes.OBJECT})
    def delete(self, request: Request, slug: str, session: int, number: int, hand: int) -> Response:
        last = _recorded(self.umpired(slug, session, number), hand)
        undo_hand(last, self.actor, expected_version=self.seen_version())
        return self.done()


class Preview(AtTable):
    """What a hand would score and who would pay; stores nothing.

    Of a hand that is recorded it says what a correction would change (`effect`), of unfinished tiles what they can
    become (`outlook`), of announced fans those that no hand has beside each other (`struck`).
    """

    @extend_schema(request=HandPreview, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, slug: str, session: int, number: int) -> Response:
        table = self.umpired(slug, session, number)
        body = self.body(HandPreview)
        entry, hand = body.entry(), body.validated_data["number"]
        if entry.is_unfinished:
            found = ahead(table.session.tournament.rules, seats_of(table), hand, entry)
        else:
            found = self._judged(table, entry, hand)
        return Response(found | {"problems": [_said(one) for one in found["problems"]]})

    def _judged(self, table: Table, entry: HandEntry, number: int) -> dict[str, Any]:
        verdict, replaced = judge_at(table, number, entry), current_hand(table, number)
        return judged(verdict, entry, table.session.tournament.rules.scoring) | {
            "deepens": replaced is not None and says_more(replaced, entry, verdict),
            "effect": self._effect(table, number, entry, verdict) if replaced and verdict.is_legal else None,
        }

    def _effect(self, table: Table, number: int, entry: HandEntry, verdict: Verdict) -> dict[str, Any] | None:
        audience = self.audience(table.session.tournament)
        return effect_as_json(effect_of(table, audience, number, entry, verdict))


def _written(hand: Hand) -> dict[str, Any]:
    return {"hand": _AS_JSON.to_representation(hand)}


_AS_JSON = HandSerializer()
"""Made once: to find out what the fields of a hand are takes longer than to write them."""


def _said(problem: dict[str, Any]) -> dict[str, Any]:
    """A problem of the verdict with its sentence."""
    return problem | {"message": sentence(Problem(**problem))}


def _recorded(table: Table, number: int) -> Hand:
    """The hand as it was last written; where it was taken back since, the services say so."""
    hand = newest_version(table, number)
    if hand is None:
        raise Http404
    return hand
