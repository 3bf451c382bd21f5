"""The parts of an event's list of people, what new people become, and the groups that a message can go to."""

from dataclasses import dataclass
from enum import StrEnum


class EnterAs(StrEnum):
    """What new people become."""

    PLAYERS = "players"
    REGISTRATIONS = "registrations"


class Part(StrEnum):
    """A part of the list. The first six are where somebody stands; the others are about money."""

    UNCONFIRMED = "unconfirmed"
    TO_REVIEW = "to-review"
    WAITING = "waiting"
    COMING = "coming"
    """With a place, but not a player yet."""
    PLAYING = "playing"
    LEFT = "left"
    """Withdrawn, declined or cancelled."""
    OWING = "owing"
    TO_REFUND = "to-refund"
    WITHOUT_FEE = "without-fee"
    """With a place and no fee."""


class Group(StrEnum):
    EVERYBODY = "everybody"
    """Who comes or plays."""
    OWING = "owing"
    WAITING = "waiting"
    TO_REVIEW = "to-review"
    SESSION = "session"
    """Who is seated in a session, or at one of its tables."""


@dataclass(frozen=True)
class Addressees:
    """A group; `session` and perhaps `table` for those who are seated."""

    group: Group
    session: int | None = None
    table: int | None = None

    @property
    def code(self) -> str:
        """The group as it stands in addresses."""
        return self.group if self.session is None else f"{self.group}-{self.session}"
