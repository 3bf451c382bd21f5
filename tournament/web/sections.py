"""The sections of the organiser's navigation, each registered by its package, and where each role begins."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.base import access, hooks
from tournament.base.access import Actor, Right
from tournament.base.models.tournament import Tournament

GROUPS: Final[Mapping[str, str | Promise]] = {
    "before": _("Before"),
    "play": _("Today"),
    "after": pgettext_lazy("part of an event", "After"),
    "settings": _("Settings"),
}


@dataclass(frozen=True)
class Section:
    """A section of the navigation, visible with one of `rights`; without `address`, pages linked from elsewhere.

    `order`: its place in the group. `help`: where the documentation describes it, below `/help/`; templates override
    it with their block `help`. A section whose URL does not exist is not shown, nor one that an event has no use for
    (`hooks.unused_sections`).
    """

    key: str
    group: str
    order: int
    name: str | Promise
    address: str
    rights: frozenset[Right]
    help: str


_registry: Final[dict[str, Section]] = {}


def register_section(
    key: str, group: str, order: int, name: str | Promise, address: str, *rights: Right, help: str
) -> None:
    """Add a section; called by the `texts` of its package, which are imported at the start."""
    _registry[key] = Section(key, group, order, name, address, frozenset(rights), help)


def every_section() -> Iterable[Section]:
    """Return all sections, in the order of the navigation."""
    groups = list(GROUPS)
    return sorted(_registry.values(), key=lambda section: (groups.index(section.group), section.order))


def find_section(key: str) -> Section | None:
    return _registry.get(key)


@dataclass(frozen=True)
class NavLink:
    """A link of the navigation."""

    key: str
    name: str | Promise
    url: str


GROUP_PAGES: Final = {"before": "organiser_before"}
"""Group → its own page; the others begin with their first section."""


@dataclass(frozen=True)
class NavGroup:
    """A group of the navigation with its visible sections."""

    key: str
    name: str | Promise
    url: str
    links: list[NavLink]


def nav_groups(tournament: Tournament, may: Mapping[str, bool]) -> list[NavGroup]:
    """Return the visible sections in their groups, without empty groups."""
    groups: dict[str, list[NavLink]] = {}
    unused = set().union(*hooks.unused_sections(tournament))
    for section in every_section():
        if (
            any(may[right.value] for right in section.rights)
            and section.key not in unused
            and (url := reverse_or_empty(section.address, tournament))
        ):
            groups.setdefault(section.group, []).append(NavLink(section.key, section.name, url))
    return [
        NavGroup(key, GROUPS[key], _group_url(key, tournament, may) or links[0].url, links)
        for key, links in groups.items()
    ]


def _group_url(key: str, tournament: Tournament, may: Mapping[str, bool]) -> str:
    """Return the URL of a group's own page; "" if it has none, or the actor may not read it."""
    return (
        reverse_or_empty(GROUP_PAGES[key], tournament) if key in GROUP_PAGES and may[Right.READ.value] else ""
    )


def reverse_or_empty(name: str, tournament: Tournament) -> str:
    """Return the URL, or "" if there is none."""
    try:
        return reverse(name, args=[tournament.slug])
    except NoReverseMatch:
        return ""


LANDINGS: Final = (
    (Right.ORGANISE, ("organiser_board",)),
    (Right.ENTER, ("umpire_tables",)),
    (Right.READ, ("organiser_board",)),
    (Right.ADMIT, ("organiser_check_in", "organiser_people")),
    (Right.CASH, ("organiser_people",)),
    (Right.SHOW, ("organiser_hall",)),
)
"""The first right that an actor has decides; then the first existing page."""


def landing_url(actor: Actor, tournament: Tournament) -> str:
    """Return the URL of an actor's main page in a tournament; the public page for actors without a role."""
    rights = access.rights_in(actor, tournament)
    names = next((names for right, names in LANDINGS if right in rights), ())
    urls = (reverse_or_empty(name, tournament) for name in names)
    return next(filter(None, urls), reverse("tournament", args=[tournament.slug]))
