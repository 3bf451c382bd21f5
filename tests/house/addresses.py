"""Every address there is, read from the URL configuration, so that a new one is tested the day it is added."""

import re
from collections import deque
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


ADDRESSES = [(entry.name or route, entry) for route, _, entry in _found(get_resolver())]
NAMES = sorted({name for name, _ in ADDRESSES})


def addresses(entry: URLPattern, name: str, kwargs: dict[str, Any]) -> list[str]:
    """The addresses of a pattern for these facts, one for each step where it has steps.

    Fails the test when it needs a fact that is not known here.
    """
    route, converters = _route(entry)
    found = ["/" + route]
    for key, converter in converters.items():
        words = words_of(converter.regex)
        assert words or key in kwargs, f"{name}: what is <{key}>? Add it to the test's kwargs"
        values = words or [kwargs[key]]
        found = [re.sub(rf"<(\w+:)?{key}>", converter.to_url(one), url) for url in found for one in values]
    assert "<" not in "".join(found), f"{name}: {route} is not filled in"
    return found


def words_of(pattern: str) -> list[str]:
    """The words of a pattern that is nothing else, as `start|close`; none of another one."""
    found = re.fullmatch(r"\^?(?:\(\?:)?([a-z-]+(?:\|[a-z-]+)+)\)?\$?", pattern)
    return found[1].split("|") if found else []


def filled_in(entry: URLPattern) -> set[str]:
    """The names of what an address needs."""
    return set(_route(entry)[1])


def route_of(entry: URLPattern) -> str:
    return _route(entry)[0]


def routes() -> Iterator[str]:
    """Every route, with each of its steps written out."""
    for route, converters, _ in _found(get_resolver()):
        found = [route]
        for key, converter in converters.items():
            if words := words_of(converter.regex):
                found = [re.sub(rf"<\w+:{key}>", word, one) for one in found for word in words]
        yield from found


def steps() -> Iterator[tuple[URLPattern, list[str]]]:
    """The addresses that have steps, and these."""
    for _, converters, entry in _found(get_resolver()):
        for converter in converters.values():
            if words := words_of(converter.regex):
                yield entry, words


def _route(entry: URLPattern) -> tuple[str, Converters]:
    return next((at, converters) for at, converters, found in _found(get_resolver()) if found is entry)


def let_go(answer: Any) -> None:
    """Read a file to its end, which closes it. `answer.close()` would end the test's own line to PostgreSQL as well."""
    if answer.streaming:
        deque(answer.streaming_content, maxlen=0)
