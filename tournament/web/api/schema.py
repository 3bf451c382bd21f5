"""What the published schema says of every step: refusals, pages of lists, and headers.

Hooks of drf-spectacular (SPECTACULAR_SETTINGS). It is read off the steps, so that none is forgotten.
"""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from scoring.refusals import CONTENT_TYPE
from tournament.web.api.base import KEY, MATCH, MOST, STANDS_FOR

Schema = dict[str, Any]
PAGED_BY: Final = {"page", "before"}
"""Whichever a listing has among its parameters, by which the next page is asked for."""
STANDINGS: Final = ("/standings/", "/standings/teams/", "/standings/nations/")
METHODS: Final = ("get", "post", "put", "patch", "delete")
REFUSAL: Final = {
    "type": "object",
    "required": ["title", "status", "detail", "problems"],
    "properties": {
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "problems": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["code", "where", "message", "params"],
                "properties": {
                    "code": {"type": "string"},
                    "where": {"type": "string"},
                    "message": {"type": "string"},
                    "params": {"type": "object", "additionalProperties": True},
                },
            },
        },
    },
}
"""`scoring.refusals.refusal`; a 409 at a table has how the table stands beside it."""


def with_refusals(result: dict[str, Any], **_options: Any) -> dict[str, Any]:
    """Say at every step how it turns down what it does not do."""
    result["components"].setdefault("schemas", {})["Refusal"] = REFUSAL
    for steps in result["paths"].values():
        for method in METHODS:
            if method in steps:
                _mark_problems(steps[method]["responses"])
                for status, text in _refusals(method).items():
                    steps[method]["responses"].setdefault(status, _answer(text))
    return result


def _mark_problems(responses: dict[str, Any]) -> None:
    """Make what a step says of a refusal itself one, too."""
    for status, answer in responses.items():
        if status >= "400" and "application/json" in answer.get("content", {}):
            answer["content"] = {CONTENT_TYPE: answer["content"]["application/json"]}


def _answer(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Refusal"}
    return {"description": text, "content": {CONTENT_TYPE: {"schema": schema}}}


def _refusals(method: str) -> dict[str, str]:
    texts = {
        "400": _("What was sent cannot be read."),
        "401": _("Nobody is signed in, or the token is over."),
        "403": _("It is not for this account."),
        "404": _("It is not there, or not for this reader."),
        "429": _("Too many in a short while: Retry-After says when to come back."),
    }
    if method != "get":
        texts |= {
            "409": _("Somebody else has written there since, or something is still open."),
            "415": _("The body is of another kind."),
            "422": _("The rules or the state of the tournament do not allow it."),
        }
    return texts


def with_pages(result: Schema, **_options: Any) -> Schema:
    """Let every listing take `page`, and say in `Link` where the next one is."""
    for steps in result["paths"].values():
        step = steps.get("get", {})
        if not is_listing(step):
            continue
        parameters = step.setdefault("parameters", [])
        if not PAGED_BY & {parameter["name"] for parameter in parameters}:
            parameters += [_query_parameter("page", 1_000_000, 1), _query_parameter("per_page", MOST, MOST)]
        step["responses"]["200"].setdefault("headers", {})["Link"] = _header(
            _("The next page (RFC 8288); none on the last.")
        )
    return result


def is_listing(step: Schema) -> bool:
    content = step.get("responses", {}).get("200", {}).get("content", {})
    return bool(content.get("application/json", {}).get("schema", {}).get("type") == "array")


def with_headers(result: Schema, **_options: Any) -> Schema:
    """Add If-None-Match and ETag of standings, and the headers that stand for a field of a body."""
    shapes = result["components"]["schemas"]
    for path, steps in result["paths"].items():
        if path.endswith(STANDINGS):
            _add_etag(steps["get"])
        for method in METHODS:
            if method in steps:
                _add_fields(steps[method], shapes)
    return result


def with_anything(result: Schema, **_options: Any) -> Schema:
    """Let what may be both of two kinds be both, for "one of" would make it neither.

    JSON of any kind may be null already, and an empty text is a text.
    """
    _loosen(result["components"]["schemas"])
    return result


def _loosen(node: Any) -> None:
    if isinstance(node, dict):
        either = node.get("oneOf", ())
        if {} in either:
            del node["oneOf"]
        elif any(choice.get("maxLength") == 0 for choice in either):
            node["anyOf"] = node.pop("oneOf")
        node = list(node.values())
    for part in node if isinstance(node, list) else ():
        _loosen(part)


def _add_etag(step: Schema) -> None:
    text = _("The ETag of the answer one has: 304 while nothing has changed.")
    step.setdefault("parameters", []).append(_header_parameter("If-None-Match", text, {"type": "string"}))
    etag = _header(_("The version of the standings, and for whom they are."))
    step["responses"]["200"].setdefault("headers", {})["ETag"] = etag
    step["responses"]["304"] = {"description": _("Nothing has changed."), "headers": {"ETag": etag}}


def _add_fields(step: Schema, shapes: Schema) -> None:
    bodies = _bodies(step, shapes)
    fields = set[str]().union(*(shape.get("properties", {}) for shape in bodies))
    texts = {
        KEY: _("Stands for `uuid`: the same again is the same write."),
        MATCH: _(
            "Stands for `table_version`, in quotes: 412 with what changed when the table is at another."
        ),
    }
    for header, field in STANDS_FOR.items():
        if field in fields:
            schema = {"type": "string", "format": "uuid"} if header == KEY else {"type": "string"}
            step.setdefault("parameters", []).append(_header_parameter(header, texts[header], schema))
    for shape in bodies:
        if STANDS_FOR[KEY] in shape.get("required", ()):
            shape["required"].remove(STANDS_FOR[KEY])  # for the header may say it
    if STANDS_FOR[MATCH] in fields:
        step["responses"]["412"] = step["responses"]["409"]


def _bodies(step: Schema, shapes: Schema) -> list[Schema]:
    """What the body of a step may be."""
    schema = step.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    named = [
        choice.get("$ref", "") for choice in (schema, *schema.get("oneOf", ()), *schema.get("allOf", ()))
    ]
    return [shapes.get(name.rpartition("/")[2], {}) for name in named if name]


def _query_parameter(name: str, most: int, usual: int) -> Schema:
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": usual}
    return {"in": "query", "name": name, "schema": schema}


def _header_parameter(name: str, text: str, schema: Schema) -> Schema:
    return {"in": "header", "name": name, "description": text, "schema": schema}


def _header(text: str) -> Schema:
    return {"description": text, "schema": {"type": "string"}}
