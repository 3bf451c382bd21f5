"""Whether two entries may be the same person, and why. Only equal values match: no pinyin, nicknames or typos."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Reason(Enum):
    """Reasons for a match, the strongest first."""

    EMA_NUMBER = "same_ema_number"
    NAME = "same_name"
    ALIAS = "known_under_this_name"
    """Another name of the same person, for instance in another script."""
    COUNTRY = "same_country"
    CLUB = "same_club"


@dataclass(frozen=True)
class Traits:
    """What two entries are compared by. Names and clubs are keys without accents, case and word order (`name_key`)."""

    name: str
    country: str = ""
    ema_number: str = ""
    club: str = ""
    aliases: frozenset[str] = frozenset()


def match_reasons(first: Traits, second: Traits) -> tuple[Reason, ...]:
    """Return the reasons why two entries may be the same person; nothing if they do not match.

    The same EMA number is enough, and different numbers exclude a match. Otherwise a name or alias has to be the same,
    and different countries exclude a match.
    """
    if first.ema_number and second.ema_number and first.ema_number != second.ema_number:
        return ()
    reasons = tuple(reason for reason, is_same in _compare(first, second) if is_same)
    if Reason.EMA_NUMBER in reasons:
        return reasons
    if not {Reason.NAME, Reason.ALIAS} & set(reasons):
        return ()
    is_other_country = bool(first.country and second.country) and Reason.COUNTRY not in reasons
    return () if is_other_country else reasons


def _compare(first: Traits, second: Traits) -> tuple[tuple[Reason, bool], ...]:
    names, other_names = first.aliases | {first.name}, second.aliases | {second.name}
    is_same_name = bool(first.name) and first.name == second.name
    return (
        (Reason.EMA_NUMBER, bool(first.ema_number) and first.ema_number == second.ema_number),
        (Reason.NAME, is_same_name),
        (Reason.ALIAS, not is_same_name and bool((names & other_names) - {""})),
        (Reason.COUNTRY, bool(first.country) and first.country == second.country),
        (Reason.CLUB, bool(first.club) and first.club == second.club),
    )


def is_certain_match(reasons: Iterable[Reason]) -> bool:
    """Whether both EMA number and name match, so that no organiser has to confirm it."""
    present = set(reasons)
    return Reason.EMA_NUMBER in present and bool(present & {Reason.NAME, Reason.ALIAS})


def strength_key(reasons: Iterable[Reason]) -> tuple[int, ...]:
    """Return a key that sorts the likeliest match first."""
    order = list(Reason)
    return tuple(sorted(order.index(reason) for reason in reasons))
