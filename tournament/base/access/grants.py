"""What a program's token lets it do: as much as somebody in a role may, and never more than its account may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournament.base.access.rights import RIGHTS, Right
from tournament.base.models.signed_in import ApiToken
from tournament.base.models.tournament import Role, Tournament


@dataclass(frozen=True)
class Grant:
    """The rights that a token passes on, and where. `tournaments`: by key; None: in all."""

    rights: frozenset[Right]
    tournaments: frozenset[int] | None = None

    def reaches(self, tournament: Tournament) -> bool:
        return self.tournaments is None or tournament.pk in self.tournaments


@dataclass(frozen=True)
class Wanted:
    """A token as its page asks for it. `tournaments` None: all of the account's, those to come too."""

    name: str
    scope: str
    tournaments: tuple[Tournament, ...] | None
    expires_at: datetime | None
    """None: never."""


def grant_of(token: ApiToken | None) -> Grant | None:
    """None for a person who is there themselves, and for a token that is as good as one."""
    if token is None or (token.scope == ApiToken.ALL and token.everywhere):
        return None
    rights = frozenset(Right) if token.scope == ApiToken.ALL else RIGHTS[Role(token.scope)]
    if token.everywhere:
        return Grant(rights)
    return Grant(rights, frozenset(token.tournaments.order_by().values_list("pk", flat=True)))
