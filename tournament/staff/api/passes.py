"""Passes: the cards of tables and links for umpires. A token is on the answer to its making and nowhere else."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.errors import refuse
from tournament.base.models.tournament import Pass, Tournament
from tournament.base.selectors.reach import tables_of
from tournament.play.api.requests import numbers_field
from tournament.play.selectors.organiser import passes_of
from tournament.staff.api.reach import require_known
from tournament.staff.passes import NewPass, Reach, good_until
from tournament.staff.services.passes import make_passes, renew_pass, revoke_passes
from tournament.web.api.base import NOT_KEPT, Endpoint


class UmpirePass(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=80, help_text="The log shows it with everything written so.")
    sessions = numbers_field(required=False, default=list, help_text="Left out: all of them.")


class PassesRequest(serializers.Serializer[Any]):
    tables = numbers_field(
        required=False, default=list, help_text="A card for each of these, in every session."
    )
    umpires = UmpirePass(many=True, required=False, default=list)
    expires_on = serializers.DateField(help_text="The last day, by the tournament's clock.")

    def reaches(self, tournament: Tournament) -> list[Reach]:
        tables, umpires = sorted({*self.validated_data["tables"]}), self.validated_data["umpires"]
        if not tables and not umpires:
            raise refuse("tables_not_named", "tables")
        named = {number for umpire in umpires for number in umpire["sessions"]}
        require_known(tournament, named, tables, tables_of(tournament))
        sessions = {session.number: session for session in tournament.sessions.filter(number__in=named)}
        return [
            *(Reach(_("Table {table}").format(table=number), table_number=number) for number in tables),
            *(Reach(one["name"], sessions=[sessions[n] for n in {*one["sessions"]}]) for one in umpires),
        ]


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
    token = serializers.SerializerMethodField(help_text="This once: nobody can look it up later.")
    link = serializers.SerializerMethodField()

    class Meta(PassSerializer.Meta):
        fields = (*PassSerializer.Meta.fields, "token", "link")  # type: ignore[assignment]

    def get_token(self, made: Pass) -> str:
        return str(self.context["token"])

    def get_link(self, made: Pass) -> str:
        request: Request = self.context["request"]
        return request.build_absolute_uri(reverse("pass", args=[self.get_token(made)]))


class _Passes(Endpoint):
    def _told(self, new: NewPass) -> dict[str, Any]:
        context = {"token": new.token, "request": self.request}
        return dict(NewPassSerializer(new.desk_pass, context=context).data)

    def _pass(self, slug: str, pk: int) -> Pass:
        found = passes_of(self.organised(slug)).filter(pk=pk).first()
        if found is None:
            raise Http404
        return found


class Passes(_Passes):
    """The passes that have not been taken back; POST makes new ones. DELETE takes all of them back."""

    @extend_schema(operation_id="passes", responses=PassSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return Response(PassSerializer(passes_of(self.organised(slug)), many=True).data)

    @extend_schema(
        operation_id="passes_make", request=PassesRequest, responses={201: NewPassSerializer(many=True)}
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        body = self.body(PassesRequest)
        until = good_until(tournament, body.validated_data["expires_on"])
        made = make_passes(tournament, self.actor, body.reaches(tournament), until)
        told = [self._told(new) for new in made]
        return Response(told, status=status.HTTP_201_CREATED, headers=NOT_KEPT)

    @extend_schema(operation_id="passes_revoke", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        revoke_passes(tournament, self.actor, passes_of(tournament))
        return Response(status=status.HTTP_204_NO_CONTENT)


class OnePass(_Passes):
    """DELETE takes the pass back; what was written under it stays."""

    @extend_schema(operation_id="pass_revoke", responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        gone = self._pass(slug, pk)
        revoke_passes(gone.membership.tournament, self.actor, [gone])
        return Response(status=status.HTTP_204_NO_CONTENT)


class Renewal(_Passes):
    """POST gives a pass that was lost a new link; the old one opens nothing from now on."""

    @extend_schema(operation_id="pass_renew", request=None, responses={201: NewPassSerializer})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        told = self._told(renew_pass(self._pass(slug, pk), self.actor))
        return Response(told, status=status.HTTP_201_CREATED, headers=NOT_KEPT)
