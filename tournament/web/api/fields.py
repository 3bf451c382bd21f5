"""Fields and serializers that the API of several subjects takes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.base.engine.rules import two_decimals

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


@extend_schema_field(OpenApiTypes.STR)
class TwoDecimalsField(serializers.Field):  # type: ignore[type-arg]
    """A fraction as people print it: "11.50"."""

    def to_representation(self, value: Any) -> str:
        return two_decimals(value)
