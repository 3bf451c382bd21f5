"""Time zones: which there are, and telling the time by a tournament's own for the length of a request."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

if TYPE_CHECKING:
    from tournament.base.models.tournament import Tournament


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """Every IANA name this machine knows; looking takes a tenth of a second."""
    return frozenset(available_timezones())


def to_choose() -> list[str]:
    """Those with a place in their name, that people look for, and the server's own."""
    places = {name for name in known() if "/" in name and not name.startswith("Etc/")}
    return sorted(places | {"UTC", timezone.get_default_timezone_name()})


def tell_time_of(tournament: Tournament) -> None:
    """From here to the end of the request, times are told as on the wall of the tournament's hall."""
    timezone.activate(tournament.zone)


class OneRequestOneZone:
    """Middleware: no request finds the time zone that the one before it left behind."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return self.get_response(request)
