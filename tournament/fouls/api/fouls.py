"""The tournament's own foul book: what each foul costs here, other amounts, house fouls."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from penalties.engine import Foul, Names, Origin
from penalties.engine.rules import Rule
from penalties.engine.rules.written import rule_written
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.fouls import add_foul, change_foul, restore_foul
from tournament.web.api.base import Endpoint


@extend_schema_field(OpenApiTypes.OBJECT)
class RuleField(serializers.Field):  # type: ignore[type-arg]
    """A rule in the form in which the foul book gives it; with `instead_of` in the context, one of the same kind."""

    def to_internal_value(self, data: Any) -> Rule:
        try:
            return rule_written(data, self.context.get("instead_of"))
        except ValueError as fault:
            raise serializers.ValidationError(str(fault)) from None

    def to_representation(self, value: Rule) -> dict[str, Any]:
        return value.to_json()


RULE = (
    "By its kind. fixed: sanction. ladder: steps (a sanction a time), repeats (hand, wind_round, session, tournament), "
    "if_seen (a sanction on top). choice: amounts (a list, or least and most), scope, paid_to. late: bands (minutes, "
    "sanction) and what follows. cases: a sanction each. What is no part of a sanction is left out of it."
)


class NamesSerializer(serializers.Serializer[Any]):
    """Left out, a Chinese name is the other one, or the English."""

    en = serializers.CharField(allow_blank=True, max_length=80)
    zh_hans = serializers.CharField(required=False, allow_blank=True, default="", max_length=80)
    zh_hant = serializers.CharField(required=False, allow_blank=True, default="", max_length=80)


class DescriptionSerializer(serializers.Serializer[Any]):
    """A sentence; left out, a Chinese one is the other one, or the English."""

    en = serializers.CharField(allow_blank=True, max_length=300)
    zh_hans = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)
    zh_hant = serializers.CharField(required=False, allow_blank=True, default="", max_length=300)


class FoulSerializer(serializers.Serializer[Any]):
    """A foul as this tournament plays by it."""

    url = serializers.SerializerMethodField()
    key = serializers.CharField()
    names = NamesSerializer()
    description = DescriptionSerializer()
    source = DescriptionSerializer(  # type: ignore[assignment]  # a field, as the framework takes it out of the class
        help_text="Where its rule is written."
    )
    rule = RuleField(help_text=RULE)
    origin = serializers.ChoiceField(
        [origin.value for origin in Origin],
        help_text="changed: in the rulebook, with a rule of this tournament's own. house: in no rulebook.",
    )

    def get_url(self, foul: Foul) -> str:
        """Where it is changed and restored."""
        return reverse("api_foul", args=[self.context["tournament"].slug, foul.key])


class FoulBookSerializer(serializers.Serializer[Any]):
    book = serializers.CharField(source="key", help_text="The foul book that this one began as.")
    fouls = FoulSerializer(many=True)


class FoulChange(serializers.Serializer[Any]):
    rule = RuleField(help_text=RULE)
    names = NamesSerializer(
        required=False, allow_null=True, default=None, help_text="Of a house foul. Left out, they stay."
    )


class HouseFoul(serializers.Serializer[Any]):
    names = NamesSerializer()
    description = DescriptionSerializer(required=False, default=lambda: {"en": ""})
    rule = RuleField(help_text=RULE)


class Fouls(Endpoint):
    """Every foul with what it costs here, for whoever sees the tournament. POST adds a house foul at the end.

    A house foul is `fixed`, a `ladder` or a `choice`.
    """

    @extend_schema(operation_id="fouls", responses=FoulBookSerializer)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        book = FoulBookSerializer(tournament.rules.fouls, context={"tournament": tournament})
        return Response(book.data)

    @extend_schema(operation_id="foul_add", request=HouseFoul, responses={201: FoulSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        said = self.body(HouseFoul).validated_data
        names, description = Names.filled(**said["names"]), Names.filled(**said["description"])
        added = add_foul(tournament, self.actor, names, description, said["rule"])
        return _answer(tournament, added, status.HTTP_201_CREATED)


class OneFoul(Endpoint):
    """PUT: another rule of the same kind from now on; what was given before stays.

    DELETE: as in the rulebook again. A house foul leaves the book, as long as nobody was penalised for it.
    """

    @extend_schema(operation_id="foul", responses=FoulSerializer)
    def get(self, request: Request, slug: str, key: str) -> Response:
        tournament = self.tournament(slug)
        return _answer(tournament, _found(tournament, key))

    @extend_schema(operation_id="foul_change", request=FoulChange, responses=FoulSerializer)
    def put(self, request: Request, slug: str, key: str) -> Response:
        tournament = self.organised(slug)
        before = _found(tournament, key)
        said = self.body(FoulChange, instead_of=before.rule).validated_data
        names = None if said["names"] is None else Names.filled(**said["names"])
        return _answer(tournament, change_foul(tournament, self.actor, key, said["rule"], names))

    @extend_schema(operation_id="foul_restore", responses={204: None})
    def delete(self, request: Request, slug: str, key: str) -> Response:
        tournament = self.organised(slug)
        restore_foul(tournament, self.actor, _found(tournament, key).key)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _found(tournament: Tournament, key: str) -> Foul:
    found = tournament.rules.fouls.find(key)
    if found is None:
        raise Http404
    return found


def _answer(tournament: Tournament, foul: Foul, code: int = status.HTTP_200_OK) -> Response:
    return Response(FoulSerializer(foul, context={"tournament": tournament}).data, status=code)
