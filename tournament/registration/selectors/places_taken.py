"""The bar of places taken, for every page that shows it, and who is coming, as far as they agree."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.base.engine.names import is_chinese
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.by_version import by_version
from tournament.registration.selectors.registration_plan import Registering, registering


@dataclass(frozen=True)
class Coming:
    """Somebody with a place, as everybody may see them: by name, or by initials."""

    name: str
    country: str
    club: str


def places_taken(tournament: Tournament) -> Registering | None:
    """How many places are taken, for `components/places.html`; None where there is no registration."""
    now = registering(tournament)
    return None if now.plan is None else now


@by_version(64)
def who_is_coming(tournament: Tournament) -> tuple[Coming, ...]:
    """Who has a place, by country and name; whoever has not agreed to be named stands there with initials."""
    found = tournament.registrations.filter(
        state=Registration.State.ACCEPTED, player__withdrawn_at=None, erased_at=None
    )
    people = [Coming(_shown(one), one.country, one.club if one.name_shown else "") for one in found]
    return tuple(sorted(people, key=lambda one: (one.country, one.name.casefold())))


def _shown(one: Registration) -> str:
    return one.name if one.name_shown else initials(one.first_name, one.last_name)


def initials(first_name: str, last_name: str) -> str:
    """
    >>> initials("Anna", "van Dijk"), initials("伟", "张")
    ('A. v. D.', '张〇')
    """
    if is_chinese(first_name) and is_chinese(last_name):
        return f"{last_name[0]}〇"
    return " ".join(f"{word[0]}." for word in f"{first_name} {last_name}".split())
