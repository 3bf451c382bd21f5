"""Every address there is, read from the URL configuration, so that a new one is tested the day it is added."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

Converters = dict[str, Any]


def _found(
    resolver: URLResolver, prefix: str = "", outside: Converters | None = None
) -> Iterator[tuple[str, Converters, URLPattern]]:
    """Each address with its whole route and everything that is to be filled in, the levels above it included."""
    for entry in resolver.url_patterns:
        route, converters = prefix + str(entry.pattern), (outside or {}) | entry.pattern.converters
        if isinstance(entry, URLResolver):
            yield from _found(entry, route, converters)
        else:
            yield route, converters, entry


def patterns() -> Iterator[tuple[str, URLPattern]]:
    return ((route, entry) for route, _, entry in _found(get_resolver()))


ADDRESSES = [(entry.name or route, entry) for route, entry in patterns()]
NAMES = sorted({name for name, _ in ADDRESSES})


STEPS = {"api_session_step": "close", "api_table_step": "hand-in", "api_absence_step": "arrived"}


def address(entry: URLPattern, name: str, kwargs: dict[str, Any], **more: Any) -> str:
    """The address of a pattern for these facts; fails the test when it needs one that is not known here."""
    values = kwargs | more
    route, converters = _route(entry)
    for key, converter in converters.items():
        if key == "step":
            values["step"] = STEPS.get(name, "start")
        assert key in values, f"{name}: what is <{key}>? Add it to the test's kwargs"
        route = re.sub(rf"<(\w+:)?{key}>", converter.to_url(values[key]), route)
    assert "<" not in route, f"{name}: {route} is not filled in"
    return "/" + route


def filled_in(entry: URLPattern) -> set[str]:
    """The names of what an address needs."""
    return set(_route(entry)[1])


def _route(entry: URLPattern) -> tuple[str, Converters]:
    return next((at, converters) for at, converters, found in _found(get_resolver()) if found is entry)
