"""The API of personal data: retention, one person's data, and erasure."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right, audience_of
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.privacy.models import PrivacyPlan
from tournament.privacy.selectors import (
    PersonalData,
    Subject,
    contact_deletion_time,
    personal_data,
    privacy_of,
    subject_of,
)
from tournament.privacy.services import (
    delete_contacts,
    erase_player,
    erase_registration,
    set_contact_retention,
)
from tournament.web.api.base import Endpoint, ModelSerializer, SettingsEndpoint, no_store


class PrivacySerializer(ModelSerializer[PrivacyPlan]):
    goes_at = serializers.SerializerMethodField()

    class Meta:
        model = PrivacyPlan
        fields = ("contact_days", "goes_at", "deleted_at", "deleted_people", "deleted_letters")
        read_only_fields = ("deleted_at", "deleted_people", "deleted_letters")

    @extend_schema_field(OpenApiTypes.DATETIME)
    def get_goes_at(self, plan: PrivacyPlan) -> str:
        return contact_deletion_time(plan.tournament).isoformat()


class ErasureRequest(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="The person's name, as a confirmation.")


class Privacy(SettingsEndpoint):
    """How long contact data is stored and what was deleted, for everybody. DELETE deletes it now."""

    serializer_class = PrivacySerializer

    def get_object(self, tournament: Tournament) -> PrivacyPlan:
        return privacy_of(tournament)

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        plan = privacy_of(tournament)
        plan.contact_days = data.get("contact_days", plan.contact_days)
        set_contact_retention(plan, self.actor)

    @extend_schema(operation_id="contact_data_delete", responses={200: PrivacySerializer})
    def delete(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        delete_contacts(tournament, self.actor)
        return self.answer(tournament)


@no_store
class _SubjectEndpoint(Endpoint):
    def of_player(self, slug: str, number: int) -> Subject:
        tournament = self.tournament(slug)
        player = get_object_or_404(tournament.players, number=number)
        return subject_of(tournament, player, None)

    def of_registration(self, slug: str, number: int) -> Subject:
        """Return the registration. Without the right it is refused before the number is looked up."""
        tournament = self.allowed(slug, Right.ADMIT)
        registration = get_object_or_404(tournament.registrations, number=number)
        return subject_of(tournament, None, registration)

    def data_response(self, subject: Subject) -> Response:
        access.require(self.actor, subject.tournament, Right.ADMIT)
        return Response(personal_data(subject, audience_of(self.actor, subject.tournament)))


class PlayerData(_SubjectEndpoint):
    """All data stored about a player, why and until when; of hidden sessions only for who may see them."""

    @extend_schema(responses=PersonalData)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self.data_response(self.of_player(slug, number))


class RegistrationData(_SubjectEndpoint):
    """All data stored about a registered person, why and until when; of hidden sessions only for who may see them."""

    @extend_schema(responses=PersonalData)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self.data_response(self.of_registration(slug, number))


class PlayerErasure(_SubjectEndpoint):
    """POST erases a player's identity for good: results, country and team stay."""

    @extend_schema(operation_id="player_erase", request=ErasureRequest, responses={204: None})
    def post(self, request: Request, slug: str, number: int) -> Response:
        subject = self.of_player(slug, number)
        assert subject.player is not None
        access.require(self.actor, subject.tournament, Right.OWN)
        erase_player(subject.player, self.actor, name=self.body(ErasureRequest).validated_data["name"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class RegistrationErasure(_SubjectEndpoint):
    """POST erases a registered person, and the player they became."""

    @extend_schema(operation_id="registration_erase", request=ErasureRequest, responses={204: None})
    def post(self, request: Request, slug: str, number: int) -> Response:
        access.require(self.actor, self.tournament(slug), Right.OWN)
        registration: Registration | None = self.of_registration(slug, number).registration
        assert registration is not None
        erase_registration(registration, self.actor, name=self.body(ErasureRequest).validated_data["name"])
        return Response(status=status.HTTP_204_NO_CONTENT)
