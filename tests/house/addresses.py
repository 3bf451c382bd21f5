"""Every address there is, read from the URL configuration, so that a new one is tested the day it is added."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver


def patterns(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from patterns(entry, route)
        else:
            yield route, entry


ADDRESSES = [(entry.name or route, entry) for route, entry in patterns()]
NAMES = sorted({name for name, _ in ADDRESSES})


STEPS = {"api_session_step": "close", "api_table_step": "hand-in", "api_absence_step": "arrived"}


def address(entry: URLPattern, name: str, kwargs: dict[str, Any], **more: Any) -> str:
    """The address of a pattern for these facts; fails the test when it needs one that is not known here."""
    values = kwargs | more
    route = next(route for route, found in patterns() if found is entry)
    for key in entry.pattern.converters:
        if key == "step":
            values["step"] = STEPS.get(name, "start")
        assert key in values, f"{name}: what is <{key}>? Add it to the test's kwargs"
    for key, converter in entry.pattern.converters.items():
        start = route.index(
            "<" + next(part for part in route.split("<")[1:] if part.split(">")[0].split(":")[-1] == key)
        )
        end = route.index(">", start)
        route = route[:start] + converter.to_url(values[key]) + route[end + 1 :]
    return "/" + route
