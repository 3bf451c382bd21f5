"""What every endpoint shares: who asks, which tournament is meant, pages of lists, refusals, and fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Final, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from django.urls import register_converter
from django.urls.converters import StringConverter
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, NotAuthenticated, PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView
from rest_framework.views import exception_handler as default_handler

from scoring.engine.problems import Problem
from scoring.refusals import Fault, faults, refusal
from tournament.base import access, zones
from tournament.base.access import Actor, Audience, Right
from tournament.base.engine.rules import two_decimals
from tournament.base.errors import Refused, Stale, TokenFallsShort, TooMany, Unsettled
from tournament.base.models.people import ApiToken
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import find_table, keeps_back
from tournament.web.texts.log import changes_as_json
from tournament.web.texts.problems import sentence

# --- Endpoints ---


S = TypeVar("S", bound="Serializer[Any]")


class Endpoint(APIView):
    """Anonymous visitors may read public tournaments; writing is for the services to allow."""

    cuts_itself: ClassVar[bool] = False
    """Whether its lists are cut into pages as they are asked of the database; others are cut before they are sent."""

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        rows = getattr(response, "data", None)
        if isinstance(rows, list) and request.method == "GET" and not self.cuts_itself:
            try:
                response.data, links = cut(rows, request)
                for name, value in links.items():
                    response.headers[name] = value
            except ValidationError as error:
                response = self.handle_exception(error)
        return super().finalize_response(request, response, *args, **kwargs)

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
        session = self.tournament(slug).sessions.select_related("tournament").filter(number=number).first()
        if session is None:
            raise Http404
        return session

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


NOT_KEPT = {"Cache-Control": "no-store"}
"""The headers of an answer with a secret in it."""


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
    """Cut the page that is asked for, with the headers to send with it. Raises ValidationError."""
    query = PageAsked(data=request.query_params)
    query.is_valid(raise_exception=True)
    page: int = query.validated_data["page"]
    shown = list(rows[(page - 1) * A_PAGE : page * A_PAGE + 1])
    more = len(shown) > A_PAGE
    return shown[:A_PAGE], next_page(request, page + 1) if more else {}


def cut(rows: list[Any], request: Request) -> tuple[list[Any], dict[str, str]]:
    """Cut the page that is asked for from a list that does not page itself. Raises ValidationError."""
    query = Cut(data=request.query_params)
    query.is_valid(raise_exception=True)
    page, most = query.validated_data["page"], query.validated_data["per_page"]
    shown = rows[(page - 1) * most : page * most]
    more = len(rows) > page * most
    return shown, next_page(request, page + 1) if more else {}


def next_page(request: Request, page: int) -> dict[str, str]:
    """Make the header `Link` (RFC 8288): the same question for the next page; what else was asked for stays."""
    query = request.query_params.copy()
    query["page"] = str(page)
    return {"Link": f'<{request.build_absolute_uri(request.path)}?{query.urlencode()}>; rel="next"'}


# --- Refusals ---


READ_AS = {"not_authenticated": "signed_out", "permission_denied": "forbidden", "max_length": "text_too_long"}
"""The framework's codes → ours; what else it finds in a field is "not_understood"."""
OURS = {"sign_in_wrong", "otp_missing", "otp_wrong"}
"""Codes that mean something to a program as they are."""


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer with what the services refuse, and what cannot be read; the rest is the framework's, or crashes.

    422 with every problem, 409 with what changed.
    """
    if isinstance(error, Stale):
        facts = {"table_version": error.version, "changes": changes_as_json(error.changes)}
        # RFC 9110 §13.1.1: whoever compares by a header is told so by its own status
        status = 412 if MATCH in context["request"].headers else 409
        return _refused(status, _nothing_changed(), error, **facts, **context["view"].as_it_stands())
    if isinstance(error, Unsettled):
        return _refused(409, _("Something is still open. Settle it, or say why you go on: reason."), error)
    if isinstance(error, TooMany):
        too_many = _refused(429, _nothing_changed(), error)
        too_many.headers["Retry-After"] = str(error.wait)
        return too_many
    if isinstance(error, Refused):
        return _refused(422, _nothing_changed(), error)
    if isinstance(error, TokenFallsShort):
        return _token_refusal()
    answer = default_handler(error, context)
    return answer and _framework_refusal(error, answer)


def _nothing_changed() -> str:
    return _("Not saved: nothing has been changed.")


def _refused(status: int, detail: str, refused: Refused, **more: Any) -> Response:
    return refusal(status, detail, faults(refused.problems, sentence), **more)


def _token_refusal() -> Response:
    text = sentence(short := Problem("token_falls_short"))
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
        code = code if code in OURS else READ_AS.get(code, "not_understood")
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


class SessionStep(StringConverter):
    regex = "start|unstart|close|reopen|hide|show"


class ClockStep(StringConverter):
    regex = "pause|go-on|extend"


class TableStep(StringConverter):
    regex = "hand-in|reopen"


class ScreenName(StringConverter):
    """Letters of any script, digits and hyphens."""

    regex = r"[-\w]{1,40}"


class OpenList(StringConverter):
    regex = "ranking|teams|nations|results|players|seats|hands|fans|penalties"


class StaffList(StringConverter):
    regex = "log|staff"


class ListFormat(StringConverter):
    regex = "xlsx|csv|json"


register_converter(OpenList, "open_list")
register_converter(StaffList, "staff_list")
register_converter(ListFormat, "list_format")
register_converter(SessionStep, "session_step")
register_converter(ClockStep, "clock_step")
register_converter(TableStep, "table_step")
register_converter(ScreenName, "screen")
