"""The bodies that writes take."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from penalties.engine import Sanction
from penalties.engine.sanctions import UNREADABLE
from tournament.engine.entry import HandEntry
from tournament.services.penalties import Foul


class Reasoned(serializers.Serializer[Any]):
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)


class DeletionRequest(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The tournament's name, so that nobody deletes one by a slip.")


class DrawRequest(serializers.Serializer[Any]):
    seed = serializers.CharField(max_length=80)
    sessions = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        help_text="So many are drawn in advance, the others are seated one by one. Left out: all of them.",
    )


MOST_TABLES = 9999


class SessionStepRequest(Reasoned):
    """`reason`: why a final result is opened again, or a step taken although something is still open (409 without).
    `unplayed`: tables without a hand, to close a session without.
    """

    unplayed = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_TABLES), required=False, default=list
    )


class GoingOn(Reasoned):
    """`reason`: why it is done although something is still open; without one that is a 409 with everything open."""


class TableWrite(serializers.Serializer[Any]):
    """`table_version`: the version of the table the client has seen. Left out, nothing is compared."""

    table_version = serializers.IntegerField(required=False, allow_null=True, default=None)


class AbsenceWrite(TableWrite):
    uuid = serializers.UUIDField()
    player = serializers.IntegerField()


class AbsenceStepRequest(TableWrite, Reasoned):
    """`reason`: why the others begin before the foul book lets them."""


class StandInWrite(TableWrite):
    name = serializers.CharField(required=False, allow_blank=True, default="", max_length=80)


class HandFact(serializers.Serializer[Any]):
    outcome = serializers.CharField()
    winner = serializers.IntegerField(required=False, allow_null=True, default=None)
    discarder = serializers.IntegerField(required=False, allow_null=True, default=None)
    tiles = serializers.JSONField(required=False, allow_null=True, default=None)
    points = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        help_text="As announced, flowers included; instead of the tiles, or to be held against them.",
    )
    fans = serializers.DictField(
        child=serializers.IntegerField(min_value=1, max_value=99),
        required=False,
        allow_null=True,
        default=None,
        help_text="As announced, key → times; instead of the tiles, or to be held against them.",
    )
    override = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=300,
        help_text="Why the announcement counts against the tiles, or below the minimum.",
    )
    claimants = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        default=list,
        max_length=4,
        help_text="Who else claimed the winning discard.",
    )
    absent = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        allow_null=True,
        default=None,
        max_length=4,
        help_text="Whose seats were empty, with nobody standing in. Left out: whoever is noted as missing.",
    )

    def validate_tiles(self, value: Any) -> Any:
        if value is not None and not isinstance(value, dict):
            raise serializers.ValidationError("an object is expected")
        return value

    def entry(self) -> HandEntry:
        data = self.validated_data
        names = ("outcome", "winner", "discarder", "tiles", "points", "fans")
        return HandEntry(
            **{name: data[name] for name in names},
            override=data["override"].strip(),
            claimants=tuple(dict.fromkeys(data["claimants"])),
            absent=None if data["absent"] is None else tuple(dict.fromkeys(data["absent"])),
        )


class HandPreview(HandFact):
    number = serializers.IntegerField()


class HandWrite(HandFact, TableWrite):
    number = serializers.IntegerField()
    uuid = serializers.UUIDField()


class HandCorrection(HandFact, TableWrite, Reasoned):
    uuid = serializers.UUIDField()


@extend_schema_field(OpenApiTypes.OBJECT)
class SanctionField(serializers.Field):  # type: ignore[type-arg]
    """The umpire's own sanction: {"points": {"amount", "scope", "paid_to"}, "dead_hand": true, …}."""

    def to_internal_value(self, data: Any) -> Sanction:
        try:
            return Sanction.from_json(data)
        except UNREADABLE:
            raise serializers.ValidationError("not a sanction") from None


class FoulFact(serializers.Serializer[Any]):
    player = serializers.IntegerField()
    foul = serializers.CharField(max_length=40)
    hand_number = serializers.IntegerField(required=False, allow_null=True, default=None)
    victim = serializers.IntegerField(required=False, allow_null=True, default=None)
    minutes = serializers.IntegerField(required=False, allow_null=True, default=None)
    points = serializers.IntegerField(required=False, allow_null=True, default=None)
    hu_was_valid = serializers.BooleanField(required=False, allow_null=True, default=None)
    tile_seen = serializers.BooleanField(required=False, default=False)
    circumstance = serializers.CharField(required=False, allow_null=True, default=None)
    note = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)
    sanction = SanctionField(required=False, allow_null=True, default=None)
    because = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)

    def stated(self) -> Foul:
        data = self.validated_data
        details = ("minutes", "points", "hu_was_valid", "tile_seen", "circumstance")
        return Foul(
            player=data["player"],
            foul=data["foul"],
            hand_number=data["hand_number"],
            victim=data["victim"],
            details={
                key: data[key] for key in details if data[key] not in (None, False) or key == "hu_was_valid"
            },
            note=data["note"],
            imposed=data["sanction"],
            because=data["because"],
        )


class PenaltyWrite(FoulFact, TableWrite):
    uuid = serializers.UUIDField()


class Cancellation(TableWrite):
    reason = serializers.CharField(allow_blank=True, max_length=300)
