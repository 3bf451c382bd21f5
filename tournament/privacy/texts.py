"""The texts of the privacy pages, and of log entries about personal data."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.base.access import Right
from tournament.base.log_actions import Data, LogAction
from tournament.privacy.retention import RETENTION_RULES, DataSubject, RetentionRule, Until
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords, sentences


@dataclass(frozen=True)
class Group:
    """Descriptions of data by reason, for one retention period."""

    until: str
    public: dict[str, list[str]] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)

    def add(self, rule: RetentionRule) -> None:
        descriptions = (self.public if rule.is_public else self.others).setdefault(str(rule.reason), [])
        if str(rule.description) not in descriptions:
            descriptions.append(str(rule.description))

    @property
    def lines(self) -> Iterator[tuple[str, str]]:
        """Pairs of a reason and the data that are stored for it, public ones first."""
        for reason, descriptions in self.public.items():
            yield capfirst(reason), sentences(*_as_sentences(descriptions), _("Everybody sees it."))
        for reason, descriptions in self.others.items():
            yield capfirst(reason), sentences(*_as_sentences(descriptions))


def _as_sentences(descriptions: Iterable[str]) -> list[str]:
    return [_("{what}.").format(what=description) for description in descriptions]


def groups(subject: DataSubject, days: int) -> list[Group]:
    """Return what is stored of these people. `days`: how long contact data is stored after the last session."""
    by_until: dict[Until, Group] = {}
    for rule in (rule for rules in RETENTION_RULES.values() for rule in rules if rule.subject is subject):
        assert rule.until is not None
        by_until.setdefault(rule.until, Group(capfirst(until_text(rule.until, days)))).add(rule)
    return [by_until[until] for until in Until if until in by_until]


def until_text(until: Until, days: int) -> str:
    if until is not Until.CONTACT:
        return str(until.value)
    text = ngettext("until {n} day after the last session", "until {n} days after the last session", days)
    return text.format(n=days)


def _player_erased(words: LogWords, data: Data) -> str:
    return gettext_lazy("Personal data of player {number} erased.").format(number=data["player"])


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
    n_photos = data.get("photos", 0)
    photos = ngettext("{n} photograph too.", "{n} photographs too.", n_photos)
    return sentences(
        people.format(n=data["people"]),
        letters.format(n=data["letters"]) if data["letters"] else "",
        photos.format(n=n_photos) if n_photos else "",
    )


def _registration_erased(words: LogWords, data: Data) -> str:
    text = gettext_lazy("Personal data of registration {number} erased.").format(number=data["registration"])
    player = (
        gettext_lazy("The registration belonged to player {number}.").format(number=data["player"])
        if "player" in data
        else ""
    )
    return sentences(text, player)


PLAYER_ERASED = LogAction("player_erased", _player_erased)
PRIVACY_SET = LogAction("privacy_set", _privacy_set)
CONTACTS_DELETED = LogAction("contacts_deleted", _contacts_deleted)
REGISTRATION_ERASED = LogAction("erased_registration", _registration_erased)

register_section(
    "data", "settings", 30, gettext_lazy("Data"), "organiser_data", Right.ORGANISE, help="organisers/privacy/"
)
