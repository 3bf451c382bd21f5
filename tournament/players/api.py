"""The API of players: check-in, lists that are entered or taken back, and substitutes."""

import binascii
from base64 import b64decode
from dataclasses import replace
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.engine.problems import problem_code
from scoring.refusals import Fault, faults
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.people import Exclusion, Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.players.exports.player_import import ListImport, ListInput, Reading
from tournament.players.exports.player_lists import Row
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
from tournament.players.services.players import add_substitutes, enter_list, undo_list
from tournament.web.api.base import Endpoint, ModelSerializer, numbers_field
from tournament.web.exports.headings import FIELDS, NAME_ORDERS
from tournament.web.exports.sheets import MAX_BYTES

DIFFERENCE_GONE = problem_code(
    "difference_gone", "“{key}” is no longer a difference of this list. Preview it again."
)
SHEET_UNKNOWN = problem_code("sheet_unknown", "There is no sheet “{sheet}” in this file.")


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
            "country",
            "ema_number",
            "team",
            "club",
            "is_substitute",
            "withdrawn",
            "excluded_as",
        )


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


# --- Entering a list ---


def _row_numbers(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.IntegerField(), required=False, default=list, help_text=help_text
    )


class Cell(serializers.Serializer[Any]):
    row = serializers.IntegerField()
    field = serializers.ChoiceField(FIELDS)
    text = serializers.CharField(allow_blank=True, max_length=500)


class ListRequest(serializers.Serializer[Any]):
    """A list and how to read it. Rows count from 1 as in the file; omitted settings are detected."""

    text = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MAX_BYTES, help_text="The list as CSV."
    )
    file = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Or a CSV or XLSX file, in Base64."
    )
    sheet = serializers.CharField(required=False, allow_blank=True, default="")
    heading = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, help_text="The heading row; 0: none."
    )
    columns = serializers.ListField(
        child=serializers.ChoiceField(FIELDS, allow_blank=True),
        required=False,
        allow_null=True,
        default=None,
        help_text="The field of each column, from the left; empty for a column that is not read.",
    )
    split = serializers.ChoiceField(
        ["", *NAME_ORDERS],
        required=False,
        default="",
        help_text="How full names are split; empty: not at all.",
    )
    soften = serializers.BooleanField(
        required=False, default=False, help_text="Write DE LA CRUZ as De la Cruz."
    )
    zeros = serializers.BooleanField(
        required=False, default=False, help_text="Put a zero before EMA numbers of seven digits."
    )
    updates = serializers.BooleanField(
        required=False,
        default=False,
        help_text="The event's own list, edited: rows are matched by number, EMA number or exact name; emptied fields, "
        "and players who are in no row, are offered as differences.",
    )
    cells = Cell(many=True, required=False, default=list, help_text="Corrected cells.")
    leave = _row_numbers("Rows to leave out.")
    keep = _row_numbers("Rows to include although they look like notes.")
    apart = _row_numbers("Rows whose person is not the player of the same name.")
    take = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        allow_null=True,
        default=None,
        help_text="Keys from the preview: the differences to apply and the players to withdraw. Default: none.",
    )

    def validate_file(self, value: str) -> bytes:
        try:
            data = b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise serializers.ValidationError("not Base64") from None
        if len(data) > MAX_BYTES:
            raise serializers.ValidationError("too large")
        return data

    def to_input(self) -> ListInput:
        data = self.validated_data
        reading = Reading(
            heading=data["heading"],
            columns=None if data["columns"] is None else tuple(data["columns"]),
            cells={(cell["row"], cell["field"]): cell["text"] for cell in data["cells"]},
            left_out=frozenset(data["leave"]),
            included=frozenset(data["keep"]),
            apart=frozenset(data["apart"]),
        )
        return ListInput(
            data["file"] or data["text"].encode(),
            sheet=data["sheet"] or None,
            split=data["split"],
            soften=data["soften"],
            zeros=data["zeros"],
            updates=data["updates"],
            reading=reading,
        )


class DifferenceSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    field = serializers.CharField()
    before = serializers.JSONField()
    after = serializers.JSONField()


class AbsentSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    player = serializers.IntegerField(source="player.number")
    name = serializers.CharField(source="player.full_name")


class RowSerializer(serializers.Serializer[Any]):
    """`player`: the number of the known player. `lost_zero`: the EMA number with its leading zero, if it lost one."""

    row = serializers.IntegerField(source="number")
    left_out = serializers.BooleanField()
    name = serializers.CharField()
    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    in_doubt = serializers.BooleanField(source="is_in_doubt")
    lost_zero = serializers.CharField()
    entrant = serializers.SerializerMethodField()
    differences = DifferenceSerializer(many=True)

    def get_entrant(self, row: Row) -> dict[str, Any]:
        return {name: getattr(row.entrant, name) for name in FIELDS}


class ListPreview(serializers.Serializer[Any]):
    """A list as it would be stored. `missing`: numbers of players who are in no row; `absent`: those of them who can be
    withdrawn.

    With `problems` the list cannot be entered.
    """

    sheet = serializers.CharField(source="player_list.sheet")
    sheets = serializers.ListField(child=serializers.CharField(), source="player_list.sheets")
    heading = serializers.IntegerField(source="player_list.heading")
    columns = serializers.ListField(child=serializers.CharField(), source="player_list.columns")
    known = serializers.SerializerMethodField()
    new = serializers.SerializerMethodField()
    changed = serializers.SerializerMethodField()
    missing = serializers.SerializerMethodField()
    absent = AbsentSerializer(many=True)
    rows = RowSerializer(many=True)
    problems = serializers.SerializerMethodField()

    def get_known(self, list_import: ListImport) -> int:
        return len(list_import.known)

    def get_new(self, list_import: ListImport) -> int:
        return len(list_import.new)

    def get_changed(self, list_import: ListImport) -> int:
        return len(list_import.changed)

    def get_missing(self, list_import: ListImport) -> list[int]:
        return [player.number for player in list_import.missing]

    def get_problems(self, list_import: ListImport) -> list[Fault]:
        return faults(list_import.problems, sentence)


class ListEntered(serializers.Serializer[Any]):
    new = PlayerSerializer(many=True)
    changed = PlayerSerializer(many=True)
    left = PlayerSerializer(many=True)


class _ListEndpoint(Endpoint):
    def _list_import(self, tournament: Tournament, body: ListRequest) -> ListImport:
        list_input = body.to_input()
        list_import = ListImport(tournament, list_input)
        if list_input.sheet and list_input.sheet != list_import.player_list.sheet:
            raise Refused(SHEET_UNKNOWN("sheet", sheet=list_input.sheet))
        return list_import


class PreviewList(_ListEndpoint):
    """POST returns what is new, known, different and wrong in a list, row by row; nothing is stored."""

    @extend_schema(request=ListRequest, responses=ListPreview)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        return Response(ListPreview(self._list_import(tournament, self.body(ListRequest))).data)


class PlayerLists(_ListEndpoint):
    """POST adds the new players of a list and applies the differences in `take`; all or nothing."""

    @extend_schema(operation_id="player_list_import", request=ListRequest, responses={201: ListEntered})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(ListRequest)
        list_import = _select_differences(
            self._list_import(tournament, body), body.validated_data["take"] or []
        )
        if problems := list_import.problems:
            raise Refused(problems)
        leaving = [absent.player.number for absent in list_import.leaving]
        entered = enter_list(tournament, self.actor, list_import.entrants, list_import.taken, leaving)
        return Response(ListEntered(entered).data, status=status.HTTP_201_CREATED)


def _select_differences(list_import: ListImport, take: list[str]) -> ListImport:
    """Select these differences only. Raises Refused when one of them no longer exists."""
    offered = set(list_import.keys)
    if unknown := [DIFFERENCE_GONE("take", key=key) for key in take if key not in offered]:
        raise Refused(unknown)
    refused, chosen = frozenset(offered.difference(take)), frozenset(take)
    reading = replace(list_import.source.reading, refused=refused, chosen=chosen)
    return replace(list_import, source=replace(list_import.source, reading=reading))
