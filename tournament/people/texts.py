"""People in words: what they are called, what is kept of them, the log, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.base.models.people import Person
from tournament.people.engine import Reason
from tournament.people.kept import KEPT, Kept, Until, Whose
from tournament.web.texts.log import Data, LogWords, rows, says, sentences

# --- What is kept of people, in sentences ---


@dataclass(frozen=True)
class Group:
    """What is kept as long: why → what, first what everybody sees."""

    until: str
    public: dict[str, list[str]] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kept: Kept) -> None:
        whats = (self.public if kept.is_public else self.others).setdefault(str(kept.why), [])
        if str(kept.what) not in whats:
            whats.append(str(kept.what))

    @property
    def lines(self) -> Iterator[tuple[str, str]]:
        """(why, what): a reason with all that it is the reason for."""
        for why, whats in self.public.items():
            yield capfirst(why), sentences(*map(_ended, whats), _("Everybody sees it."))
        for why, whats in self.others.items():
            yield capfirst(why), sentences(*map(_ended, whats))


def groups(whose: Whose, days: int) -> list[Group]:
    """Everything of somebody's; `days`: how long contact data is kept after the last session."""
    found: dict[Until, Group] = {}
    for kept in (kept for declared in KEPT.values() for kept in declared if kept.whose is whose):
        assert kept.until is not None
        found.setdefault(kept.until, Group(capfirst(until_text(kept.until, days)))).add(kept)
    return [found[until] for until in Until if until in found]


def _ended(what: str) -> str:
    return _("{what}.").format(what=what)


def until_text(until: Until, days: int) -> str:
    if until is not Until.CONTACT:
        return str(until.value)
    text = ngettext("until {n} day after the last session", "until {n} days after the last session", days)
    return text.format(n=days)


# --- Which human a player is. People are named by key: who they are now, the reader looks up. ---


SHOWN = 5

rows(
    {
        "player_linked": gettext_lazy("{player} is known across tournaments: person {person}."),
        "player_unlinked": gettext_lazy("{player} is not said to be person {person} any more."),
        "person_refused": gettext_lazy("{player} is somebody else than person {person}."),
    }
)


@says("players_linked")
def _linked(told: LogWords, data: Data) -> str:
    numbers = [number for number, _person in data["players"]]
    text = ngettext(
        "{n} player is known across tournaments: {names}",
        "{n} players are known across tournaments: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=_some(told, numbers))


@says("players_unlinked")
def _unlinked(told: LogWords, data: Data) -> str:
    numbers = data["players"]
    text = ngettext(
        "{n} player is not said to be somebody known any more: {names}",
        "{n} players are not said to be somebody known any more: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=_some(told, numbers))


def _some(told: LogWords, numbers: list[int]) -> str:
    return joined(map(told.player, numbers[:SHOWN])) + (" …" if len(numbers) > SHOWN else "")


# --- Personal data: how long it is kept, that it went, and who was erased ---


@says("player_erased")
def _player_erased(told: LogWords, data: Data) -> str:
    return gettext_lazy("Erased: who player {number} was.").format(number=data["player"])


@says("privacy_set")
def _privacy_set(told: LogWords, data: Data) -> str:
    text = ngettext(
        "Contact data is kept until {n} day after the last session.",
        "Contact data is kept until {n} days after the last session.",
        data["days"],
    )
    return text.format(n=data["days"])


@says("contacts_deleted")
def _contacts_deleted(told: LogWords, data: Data) -> str:
    people = ngettext(
        "Contact data of {n} person deleted.", "Contact data of {n} people deleted.", data["people"]
    )
    letters = ngettext("The text of {n} e-mail too.", "The texts of {n} e-mails too.", data["letters"])
    return sentences(
        people.format(n=data["people"]),
        letters.format(n=data["letters"]) if data["letters"] else "",
    )


@says("tournament_taken")
def _tournament_taken(told: LogWords, data: Data) -> str:
    if data["contacts"]:
        return str(gettext_lazy("The whole tournament was taken as a file, with contact data."))
    return str(gettext_lazy("The whole tournament was taken as a file, without contact data."))


@says("erased_registration")
def _registration_erased(told: LogWords, data: Data) -> str:
    text = gettext_lazy("Erased: who registration {number} was.").format(number=data["registration"])
    player = (
        gettext_lazy("They were player {number}.").format(number=data["player"]) if "player" in data else ""
    )
    return sentences(text, player)


# --- People as they are called where tournaments are put together, and why somebody is proposed ---


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


# --- Codes → sentences about people across tournaments ---


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


# --- Codes → sentences about personal data ---


SENTENCES: dict[str, str | Promise] = {
    "person_not_repeated": gettext_lazy("This is not the name: “{name}”."),
    "contact_days_out_of_range": gettext_lazy("From 0 to {most} days."),
}
