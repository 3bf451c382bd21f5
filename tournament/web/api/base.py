"""What every endpoint shares: who asks, which tournament is meant, pages of lists, refusals, and fields."""

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
from tournament.base import access, zones
from tournament.base.access import Actor, Audience, Right
from tournament.base.engine.rules import two_decimals
from tournament.base.errors import InsufficientTokenScope, Refused, Stale, TooMany, Unsettled, UuidTaken
from tournament.base.fields import CompactField, TextsField, compact
from tournament.base.models.people import ApiToken
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.selectors import find_table, keeps_back
from tournament.web.api.rates import REQUESTS_TOO_MANY
from tournament.web.texts.log import changes_as_json

TOKEN_FALLS_SHORT = problem_code(
    "token_falls_short", "You may, but this token may not: it is for less, or for another tournament."
)

# --- Endpoints ---


S = TypeVar("S", bound="Serializer[Any]")
M = TypeVar("M", bound=Model)


class CompactSerializerField(serializers.CharField):
    """A code in capitals without spaces (`CompactField`)."""

    def to_internal_value(self, data: Any) -> str:
        return compact(super().to_internal_value(data))


class TextsSerializerField(serializers.DictField):
    """A text in each language that has one (`TextsField`)."""

    child = serializers.CharField(allow_blank=True)

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{name: value for name, value in options.items() if name not in ("encoder", "decoder")}
        )


class Endpoint(APIView):
    """Anonymous visitors may read public tournaments; writing is for the services to allow."""

    @property
    def pagination_class(self) -> type[Any] | None:
        """Pages, of what is read: the answer to a write is whole."""
        return Pages if self.request.method == "GET" else None

    def listed(self, form: type[Serializer[Any]], rows: Any, code: int = 200, **context: Any) -> Response:
        """Answer with the page of the rows that is asked for; to a write, with all of them."""
        paginator = self.pagination_class and self.pagination_class()
        page = paginator.paginate_queryset(rows, self.request, view=self) if paginator else rows
        data = form(page, many=True, context=context).data
        return paginator.get_paginated_response(data) if paginator else Response(data, status=code)

    @cached_property
    def actor(self) -> Actor:
        """Whoever is signed in; by a token, as far as it reaches."""
        token: ApiToken | None = self.request.auth  # type: ignore[assignment]  # ours, not the framework's
        return Actor.of(self.request.user, access.grant_of(token))

    def tournament(self, slug: str) -> Tournament:
        """The tournament; 404 also for one that the asker may not see."""
        return self._seen(Tournament.objects.filter(slug=slug).first())

    def _seen(self, tournament: Tournament | None) -> Tournament:
        if tournament is None or not access.can_see(self.actor, tournament):
            raise Http404
        zones.tell_time_of(tournament)
        return tournament

    def organised(self, slug: str) -> Tournament:
        """One that the asker organises."""
        return self.allowed(slug, Right.ORGANISE)

    def allowed(self, slug: str, right: Right) -> Tournament:
        """One in which the asker has a right."""
        tournament = self.tournament(slug)
        access.require(self.actor, tournament, right)
        return tournament

    def audience(self, tournament: Tournament) -> Audience:
        """For whom its results are read."""
        return access.audience_of(self.actor, tournament)

    def told(self, table: Table) -> Audience:
        """The audience of the results at a table; 403 where it is not told of them."""
        audience = self.audience(table.session.tournament)
        if keeps_back(audience, table.session):
            raise PermissionDenied(
                _("The results of this session are hidden until the organiser opens them.")
            )
        return audience

    def as_it_stands(self) -> dict[str, Any]:
        """What a write that came too late is answered with beside the changes."""
        return {}

    def organised_session(self, slug: str, number: int) -> Session:
        session = self.session(slug, number)
        access.require_organiser(self.actor, session.tournament)
        return session

    def session(self, slug: str, number: int) -> Session:
        return get_object_or_404(self.tournament(slug).sessions.select_related("tournament"), number=number)

    def table(self, slug: str, session: int, table: int) -> Table:
        try:
            row = find_table(slug, session, table)
        except Table.DoesNotExist:
            raise Http404 from None
        self._seen(row.session.tournament)
        return row

    def body(self, form: type[S], **context: Any) -> S:
        """The request's body in that form, and what headers say in its place; 400 with every field's fault when its
        types are wrong."""
        filled = form(data=body_of(self.request, form), context=context)
        if not context:
            filled.fields = fields_of(form)
        filled.is_valid(raise_exception=True)
        return filled

    def filled(self, form: type[ModelSerializer[M]], instance: M) -> M:
        """Return the instance with what the request's body says; a service checks and stores it.

        Raises ValidationError with every field's fault.
        """
        sent: Any = form(instance, data=body_of(self.request, form))
        sent.is_valid(raise_exception=True)
        return fill(instance, sent.validated_data)


def fill(instance: M, values: Mapping[str, Any]) -> M:
    """Return the instance with these values; a service checks and stores it."""
    for name, value in values.items():
        setattr(instance, name, value)
    return instance


def filled_rows(rows: Iterable[Mapping[str, Any]], stored: QuerySet[M]) -> list[M]:
    """Return objects with what was sent of each: stored ones by their `pk`, and new ones."""
    known = {row.pk: row for row in stored}
    return [fill(known.pop(values["pk"], None) or stored.model(), values) for values in rows]


class ModelSerializer(serializers.ModelSerializer[M]):
    """A settings-like object: its limits are the model's."""

    serializer_field_mapping: ClassVar[Any] = {
        **serializers.ModelSerializer.serializer_field_mapping,
        CompactField: CompactSerializerField,
        TextsField: TextsSerializerField,
    }


class SettingsEndpoint(Endpoint):
    """What an event has one of: GET reads it, PUT replaces it whole."""

    serializer_class: type[Serializer[Any]]
    request_class: type[Serializer[Any]] | None = None
    """What PUT takes, where it is not what is answered."""
    read_right: Right | None = None
    """Of those who may read it; None: whoever sees the event."""
    write_right = Right.ORGANISE

    def get_object(self, tournament: Tournament) -> Any:
        """What is serialized."""
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


not_kept = method_decorator(cache_control(no_store=True), name="dispatch")
"""Of an endpoint whose answers have a secret in them."""


# --- Headers for fields ---


KEY: Final = "Idempotency-Key"
MATCH: Final = "If-Match"
STANDS_FOR: Final = {KEY: "uuid", MATCH: "table_version"}


def body_of(request: Request, form: type[Serializer[Any]]) -> Any:
    """Read the body, with the fields that headers say in its place; where both say one, the body counts.

    For programs whose library repeats and compares by the standard's own: `Idempotency-Key`
    (draft-ietf-httpapi-idempotency-key-header) is the `uuid` of what is written, `If-Match` (RFC 9110) the
    `table_version` that was seen.
    """
    body = request.data
    if not isinstance(body, Mapping):
        return body
    from_headers = {
        field: _unquoted(request.headers[header])
        for header, field in STANDS_FOR.items()
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
    """Make the fields of a form without a context, once.

    They keep nothing of what they read, and to make them takes longer than reading does.
    """
    return form().fields


# --- Pages of lists ---


class _Linked(BasePagination):
    """The rows alone; the header `Link` (RFC 8288) has the address of the next page."""

    get_next_link: Callable[[], str | None]

    def get_paginated_response(self, data: Any) -> Response:
        link = self.get_next_link()
        return Response(data, headers={"Link": f'<{link}>; rel="next"'} if link else None)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return schema


class Pages(_Linked, PageNumberPagination):
    """Most lists of an event are shorter than a page, and come whole."""

    page_size = max_page_size = 1000
    page_size_query_param = "per_page"


class ShortPages(Pages):
    """Of what may be many: `per_page` asks for more."""

    page_size = 100


class LogPages(_Linked, CursorPagination):
    """The log grows at its head: `most` entries of those before the number `before`."""

    ordering = "-seq"
    cursor_query_param = "before"
    page_size, max_page_size, page_size_query_param = 200, 1000, "most"

    def decode_cursor(self, request: Request) -> Cursor | None:
        before = request.query_params.get(self.cursor_query_param)
        number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
        return None if before is None else Cursor(0, False, number.run_validation(before))

    def encode_cursor(self, cursor: Cursor) -> str:
        return replace_query_param(str(self.base_url), self.cursor_query_param, cursor.position)


# --- Refusals ---


READ_AS = {"not_authenticated": "signed_out", "permission_denied": "forbidden", "max_length": "text_too_long"}
"""The framework's codes → ours; what else it finds in a field is "not_understood", but for our models' problems."""
OURS = {"sign_in_wrong", "otp_missing", "otp_wrong"}
"""Codes that mean something to a program as they are."""


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer with what the services refuse, and what cannot be read; the rest is the framework's, or crashes.

    422 with every problem, 409 with what changed.
    """
    if isinstance(error, Throttled):
        seconds = ceil(getattr(error, "wait", None) or 0)
        error = TooMany(REQUESTS_TOO_MANY(seconds=seconds), seconds)
    if isinstance(error, Stale):
        facts = {"table_version": error.version, "changes": changes_as_json(error.changes)}
        # RFC 9110 §13.1.1: whoever compares by a header is told so by its own status
        status = 412 if MATCH in context["request"].headers else 409
        return _refused(status, _nothing_changed(), error, **facts, **context["view"].as_it_stands())
    if isinstance(error, UuidTaken):
        return _refused(409, _nothing_changed(), error, changes=[], **context["view"].as_it_stands())
    if isinstance(error, Unsettled):
        return _refused(409, _("Something is still open. Settle it, or say why you go on: reason."), error)
    if isinstance(error, TooMany):
        too_many = _refused(429, _nothing_changed(), error)
        too_many.headers["Retry-After"] = str(error.wait)
        return too_many
    if isinstance(error, Refused):
        return _refused(422, _nothing_changed(), error)
    if isinstance(error, InsufficientTokenScope):
        return _token_refusal()
    answer = default_handler(error, context)
    return answer and _framework_refusal(error, answer)


def _nothing_changed() -> str:
    return _("Not saved: nothing has been changed.")


def _refused(status: int, detail: str, refused: Refused, **more: Any) -> Response:
    return refusal(status, detail, faults(refused.problems, sentence), **more)


def _token_refusal() -> Response:
    text = sentence(short := TOKEN_FALLS_SHORT())
    answer = refusal(403, text, faults([short], sentence))
    answer.headers["WWW-Authenticate"] = 'Bearer realm="Hule", error="insufficient_scope"'
    return answer


def _framework_refusal(error: Exception, answer: Response) -> Response:
    problems = (
        list(_field_faults(answer.data))
        if isinstance(error, ValidationError)
        else [_whole_fault(error, answer)]
    )
    ours = refusal(answer.status_code, problems[0]["message"], problems)
    for name in ("WWW-Authenticate", "Retry-After", "Allow"):
        if name in answer.headers:
            ours.headers[name] = answer.headers[name]
    return ours


def _whole_fault(error: Exception, answer: Response) -> Fault:
    detail = answer.data["detail"]
    code = READ_AS.get(detail.code, detail.code)
    if isinstance(error, NotAuthenticated):
        detail = _("You are signed out. Sign in again; what you entered stays.")
    return {"code": code, "where": "", "message": str(detail), "params": {}}


def _field_faults(node: Any, where: str = "") -> Iterator[Fault]:
    """Yield what is wrong in each field, by its path: "tiles", "fans.all_pungs", "seats.3"."""
    if isinstance(node, ErrorDetail):
        place = where.removesuffix(".non_field_errors").removeprefix("non_field_errors")
        code = str(node.code)
        code = code if code in OURS or code in PROBLEM_CODES else READ_AS.get(code, "not_understood")
        yield {"code": code, "where": place, "message": str(node), "params": {}}
        return
    parts = node.items() if isinstance(node, dict) else enumerate(node)
    for name, part in parts:
        # A field's own faults come as a list; a list of fields comes as dicts.
        here = isinstance(node, list) and isinstance(part, ErrorDetail)
        yield from _field_faults(part, where if here else f"{where}.{name}".removeprefix("."))


# --- Fields ---


HIGHEST_NUMBER = 9999
MOST_SESSIONS = 999


def number_field(most: int = HIGHEST_NUMBER) -> serializers.IntegerField:
    """A player, a session or a table, by its number; what is larger than a database counts is no number."""
    return serializers.IntegerField(min_value=1, max_value=most)


def numbers_field(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=number_field(), max_length=HIGHEST_NUMBER, **options)


class Remark(serializers.CharField):
    """A sentence or two that may be left out: the services say where one is needed."""

    def __init__(self, **more: Any) -> None:
        usual: dict[str, Any] = {"required": False, "allow_blank": True, "default": "", "max_length": 300}
        super().__init__(**(usual | more))


class Reasoned(serializers.Serializer[Any]):
    reason = Remark()


@extend_schema_field(OpenApiTypes.STR)
class TwoDecimalsField(serializers.Field):  # type: ignore[type-arg]
    """A fraction as people print it: "11.50"."""

    def to_representation(self, value: Any) -> str:
        return two_decimals(value)


# --- Converters ---


IN_ADDRESSES: Final = {
    "session_step": "start|unstart|close|reopen|hide|show",
    "clock_step": "pause|go-on|extend",
    "table_step": "hand-in|reopen",
    "screen": r"[-\w]{1,40}",  # letters of any script, digits and hyphens
    "secret": StringConverter.regex,  # opens something for whoever has the address; no line of the log has it
}
for name, regex in IN_ADDRESSES.items():
    register_converter(type(name, (StringConverter,), {"regex": regex}), name)
