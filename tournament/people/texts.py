"""The sentences of people: what they are called, the log, and what is wrong.

The log names people by key: who they are now, the reader looks up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.base.models.people import Person
from tournament.people.engine import Reason
from tournament.web.texts.log import Data, LogWords, rows, says

SHOWN = 5

rows(
    {
        "player_linked": gettext_lazy("{player} is known across tournaments: person {person}."),
        "player_unlinked": gettext_lazy("{player} is not said to be person {person} any more."),
        "person_refused": gettext_lazy("{player} is somebody else than person {person}."),
    }
)


@says("players_linked")
def _linked(words: LogWords, data: Data) -> str:
    numbers = [number for number, _person in data["players"]]
    text = ngettext(
        "{n} player is known across tournaments: {names}",
        "{n} players are known across tournaments: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=_some_names(words, numbers))


@says("players_unlinked")
def _unlinked(words: LogWords, data: Data) -> str:
    numbers = data["players"]
    text = ngettext(
        "{n} player is not said to be somebody known any more: {names}",
        "{n} players are not said to be somebody known any more: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=_some_names(words, numbers))


def _some_names(words: LogWords, numbers: list[int]) -> str:
    return joined(map(words.player, numbers[:SHOWN])) + (" …" if len(numbers) > SHOWN else "")


REASONS: Final[Mapping[Reason, Promise]] = {
    Reason.EMA_NUMBER: gettext_lazy("same EMA number"),
    Reason.NAME: gettext_lazy("same name"),
    Reason.ALIAS: gettext_lazy("known under this name"),
    Reason.COUNTRY: gettext_lazy("same country"),
    Reason.CLUB: gettext_lazy("same club"),
}


def reasons_text(reasons: Iterable[Reason]) -> str:
    return joined(str(REASONS[reason]) for reason in reasons)


def proposed_lines(proposed: Iterable[tuple[Person, Iterable[Reason]]]) -> list[tuple[Person, str]]:
    """Each with why they are proposed."""
    return [(person, reasons_text(reasons)) for person, reasons in proposed]


def shown_name(person: Person) -> str:
    """The name, or the initials of who has asked not to be shown."""
    if not person.is_hidden:
        return person.name
    return " ".join(f"{part[0].upper()}." for part in (person.first_name, person.last_name) if part)


def person_slug(person: Person) -> str:
    """What stands in the address: the key, and the name for who may read it."""
    name = "" if person.is_hidden else slugify(person.name, allow_unicode=True)
    return f"{person.pk}-{name}" if name else str(person.pk)


PERSONS: dict[str, str | Promise] = {
    "nobody_to_link": gettext_lazy(
        "Player {player} or that person is not there any more. Look at the list again."
    ),
    "no_linking_to_undo": gettext_lazy("There is nothing to take back."),
    "person_with_this_ema_number": gettext_lazy(
        "Somebody with the EMA number {ema_number} is known already."
    ),
    "person_twice": gettext_lazy("{name} would be in this tournament twice."),
    "merge_with_oneself": gettext_lazy("Choose two different people."),
    "merged_already": gettext_lazy("One of the two has been merged meanwhile. Look again."),
    "two_ema_numbers": gettext_lazy(
        "They have different EMA numbers, {one} and {other}: two numbers are two people."
    ),
    "both_at_one_event": gettext_lazy(
        "Both have played at {tournament}: nobody plays twice at one tournament."
    ),
    "merged_since": gettext_lazy("They were merged with somebody else since. Take that back first."),
}
