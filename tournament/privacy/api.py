"""Personal data in the API: how long it is kept, one person's data, erasing somebody."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.privacy.models import PrivacyPlan
from tournament.privacy.selectors import (
    LONGEST,
    Subject,
    contact_goes_at,
    personal_data,
    privacy_of,
    subject_of,
)
from tournament.privacy.services import delete_contacts, erase_player, erase_registration, keep_contacts
from tournament.web.api.base import NOT_KEPT, Endpoint


class PrivacyRequest(serializers.Serializer[Any]):
    contact_days = serializers.IntegerField(
        min_value=0, max_value=LONGEST, help_text="So many days after the last one that is played."
    )


class PrivacySerializer(serializers.ModelSerializer[PrivacyPlan]):
    goes_at = serializers.SerializerMethodField()

    class Meta:
        model = PrivacyPlan
        fields = ("contact_days", "goes_at", "deleted_at", "deleted_people", "deleted_letters")

    @extend_schema_field(OpenApiTypes.DATETIME)
    def get_goes_at(self, plan: PrivacyPlan) -> str:
        return contact_goes_at(plan.tournament).isoformat()


class ErasureRequest(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="Theirs, so that nobody is erased by a slip.")


class Privacy(Endpoint):
    """How long contact data is kept and what has gone of it: for everybody; DELETE deletes it now."""

    @extend_schema(responses=PrivacySerializer)
    def get(self, request: Request, slug: str) -> Response:
        return self._answer(self.tournament(slug))

    @extend_schema(request=PrivacyRequest, responses=PrivacySerializer)
    def put(self, request: Request, slug: str) -> Response:
        tournament = self.organised(slug)
        keep_contacts(tournament, self.actor, self.body(PrivacyRequest).validated_data["contact_days"])
        return self._answer(tournament)

    @extend_schema(responses={200: PrivacySerializer})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        delete_contacts(tournament, self.actor)
        return self._answer(tournament)

    def _answer(self, tournament: Tournament) -> Response:
        return Response(PrivacySerializer(privacy_of(tournament)).data)


class _SubjectEndpoint(Endpoint):
    def of_player(self, slug: str, number: int) -> Subject:
        tournament = self.tournament(slug)
        player = tournament.players.filter(number=number).first()
        if player is None:
            raise Http404
        return subject_of(tournament, player, None)

    def of_registration(self, slug: str, number: int) -> Subject:
        """Return the subject; whether there is one, nobody is told who has no right."""
        tournament = self.tournament(slug)
        access.require(self.actor, tournament, Right.ADMIT)
        registration = tournament.registrations.filter(number=number).first()
        if registration is None:
            raise Http404
        return subject_of(tournament, None, registration)

    def handed(self, subject: Subject) -> Response:
        access.require(self.actor, subject.tournament, Right.ADMIT)
        return Response(personal_data(subject), headers=NOT_KEPT)


class PlayerData(_SubjectEndpoint):
    """All that is kept of a player, why and until when."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self.handed(self.of_player(slug, number))


class RegistrationData(_SubjectEndpoint):
    """All that is kept of who registered, why and until when."""

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self.handed(self.of_registration(slug, number))


class PlayerErasure(_SubjectEndpoint):
    """POST erases who a player was, for good: results, country and team stay."""

    @extend_schema(request=ErasureRequest, responses={204: None})
    def post(self, request: Request, slug: str, number: int) -> Response:
        subject = self.of_player(slug, number)
        assert subject.player is not None
        access.require(self.actor, subject.tournament, Right.OWN)
        erase_player(subject.player, self.actor, name=self.body(ErasureRequest).validated_data["name"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class RegistrationErasure(_SubjectEndpoint):
    """POST erases who registered, and the player they became."""

    @extend_schema(request=ErasureRequest, responses={204: None})
    def post(self, request: Request, slug: str, number: int) -> Response:
        access.require(self.actor, self.tournament(slug), Right.OWN)
        registration: Registration | None = self.of_registration(slug, number).registration
        assert registration is not None
        erase_registration(registration, self.actor, name=self.body(ErasureRequest).validated_data["name"])
        return Response(status=status.HTTP_204_NO_CONTENT)
