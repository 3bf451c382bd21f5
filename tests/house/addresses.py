"""Every address there is, read from the URL configuration, so that a new one is tested the day it is added."""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

Converters = dict[str, Any]


def _patterns(
    resolver: URLResolver, prefix: str = "", outer: Mapping[str, Any] | None = None
) -> Iterator[tuple[URLPattern, str, Converters]]:
    """Each pattern with its whole route and everything that is to be filled in, the levels above it included.

    Old addresses that lead to their new ones for good are left out.
    """
    for entry in resolver.url_patterns:
        route, converters = prefix + str(entry.pattern), {**(outer or {}), **entry.pattern.converters}
        if isinstance(entry, URLResolver):
            yield from _patterns(entry, route, converters)
        elif not getattr(entry.callback, "view_initkwargs", {}).get("permanent"):
            yield entry, route, converters


PATTERNS = list(_patterns(get_resolver()))
ADDRESSES = [(entry.name or route, entry) for entry, route, _ in PATTERNS]
NAMES = sorted({name for name, _ in ADDRESSES})
ROUTES = {entry: (route, converters) for entry, route, converters in reversed(PATTERNS)}


def addresses(entry: URLPattern, name: str, kwargs: Mapping[str, Any]) -> list[str]:
    """The addresses of a pattern for these facts, one for each step where it has steps.

    Fails the test when it needs a fact that is not known here.
    """
    route, converters = ROUTES[entry]
    urls = ["/" + route]
    for key, converter in converters.items():
        words = alternatives_of(converter.regex)
        assert words or key in kwargs, f"{name}: what is <{key}>? Add it to the test's kwargs"
        values = words or [kwargs[key]]
        urls = [re.sub(rf"<(\w+:)?{key}>", converter.to_url(value), url) for url in urls for value in values]
    assert "<" not in "".join(urls), f"{name}: {route} is not filled in"
    return urls


def alternatives_of(pattern: str) -> list[str]:
    """The words of a pattern that is nothing else, as `start|close`; none of another one."""
    words = re.fullmatch(r"\^?(?:\(\?:)?([a-z-]+(?:\|[a-z-]+)+)\)?\$?", pattern)
    return words[1].split("|") if words else []


def parameters_of(entry: URLPattern) -> set[str]:
    """The names of what an address needs."""
    return set(ROUTES[entry][1])


def route_of(entry: URLPattern) -> str:
    return ROUTES[entry][0]


def routes() -> Iterator[str]:
    """Every route, with each of its steps written out."""
    for _, route, converters in PATTERNS:
        written = [route]
        for key, converter in converters.items():
            if words := alternatives_of(converter.regex):
                written = [re.sub(rf"<\w+:{key}>", word, url) for url in written for word in words]
        yield from written


def steps() -> Iterator[tuple[URLPattern, list[str]]]:
    """The addresses that have steps, and these."""
    for entry, _, converters in PATTERNS:
        for converter in converters.values():
            if words := alternatives_of(converter.regex):
                yield entry, words


def drain(response: Any) -> None:
    """Read a file to its end, which closes it. `response.close()` would end the test's own line to PostgreSQL too."""
    if response.streaming:
        deque(response.streaming_content, maxlen=0)
