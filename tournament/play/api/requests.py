"""The bodies that writes take."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

MOST = 9999
MOST_SESSIONS = 999


def number_field(most: int = MOST) -> serializers.IntegerField:
    """A player, a session or a table, by its number; what is larger than a database counts is no number."""
    return serializers.IntegerField(min_value=1, max_value=most)


def numbers_field(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=number_field(), max_length=MOST, **options)


class Remark(serializers.CharField):
    """A sentence or two that may be left out: the services say where one is needed."""

    def __init__(self, **more: Any) -> None:
        usual: dict[str, Any] = {"required": False, "allow_blank": True, "default": "", "max_length": 300}
        super().__init__(**(usual | more))


class Reasoned(serializers.Serializer[Any]):
    reason = Remark()


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


class SessionStepRequest(Reasoned):
    """`reason`: why a final result is opened again, or a step taken although something is still open (409 without).
    `unplayed`: tables without a hand, to close a session without.
    """

    unplayed = numbers_field(required=False, default=list)


class GoingOn(Reasoned):
    """`reason`: why it is done although something is still open; without one that is a 409 with everything open."""
