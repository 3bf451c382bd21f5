"""The API of imported lists: preview a list, and enter it."""

import binascii
from base64 import b64decode
from dataclasses import replace
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.engine.problems import problem_code
from scoring.refusals import Fault, faults
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.players.api import PlayerSerializer
from tournament.roster.engine import EnterAs
from tournament.roster.exports.list_import import ListImport, ListInput, Reading
from tournament.roster.exports.matching import Row
from tournament.roster.services.importing import enter_people
from tournament.web.api.base import Endpoint
from tournament.web.exports.encodings import ENCODINGS
from tournament.web.exports.headings import FIELDS
from tournament.web.exports.sheets import MAX_BYTES
from tournament.web.exports.whole_names import NAME_ORDERS, WHOLE

DIFFERENCE_GONE = problem_code(
    "difference_gone", "“{key}” is no longer a difference of this list. Preview it again."
)
SHEET_UNKNOWN = problem_code("sheet_unknown", "There is no sheet “{sheet}” in this file.")


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
    encoding = serializers.ChoiceField(
        list(ENCODINGS), required=False, allow_blank=True, default="", help_text="That of a CSV file."
    )
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
        ["", WHOLE, *NAME_ORDERS],
        required=False,
        default="",
        help_text="The order of full names; empty: as each name shows it; whole: not split.",
    )
    soften = serializers.BooleanField(
        required=False, default=False, help_text="Write DE LA CRUZ as De la Cruz."
    )
    zeros = serializers.BooleanField(
        required=False, default=False, help_text="Put a zero before EMA numbers of seven digits."
    )
    enter_as = serializers.ChoiceField(
        list(EnterAs), required=False, default=EnterAs.PLAYERS, help_text="What new people become."
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
    swapped = _row_numbers("Rows whose first and last names are exchanged.")
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
            swapped=frozenset(data["swapped"]),
        )
        return ListInput(
            data["file"] or data["text"].encode(),
            sheet=data["sheet"] or None,
            encoding=data["encoding"],
            split=data["split"],
            soften=data["soften"],
            zeros=data["zeros"],
            updates=data["updates"],
            enter_as=EnterAs(data["enter_as"]),
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
    """`player`, `registration`: the number of the known player, or of the active registration without a player.

    `lost_zero`: the EMA number with its leading zero, if it lost one.
    """

    row = serializers.IntegerField(source="number")
    left_out = serializers.BooleanField()
    name = serializers.CharField()
    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    registration = serializers.IntegerField(source="registration.number", default=None, allow_null=True)
    in_doubt = serializers.BooleanField(source="is_in_doubt")
    lost_zero = serializers.CharField()
    entrant = serializers.SerializerMethodField()
    differences = DifferenceSerializer(many=True)

    def get_entrant(self, row: Row) -> dict[str, Any]:
        names = ("number", "last_name", "first_name", "second_name", "country", "ema_number", "team", "club")
        return {name: getattr(row.entrant, name) for name in names}


class ListPreview(serializers.Serializer[Any]):
    """A list as it would be stored. `missing`: numbers of players who are in no row; `absent`: those of them who can be
    withdrawn.

    With `problems` the list cannot be entered.
    """

    sheet = serializers.CharField(source="player_list.sheet")
    sheets = serializers.ListField(child=serializers.CharField(), source="player_list.sheets")
    encoding = serializers.CharField(source="player_list.encoding", help_text="Empty for a workbook.")
    heading = serializers.IntegerField(source="player_list.heading")
    columns = serializers.ListField(child=serializers.CharField(), source="player_list.columns")
    unread = serializers.SerializerMethodField(help_text="Numbers of the columns that nobody reads, from 0.")
    doubtful_names = serializers.ListField(
        child=serializers.IntegerField(),
        source="player_list.doubtful_names",
        help_text="Rows whose full name may be split the wrong way.",
    )
    known = serializers.SerializerMethodField()
    registered = serializers.SerializerMethodField()
    new = serializers.SerializerMethodField()
    changed = serializers.SerializerMethodField()
    missing = serializers.SerializerMethodField()
    absent = AbsentSerializer(many=True)
    rows = RowSerializer(many=True)
    problems = serializers.SerializerMethodField()

    def get_unread(self, list_import: ListImport) -> list[int]:
        return [index for index, _heading in list_import.player_list.unread]

    def get_known(self, list_import: ListImport) -> int:
        return len(list_import.known)

    def get_registered(self, list_import: ListImport) -> int:
        return len(list_import.registered)

    def get_new(self, list_import: ListImport) -> int:
        return len(list_import.new)

    def get_changed(self, list_import: ListImport) -> int:
        return len(list_import.changed)

    def get_missing(self, list_import: ListImport) -> list[int]:
        return [player.number for player in list_import.missing]

    def get_problems(self, list_import: ListImport) -> list[Fault]:
        return faults(list_import.problems, sentence)


class ListEntered(serializers.Serializer[Any]):
    registrations = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of the new registrations."
    )
    changed_registrations = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of the registrations that were changed."
    )
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
        tournament = self.allowed(slug, Right.ADMIT)
        return Response(ListPreview(self._list_import(tournament, self.body(ListRequest))).data)


class PlayerLists(_ListEndpoint):
    """POST adds the new players of a list and applies the differences in `take`; all or nothing."""

    @extend_schema(operation_id="player_list_import", request=ListRequest, responses={201: ListEntered})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.ADMIT)
        body = self.body(ListRequest)
        list_import = _select_differences(
            self._list_import(tournament, body), body.validated_data["take"] or []
        )
        if problems := list_import.problems:
            raise Refused(problems)
        registrations = list_import.registrations
        entered = enter_people(
            tournament,
            self.actor,
            entrants=list_import.entrants,
            registrations=registrations,
            changes=list_import.changes,
            registration_changes=list_import.registration_changes,
            leaving=[absent.player.number for absent in list_import.leaving],
        )
        numbers = [registration.number for registration in registrations]
        changed = list(dict.fromkeys(change.player for change in list_import.registration_changes))
        lists = {"registrations": numbers, "changed_registrations": changed}
        data = ListEntered({**lists, **vars(entered)}).data
        return Response(data, status=status.HTTP_201_CREATED)


def _select_differences(list_import: ListImport, take: list[str]) -> ListImport:
    """Select these differences only. Raises Refused when one of them no longer exists."""
    offered = set(list_import.keys)
    if unknown := [DIFFERENCE_GONE("take", key=key) for key in take if key not in offered]:
        raise Refused(unknown)
    refused, chosen = frozenset(offered.difference(take)), frozenset(take)
    reading = replace(list_import.source.reading, refused=refused, chosen=chosen)
    return replace(list_import, source=replace(list_import.source, reading=reading))
