"""Staff: who has which role where, invitations, and the rota of the umpires."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.accounts.services.accounts import make_member
from tournament.base.access import Actor, Right
from tournament.base.errors import refuse
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors.reach import drawn_in, scope_of
from tournament.play.api.requests import numbers_field
from tournament.staff.api.reach import require_known
from tournament.staff.selectors.staff import staff_of
from tournament.staff.services.staff import change_role, end_role, give_role, hand_over, link_player
from tournament.web.api.base import NOT_KEPT, Endpoint


class RoleRequest(serializers.Serializer[Any]):
    """Where an umpire or a scorer may write: nothing named means everywhere; other roles are for all of it."""

    role = serializers.ChoiceField(choices=Role.choices, required=False, default=Role.UMPIRE.value)
    sessions = numbers_field(required=False, default=list)
    tables = numbers_field(
        required=False, default=list, help_text="In the sessions named, or else in every session, by number."
    )

    @property
    def chosen(self) -> Role:
        return Role(self.validated_data["role"])

    def scope(self, tournament: Tournament) -> dict[str, Any]:
        """As `give_role` takes it."""
        sessions, tables = self.validated_data["sessions"], self.validated_data["tables"]
        require_known(tournament, sessions, tables, drawn_in(tournament, sessions))
        return scope_of(tournament, sessions, tables)


class MemberRequest(RoleRequest):
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
            return make_member(tournament, actor, role=self.chosen, **about, **scope)
        user = User.objects.filter(username__iexact=data["username"]).first()
        if user is None:
            raise refuse("no_such_account", "username", username=data["username"])
        return give_role(tournament, actor, user, self.chosen, **scope), None


class TableOf(serializers.Serializer[Any]):
    session = serializers.IntegerField(source="session.number")
    number = serializers.IntegerField()


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """`everywhere`: at every table. `every_session`: the numbers of `tables` hold in sessions without seats, too."""

    username = serializers.CharField(source="user.username")
    full_name = serializers.CharField(source="user.get_full_name")
    player = serializers.SlugRelatedField(
        slug_field="number", read_only=True, allow_null=True, help_text="Who of the players it is."
    )  # type: ignore[var-annotated]
    sessions: Any = serializers.SlugRelatedField(slug_field="number", many=True, read_only=True)
    tables = TableOf(many=True)

    class Meta:
        model = Membership
        fields = (
            "id",
            "role",
            "username",
            "full_name",
            "player",
            "everywhere",
            "every_session",
            "sessions",
            "tables",
        )


class MemberMade(serializers.Serializer[Any]):
    member = MemberSerializer()
    password = serializers.CharField(
        allow_null=True, help_text="Of a new account, this once: nobody can look it up later."
    )


class Staff(Endpoint):
    """Everybody with a role and an account; POST names somebody."""

    @extend_schema(operation_id="staff", responses=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(MemberSerializer(staff_of(self.allowed(slug, Right.READ)), many=True).data)

    @extend_schema(operation_id="staff_name", request=MemberRequest, responses={201: MemberMade})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        member, password = self.body(MemberRequest).named(tournament, self.actor)
        made = MemberMade({"member": member, "password": password})
        return Response(made.data, status=status.HTTP_201_CREATED, headers=NOT_KEPT)


class PlaysAs(serializers.Serializer[Any]):
    player = serializers.IntegerField(allow_null=True, help_text="Their number; null: none of the players.")


class OneMember(Endpoint):
    """PUT says the role and where it is for anew; PATCH, who of the players it is. DELETE takes the role back; what
    was recorded stays."""

    @extend_schema(operation_id="staff_change", request=RoleRequest, responses=MemberSerializer)
    def put(self, request: Request, slug: str, pk: int) -> Response:
        member = self._member(slug, pk)
        said = self.body(RoleRequest)
        role = said.chosen if "role" in said.initial_data else Role(member.role)
        changed = change_role(member, self.actor, role, **said.scope(member.tournament))
        return Response(MemberSerializer(changed).data)

    @extend_schema(operation_id="staff_plays", request=PlaysAs, responses=MemberSerializer)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        member = self._member(slug, pk)
        number = self.body(PlaysAs).validated_data["player"]
        player = None if number is None else get_object_or_404(member.tournament.players, number=number)
        return Response(MemberSerializer(link_player(member, self.actor, player)).data)

    @extend_schema(operation_id="staff_end", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        end_role(self._member(slug, pk), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _member(self, slug: str, pk: int) -> Membership:
        return get_object_or_404(staff_of(self.organised(slug)), pk=pk)


class HandOver(Endpoint):
    """POST makes somebody on the staff the owner."""

    @extend_schema(operation_id="staff_hand_over", request=None, responses=MemberSerializer)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        tournament = self.allowed(slug, Right.OWN)
        member = get_object_or_404(staff_of(tournament), pk=pk)
        return Response(MemberSerializer(hand_over(tournament, self.actor, member.user)).data)
