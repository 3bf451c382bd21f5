"""Check-in over the wire: who is there, who is missing, and what becomes of them."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access.rights import Right
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.play.api.requests import numbers_field
from tournament.players.selectors.check_in import Desk, check_in_desk, check_in_of
from tournament.players.services.check_in import (
    check_in,
    check_in_several,
    restart_check_in,
    set_check_in,
    take_check_in_back,
)
from tournament.players.services.missing import readmit_missing, withdraw_missing
from tournament.web.api.base import Endpoint


class NumbersRequest(serializers.Serializer[Any]):
    players = numbers_field(help_text="Players, by number.")


class CheckInRequest(serializers.Serializer[Any]):
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="Null: a quarter of an hour before the first session."
    )
    by_themselves = serializers.BooleanField(help_text="With the code that a screen at the door shows.")


class CheckInState(serializers.Serializer[Any]):
    """`missing`: who is expected and not there; a substitute is not expected."""

    ends_at = serializers.DateTimeField(allow_null=True)
    by_themselves = serializers.BooleanField()
    here = numbers_field()
    missing = numbers_field()


class _AtTheDesk(Endpoint):
    permission_classes = (IsAuthenticated,)

    def admitted(self, slug: str) -> Tournament:
        """One at whose desk the asker sits."""
        tournament = self.tournament(slug)
        access.require(self.actor, tournament, Right.ADMIT)
        return tournament

    def state(self, tournament: Tournament) -> Response:
        desk: Desk = check_in_desk(tournament, "all")
        facts = {
            "ends_at": desk.ends_at,
            "by_themselves": check_in_of(tournament).by_themselves,
            "here": [line.player.number for line in desk.lines if line.is_here],
            "missing": [
                line.player.number for line in desk.lines if not (line.is_here or line.player.is_substitute)
            ],
        }
        return Response(CheckInState(facts).data)

    def player(self, tournament: Tournament, number: int) -> Player:
        found = tournament.players.select_related("tournament").filter(number=number).first()
        if found is None:
            raise Http404
        return found


class TheCheckIn(_AtTheDesk):
    """Who is there. POST checks several in, PUT says until when and how, DELETE begins anew."""

    @extend_schema(operation_id="check_in", responses=CheckInState)
    def get(self, request: Request, slug: str) -> Response:
        return self.state(self.admitted(slug))

    @extend_schema(operation_id="check_in_several", request=NumbersRequest, responses=CheckInState)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.admitted(slug)
        check_in_several(tournament, self.actor, self.body(NumbersRequest).validated_data["players"])
        return self.state(tournament)

    @extend_schema(operation_id="check_in_set", request=CheckInRequest, responses=CheckInState)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        set_check_in(tournament, self.actor, **self.body(CheckInRequest).validated_data)
        return self.state(tournament)

    @extend_schema(operation_id="check_in_restart", responses={200: CheckInState})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        restart_check_in(tournament, self.actor)
        return self.state(tournament)


class OneCheckIn(_AtTheDesk):
    """PUT: the player is there. DELETE: not after all. Twice is once."""

    @extend_schema(operation_id="check_in_player", request=None, responses=CheckInState)
    def put(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.admitted(slug)
        check_in(self.player(tournament, number), self.actor)
        return self.state(tournament)

    @extend_schema(operation_id="check_in_player_back", responses={200: CheckInState})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.admitted(slug)
        take_check_in_back(self.player(tournament, number), self.actor)
        return self.state(tournament)


class TheMissing(_AtTheDesk):
    """POST withdraws players who have not come, DELETE lets those of the newest such step play after all."""

    @extend_schema(operation_id="missing_withdraw", request=NumbersRequest, responses=CheckInState)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        withdraw_missing(tournament, self.actor, self.body(NumbersRequest).validated_data["players"])
        return self.state(tournament)

    @extend_schema(operation_id="missing_readmit", responses={200: CheckInState})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        readmit_missing(tournament, self.actor)
        return self.state(tournament)
