"""How a line says what is kept of people, and the reasons that several share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Whose(Enum):
    PLAYER = "player"
    """Of whoever plays or wants to."""
    STAFF = "staff"
    """Of organisers, umpires and others with an account or a pass."""
    NOBODY = "nobody"
    """Of the event, or what ties rows together."""


class Until(Enum):
    CONTACT = _("until some days after the last session")
    """The page says how many."""
    EVENT = _("as long as the event is kept, unless it is erased before")
    WEEK = _("a week after the event at the most")
    MONTH = _("a month at the most")
    ACCOUNT = _("as long as the account is there")
    SIGN_IN = _("until the sign-in runs out")


@dataclass(frozen=True)
class Kept:
    """Fields of one model that are kept for the same reason, and as long."""

    fields: tuple[str, ...]
    whose: Whose = Whose.NOBODY
    what: str | Promise = ""
    why: str | Promise = ""
    until: Until | None = None
    is_public: bool = False
    """Whether everybody sees it."""


def nobodys(fields: str) -> Kept:
    return Kept(tuple(fields.split()))


def players(
    fields: str, what: Promise, why: Promise, until: Until = Until.EVENT, *, public: bool = False
) -> Kept:
    return Kept(tuple(fields.split()), Whose.PLAYER, what, why, until, public)


def staffs(
    fields: str, what: Promise, why: Promise, until: Until = Until.EVENT, *, public: bool = False
) -> Kept:
    return Kept(tuple(fields.split()), Whose.STAFF, what, why, until, public)


RANKING = _("to draw the seats and to say who came where")
REACH = _("to tell you about your place, and to reach you before the event")
PLAY = _("the score of the event and how it came about")
RULES = _("the rules ask that decisions can be looked up")
WHO_WROTE = _("who wrote down what: results are proved by it")
MONEY = _("to know who has paid")
SIGN_IN = _("to let in who may")
