"""Lists to take away, as pages offer them."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.base import access
from tournament.base.access import Right
from tournament.base.models.tournament import Tournament
from tournament.exchange.lists import DESK, FORMATS, OPEN, STAFF, Asked, Listed, list_named, written
from tournament.exchange.lists.writing import TYPES
from tournament.web.api.base import Endpoint

FILE = extend_schema(
    responses={
        (200, "application/json"): OpenApiTypes.OBJECT,
        (200, "text/csv"): OpenApiTypes.STR,
        (200, TYPES["xlsx"]): OpenApiTypes.BINARY,
    }
)


class ListSerializer(serializers.Serializer[Any]):
    """`files`: format → address."""

    name = serializers.CharField()
    title = serializers.CharField()
    files = serializers.DictField(child=serializers.CharField())


class _Files(Endpoint):
    def asked(self, tournament: Tournament) -> Asked:
        return Asked(tournament, self.audience(tournament), self.actor)

    def file(self, tournament: Tournament, name: str, form: str) -> HttpResponse:
        listed, asked = list_named(name), self.asked(tournament)
        if not listed.may(asked):
            raise Http404
        return HttpResponse(written(listed, asked, form), content_type=TYPES[form])


class Lists(_Files):
    """The lists that whoever asks may have."""

    @extend_schema(operation_id="lists", responses=ListSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        tournament = self.tournament(slug)
        asked, mine = self.asked(tournament), access.rights_in(self.actor, tournament)
        shelves = (
            ("api_list_file", OPEN, True),
            ("api_staff_list_file", STAFF, Right.READ in mine),
            ("api_check_in_list_file", DESK, Right.ADMIT in mine),
        )
        return Response(
            [
                {"name": one.name, "title": str(one.title), "files": _files(address, slug, one)}
                for address, lists, is_theirs in shelves
                for one in lists.values()
                if is_theirs and one.may(asked)
            ]
        )


class ListFile(_Files):
    """For everybody who sees the event, as far as they are told."""

    @FILE
    def get(self, request: Request, slug: str, name: str, form: str) -> HttpResponse:
        return self.file(self.tournament(slug), name, form)


class StaffListFile(_Files):
    """For whoever may read everything."""

    @FILE
    def get(self, request: Request, slug: str, name: str, form: str) -> HttpResponse:
        return self.file(self.allowed(slug, Right.READ), name, form)


class CheckInListFile(_Files):
    """For whoever admits people."""

    @FILE
    def get(self, request: Request, slug: str, form: str) -> HttpResponse:
        return self.file(self.allowed(slug, Right.ADMIT), "check-in", form)


def _files(address: str, slug: str, one: Listed) -> dict[str, str]:
    name = {} if address == "api_check_in_list_file" else {"name": one.name}
    return {form: reverse(address, kwargs={"slug": slug, "form": form} | name) for form in FORMATS}
