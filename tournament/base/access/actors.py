"""Who writes, and as whom: somebody in person, or a program by a token of theirs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tournament.base.access.duties import Duty, duties
from tournament.base.access.grants import Grant
from tournament.base.access.rights import Right
from tournament.base.models.log_entry import ACCOUNT, name_of
from tournament.base.models.prepared import Prepared
from tournament.base.models.tournament import Membership, Tournament

_MEMBERSHIPS = Prepared(
    lambda tournament, user: Membership.objects.filter(tournament=tournament, user=user), int, int
)


@dataclass(frozen=True)
class Actor:
    """Who writes: a signed-in person, a visitor (`user` None), or the system itself (a command)."""

    user: Any
    name: str
    is_system: bool = False
    grant: Grant | None = None
    """What the token by which they are there passes on; None where nothing is held back."""
    _duties: dict[int, tuple[Duty, ...]] = field(default_factory=dict, compare=False, repr=False)
    """By the tournament's key: read once, so that a request that asks five times reads them once."""

    def duties(self, tournament: Tournament) -> tuple[Duty, ...]:
        """The roles in a tournament; nobody's for the system, which needs none."""
        if tournament.pk not in self._duties:
            mine = () if self.user is None else _MEMBERSHIPS(tournament.pk, self.user.pk)
            self._duties[tournament.pk] = duties(mine if self.reaches(tournament) else (), self.at_most)
        return self._duties[tournament.pk]

    def reaches(self, tournament: Tournament) -> bool:
        return self.grant is None or self.grant.reaches(tournament)

    @property
    def at_most(self) -> frozenset[Right]:
        return frozenset(Right) if self.grant is None else self.grant.rights

    def in_person(self) -> Actor:
        """The same account, without the token."""
        return replace(self, grant=None, _duties={})

    @property
    def code(self) -> str:
        """How the log's chain names who writes: by no name that anybody bears."""
        return self.name if self.user is None else f"{ACCOUNT}{self.user.pk}"

    @classmethod
    def of(cls, user: Any, grant: Grant | None = None) -> Actor:
        """The actor behind a request's user; an anonymous one may read only."""
        if not getattr(user, "is_authenticated", False):
            return cls(None, "visitor")
        return cls(user, name_of(user), grant=grant)

    @classmethod
    def system(cls, name: str) -> Actor:
        """A command that acts for nobody in particular, named in the log: a code word, never somebody's name."""
        return cls(None, name, is_system=True)
