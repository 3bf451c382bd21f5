"""The sections of an event's pages: which part of it each belongs to, where it is, and who is shown the way there.

A section whose address there is not yet leads nowhere, so nobody is shown it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.base.access import Right
from tournament.base.models.tournament import Tournament


@dataclass(frozen=True)
class Section:
    """`right`: one of these brings somebody here."""

    key: str
    group: str
    address: str
    name: str | Promise
    rights: frozenset[Right]


def _section(key: str, group: str, address: str, name: str | Promise, *rights: Right) -> Section:
    return Section(key, group, address, name, frozenset(rights))


SECTIONS: Final = (
    _section("registrations", "before", "organiser_registrations", _("Registrations"), Right.ADMIT),
    _section("dues", "before", "organiser_dues", _("Dues"), Right.CASH),
    _section("players", "before", "organiser_players", _("Players"), Right.READ, Right.ADMIT, Right.CASH),
    _section("people", "before", "organiser_people", _("Known people"), Right.ORGANISE),
    _section("check_in", "before", "organiser_check_in", _("Check-in"), Right.ADMIT),
    _section("draw", "before", "organiser_draw", _("Draw"), Right.ORGANISE),
    _section("mail", "before", "organiser_mail", _("Messages"), Right.ADMIT),
    _section("session", "play", "organiser_board", _("Session"), Right.READ),
    _section("penalties", "play", "organiser_penalties", _("Penalties"), Right.READ),
    _section("rota", "play", "organiser_rota", _("Rota"), Right.READ),
    _section("announcements", "play", "organiser_announcements", _("Announcements"), Right.READ, Right.SHOW),
    _section("screens", "play", "organiser_screens", _("Screens"), Right.READ, Right.SHOW),
    _section("documents", "after", "organiser_documents", _("Documents"), Right.ORGANISE),
    _section("ema", "after", "organiser_ema", _("EMA results"), Right.ORGANISE),
    _section("ceremony", "after", "organiser_ceremony", _("Ceremony"), Right.ORGANISE),
    _section("log", "after", "organiser_log", _("Log"), Right.READ),
    _section("settings", "settings", "organiser_settings", _("Settings"), Right.ORGANISE),
    _section("webhooks", "settings", "organiser_webhooks", _("Webhooks"), Right.ORGANISE),
    _section("staff", "settings", "organiser_staff", _("Staff"), Right.READ),
)
GROUP_OF: Final[Mapping[str, str]] = {one.key: one.group for one in SECTIONS} | dict.fromkeys(
    ("timetable", "fouls"), "settings"
)
"""Section → the group it belongs to, also of those that the index of settings leads to."""
GROUPS: Final[Mapping[str, str | Promise]] = {
    "before": _("Before"),
    "play": _("Play"),
    "after": _("After"),
    "settings": _("Settings"),
}


@dataclass(frozen=True)
class Way:
    """A section that somebody is shown, with its address at this event."""

    key: str
    group: str
    name: str | Promise
    url: str


def sections_for(tournament: Tournament, may: Mapping[str, bool]) -> dict[str, list[Way]]:
    """Group → the sections of it that are shown; no group without any."""
    found: dict[str, list[Way]] = {}
    for one in SECTIONS:
        if any(may[right.value] for right in one.rights) and (url := address(one.address, tournament)):
            found.setdefault(one.group, []).append(Way(one.key, one.group, one.name, url))
    return found


def parts_of(sections: Mapping[str, list[Way]]) -> list[Way]:
    """The parts of the event, each leading to the section of it that one opens most: the first."""
    return [Way(group, group, GROUPS[group], ways[0].url) for group, ways in sections.items()]


def address(name: str, tournament: Tournament) -> str:
    """ "" where there is no such page."""
    try:
        return reverse(name, args=[tournament.slug])
    except NoReverseMatch:
        return ""
