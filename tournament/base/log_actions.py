"""Log actions, declared once each in the `texts` of the package whose services write them.

Audit page, live stream, embargo, phones, webhooks and scripts read from here what follows from an entry. Codes are
stored in the hash chain and never change, also where a constant has another name by now.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.notices import Audience, Kind, Notice, Push, Topic

Data = Mapping[str, Any]
Text = str | Promise
SentenceBuilder = Callable[[Any, Data], str]
"""Makes a sentence from `LogWords` and an entry's data."""


@dataclass(frozen=True, eq=False)
class LogAction:
    """What a service can write into the log, and its consequences."""

    code: str
    sentence: Text | SentenceBuilder
    """For the audit page. A text is formatted with the data."""
    topics: tuple[Topic, ...] = (Topic.EVENT,)
    """Pages with these topics are refreshed."""
    audience: Audience = Audience.PUBLIC
    """STAFF: the public is not notified at all."""
    has_public_code: bool = False
    """Whether the public sees the code. Otherwise it sees CHANGED: who got a penalty is not public."""
    is_of_play: bool = True
    """Whether an entry about a table shows how play went, and is withheld while its session is hidden."""
    changes_seats: bool = True
    """Whether seats, players or times may differ afterwards; not after the frequent entries of a table."""
    revokes_access: bool = False
    """Whether somebody may lose access, so that open streams are checked."""
    hidden_after: Callable[[Set[int], Data], Set[int]] | None = None
    """Returns the hidden sessions after the entry from those before it."""
    push: Push | None = None
    webhooks: tuple[Notice, ...] = ()
    """Recorded hands have none: it would be a message every minute."""
    news: Text = ""
    """A few words above the ranking, for an action that changes it."""
    at_table: Text = ""
    """Shown on another desk at the same table."""

    def __post_init__(self) -> None:
        """Register the action under its code."""
        if self.code in ACTIONS:
            raise ValueError(f"“{self.code}” is declared already")
        ACTIONS[self.code] = self

    def __str__(self) -> str:
        return self.code

    def reveals_play(self, data: Data) -> bool:
        """Return whether the entry shows how play went at a table."""
        return self.is_of_play and "table" in data


ACTIONS: Final[dict[str, LogAction]] = {}
"""Every action, by its code."""

CHANGED: Final = LogAction("changed", "")
"""What the public sees instead of an action without a public name; also stands for unknown actions."""
RESULTS_HIDDEN: Final = LogAction(
    "results_hidden",
    _("Results hidden from the public: {where}."),
    has_public_code=True,
    hidden_after=lambda hidden, data: hidden | set(data["sessions"]),
)
RESULTS_REVEALED: Final = LogAction(
    "results_opened",
    _("Results revealed: {where}."),
    has_public_code=True,
    is_of_play=False,
    hidden_after=lambda hidden, data: hidden - set(data["sessions"]),
    push=Push.SEAT,
    webhooks=(Notice(Kind.RESULTS_PUBLISHED), Notice(Kind.STANDINGS_CHANGED)),
    news=_("Results revealed"),
)


def staff_action(code: str, sentence: Text | SentenceBuilder) -> LogAction:
    """Declare an action that only staff see and that refreshes no page."""
    return LogAction(code, sentence, topics=(), audience=Audience.STAFF)


def action_of(code: str) -> LogAction:
    """Return the action of a stored code; CHANGED for an unknown one."""
    return ACTIONS.get(code, CHANGED)
