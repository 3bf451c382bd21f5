"""How the API reads what it is sent."""

from __future__ import annotations

import re
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
"""JSON can write half of a pair ("\\ud800"): no text, nothing that could be stored, said back or logged."""


class FlatJSONParser(JSONParser):
    """JSON, and a plain refusal of what is nested too deeply to be read or holds what is no text."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            read = super().parse(*args, **kwargs)
            if _has_half_character(read):
                raise ParseError
            return read
        except RecursionError:
            raise ParseError from None


def _has_half_character(value: Any) -> bool:
    if isinstance(value, str):
        return not value.isascii() and HALF_CHARACTER.search(value) is not None
    if isinstance(value, dict):
        return any(map(_has_half_character, value)) or any(map(_has_half_character, value.values()))
    return isinstance(value, list) and any(map(_has_half_character, value))
