"""What is kept of people, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.people.kept import KEPT, Kept, Until, Whose
from tournament.web.texts.places import sentences


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
