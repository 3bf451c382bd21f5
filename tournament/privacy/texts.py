"""What is kept of people in words, and the log entries about it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.base.log_actions import Data, LogAction
from tournament.privacy.kept import KEPT, Kept, Until, Whose
from tournament.web.texts.log import LogWords, sentences


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
            yield capfirst(why), sentences(*_as_sentences(whats), _("Everybody sees it."))
        for why, whats in self.others.items():
            yield capfirst(why), sentences(*_as_sentences(whats))


def _as_sentences(whats: Iterable[str]) -> list[str]:
    return [_("{what}.").format(what=what) for what in whats]


def groups(whose: Whose, days: int) -> list[Group]:
    """Everything of somebody's; `days`: how long contact data is kept after the last session."""
    by_until: dict[Until, Group] = {}
    for kept in (kept for declared in KEPT.values() for kept in declared if kept.whose is whose):
        assert kept.until is not None
        by_until.setdefault(kept.until, Group(capfirst(until_text(kept.until, days)))).add(kept)
    return [by_until[until] for until in Until if until in by_until]


def until_text(until: Until, days: int) -> str:
    if until is not Until.CONTACT:
        return str(until.value)
    text = ngettext("until {n} day after the last session", "until {n} days after the last session", days)
    return text.format(n=days)


def _player_erased(words: LogWords, data: Data) -> str:
    return gettext_lazy("Erased: who player {number} was.").format(number=data["player"])


def _privacy_set(words: LogWords, data: Data) -> str:
    text = ngettext(
        "Contact data is kept until {n} day after the last session.",
        "Contact data is kept until {n} days after the last session.",
        data["days"],
    )
    return text.format(n=data["days"])


def _contacts_deleted(words: LogWords, data: Data) -> str:
    people = ngettext(
        "Contact data of {n} person deleted.", "Contact data of {n} people deleted.", data["people"]
    )
    letters = ngettext("The text of {n} e-mail too.", "The texts of {n} e-mails too.", data["letters"])
    return sentences(
        people.format(n=data["people"]),
        letters.format(n=data["letters"]) if data["letters"] else "",
    )


def _registration_erased(words: LogWords, data: Data) -> str:
    text = gettext_lazy("Erased: who registration {number} was.").format(number=data["registration"])
    player = (
        gettext_lazy("They were player {number}.").format(number=data["player"]) if "player" in data else ""
    )
    return sentences(text, player)


PLAYER_ERASED = LogAction("player_erased", _player_erased)
PRIVACY_SET = LogAction("privacy_set", _privacy_set)
CONTACTS_DELETED = LogAction("contacts_deleted", _contacts_deleted)
ERASED_REGISTRATION = LogAction("erased_registration", _registration_erased)
