"""One way to write a value as JSON, so that the same event is the same bytes, and the digests of a file's sections."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

HEADER: Final = ("$schema", "format", "version", "contact_data", "digests")
"""In front, and in no digest but for `contact_data`."""
NOT_BOUND: Final = frozenset({"$schema", "format", "version", "digests", "extensions"})
"""What no digest is made of: extensions are other programs' to add."""


def canonical(value: Any) -> str:
    """Names in order, no blanks, characters as they are."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digests_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Section → the SHA-256 of how it is written."""
    return {name: digest(value) for name, value in data.items() if name not in NOT_BOUND}


def digest(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def text_of(data: Mapping[str, Any]) -> str:
    """The file: a line a row, so that two files can be compared by lines."""
    names = [*(name for name in HEADER if name in data), *sorted(data.keys() - set(HEADER))]
    return "{\n" + ",\n".join(f"{canonical(name)}:{_section(data[name])}" for name in names) + "\n}\n"


def _section(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return canonical(value)
    return "[\n" + ",\n".join(map(canonical, value)) + "\n]"
