"""Names of people, reasons of matches, and sentences of the log.

Log entries store a person's key and no name, so that a hidden or erased name is in no entry.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.text import capfirst, slugify
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from penalties.models import Penalty
from penalties.texts import flag_text, foul_name_in
from scoring.texts import joined
from tournament.base.log_actions import Data, LogAction
from tournament.base.models.people import Person
from tournament.people.engine import Reason
from tournament.web.texts.log import LogWords


def _linked(words: LogWords, data: Data) -> str:
    numbers = [number for number, _person in data["players"]]
    text = ngettext(
        "{n} player linked to a person: {names}",
        "{n} players linked to a person: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=words.first_players(numbers))


def _unlinked(words: LogWords, data: Data) -> str:
    numbers = data["players"]
    text = ngettext(
        "{n} player no longer linked to a person: {names}",
        "{n} players no longer linked to a person: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=words.first_players(numbers))


PLAYER_LINKED = LogAction("player_linked", gettext_lazy("{player} linked to person {person}."))
PLAYER_UNLINKED = LogAction("player_unlinked", gettext_lazy("{player} no longer linked to person {person}."))
PERSON_REJECTED = LogAction("person_refused", gettext_lazy("{player} is not person {person}."))
PLAYERS_LINKED = LogAction("players_linked", _linked)
PLAYERS_UNLINKED = LogAction("players_unlinked", _unlinked)


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
    """Return each person with the reasons in words."""
    return [(person, reasons_text(reasons)) for person, reasons in proposed]


def censure_text(penalty: Penalty, parts: Iterable[str], reasons: Collection[Reason]) -> str:
    """Return "Ban from further competitions: Cheating, Spring Open, 14 November 2026", and any reasons of the match."""
    text = _("{parts}: {foul}, {tournament}, {day}").format(
        parts=capfirst(joined(map(flag_text, parts))),
        foul=foul_name_in(penalty.tournament.rules.fouls, penalty.foul),
        tournament=penalty.tournament.name,
        day=date_format(localtime(penalty.given_at), "DATE_FORMAT"),
    )
    if not reasons:
        return text
    return _("{text} (perhaps the same person: {reasons})").format(text=text, reasons=reasons_text(reasons))


def shown_name(person: Person) -> str:
    """Return the name; the initials of a person who asked not to be shown."""
    return person.initials if person.is_hidden else person.name


def person_slug(person: Person) -> str:
    """Return the key and, unless the person is hidden, the name, for the URL."""
    name = "" if person.is_hidden else slugify(person.name, allow_unicode=True)
    return f"{person.pk}-{name}" if name else str(person.pk)
