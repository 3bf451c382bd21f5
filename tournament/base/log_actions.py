"""The actions of the log: each is declared once, in the `texts` of the package whose services write it.

The audit page, the live stream, the embargo, phones, webhooks and the scripts of pages read what follows from an entry
here. The codes are stored, and in the chain of hashes: a code never changes.
"""

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.base.access import Audience
from tournament.base.engine.notices import Kind, Notice, Push, Topic

Data = Mapping[str, Any]
Text = str | Promise
Say = Callable[[Any, Data], str]
"""Makes a sentence of `LogWords` and an entry's data."""


@dataclass(frozen=True, eq=False)
class LogAction:
    """What a service can write into the log, with all that follows from it."""

    code: str
    sentence: Text | Say
    """Of the audit page. A text is filled in with the data."""
    topics: tuple[Topic, ...] = (Topic.EVENT,)
    """Pages that show these are drawn anew."""
    audience: Audience = Audience.PUBLIC
    """STAFF: the public does not even hear that something happened."""
    is_named: bool = False
    """Whether the public hears the code. Otherwise it hears that something changed: that there was a penalty, or who
    is an umpire, is not for everybody to know."""
    is_of_play: bool = True
    """Whether an entry about a table tells how play went there, and is kept back while the session is hidden."""
    ends_access: bool = False
    """Whether somebody who was let in for a role may have none afterwards."""
    hidden_after: Callable[[Set[int], Data], Set[int]] | None = None
    """The hidden sessions after it, from those before, where it changes them."""
    push: Push | None = None
    webhooks: tuple[Notice, ...] = ()
    """A hand that is recorded sends none: it would be a message every minute."""
    news: Text = ""
    """In a few words, above the ranking, of an action that changes it."""
    at_table: Text = ""
    """On a desk that has not seen it when it writes itself."""

    def __post_init__(self) -> None:
        """Register it under its code."""
        if self.code in ACTIONS:
            raise ValueError(f"“{self.code}” is declared already")
        ACTIONS[self.code] = self

    def __str__(self) -> str:
        return self.code

    def tells_of_play(self, data: Data) -> bool:
        """Whether it follows from how a table played."""
        return self.is_of_play and "table" in data


ACTIONS: Final[dict[str, LogAction]] = {}
"""Every action, by its code."""

CHANGED: Final = LogAction("changed", "")
"""What the public hears of actions without a name, and what is known of an action of a newer version."""
RESULTS_HIDDEN: Final = LogAction(
    "results_hidden",
    _("Results hidden from the public: {where}."),
    is_named=True,
    hidden_after=lambda hidden, data: hidden | set(data["sessions"]),
)
RESULTS_OPENED: Final = LogAction(
    "results_opened",
    _("Results opened to everybody: {where}."),
    is_named=True,
    is_of_play=False,
    hidden_after=lambda hidden, data: hidden - set(data["sessions"]),
    push=Push.SEAT,
    webhooks=(Notice(Kind.RESULTS_PUBLISHED), Notice(Kind.STANDINGS_CHANGED)),
    news=_("Results opened"),
)


def staff_action(code: str, sentence: Text | Say) -> LogAction:
    """Declare what is nobody's business but the staff's: the public hears of none, and no page is drawn anew."""
    return LogAction(code, sentence, topics=(), audience=Audience.STAFF)


def action_of(code: str) -> LogAction:
    """Return the action with a code that is stored; CHANGED for a newer version's."""
    return ACTIONS.get(code, CHANGED)
