"""Somebody's own registration, by the link that was sent: whoever has it needs no account."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base.models.registration import Registration
from tournament.registration.api.applicants import ApplicantRequest
from tournament.registration.selectors.registration_link import found_by
from tournament.registration.selectors.registrations import is_expired, position_of
from tournament.registration.services.registrations import (
    cancel_registration,
    change_registration,
    confirm_registration,
)
from tournament.web.api.base import NOT_KEPT, Endpoint


class OwnRegistrationSerializer(serializers.ModelSerializer[Registration]):
    """One registration as its person sees it."""

    player = serializers.IntegerField(source="player.number", default=None, allow_null=True)
    position = serializers.SerializerMethodField()

    class Meta:
        model = Registration
        fields = (
            *("number", "state", "position", "player", "last_name", "first_name", "country", "email"),
            *("ema_number", "club", "team", "message", "answers", "photos_agreed", "name_shown"),
        )

    def get_position(self, one: Registration) -> int | None:
        """On the waiting list."""
        return position_of(one)


class OwnRegistration(Endpoint):
    """Where somebody stands. POST confirms, PUT changes what was said (but for the address), DELETE cancels."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="own_registration", responses=OwnRegistrationSerializer)
    def get(self, request: Request, slug: str, token: str) -> Response:
        return _answer(self._found(slug, token))

    @extend_schema(operation_id="own_registration_confirm", request=None, responses=OwnRegistrationSerializer)
    def post(self, request: Request, slug: str, token: str) -> Response:
        return _answer(confirm_registration(self._found(slug, token), self.actor))

    @extend_schema(
        operation_id="own_registration_change", request=ApplicantRequest, responses=OwnRegistrationSerializer
    )
    def put(self, request: Request, slug: str, token: str) -> Response:
        one = self._found(slug, token)
        return _answer(change_registration(one, self.actor, self.body(ApplicantRequest).applicant()))

    @extend_schema(operation_id="own_registration_cancel", responses={200: OwnRegistrationSerializer})
    def delete(self, request: Request, slug: str, token: str) -> Response:
        return _answer(cancel_registration(self._found(slug, token), self.actor))

    def _found(self, slug: str, token: str) -> Registration:
        found = found_by(token, self.tournament(slug))
        if found is None or found.erased_at or is_expired(found):
            raise Http404
        return found


def _answer(one: Registration, **more: Any) -> Response:
    return Response(OwnRegistrationSerializer(one).data, headers=NOT_KEPT, **more)
