"""What people typed and what they are called, kept beside the body of a log entry and bound to it.

The body is hashed for good, so it holds numbers and codes alone. A text stands beside it, and in the chain only its
salted hash: it can be erased and the chain still holds, it cannot be changed without being found out, and without the
salt, which goes with it, nobody can try which words it was (ADR 24).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

ERASED: Final = "[…]"
"""Stands for every word of a text that was erased."""

CODES: Final = frozenset(
    {
        *("uuid", "appeal", "penalty", "about_penalty", "rulings_carried_out", "left_open"),
        *("at", "made_at", "expires_at", "starts_on", "ends_on", "ends_at", "day", "time_zone"),
        *("to", "by", "came_from"),
        *("action", "kind", "how", "way", "topic", "carry", "outcome", "foul", "state", "method", "letter"),
        *(
            "sanction",
            "proposed",
            "facts",
            "sheet",
            "rulebook",
            "language",
            "right",
            "role",
            "scope",
            "fields",
        ),
        *("choice", "overtaken"),
    }
)
"""What of an entry's data may be text and is yet nobody's words: keys, codes and times. Everything else that is text is
sealed, so that what is new need not be thought of."""

Texts = dict[str, dict[str, Any]]
"""Key of the data → {"sha", "value", "salt"}; no salt: erased, and `value` has `ERASED` for each text."""


def sealed(data: Mapping[str, Any], salt: Callable[[], str]) -> tuple[dict[str, Any], Texts]:
    """An entry's data, parted: what is hashed as it is, and what is kept beside it."""
    texts = {key: _bound(value, salt()) for key, value in data.items() if _has_text(key, value)}
    return {key: value for key, value in data.items() if key not in texts}, texts


def said(data: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """An entry's data as it was written, as far as it is still there."""
    return {**data, **{key: text["value"] for key, text in texts.items()}}


def promises(texts: Texts) -> dict[str, str]:
    """What the chain holds of the texts."""
    return {key: text["sha"] for key, text in texts.items()}


def is_kept(text: Mapping[str, Any]) -> bool:
    """Whether a text is what the chain was promised, or was erased and says nothing any more."""
    if "salt" in text:
        return bool(text["sha"] == _hash(text["value"], text["salt"]))
    return bool(text["value"] == erased(text["value"]))


def without(texts: Texts, key: str) -> Texts:
    """The texts with one of them erased, for good."""
    text = texts[key]
    return texts | {key: {"sha": text["sha"], "value": erased(text["value"])}}


def erased(value: Any) -> Any:
    """The same shape with no word left."""
    match value:
        case str():
            return ERASED if value else ""
        case list():
            return [erased(one) for one in value]
        case dict():
            return {key: erased(one) for key, one in value.items()}
    return value


def _bound(value: Any, salt: str) -> dict[str, Any]:
    return {"sha": _hash(value, salt), "salt": salt, "value": value}


def _hash(value: Any, salt: str) -> str:
    body = json.dumps([salt, value], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(body.encode()).hexdigest()


def _has_text(key: str, value: Any) -> bool:
    """Whether what stands at a key, at whatever depth, has a word that is no code."""
    if key in CODES:
        return False
    match value:
        case str():
            return bool(value)
        case list() | tuple():
            return any(_has_text(key, one) for one in value)
        case dict():
            return any(_has_text(str(name), one) for name, one in value.items())
    return False
