"""The groups of people that a message can go to."""

from dataclasses import dataclass
from enum import StrEnum


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
