"""The API of players: check-in, substitutes, and undoing an imported list."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.base.models.people import Exclusion, Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.players.models import CheckIn
from tournament.players.selectors.check_in import Desk, check_in_desk, check_in_of
from tournament.players.selectors.players import ListChange, list_step
from tournament.players.services.check_in import (
    check_in,
    check_in_several,
    readmit_missing,
    restart_check_in,
    set_check_in,
    undo_check_in,
    withdraw_missing,
)
from tournament.players.services.players import add_substitutes, undo_list
from tournament.web.api.base import Endpoint, ModelSerializer, numbers_field


class PlayerSerializer(ModelSerializer[Player]):
    """A player. Only types are checked here, since the service checks the values."""

    number = serializers.IntegerField(required=False, allow_null=True)
    country = serializers.CharField(required=False, allow_blank=True)
    ema_number = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(source="full_name", read_only=True)
    withdrawn = serializers.BooleanField(source="is_withdrawn", read_only=True)
    excluded_as = serializers.ChoiceField(
        ["", *Exclusion.values],
        read_only=True,
        help_text="The part of a penalty that excludes the player from further play.",
    )

    class Meta:
        model = Player
        fields = (
            "number",
            "first_name",
            "last_name",
            "name",
            "second_name",
            "family_name_first",
            "country",
            "ema_number",
            "team",
            "club",
            "is_substitute",
            "withdrawn",
            "excluded_as",
        )


class NewPlayerRequest(PlayerSerializer):
    """A player to enter. `is_another_person`: not the player or registration that is probably the same person."""

    is_another_person = serializers.BooleanField(default=False, write_only=True)

    class Meta(PlayerSerializer.Meta):
        fields = (*PlayerSerializer.Meta.fields, "is_another_person")  # type: ignore[assignment]


# --- Check-in ---


class NumbersRequest(serializers.Serializer[Any]):
    players = numbers_field(help_text="Numbers of players.")


class CheckInSerializer(ModelSerializer[CheckIn]):
    class Meta:
        model = CheckIn
        fields = ("ends_at", "self_check_in")


class CheckInState(serializers.Serializer[Any]):
    """`here`, `missing`: numbers of players; substitutes are never missing."""

    ends_at = serializers.DateTimeField(allow_null=True)
    self_check_in = serializers.BooleanField()
    here = numbers_field()
    missing = numbers_field()


class _DeskEndpoint(Endpoint):
    permission_classes = (IsAuthenticated,)

    def state(self, tournament: Tournament) -> Response:
        desk: Desk = check_in_desk(tournament, "all")
        facts = {
            "ends_at": desk.ends_at,
            "self_check_in": check_in_of(tournament).self_check_in,
            "here": [line.player.number for line in desk.lines if line.is_here],
            "missing": [
                line.player.number for line in desk.lines if not (line.is_here or line.player.is_substitute)
            ],
        }
        return Response(CheckInState(facts).data)

    def player(self, tournament: Tournament, number: int) -> Player:
        return get_object_or_404(tournament.players.select_related("tournament"), number=number)


class CheckInEndpoint(_DeskEndpoint):
    """The check-in. POST checks several players in, PUT sets when it ends and how, DELETE starts it again."""

    @extend_schema(responses=CheckInState)
    def get(self, request: Request, slug: str) -> Response:
        return self.state(self.allowed(slug, Right.ADMIT))

    @extend_schema(operation_id="check_ins_record", request=NumbersRequest, responses=CheckInState)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        check_in_several(tournament, self.actor, self.body(NumbersRequest).validated_data["players"])
        return self.state(tournament)

    @extend_schema(request=CheckInSerializer, responses=CheckInState)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        set_check_in(self.deserialize(CheckInSerializer, check_in_of(tournament)), self.actor)
        return self.state(tournament)

    @extend_schema(operation_id="check_in_restart", responses={200: CheckInState})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        restart_check_in(tournament, self.actor)
        return self.state(tournament)


class PlayerCheckIn(_DeskEndpoint):
    """PUT checks a player in, DELETE takes that back. Both are idempotent."""

    @extend_schema(operation_id="check_in_record", request=None, responses=CheckInState)
    def put(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        check_in(self.player(tournament, number), self.actor)
        return self.state(tournament)

    @extend_schema(operation_id="check_in_undo", responses={200: CheckInState})
    def delete(self, request: Request, slug: str, number: int) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        undo_check_in(self.player(tournament, number), self.actor)
        return self.state(tournament)


class MissingPlayers(_DeskEndpoint):
    """POST withdraws players who are missing, DELETE reinstates those of the newest such step."""

    @extend_schema(operation_id="missing_player_withdraw", request=NumbersRequest, responses=CheckInState)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        withdraw_missing(tournament, self.actor, self.body(NumbersRequest).validated_data["players"])
        return self.state(tournament)

    @extend_schema(operation_id="missing_player_reinstate", responses={200: CheckInState})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        readmit_missing(tournament, self.actor)
        return self.state(tournament)


# --- Taking a list back ---


class UndoListRequest(serializers.Serializer[Any]):
    """`step`: from GET. `without`: numbers of players to leave as they are."""

    step = serializers.IntegerField(min_value=0)
    without = serializers.ListField(child=serializers.IntegerField(), required=False, default=list)


class ListChangeSerializer(serializers.Serializer[Any]):
    """`before`, `after`: the fields that the list changed. `problem`: why the change cannot be undone."""

    player = serializers.IntegerField(source="number")
    new = serializers.BooleanField(source="is_new")
    left = serializers.BooleanField(source="has_left")
    before = serializers.DictField()
    after = serializers.DictField()
    problem = serializers.SerializerMethodField()

    def get_problem(self, change: ListChange) -> str | None:
        return sentence(change.problem) if change.problem else None


class ListStepSerializer(serializers.Serializer[Any]):
    """The newest list; `step` is null when none can be undone."""

    step = serializers.IntegerField(source="seq", allow_null=True)
    people = ListChangeSerializer(many=True, source="changes")


class UndoList(Endpoint):
    """GET returns the newest list with its changes; POST undoes it, except for the players in `without`."""

    @extend_schema(operation_id="player_list_get", responses=ListStepSerializer)
    def get(self, request: Request, slug: str) -> Response:
        step = list_step(self.organised(slug))
        return Response(ListStepSerializer(step).data if step else {"step": None, "people": []})

    @extend_schema(request=UndoListRequest, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        tournament, data = self.organised(slug), self.body(UndoListRequest).validated_data
        undo_list(tournament, self.actor, data["step"], data["without"])
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- Substitutes ---


class SubstitutesRequest(serializers.Serializer[Any]):
    name = serializers.CharField(
        max_length=74,
        required=False,
        allow_blank=True,
        default="",
        help_text="Their common name; each gets a number after it.",
    )


class Substitutes(Endpoint):
    """POST adds as many substitutes as fill the tables; they are not ranked."""

    @extend_schema(request=SubstitutesRequest, responses={201: PlayerSerializer(many=True)})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        name = self.body(SubstitutesRequest).validated_data["name"].strip() or _("Substitute")
        players = add_substitutes(tournament, self.actor, name)
        return self.list_response(PlayerSerializer, players, status.HTTP_201_CREATED)
