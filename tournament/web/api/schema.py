"""Additions to drf-spectacular's schema: refusals, links to the next page, headers, examples."""

import re
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, OpenApiParameter
from rest_framework import serializers

from scoring.refusals import CONTENT_TYPE, Fault
from tournament.web.api.base import HEADER_FIELDS, KEY_HEADER, MATCH_HEADER
from tournament.web.api.typed import TypedField

Schema = dict[str, Any]
METHOD_VERBS: Final = {
    "GET": "get",
    "POST": "create",
    "PUT": "replace",
    "PATCH": "update",
    "DELETE": "delete",
}
POST_VERBS: Final = {"plan", "preview", "publish", "replan", "swap", "test", "undo"}
"""Last words of paths that say what a POST does."""
OUTER_NOUNS: Final = {"api", "v1", "tournaments", "sessions", "tables"}
"""Words of paths that name an operation only if they are the last."""
SINGULARS: Final = {"^people$": "person", "ies$": "y", "sses$": "ss", "(?<![sg])s$": ""}
"""Endings of plurals; standings and settings have no singular here."""
PAGED_BY: Final = {"page", "before"}
"""Query parameters that ask for the next page."""
EXAMPLES: Final[dict[str, Any]] = {
    "name": "Spring Open",
    "first_name": "Ana",
    "last_name": "Lima",
    "full_name": "Ana Lima",
    "username": "ana",
    "country": "PRT",
    "club": "Lisbon Tiles",
    "team": "Dragons",
    "ema_number": "12000123",
    "slug": "spring-open",
    "venue": "Town hall",
    "time_zone": "Europe/Lisbon",
    "language": "en",
    "seed": "dice 3 4 6",
    "reason": "The sheet was misread.",
    "because": "The others saw it.",
    "ruling": "The hand is void.",
    "category": "Members",
    "amount": "40.00",
    "owed": "40.00",
    "paid": "15.00",
    "open": "25.00",
    "title": "Lunch",
    "text": "The third session begins at two.",
    "url": "/api/v1/tournaments/spring-open/",
    "code": "not_at_this_table",
    "where": "winner",
    "detail": "Not saved: nothing has been changed.",
    "target": "https://hooks.example.org/hule",
    "link": "https://hule.example.org/invitation/…",
    "token": "hule_…",
    "table_points": "4.00",
    "game_points": 96,
    "foul": "false_hu",
    "outcome": "win",
    "winner": 1,
    "discarder": 5,
    "player": 1,
    "number": 1,
    "hand_number": 7,
    "session": 1,
    "table": 2,
    "minutes": 10,
    "points": 24,
    "table_version": 12,
    "version": 12,
    "points_without_flowers": 24,
    "points_by_tiles": 24,
    "payments": {"1": 48, "5": -32, "9": -8, "13": -8},
    "fans": {"seven_pairs": 1},
    "tiles": {
        "concealed": ["1m", "1m", "3m", "3m", "5p", "5p", "7p", "7p", "2s", "2s", "8s", "8s", "E", "E"],
        "winning_tile": "E",
    },
    "sessions": [1],
    "tables": [2],
    "claimants": [],
    "absent": [],
}
"""Field name → example, where the type allows it."""


# --- Every operation ---


class FaultsField(TypedField):
    shape = list[Fault]


class Refusal(serializers.Serializer[Any]):
    """What was refused, and why (RFC 9457); a 409 at a table has how the table stands beside it."""

    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    problems = FaultsField()


class ApiSchema(AutoSchema):
    """Adds ids `<noun>_<verb>`, refusals, the Link header, and headers that stand for fields."""

    def get_operation_id(self) -> str:
        """Return the nouns of the path, and its verb or that of the method: "hand_list", "player_list_preview"."""
        *parents, last = re.findall(r"\w[\w.-]*\b", re.sub(r"{\w+}", "", self.path))
        words = [_singular(word) for word in parents if word not in OUTER_NOUNS]
        if self.method == "POST" and last in POST_VERBS:
            words += [last]
        elif self.method == "GET" and self._is_list_view():
            words += [_singular(last), "list"]
        else:
            words += [_singular(last), METHOD_VERBS[self.method]]
        return re.sub(r"\W", "_", "_".join(words))

    def get_operation(self, *args: Any, **kwargs: Any) -> Schema | None:
        operation: Schema | None = super().get_operation(*args, **kwargs)
        if operation is not None:
            content = {CONTENT_TYPE: {"schema": self.resolve_serializer(Refusal(), "response").ref}}
            for status, text in self._refusals().items():
                operation["responses"].setdefault(status, {"description": text, "content": content})
            if PAGED_BY & {parameter["name"] for parameter in operation.get("parameters", ())}:
                text = _("The next page (RFC 8288); none on the last.")
                link = {"Link": {"description": text, "schema": {"type": "string"}}}
                operation["responses"]["200"].setdefault("headers", {}).update(link)
        return operation

    def get_request_serializer(self) -> Any:
        return getattr(self.view, "request_class", None) or super().get_request_serializer()

    def get_override_parameters(self) -> list[Any]:
        key = _("Replaces `uuid`: repeating it is treated as the same write.")
        match = _(
            "Stands for `table_version`, in quotes: 412 with what changed when the table is at another."
        )
        headers = (
            OpenApiParameter(KEY_HEADER, OpenApiTypes.UUID, OpenApiParameter.HEADER, description=key),
            OpenApiParameter(MATCH_HEADER, OpenApiTypes.STR, OpenApiParameter.HEADER, description=match),
        )
        fields = self._body_fields()
        return [
            *super().get_override_parameters(),
            *(header for header in headers if HEADER_FIELDS[header.name] in fields),
        ]

    def resolve_serializer(
        self, serializer: Any, direction: Direction, bypass_extensions: bool = False
    ) -> ResolvedComponent:
        component = super().resolve_serializer(serializer, direction, bypass_extensions)
        required = (component.schema or {}).get("required", []) if direction == "request" else []
        if HEADER_FIELDS[KEY_HEADER] in required:
            required.remove(HEADER_FIELDS[KEY_HEADER])  # may be in the header instead
        return component

    def _body_fields(self) -> Any:
        """Return the fields of the request's body."""
        if self.method not in ("POST", "PUT", "PATCH"):
            return ()
        form = self.get_request_serializer()
        return getattr(form() if isinstance(form, type) else form, "fields", ())

    def _refusals(self) -> dict[str, str]:
        texts = {
            "400": _("What was sent cannot be read."),
            "401": _("Not signed in, or the token has expired."),
            "403": _("This account is not allowed to do this."),
            "404": _("Not found, or not visible to you."),
            "429": _("Too many requests: Retry-After says when to try again."),
        }
        conflict = _("Someone else has made changes since, or something is still open.")
        if self.method != "GET":
            texts |= {
                "409": conflict,
                "415": _("The request body has the wrong content type."),
                "422": _("The rules or the state of the tournament do not allow it."),
            }
        return texts | ({"412": conflict} if HEADER_FIELDS[MATCH_HEADER] in self._body_fields() else {})


def _singular(word: str) -> str:
    for plural, singular in SINGULARS.items():
        word = re.sub(plural, singular, word)
    return word


# --- Hooks of drf-spectacular: what the whole document needs ---


def allow_overlapping_types(result: Schema, **_options: Any) -> Schema:
    """Replace oneOf by anyOf where a value may match both, as "one of" would then match neither.

    JSON of any kind may be null already, and an empty text is a text.
    """
    _relax_one_of(result["components"]["schemas"])
    return result


def _relax_one_of(node: Any) -> None:
    if isinstance(node, dict):
        either = node.get("oneOf", ())
        if {} in either:
            del node["oneOf"]
        elif any(choice.get("maxLength") == 0 for choice in either):
            node["anyOf"] = node.pop("oneOf")
        node = list(node.values())
    for part in node if isinstance(node, list) else ():
        _relax_one_of(part)


def add_examples(result: Schema, **_options: Any) -> Schema:
    """Add examples to fields whose type does not explain itself."""
    for shape in result["components"]["schemas"].values():
        for name, field in shape.get("properties", {}).items():
            if name in EXAMPLES and _accepts_example(field, EXAMPLES[name]):
                field["examples"] = [EXAMPLES[name]]
    return result


def _accepts_example(field: Schema, example: Any) -> bool:
    """Return whether the field has the example's type and no narrower schema."""
    items, kinds = field.get("items", {}), field.get("type", ())
    if {"const", "enum", "$ref", "oneOf", "anyOf", "allOf"} & field.keys() or items.get(
        "type", "integer"
    ) != "integer":
        return False
    kind = {str: "string", int: "integer", dict: "object", list: "array"}[type(example)]
    return not kinds or ("$ref" not in items and kind in ([kinds] if isinstance(kinds, str) else kinds))
