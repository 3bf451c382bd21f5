"""What the published schema says of every step, of pages of lists, and of headers."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from scoring.refusals import CONTENT_TYPE
from tournament.web.api.base import KEY, MATCH, MOST, STANDS_FOR

# --- What the published schema says of every step alike: how a refusal looks, and which there are ---


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


def with_refusals(result: dict[str, Any], **_asked: Any) -> dict[str, Any]:
    """A hook of drf-spectacular: every step says how it turns down what it does not do."""
    result["components"].setdefault("schemas", {})["Refusal"] = REFUSAL
    for steps in result["paths"].values():
        for method in METHODS:
            if method in steps:
                _say_problems(steps[method]["responses"])
                for status, text in _refusals(method).items():
                    steps[method]["responses"].setdefault(status, _answer(text))
    return result


def _say_problems(responses: dict[str, Any]) -> None:
    """What a step says of a refusal itself comes as one, too."""
    for status, answer in responses.items():
        if status >= "400" and "application/json" in answer.get("content", {}):
            answer["content"] = {CONTENT_TYPE: answer["content"]["application/json"]}


def _answer(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Refusal"}
    return {"description": text, "content": {CONTENT_TYPE: {"schema": schema}}}


def _refusals(method: str) -> dict[str, str]:
    found = {
        "400": _("What was sent cannot be read."),
        "401": _("Nobody is signed in, or the token is over."),
        "403": _("It is not for this account."),
        "404": _("It is not there, or not for this reader."),
        "429": _("Too many in a short while: Retry-After says when to come back."),
    }
    if method != "get":
        found |= {
            "409": _("Somebody else has written there since, or something is still open."),
            "415": _("The body is of another kind."),
            "422": _("The rules or the state of the tournament do not allow it."),
        }
    return found


# --- Schema said ---
# What the published schema says of pages of lists, and of headers: read off the steps, so that none is forgotten.


Said = dict[str, Any]
PAGED_BY: Final = {"page", "before"}
"""Whichever a listing has among its parameters, by which the next page is asked for."""
STANDINGS: Final = ("/standings/", "/standings/teams/", "/standings/nations/")


def with_pages(result: Said, **_asked: Any) -> Said:
    """A hook: every listing takes `page` and says in `Link` where the next one is."""
    for steps in result["paths"].values():
        step = steps.get("get", {})
        if not is_listing(step):
            continue
        taken = step.setdefault("parameters", [])
        if not PAGED_BY & {one["name"] for one in taken}:
            taken += [_asked_for("page", 1_000_000, 1), _asked_for("per_page", MOST, MOST)]
        step["responses"]["200"].setdefault("headers", {})["Link"] = _header(
            _("The next page (RFC 8288); none on the last.")
        )
    return result


def is_listing(step: Said) -> bool:
    content = step.get("responses", {}).get("200", {}).get("content", {})
    return bool(content.get("application/json", {}).get("schema", {}).get("type") == "array")


def with_headers(result: Said, **_asked: Any) -> Said:
    """A hook: If-None-Match and ETag of standings; the headers that stand for a field of a body."""
    shapes = result["components"]["schemas"]
    for path, steps in result["paths"].items():
        if path.endswith(STANDINGS):
            _say_etag(steps["get"])
        for method in METHODS:
            if method in steps:
                _say_fields(steps[method], shapes)
    return result


def with_anything(result: Said, **_asked: Any) -> Said:
    """A hook: JSON of any kind may be null already, and an empty text is a text: what is said to be one of two and may
    be both would be neither."""
    _mend(result["components"]["schemas"])
    return result


def _mend(found: Any) -> None:
    if isinstance(found, dict):
        either = found.get("oneOf", ())
        if {} in either:
            del found["oneOf"]
        elif any(one.get("maxLength") == 0 for one in either):
            found["anyOf"] = found.pop("oneOf")
        found = list(found.values())
    for part in found if isinstance(found, list) else ():
        _mend(part)


def _say_etag(step: Said) -> None:
    said = _("The ETag of the answer one has: 304 while nothing has changed.")
    step.setdefault("parameters", []).append(_taken("If-None-Match", said, {"type": "string"}))
    etag = _header(_("The version of the standings, and for whom they are."))
    step["responses"]["200"].setdefault("headers", {})["ETag"] = etag
    step["responses"]["304"] = {"description": _("Nothing has changed."), "headers": {"ETag": etag}}


def _say_fields(step: Said, shapes: Said) -> None:
    shapes_asked = _shapes(step, shapes)
    fields = set[str]().union(*(shape.get("properties", {}) for shape in shapes_asked))
    words = {
        KEY: _("Stands for `uuid`: the same again is the same write."),
        MATCH: _(
            "Stands for `table_version`, in quotes: 412 with what changed when the table is at another."
        ),
    }
    for header, field in STANDS_FOR.items():
        if field in fields:
            schema = {"type": "string", "format": "uuid"} if header == KEY else {"type": "string"}
            step.setdefault("parameters", []).append(_taken(header, words[header], schema))
    for shape in shapes_asked:
        if STANDS_FOR[KEY] in shape.get("required", ()):
            shape["required"].remove(STANDS_FOR[KEY])  # for the header may say it
    if STANDS_FOR[MATCH] in fields:
        step["responses"]["412"] = step["responses"]["409"]


def _shapes(step: Said, shapes: Said) -> list[Said]:
    """What the body of a step may be."""
    schema = step.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    named = [one.get("$ref", "") for one in (schema, *schema.get("oneOf", ()), *schema.get("allOf", ()))]
    return [shapes.get(name.rpartition("/")[2], {}) for name in named if name]


def _asked_for(name: str, most: int, usual: int) -> Said:
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": usual}
    return {"in": "query", "name": name, "schema": schema}


def _taken(name: str, said: str, schema: Said) -> Said:
    return {"in": "header", "name": name, "description": said, "schema": schema}


def _header(said: str) -> Said:
    return {"description": said, "schema": {"type": "string"}}
