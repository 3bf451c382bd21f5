"""Shared by all endpoints: actor, tournament, pagination, refusals, fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from math import ceil
from typing import Any, ClassVar, Final, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import register_converter
from django.urls.converters import StringConverter
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import (
    ErrorDetail,
    NotAuthenticated,
    PermissionDenied,
    Throttled,
    ValidationError,
)
from rest_framework.pagination import BasePagination, Cursor, CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView
from rest_framework.views import exception_handler as default_handler

from scoring.engine.problems import PROBLEM_CODES, problem_code
from scoring.refusals import Fault, faults, refusal
from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import two_decimals
from tournament.base.errors import InsufficientTokenScope, ReasonRequired, Refused, Stale, TooMany, UuidTaken
from tournament.base.fields import CompactField, TextsField, compact
from tournament.base.models.people import ApiToken
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import is_withheld_from
from tournament.base.sql import find_table
from tournament.web.api.rates import REQUESTS_TOO_MANY
from tournament.web.texts.log import changes_as_json

TOKEN_FALLS_SHORT = problem_code(
    "token_falls_short",
    "You are allowed to, but this token is not: it has fewer permissions, or is for another tournament.",
)

# --- Endpoints ---


S = TypeVar("S", bound="Serializer[Any]")
M = TypeVar("M", bound=Model)


class CompactSerializerField(serializers.CharField):
    """Reads codes in capitals without spaces, for `CompactField`."""

    def to_internal_value(self, data: Any) -> str:
        return compact(super().to_internal_value(data))


class TextsSerializerField(serializers.DictField):
    """A text by language, for `TextsField`."""

    child = serializers.CharField(allow_blank=True)

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{name: value for name, value in options.items() if name not in ("encoder", "decoder")}
        )


class Endpoint(APIView):
    """Anonymous visitors may read public tournaments; writing is for the services to allow."""

    @property
    def pagination_class(self) -> type[Any] | None:
        """For reads only: the response to a write has all rows."""
        return Pages if self.request.method == "GET" else None

    def list_response(
        self, form: type[Serializer[Any]], rows: Any, code: int = 200, **context: Any
    ) -> Response:
        """Return a response with the requested page of rows; after a write, with all of them."""
        paginator = self.pagination_class and self.pagination_class()
        page = paginator.paginate_queryset(rows, self.request, view=self) if paginator else rows
        data = form(page, many=True, context=context).data
        return paginator.get_paginated_response(data) if paginator else Response(data, status=code)

    @cached_property
    def actor(self) -> Actor:
        """The signed-in actor, limited by their token."""
        token: ApiToken | None = self.request.auth  # type: ignore[assignment]  # ours, not the framework's
        return Actor.of(self.request.user, access.token_grant(token))

    def tournament(self, slug: str) -> Tournament:
        """Return the tournament; raise Http404 if the actor may not see it."""
        return self._visible(Tournament.objects.filter(slug=slug).first())

    def _visible(self, tournament: Tournament | None) -> Tournament:
        if tournament is None or not access.can_see(self.actor, tournament):
            raise Http404
        timezone.activate(tournament.zone)
        return tournament

    def organised(self, slug: str) -> Tournament:
        """Return the tournament; raise Forbidden if the actor does not organise it."""
        return self.allowed(slug, Right.ORGANISE)

    def allowed(self, slug: str, right: Right) -> Tournament:
        """Return the tournament; raise Forbidden if the actor has not the right."""
        tournament = self.tournament(slug)
        access.require(self.actor, tournament, right)
        return tournament

    def audience(self, tournament: Tournament) -> Audience:
        """Return the audience of the actor."""
        return access.audience_of(self.actor, tournament)

    def results_audience(self, table: Table) -> Audience:
        """Return the audience of a table's results; raise PermissionDenied if they are hidden from it."""
        audience = self.audience(table.session.tournament)
        if is_withheld_from(audience, table.session):
            raise PermissionDenied(
                _("The results of this session are hidden until the organiser reveals them.")
            )
        return audience

    def current_state(self) -> dict[str, Any]:
        """Return what a 409 response contains besides the changes."""
        return {}

    def organised_session(self, slug: str, number: int) -> Session:
        session = self.session(slug, number)
        access.require(self.actor, session.tournament, Right.ORGANISE)
        return session

    def session(self, slug: str, number: int) -> Session:
        return get_object_or_404(self.tournament(slug).sessions.select_related("tournament"), number=number)

    def table(self, slug: str, session: int, table: int) -> Table:
        try:
            row = find_table(slug, session, table)
        except Table.DoesNotExist:
            raise Http404 from None
        self._visible(row.session.tournament)
        return row

    def body(self, form: type[S], **context: Any) -> S:
        """Return a validated serializer of the request's body and of headers that stand for fields.

        Raises ValidationError with the faults of all fields.
        """
        serializer = form(data=body_of(self.request, form), context=context)
        if not context:
            serializer.fields = fields_of(form)
        serializer.is_valid(raise_exception=True)
        return serializer

    def deserialize(self, form: type[ModelSerializer[M]], instance: M) -> M:
        """Return the instance with the values of the request's body, for a service to check and store.

        Raises ValidationError with the faults of all fields.
        """
        serializer: Any = form(instance, data=body_of(self.request, form))
        serializer.is_valid(raise_exception=True)
        return fill(instance, serializer.validated_data)


def fill(instance: M, values: Mapping[str, Any]) -> M:
    """Set attributes of an instance and return it."""
    for name, value in values.items():
        setattr(instance, name, value)
    return instance


def instances_from_rows(rows: Iterable[Mapping[str, Any]], stored: QuerySet[M]) -> list[M]:
    """Return instances with these values: stored ones by their `pk`, and new ones."""
    by_pk = {row.pk: row for row in stored}
    return [fill(by_pk.pop(values["pk"], None) or stored.model(), values) for values in rows]


class ModelSerializer(serializers.ModelSerializer[M]):
    """A settings-like object: its limits are the model's."""

    serializer_field_mapping: ClassVar[Any] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        CompactField: CompactSerializerField,
        TextsField: TextsSerializerField,
    }


class SettingsEndpoint(Endpoint):
    """An object that an event has one of: GET reads it, PUT replaces it."""

    serializer_class: type[Serializer[Any]]
    request_class: type[Serializer[Any]] | None = None
    """Serializer of PUT, if it differs from the response's."""
    read_right: Right | None = None
    """The right to read it; None: everybody who sees the event."""
    write_right = Right.ORGANISE

    def get_object(self, tournament: Tournament) -> Any:
        """Return the object to serialize."""
        raise NotImplementedError

    def perform_update(self, tournament: Tournament, data: dict[str, Any]) -> None:
        """Call the service."""
        raise NotImplementedError

    def get(self, request: Request, slug: str) -> Response:
        right = self.read_right
        return self.answer(self.tournament(slug) if right is None else self.allowed(slug, right))

    def put(self, request: Request, slug: str) -> Response:
        tournament = self.allowed(slug, self.write_right)
        body: Serializer[Any] = self.body(self.request_class or self.serializer_class)
        self.perform_update(tournament, dict(body.validated_data))
        return self.answer(tournament)

    def answer(self, tournament: Tournament) -> Response:
        return Response(self.serializer_class(self.get_object(tournament)).data)


no_store = method_decorator(cache_control(no_store=True), name="dispatch")
"""Decorate an endpoint whose responses contain a secret: Cache-Control: no-store."""


# --- Headers for fields ---


KEY_HEADER: Final = "Idempotency-Key"
MATCH_HEADER: Final = "If-Match"
HEADER_FIELDS: Final = {KEY_HEADER: "uuid", MATCH_HEADER: "table_version"}


def body_of(request: Request, form: type[Serializer[Any]]) -> Any:
    """Return the body with the fields that headers stand for; the body has precedence.

    `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) stands for `uuid`, `If-Match` (RFC 9110) for
    `table_version`.
    """
    body = request.data
    if not isinstance(body, Mapping):
        return body
    from_headers = {
        field: _unquoted(request.headers[header])
        for header, field in HEADER_FIELDS.items()
        if header in request.headers and field not in body and field in fields_of(form)
    }
    return (
        {**body, **{field: value for field, value in from_headers.items() if value != "*"}}
        if from_headers
        else body
    )


def _unquoted(value: str) -> str | int:
    text = value.strip().removeprefix("W/").strip('"')
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


@cache
def fields_of(form: type[Serializer[Any]]) -> Any:
    """Return the fields of a serializer without a context. Cached: building them takes longer than reading."""
    return form().fields


# --- Pages of lists ---


class _LinkPagination(BasePagination):
    """Returns the rows only; the header `Link` (RFC 8288) has the URL of the next page."""

    get_next_link: Callable[[], str | None]

    def get_paginated_response(self, data: Any) -> Response:
        link = self.get_next_link()
        return Response(data, headers={"Link": f'<{link}>; rel="next"'} if link else None)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


class Pages(_LinkPagination, PageNumberPagination):
    """Most lists of an event fit on one page."""

    page_size = max_page_size = 1000
    page_size_query_param = "per_page"


class ShortPages(Pages):
    """For long lists; `per_page` asks for more."""

    page_size = 100


class LogPages(_LinkPagination, CursorPagination):
    """The newest `maximum` entries before the number `before`."""

    ordering = "-seq"
    cursor_query_param = "before"
    page_size, max_page_size, page_size_query_param = 200, 1000, "maximum"

    def decode_cursor(self, request: Request) -> Cursor | None:
        before = request.query_params.get(self.cursor_query_param)
        number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
        return None if before is None else Cursor(0, False, number.run_validation(before))

    def encode_cursor(self, cursor: Cursor) -> str:
        return replace_query_param(str(self.base_url), self.cursor_query_param, cursor.position)


# --- Refusals ---


CODE_NAMES = {
    "not_authenticated": "signed_out",
    "permission_denied": "forbidden",
    "max_length": "text_too_long",
}
"""DRF's codes → ours; other codes become "not_understood", unless they are problem codes."""
KEPT_CODES = {"sign_in_wrong", "otp_missing", "otp_wrong"}
"""DRF's codes that are ours too."""


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Return responses for refusals and for unreadable requests; DRF handles other exceptions.

    422 with every problem, 409 with the changes.
    """
    if isinstance(error, Throttled):
        seconds = ceil(getattr(error, "wait", None) or 0)
        error = TooMany(REQUESTS_TOO_MANY(seconds=seconds), seconds)
    if isinstance(error, Stale):
        facts = {"table_version": error.version, "changes": changes_as_json(error.changes)}
        # RFC 9110 §13.1.1: a failed If-Match has its own status
        status = 412 if MATCH_HEADER in context["request"].headers else 409
        return _refusal_response(
            status, _nothing_changed(), error, **facts, **context["view"].current_state()
        )
    if isinstance(error, UuidTaken):
        return _refusal_response(
            409, _nothing_changed(), error, changes=[], **context["view"].current_state()
        )
    if isinstance(error, ReasonRequired):
        return _refusal_response(
            409, _("Something is still open. Resolve it, or give a reason for continuing: reason."), error
        )
    if isinstance(error, TooMany):
        response = _refusal_response(429, _nothing_changed(), error)
        response.headers["Retry-After"] = str(error.wait)
        return response
    if isinstance(error, Refused):
        return _refusal_response(422, _nothing_changed(), error)
    if isinstance(error, InsufficientTokenScope):
        return _token_refusal()
    original = default_handler(error, context)
    return original and _drf_refusal(error, original)


def _nothing_changed() -> str:
    return _("Not saved: nothing has been changed.")


def _refusal_response(status: int, detail: str, refused: Refused, **more: Any) -> Response:
    return refusal(status, detail, faults(refused.problems, sentence), **more)


def _token_refusal() -> Response:
    problem = TOKEN_FALLS_SHORT()
    response = refusal(403, sentence(problem), faults([problem], sentence))
    response.headers["WWW-Authenticate"] = 'Bearer realm="Hule", error="insufficient_scope"'
    return response


def _drf_refusal(error: Exception, original: Response) -> Response:
    problems = (
        list(_field_faults(original.data))
        if isinstance(error, ValidationError)
        else [_single_fault(error, original)]
    )
    response = refusal(original.status_code, problems[0]["message"], problems)
    for name in ("WWW-Authenticate", "Retry-After", "Allow"):
        if name in original.headers:
            response.headers[name] = original.headers[name]
    return response


def _single_fault(error: Exception, original: Response) -> Fault:
    detail = original.data["detail"]
    code = CODE_NAMES.get(detail.code, detail.code)
    if isinstance(error, NotAuthenticated):
        detail = _("You are signed out. Sign in again; your entries are kept.")
    return {"code": code, "where": "", "message": str(detail), "params": {}}


def _field_faults(node: Any, where: str = "") -> Iterator[Fault]:
    """Yield the faults of each field by its path: "tiles", "fans.all_pungs", "seats.3"."""
    if isinstance(node, ErrorDetail):
        place = where.removesuffix(".non_field_errors").removeprefix("non_field_errors")
        code = str(node.code)
        code = code if code in KEPT_CODES or code in PROBLEM_CODES else CODE_NAMES.get(code, "not_understood")
        yield {"code": code, "where": place, "message": str(node), "params": {}}
        return
    parts = node.items() if isinstance(node, dict) else enumerate(node)
    for name, part in parts:
        # A field's own faults come as a list; a list of fields comes as dicts.
        is_own = isinstance(node, list) and isinstance(part, ErrorDetail)
        yield from _field_faults(part, where if is_own else f"{where}.{name}".removeprefix("."))


# --- Fields ---


HIGHEST_NUMBER = 9999
MAX_SESSIONS = 999


def number_field(maximum: int = HIGHEST_NUMBER) -> serializers.IntegerField:
    """Return a field for the number of a player, session or table."""
    return serializers.IntegerField(min_value=1, max_value=maximum)


def numbers_field(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=number_field(), max_length=HIGHEST_NUMBER, **options)


class Remark(serializers.CharField):
    """An optional sentence or two; services report it if it is required."""

    def __init__(self, **options: Any) -> None:
        defaults: dict[str, Any] = {"required": False, "allow_blank": True, "default": "", "max_length": 300}
        super().__init__(**(defaults | options))


class Reasoned(serializers.Serializer[Any]):
    reason = Remark()


@extend_schema_field(OpenApiTypes.STR)
class TwoDecimalsField(serializers.Field):  # type: ignore[type-arg]
    """A fraction with two decimals: "11.50"."""

    def to_representation(self, value: Any) -> str:
        return two_decimals(value)


# --- Converters ---


IN_ADDRESSES: Final = {
    "session_step": "start|unstart|close|reopen|hide|show",
    "clock_step": "pause|go-on|extend",
    "table_step": "hand-in|reopen",
    "screen": r"[-\w]{1,40}",  # letters of any script, digits and hyphens
    "secret": StringConverter.regex,  # grants access by itself; kept out of the server's log
}
for name, regex in IN_ADDRESSES.items():
    register_converter(type(name, (StringConverter,), {"regex": regex}), name)
