"""Endpoints of the staff: roles, invitations, passes and the rota.

A token of a pass or an invitation is in the answer to its making and nowhere else.
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
from tournament.staff.passes import INVITATION_UNKNOWN, Reach, find_invitation, good_until
from tournament.staff.selectors import (
    RotaNow,
    Scope,
    invitations_of,
    proposed,
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
        max_length=NAME_LENGTH, help_text="The log shows it with everything written so."
    )
    sessions = numbers_field(required=False, default=list, help_text="Left out: all of them.")


class PassesRequest(serializers.Serializer[Any]):
    tables = numbers_field(
        required=False, default=list, help_text="A card for each of these, in every session."
    )
    umpires = UmpirePass(many=True, required=False, default=list)
    expires_on = serializers.DateField(help_text="The last day, by the tournament's clock.")


class PassSerializer(serializers.ModelSerializer[Pass]):
    """Where it lets write: at one table in every session, in some sessions, or, with neither, everywhere."""

    table_number = serializers.IntegerField(source="membership.table_number", allow_null=True)
    sessions: Any = serializers.SlugRelatedField(
        source="membership.sessions", slug_field="number", many=True, read_only=True
    )

    class Meta:
        model = Pass
        fields = ("id", "label", "table_number", "sessions", "made_at", "expires_at", "opened_at")


class NewPassSerializer(PassSerializer):
    token = serializers.CharField(help_text="This once: nobody can look it up later.")
    link = serializers.CharField()

    class Meta(PassSerializer.Meta):
        fields = (*PassSerializer.Meta.fields, "token", "link")  # type: ignore[assignment]


@no_store
class Passes(Endpoint):
    """The passes that have not been taken back; POST makes new ones. DELETE takes all of them back."""

    @extend_schema(operation_id="passes", responses=PassSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(PassSerializer, passes_of(self.organised(slug)))

    @extend_schema(
        operation_id="passes_make", request=PassesRequest, responses={201: NewPassSerializer(many=True)}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = self.body(PassesRequest).validated_data
        reaches = [
            *(Reach(table_number=number) for number in sorted({*data["tables"]})),
            *(Reach(umpire["name"], sessions=umpire["sessions"]) for umpire in data["umpires"]),
        ]
        until = good_until(tournament, data["expires_on"])
        passes = make_passes(tournament, self.actor, reaches, until)
        return self.list_response(NewPassSerializer, passes, status.HTTP_201_CREATED)

    @extend_schema(operation_id="passes_revoke", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        revoke_passes(tournament, self.actor, passes_of(tournament))
        return Response(status=status.HTTP_204_NO_CONTENT)


class OnePass(Endpoint):
    """DELETE takes the pass back; what was written under it stays."""

    @extend_schema(operation_id="pass_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        desk_pass = get_object_or_404(passes_of(self.organised(slug)), pk=pk)
        revoke_passes(desk_pass.membership.tournament, self.actor, [desk_pass])
        return Response(status=status.HTTP_204_NO_CONTENT)


@no_store
class Renewal(Endpoint):
    """POST gives a pass that was lost a new link; the old one opens nothing from now on."""

    @extend_schema(operation_id="pass_renew", request=None, responses={201: NewPassSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        desk_pass = get_object_or_404(passes_of(self.organised(slug)), pk=pk)
        new_pass = renew_pass(desk_pass, self.actor)
        return Response(NewPassSerializer(new_pass).data, status=status.HTTP_201_CREATED)


# --- The rota ---


class RotaRow(serializers.Serializer[Any]):
    session = number_field()
    table = number_field()
    umpire = serializers.IntegerField(min_value=1, help_text="The id of the member of the staff.")


class RotaRequest(serializers.Serializer[Any]):
    rota = RotaRow(many=True)


class Rota(Endpoint):
    """GET has the rota, or with `?propose` an even one that is not kept; PUT sets the whole of it."""

    @extend_schema(operation_id="rota", responses=RotaRequest)
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, Right.READ)
        return Response(
            _rota_as_json(proposed(tournament) if "propose" in request.query_params else rota_of(tournament))
        )

    @extend_schema(operation_id="rota_set", request=RotaRequest, responses=RotaRequest)
    def put(self, request: Request, slug: str) -> Response:
        tournament: Tournament = self.allowed(slug, Right.RULE)
        rows = self.body(RotaRequest).validated_data["rota"]
        set_rota(tournament, self.actor, [(row["session"], row["table"], row["umpire"]) for row in rows])
        return Response(_rota_as_json(rota_of(tournament)))


def _rota_as_json(rota: RotaNow) -> dict[str, Any]:
    rows = [
        {"session": session, "table": table, "umpire": line.membership.pk}
        for line in rota.lines
        for session, tables in line.tables.items()
        for table in tables or ()
    ]
    return {"rota": sorted(rows, key=lambda row: (row["session"], row["table"], row["umpire"]))}


# --- Staff ---


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

    def scope(self, tournament: Tournament) -> Scope:
        return scope_of(tournament, self.validated_data["sessions"], self.validated_data["tables"])


class MemberRequest(RoleRequest):
    """A new account, or one that there is."""

    username = serializers.CharField(
        max_length=User._meta.get_field("username").max_length, validators=[User.username_validator]
    )
    full_name = serializers.CharField(
        max_length=NAME_LENGTH, required=False, allow_blank=True, default="", help_text="For a new account."
    )
    new_account = serializers.BooleanField(
        required=False, default=True, help_text="False: who has this name already becomes an umpire."
    )


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


@no_store
class Staff(Endpoint):
    """Everybody with a role and an account; POST names somebody."""

    @extend_schema(operation_id="staff", responses=MemberSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(MemberSerializer, staff_of(self.allowed(slug, Right.READ)))

    @extend_schema(operation_id="staff_name", request=MemberRequest, responses={201: MemberMade})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(MemberRequest)
        data, scope = body.validated_data, body.scope(tournament)
        user = User(username=data["username"], first_name=data["full_name"])
        member, password = make_member(
            tournament, self.actor, user, body.chosen, is_new=data["new_account"], **scope
        )
        answer = MemberMade({"member": member, "password": password})
        return Response(answer.data, status=status.HTTP_201_CREATED)


class PlaysAs(serializers.Serializer[Any]):
    player = serializers.IntegerField(allow_null=True, help_text="Their number; null: none of the players.")


class OneMember(Endpoint):
    """PUT says the role and where it is for anew; PATCH, who of the players it is. DELETE takes the role back; what
    was recorded stays."""

    @extend_schema(operation_id="staff_change", request=RoleRequest, responses=MemberSerializer)
    def put(self, request: Request, slug: str, pk: int) -> Response:
        member = self._member(slug, pk)
        body = self.body(RoleRequest)
        role = body.chosen if "role" in body.initial_data else Role(member.role)
        changed = change_role(member, self.actor, role, **body.scope(member.tournament))
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


# --- Invitations ---


class InvitationRequest(ModelSerializer[Invitation]):
    """Nothing named means everywhere; sessions and tables are for umpires and scorers."""

    expires_on = serializers.DateField(help_text="The last day, by the tournament's clock.")
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
    token = serializers.CharField(help_text="This once: nobody can look it up later.")
    link = serializers.CharField()

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "token", "link")  # type: ignore[assignment]


@no_store
class Invitations(Endpoint):
    """Those whose links may still be opened; POST makes one."""

    @extend_schema(operation_id="invitations", responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.list_response(InvitationSerializer, invitations_of(self.organised(slug)))

    @extend_schema(operation_id="invite", request=InvitationRequest, responses={201: NewInvitationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        data = dict(self.body(InvitationRequest).validated_data)
        until = good_until(tournament, data.pop("expires_on"))
        invitation = Invitation(tournament=tournament, expires_at=until, **data)
        invite(invitation, self.actor, get_language() or "en")
        return Response(NewInvitationSerializer(invitation).data, status=status.HTTP_201_CREATED)


class OneInvitation(Endpoint):
    """DELETE takes it back: its link opens nothing any more."""

    @extend_schema(operation_id="invitation_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        invitation = get_object_or_404(invitations_of(self.organised(slug)), pk=pk)
        revoke_invitation(invitation, self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AcceptanceRequest(serializers.Serializer[Any]):
    token = serializers.CharField(max_length=60)


class Acceptance(Endpoint):
    """POST takes the role of an invitation with the account that asks. An account is made on the page of its link."""

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
