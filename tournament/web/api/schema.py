"""What the published schema says of every step alike: how a refusal looks, and which there are."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from scoring.refusals import CONTENT_TYPE

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
