"""Long lists go out a page at a time; the header `Link` says where the next one is (RFC 8288)."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet
from rest_framework import serializers
from rest_framework.request import Request

Row = TypeVar("Row", bound=Model)
A_PAGE: Final = 100
MOST: Final = 1000
"""Rows of one answer. Most lists of an event are shorter, and come whole."""


class PageAsked(serializers.Serializer[Any]):
    """Which page, from 1."""

    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)


class Cut(serializers.Serializer[Any]):
    """Which page of a list, and how long one is: `per_page` at most."""

    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    per_page = serializers.IntegerField(min_value=1, max_value=MOST, default=MOST)


class LogPage(serializers.Serializer[Any]):
    """Which entries of the log: `most` of those before the number `before`, for it grows at its head."""

    before = serializers.IntegerField(min_value=1, max_value=2**31 - 1, default=2**31 - 1)
    most = serializers.IntegerField(min_value=1, max_value=1000, default=200)


def page_of(rows: QuerySet[Row], request: Request) -> tuple[list[Row], dict[str, str]]:
    """The rows of the page that is asked for, and the headers to send with them. Raises ValidationError."""
    asked = PageAsked(data=request.query_params)
    asked.is_valid(raise_exception=True)
    page: int = asked.validated_data["page"]
    found = list(rows[(page - 1) * A_PAGE : page * A_PAGE + 1])
    more = len(found) > A_PAGE
    return found[:A_PAGE], next_page(request, page + 1) if more else {}


def cut(rows: list[Any], request: Request) -> tuple[list[Any], dict[str, str]]:
    """Those of the page that is asked for, of a list that does not page itself. Raises ValidationError."""
    asked = Cut(data=request.query_params)
    asked.is_valid(raise_exception=True)
    page, most = asked.validated_data["page"], asked.validated_data["per_page"]
    shown = rows[(page - 1) * most : page * most]
    more = len(rows) > page * most
    return shown, next_page(request, page + 1) if more else {}


def next_page(request: Request, page: int) -> dict[str, str]:
    """The same question for the page after this one: what else was asked for stays."""
    asked = request.query_params.copy()
    asked["page"] = str(page)
    return {"Link": f'<{request.build_absolute_uri(request.path)}?{asked.urlencode()}>; rel="next"'}
