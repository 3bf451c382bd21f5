"""API endpoints of roles, invitations, passes and the rota.

The token of a pass or an invitation is only in the response that creates it.
"""

from typing import Any, Final

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Membership, Pass, Role, Tournament
from tournament.play.selectors.organiser import passes_of
from tournament.staff.models import Invitation
from tournament.staff.passes import INVITATION_UNKNOWN, PassScope, end_of_day, find_invitation
from tournament.staff.selectors import (
    RotaTable,
    Scope,
    invitations_of,
    proposed_rota,
    rota_of,
    scope_of,
    staff_of,
)
from tournament.staff.services import (
    accept_invitation,
    change_role,
    end_role,
    hand_over,
    invite,
    link_player,
    make_member,
    make_passes,
    renew_pass,
    revoke_invitation,
    revoke_passes,
    set_rota,
)
from tournament.web.api.base import Endpoint, ModelSerializer, no_store, number_field, numbers_field

NAME_LENGTH: Final = User._meta.get_field("first_name").max_length

# --- Passes ---


class UmpirePass(serializers.Serializer[Any]):
    name = serializers.CharField(
        max_length=NAME_LENGTH, help_text="The log shows it with every entry of this pass."
    )
    sessions = numbers_field(required=False, default=list, help_text="Default: all sessions.")


class PassesRequest(serializers.Serializer[Any]):
    tables = numbers_field(
        required=False, default=list, help_text="A pass for each of these tables, in every session."
    )
    umpires = UmpirePass(many=True, required=False, default=list)
    expires_on = serializers.DateField(help_text="The last day, in the tournament's time zone.")


class PassSerializer(serializers.ModelSerializer[Pass]):
    """A pass for one table in every session, for some sessions, or, with neither, for everywhere."""

    table_number = serializers.IntegerField(source="membership.table_number", allow_null=True)
    sessions: Any = serializers.SlugRelatedField(
        source="membership.sessions", slug_field="number", many=True, read_only=True
    )

    class Meta:
        model = Pass
        fields = ("id", "label", "table_number", "sessions", "made_at", "expires_at", "opened_at")


class NewPassSerializer(PassSerializer):
    token = serializers.CharField(help_text="Returned only here.")
    link = serializers.CharField()

    class Meta(PassSerializer.Meta):
        fields = (*PassSerializer.Meta.fields, "token", "link")  # type: ignore[assignment]


@no_store
class Passes(Endpoint):
    """GET lists the passes that are not revoked. POST creates passes. DELETE revokes all of them."""

    @extend_schema(responses=PassSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(PassSerializer, passes_of(self.organised(slug)))

    @extend_schema(request=PassesRequest, responses={201: NewPassSerializer(many=True)})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(PassesRequest).validated_data
        scopes = [
            *(PassScope(table_number=number) for number in sorted({*data["tables"]})),
            *(PassScope(umpire["name"], sessions=umpire["sessions"]) for umpire in data["umpires"]),
        ]
        until = end_of_day(tournament, data["expires_on"])
        passes = make_passes(tournament, self.actor, scopes, until)
        return self.list_response(NewPassSerializer, passes, status.HTTP_201_CREATED)

    @extend_schema(operation_id="passes_revoke", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        revoke_passes(tournament, self.actor, passes_of(tournament))
        return Response(status=status.HTTP_204_NO_CONTENT)


class PassDetail(Endpoint):
    """DELETE revokes the pass."""

    @extend_schema(operation_id="pass_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        desk_pass = get_object_or_404(passes_of(self.organised(slug)), pk=pk)
        revoke_passes(desk_pass.membership.tournament, self.actor, [desk_pass])
        return Response(status=status.HTTP_204_NO_CONTENT)


@no_store
class Renewal(Endpoint):
    """POST replaces a lost pass by a new one and revokes the old one."""

    @extend_schema(operation_id="pass_renew", request=None, responses={201: NewPassSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        desk_pass = get_object_or_404(passes_of(self.organised(slug)), pk=pk)
        new_pass = renew_pass(desk_pass, self.actor)
        return Response(NewPassSerializer(new_pass).data, status=status.HTTP_201_CREATED)


# --- The rota ---


class RotaRow(serializers.Serializer[Any]):
    session = number_field()
    table = number_field()
    umpire = serializers.IntegerField(min_value=1, help_text="The id of a member of the staff.")


class RotaRequest(serializers.Serializer[Any]):
    rota = RotaRow(many=True)


class Rota(Endpoint):
    """GET returns the rota, or with `?propose` a proposal that is not saved. PUT replaces the whole rota."""

    @extend_schema(responses=RotaRequest)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.READ)
        return Response(
            _rota_json(
                proposed_rota(tournament) if "propose" in request.query_params else rota_of(tournament)
            )
        )

    @extend_schema(request=RotaRequest, responses=RotaRequest)
    def put(self, request: Request, slug: str) -> Response:
        tournament: Tournament = self.allowed(slug, Right.RULE)
        rows = self.body(RotaRequest).validated_data["rota"]
        set_rota(tournament, self.actor, [(row["session"], row["table"], row["umpire"]) for row in rows])
        return Response(_rota_json(rota_of(tournament)))


def _rota_json(rota: RotaTable) -> dict[str, Any]:
    rows = [
        {"session": session, "table": table, "umpire": line.membership.pk}
        for line in rota.lines
        for session, tables in line.tables.items()
        for table in tables or ()
    ]
    return {"rota": sorted(rows, key=lambda row: (row["session"], row["table"], row["umpire"]))}


# --- Staff ---


class RoleRequest(serializers.Serializer[Any]):
    """A role. Sessions and tables are for umpires and scorers; without them the role is for everywhere."""

    role = serializers.ChoiceField(choices=Role.choices, required=False, default=Role.UMPIRE.value)
    sessions = numbers_field(required=False, default=list)
    tables = numbers_field(
        required=False, default=list, help_text="Table numbers in `sessions`, or else in every session."
    )

    @property
    def role_value(self) -> Role:
        return Role(self.validated_data["role"])

    def scope(self, tournament: Tournament) -> Scope:
        return scope_of(tournament, self.validated_data["sessions"], self.validated_data["tables"])


class MemberRequest(RoleRequest):
    """A new member of the staff, with a new or an existing account."""

    username = serializers.CharField(
        max_length=User._meta.get_field("username").max_length, validators=[User.username_validator]
    )
    full_name = serializers.CharField(
        max_length=NAME_LENGTH, required=False, allow_blank=True, default="", help_text="For a new account."
    )
    new_account = serializers.BooleanField(
        required=False,
        default=True,
        help_text="False: give the role to the existing account of this username.",
    )


class TableOf(serializers.Serializer[Any]):
    session = serializers.IntegerField(source="session.number")
    number = serializers.IntegerField()


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """A member of the staff. `every_session`: the numbers of `tables` count in all sessions, also undrawn ones."""

    username = serializers.CharField(source="user.username")
    full_name = serializers.CharField(source="user.get_full_name")
    player = serializers.SlugRelatedField(
        slug_field="number",
        read_only=True,
        allow_null=True,
        help_text="The number of the player they play as.",
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
        allow_null=True, help_text="The password of a new account. Returned only here."
    )


@no_store
class Staff(Endpoint):
    """GET lists everybody with a role and an account. POST gives somebody a role."""

    @extend_schema(responses=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(MemberSerializer, staff_of(self.allowed(slug, Right.READ)))

    @extend_schema(request=MemberRequest, responses={201: MemberMade})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(MemberRequest)
        data, scope = body.validated_data, body.scope(tournament)
        user = User(username=data["username"], first_name=data["full_name"])
        member, password = make_member(
            tournament, self.actor, user, body.role_value, is_new=data["new_account"], **scope
        )
        serializer = MemberMade({"member": member, "password": password})
        return Response(serializer.data, status=status.HTTP_201_CREATED)


class PlaysAs(serializers.Serializer[Any]):
    player = serializers.IntegerField(allow_null=True, help_text="The number of the player, or null.")


class MemberDetail(Endpoint):
    """PUT changes the role and its scope. PATCH sets which player they play as. DELETE ends the role."""

    @extend_schema(request=RoleRequest, responses=MemberSerializer)
    def put(self, request: Request, slug: str, pk: int) -> Response:
        member = self._member(slug, pk)
        body = self.body(RoleRequest)
        role = body.role_value if "role" in body.initial_data else Role(member.role)
        changed = change_role(member, self.actor, role, **body.scope(member.tournament))
        return Response(MemberSerializer(changed).data)

    @extend_schema(request=PlaysAs, responses=MemberSerializer)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        member = self._member(slug, pk)
        number = self.body(PlaysAs).validated_data["player"]
        player = None if number is None else get_object_or_404(member.tournament.players, number=number)
        return Response(MemberSerializer(link_player(member, self.actor, player)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        end_role(self._member(slug, pk), self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _member(self, slug: str, pk: int) -> Membership:
        return get_object_or_404(staff_of(self.organised(slug)), pk=pk)


class HandOver(Endpoint):
    """POST makes a member of the staff the owner of the tournament."""

    @extend_schema(operation_id="ownership_transfer", request=None, responses=MemberSerializer)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        tournament = self.allowed(slug, Right.OWN)
        member = get_object_or_404(staff_of(tournament), pk=pk)
        return Response(MemberSerializer(hand_over(tournament, self.actor, member.user)).data)


# --- Invitations ---


class InvitationRequest(ModelSerializer[Invitation]):
    """An invitation. Sessions and tables are for umpires and scorers; without them the role is for everywhere."""

    expires_on = serializers.DateField(help_text="The last day, in the tournament's time zone.")
    sessions = numbers_field(required=False, default=list)
    tables = numbers_field(required=False, default=list)

    class Meta:
        model = Invitation
        fields = ("role", "email", "expires_on", "sessions", "tables")


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    class Meta:
        model = Invitation
        fields = ("id", "role", "sessions", "tables", "email", "made_at", "expires_at")


class NewInvitationSerializer(InvitationSerializer):
    token = serializers.CharField(help_text="Returned only here.")
    link = serializers.CharField()

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "token", "link")  # type: ignore[assignment]


@no_store
class Invitations(Endpoint):
    """GET lists the invitations that can still be accepted. POST creates one."""

    @extend_schema(operation_id="invitation_list", responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(InvitationSerializer, invitations_of(self.organised(slug)))

    @extend_schema(
        operation_id="invitation_create", request=InvitationRequest, responses={201: NewInvitationSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = dict(self.body(InvitationRequest).validated_data)
        until = end_of_day(tournament, data.pop("expires_on"))
        invitation = Invitation(tournament=tournament, expires_at=until, **data)
        invite(invitation, self.actor, get_language() or "en")
        return Response(NewInvitationSerializer(invitation).data, status=status.HTTP_201_CREATED)


class InvitationDetail(Endpoint):
    """DELETE revokes the invitation."""

    @extend_schema(operation_id="invitation_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        invitation = get_object_or_404(invitations_of(self.organised(slug)), pk=pk)
        revoke_invitation(invitation, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AcceptanceRequest(serializers.Serializer[Any]):
    token = serializers.CharField(max_length=60)


class Acceptance(Endpoint):
    """POST accepts an invitation with the account of the request. New accounts are created on the invitation's page."""

    @extend_schema(
        operation_id="invitation_accept", request=AcceptanceRequest, responses={201: MemberSerializer}
    )
    def post(self, request: Request) -> Response:
        if self.actor.user is None:
            raise NotAuthenticated
        invitation = find_invitation(self.body(AcceptanceRequest).validated_data["token"])
        if invitation is None:
            raise Refused(INVITATION_UNKNOWN("token"))
        member = accept_invitation(invitation, self.actor)
        return Response(MemberSerializer(member).data, status=status.HTTP_201_CREATED)
