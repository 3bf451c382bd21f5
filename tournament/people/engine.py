"""Whether two entries may be the same human, and why. Nothing is guessed: no pinyin, no nicknames, no slips."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Reason(Enum):
    """What speaks for it, the strongest first."""

    EMA_NUMBER = "same_ema_number"
    NAME = "same_name"
    ALIAS = "known_under_this_name"
    """One of the other names of theirs, in another script for instance."""
    COUNTRY = "same_country"
    CLUB = "same_club"


@dataclass(frozen=True)
class Traits:
    """What is known of somebody. Names and clubs come folded: without accents, case and order of first and last."""

    name: str
    country: str = ""
    ema_number: str = ""
    club: str = ""
    aliases: frozenset[str] = frozenset()


def reasons(first: Traits, second: Traits) -> tuple[Reason, ...]:
    """Why the two may be one; nothing where they may not.

    The same EMA number is enough, another one is against it. Otherwise the name has to agree, or one they are known
    under, and two who are of different countries are two.
    """
    if first.ema_number and second.ema_number and first.ema_number != second.ema_number:
        return ()
    holding = tuple(reason for reason, holds in _compared(first, second) if holds)
    if Reason.EMA_NUMBER in holding:
        return holding
    if not {Reason.NAME, Reason.ALIAS} & set(holding):
        return ()
    speaks_against = bool(first.country and second.country) and Reason.COUNTRY not in holding
    return () if speaks_against else holding


def _compared(first: Traits, second: Traits) -> tuple[tuple[Reason, bool], ...]:
    names, others = first.aliases | {first.name}, second.aliases | {second.name}
    is_name = bool(first.name) and first.name == second.name
    return (
        (Reason.EMA_NUMBER, bool(first.ema_number) and first.ema_number == second.ema_number),
        (Reason.NAME, is_name),
        (Reason.ALIAS, not is_name and bool((names & others) - {""})),
        (Reason.COUNTRY, bool(first.country) and first.country == second.country),
        (Reason.CLUB, bool(first.club) and first.club == second.club),
    )


def is_certain(why: Iterable[Reason]) -> bool:
    """Whether nobody has to be asked: the number of the federation and the name, both."""
    known = set(why)
    return Reason.EMA_NUMBER in known and bool(known & {Reason.NAME, Reason.ALIAS})


def strength(why: Iterable[Reason]) -> tuple[int, ...]:
    """To put the likeliest first, smaller is likelier."""
    order = list(Reason)
    return tuple(sorted(order.index(reason) for reason in why))
