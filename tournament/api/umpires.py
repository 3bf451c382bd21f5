"""Umpires: who they are and where they may write."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import Actor
from tournament.api.base import NOT_KEPT, Endpoint
from tournament.api.reach import require_known
from tournament.api.requests import numbers_field
from tournament.errors import refuse
from tournament.models import Membership, Tournament
from tournament.selectors.organiser import umpires_of
from tournament.selectors.reach import drawn_in, scope_of
from tournament.services.accounts import make_umpire
from tournament.services.tournaments import grant_umpire, revoke_umpire


class ScopeRequest(serializers.Serializer[Any]):
    """Where an umpire may write: nothing named means everywhere."""

    sessions = numbers_field(required=False, default=list)
    tables = numbers_field(
        required=False, default=list, help_text="In the sessions named, or else in every session, by number."
    )

    def scope(self, tournament: Tournament) -> dict[str, Any]:
        """As `grant_umpire` takes it."""
        sessions, tables = self.validated_data["sessions"], self.validated_data["tables"]
        require_known(tournament, sessions, tables, drawn_in(tournament, sessions))
        return scope_of(tournament, sessions, tables)


class UmpireRequest(ScopeRequest):
    """A new account, or one that there is."""

    username = serializers.CharField(max_length=150, validators=[UnicodeUsernameValidator()])
    full_name = serializers.CharField(
        max_length=150, required=False, allow_blank=True, default="", help_text="For a new account."
    )
    new_account = serializers.BooleanField(
        required=False, default=True, help_text="False: who has this name already becomes an umpire."
    )

    def named(self, tournament: Tournament, actor: Actor) -> tuple[Membership, str | None]:
        """The umpire's role, and the password where the account is new."""
        data, scope = self.validated_data, self.scope(tournament)
        if data["new_account"]:
            about = {name: data[name] for name in ("username", "full_name")}
            return make_umpire(tournament, actor, **about, **scope)
        user = User.objects.filter(username__iexact=data["username"]).first()
        if user is None:
            raise refuse("no_such_account", "username", username=data["username"])
        return grant_umpire(tournament, actor, user, **scope), None


class TableOf(serializers.Serializer[Any]):
    session = serializers.IntegerField(source="session.number")
    number = serializers.IntegerField()


class UmpireSerializer(serializers.ModelSerializer[Membership]):
    """`everywhere`: at every table. `every_session`: the numbers of `tables` hold in sessions without seats, too."""

    username = serializers.CharField(source="user.username")
    full_name = serializers.CharField(source="user.get_full_name")
    sessions: Any = serializers.SlugRelatedField(slug_field="number", many=True, read_only=True)
    tables = TableOf(many=True)

    class Meta:
        model = Membership
        fields = ("id", "username", "full_name", "everywhere", "every_session", "sessions", "tables")


class UmpireMade(serializers.Serializer[Any]):
    umpire = UmpireSerializer()
    password = serializers.CharField(
        allow_null=True, help_text="Of a new account, this once: nobody can look it up later."
    )


class Umpires(Endpoint):
    """The umpires who have accounts; POST names one."""

    @extend_schema(operation_id="umpires", responses=UmpireSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(UmpireSerializer(umpires_of(self.organised(slug)), many=True).data)

    @extend_schema(operation_id="umpire_name", request=UmpireRequest, responses={201: UmpireMade})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        umpire, password = self.body(UmpireRequest).named(tournament, self.actor)
        made = UmpireMade({"umpire": umpire, "password": password})
        return Response(made.data, status=status.HTTP_201_CREATED, headers=NOT_KEPT)


class OneUmpire(Endpoint):
    """PUT says anew where the umpire may write. DELETE takes the role back; what was recorded stays."""

    @extend_schema(operation_id="umpire_move", request=ScopeRequest, responses=UmpireSerializer)
    def put(self, request: Request, slug: str, pk: int) -> Response:
        umpire = self._umpire(slug, pk)
        scope = self.body(ScopeRequest).scope(umpire.tournament)
        moved = grant_umpire(umpire.tournament, self.actor, umpire.user, **scope)
        return Response(UmpireSerializer(moved).data)

    @extend_schema(operation_id="umpire_remove", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        revoke_umpire(self._umpire(slug, pk), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _umpire(self, slug: str, pk: int) -> Membership:
        found = umpires_of(self.organised(slug)).filter(pk=pk).first()
        if found is None:
            raise Http404
        return found
