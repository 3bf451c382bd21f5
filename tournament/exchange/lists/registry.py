"""Every list by name, and whose it is. A page offers its list by `{% downloads %}`; addresses have the same names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournament.base import access
from tournament.exchange.lists import people, play
from tournament.exchange.lists.table import Listed


def _by_name(lists: Iterable[Listed]) -> Mapping[str, Listed]:
    return {one.name: one for one in lists}


OPEN: Final = _by_name(
    (
        Listed("ranking", _("Ranking"), play.ranks),
        Listed("teams", _("Teams"), play.groups("teams")),
        Listed("nations", _("Nations"), play.groups("nations")),
        Listed("results", _("Results of the tables"), play.results),
        Listed("players", _("Players"), people.players),
        Listed("seats", _("Seats"), play.seats),
        Listed("hands", _("Hands"), play.hands),
        Listed("fans", _("Fans made"), play.fans),
        Listed(
            "penalties",
            _("Penalties"),
            play.penalties,
            lambda asked: access.can_see_penalties(asked.actor, asked.tournament),
        ),
    )
)
"""For whoever sees the event, each as far as its audience is told."""
STAFF: Final = _by_name((Listed("log", _("Log"), people.log), Listed("staff", _("Staff"), people.staff)))
"""For whoever may read everything."""
DESK: Final = _by_name((Listed("check-in", _("Check-in"), people.check_in),))
"""For whoever admits people."""
LISTS: Final[Mapping[str, Listed]] = {**OPEN, **STAFF, **DESK}


def list_named(name: str) -> Listed:
    return LISTS[name]
