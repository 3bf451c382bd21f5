"""Lists of players as they are sent, looked at before they are entered: the same list, new or again."""

from __future__ import annotations

import binascii
from base64 import b64decode
from dataclasses import replace
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.engine.problems import Problem
from scoring.refusals import faults
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.play.api.fields import PlayerSerializer
from tournament.players.exports.players_import import ListImport
from tournament.players.exports.players_rows import Row
from tournament.players.exports.players_wish import Reading, Wish
from tournament.players.services.player_lists import enter_list
from tournament.web.api.base import Endpoint
from tournament.web.exports.headings import FIELDS
from tournament.web.exports.sheets import MOST_BYTES
from tournament.web.exports.whole_names import WAYS
from tournament.web.texts.problems import sentence


def _rows(help_text: str) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.IntegerField(), required=False, default=list, help_text=help_text
    )


class Cell(serializers.Serializer[Any]):
    row = serializers.IntegerField()
    field = serializers.ChoiceField(FIELDS)
    text = serializers.CharField(allow_blank=True, max_length=500)


class ListRequest(serializers.Serializer[Any]):
    """A list and how it is to be read. Rows are counted as in the file, from 1; what is left out is found."""

    text = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=MOST_BYTES, help_text="The list as CSV."
    )
    file = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Or a CSV or XLSX file, in Base64."
    )
    sheet = serializers.CharField(required=False, allow_blank=True, default="")
    heading = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=0, help_text="The row of headings; 0: none."
    )
    columns = serializers.ListField(
        child=serializers.ChoiceField(FIELDS, allow_blank=True),
        required=False,
        allow_null=True,
        default=None,
        help_text="What each column is read as, from the left; empty for one that is not read.",
    )
    split = serializers.ChoiceField(
        ["", *WAYS], required=False, default="", help_text="How whole names are parted; empty: not at all."
    )
    soften = serializers.BooleanField(
        required=False, default=False, help_text="Write DE LA CRUZ as De la Cruz."
    )
    zeros = serializers.BooleanField(
        required=False, default=False, help_text="Put the zero in front of EMA numbers of seven digits."
    )
    updates = serializers.BooleanField(
        required=False,
        default=False,
        help_text="The event's own list, edited: rows are known by number, EMA number or exactly the name; "
        "what is emptied and who is in no row can be taken.",
    )
    cells = Cell(many=True, required=False, default=list, help_text="Cells that are mended.")
    leave = _rows("Rows that are not wanted.")
    keep = _rows("Rows that are wanted although they look like notes.")
    apart = _rows("Rows that are another person than the one of the same name.")
    take = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        allow_null=True,
        default=None,
        help_text="The differences that are taken, and who is withdrawn, by the keys that the preview gave. "
        "Entered without: none.",
    )

    def validate_file(self, value: str) -> bytes:
        try:
            data = b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise serializers.ValidationError("not Base64") from None
        if len(data) > MOST_BYTES:
            raise serializers.ValidationError("too large")
        return data

    def wish(self) -> Wish:
        data = self.validated_data
        reading = Reading(
            heading=data["heading"],
            columns=None if data["columns"] is None else tuple(data["columns"]),
            cells={(cell["row"], cell["field"]): cell["text"] for cell in data["cells"]},
            left_out=frozenset(data["leave"]),
            kept=frozenset(data["keep"]),
            apart=frozenset(data["apart"]),
        )
        return Wish(
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
    name = serializers.CharField(source="player.name")


class RowSerializer(serializers.Serializer[Any]):
    """`player`: the number of who is entered already. `lost_zero`: the EMA number with its zero, if it lost one."""

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
    """Nothing stored. `missing`: players, by number, who are in no row; `absent`: those of them who may be withdrawn.

    `problems` keep the list from being entered.
    """

    sheet = serializers.CharField(source="listed.sheet")
    sheets = serializers.ListField(child=serializers.CharField(), source="listed.sheets")
    heading = serializers.IntegerField(source="listed.heading")
    columns = serializers.ListField(child=serializers.CharField(), source="listed.columns")
    known = serializers.SerializerMethodField()
    new = serializers.SerializerMethodField()
    changed = serializers.SerializerMethodField()
    missing = serializers.SerializerMethodField()
    absent = AbsentSerializer(many=True)
    rows = RowSerializer(many=True)
    problems = serializers.SerializerMethodField()

    def get_known(self, asked: ListImport) -> int:
        return len(asked.known)

    def get_new(self, asked: ListImport) -> int:
        return len(asked.new)

    def get_changed(self, asked: ListImport) -> int:
        return len(asked.changed)

    def get_missing(self, asked: ListImport) -> list[int]:
        return [player.number for player in asked.missing]

    def get_problems(self, asked: ListImport) -> list[dict[str, Any]]:
        return faults(asked.problems, sentence)


class ListEntered(serializers.Serializer[Any]):
    new = PlayerSerializer(many=True)
    changed = PlayerSerializer(many=True)
    left = PlayerSerializer(many=True)


class _Lists(Endpoint):
    def _asked(self, tournament: Tournament, body: ListRequest) -> ListImport:
        wish = body.wish()
        asked = ListImport(tournament, wish)
        if wish.sheet and wish.sheet != asked.listed.sheet:
            raise refuse("sheet_unknown", "sheet", sheet=wish.sheet)
        return asked


class PreviewList(_Lists):
    """POST a list and see who is new, who is known, what differs and what is wrong, row by row."""

    @extend_schema(operation_id="player_list_preview", request=ListRequest, responses=ListPreview)
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        return Response(ListPreview(self._asked(tournament, self.body(ListRequest))).data)


class PlayerLists(_Lists):
    """POST a list to enter who is new in it, and to take the differences that are named; all or nothing."""

    @extend_schema(operation_id="player_list_enter", request=ListRequest, responses={201: ListEntered})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(ListRequest)
        asked = _choosing(self._asked(tournament, body), body.validated_data["take"] or [])
        if found := asked.problems:
            raise Refused(found)
        leaving = [one.player.number for one in asked.leaving]
        entered = enter_list(tournament, self.actor, asked.entrants, asked.taken, leaving)
        return Response(ListEntered(entered).data, status=status.HTTP_201_CREATED)


def _choosing(asked: ListImport, take: list[str]) -> ListImport:
    """The same with these differences alone; refused when one of them is none by now."""
    offered = set(asked.keys)
    if gone := [Problem("difference_gone", "take", {"key": key}) for key in take if key not in offered]:
        raise Refused(gone)
    refused, chosen = frozenset(offered.difference(take)), frozenset(take)
    reading = replace(asked.wish.reading, refused=refused, chosen=chosen)
    return replace(asked, wish=replace(asked.wish, reading=reading))
