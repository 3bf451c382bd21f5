"""Invitations: made, listed, taken back, accepted. A token is on the answer to its making and nowhere else."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.errors import refuse
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors.reach import drawn_in
from tournament.play.api.requests import numbers_field
from tournament.staff.api.reach import require_known
from tournament.staff.api.staff import MemberSerializer
from tournament.staff.invitations import Letter, NewInvitation, Offer, find_invitation, standing_of
from tournament.staff.models import Invitation
from tournament.staff.passes import good_until
from tournament.staff.selectors.staff import invitations_of
from tournament.staff.services.invitations import accept_invitation, invite, revoke_invitation
from tournament.web.api.base import NOT_KEPT, Endpoint


class InvitationRequest(serializers.Serializer[Any]):
    """Nothing named means everywhere; sessions and tables are for umpires and scorers."""

    role = serializers.ChoiceField(choices=Role.choices)
    email = serializers.EmailField(
        required=False, allow_blank=True, default="", help_text="Left out: the link is passed on by hand."
    )
    expires_on = serializers.DateField(help_text="The last day, by the tournament's clock.")
    sessions = numbers_field(required=False, default=list)
    tables = numbers_field(required=False, default=list)

    def offer(self, tournament: Tournament) -> Offer:
        said = self.validated_data
        require_known(tournament, said["sessions"], said["tables"], drawn_in(tournament, said["sessions"]))
        until = good_until(tournament, said["expires_on"])
        return Offer(Role(said["role"]), until, said["sessions"], said["tables"])


class InvitationSerializer(serializers.ModelSerializer[Invitation]):
    class Meta:
        model = Invitation
        fields = ("id", "role", "sessions", "tables", "email", "made_at", "expires_at")


class NewInvitationSerializer(InvitationSerializer):
    token = serializers.CharField(help_text="This once: nobody can look it up later.")
    link = serializers.CharField()

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "token", "link")  # type: ignore[assignment]


class Invitations(Endpoint):
    """Those whose links may still be opened; POST makes one."""

    @extend_schema(operation_id="invitations", responses=InvitationSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(InvitationSerializer(invitations_of(self.organised(slug)), many=True).data)

    @extend_schema(operation_id="invite", request=InvitationRequest, responses={201: NewInvitationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        tournament, said = self.organised(slug), self.body(InvitationRequest)
        made = invite(tournament, self.actor, said.offer(tournament), self._letter(said))
        return Response(self._as_json(made), status=status.HTTP_201_CREATED, headers=NOT_KEPT)

    def _letter(self, said: InvitationRequest) -> Letter | None:
        to = said.validated_data["email"]
        return Letter(to, get_language() or "en", self._link) if to else None

    def _link(self, token: str) -> str:
        return self.request.build_absolute_uri(reverse("invitation", args=[token]))

    def _as_json(self, made: NewInvitation) -> dict[str, Any]:
        known = {"token": made.token, "link": self._link(made.token)}
        return InvitationSerializer(made.invitation).data | known


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
        found = find_invitation(self.body(AcceptanceRequest).validated_data["token"])
        if found is None:
            raise refuse(f"invitation_{standing_of(found, self.actor.user).value}", "token")
        member = accept_invitation(found, self.actor)
        return Response(MemberSerializer(member).data, status=status.HTTP_201_CREATED)
