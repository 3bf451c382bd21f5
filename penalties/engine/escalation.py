"""The sanction that the foul book proposes, given the player's earlier fouls. The umpire may impose another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from penalties.engine.books import find_foul_book
from penalties.engine.catalogue import Foul, FoulBook
from penalties.engine.facts import EarlierFoul, Facts, Reason, RepeatScope
from penalties.engine.sanctions import Sanction
from scoring.engine.problems import Problem, problem_code

FOUL_UNKNOWN = problem_code("foul_unknown", "There is no foul “{foul}”.")
HAND_NUMBER_OUT_OF_RANGE = problem_code("hand_number_out_of_range", "There is no hand {hand_number}.")

_HANDS_PER_ROUND = 4


@dataclass(frozen=True, slots=True)
class Proposal:
    """A sanction and its reason; both are None exactly when there are problems.

    ``occurrence`` is 1 for the first such foul within the scope of repeats, and always 1 for a foul without a scope.
    An empty sanction (reason ``discretion``) leaves the choice to the umpire.
    """

    sanction: Sanction | None
    occurrence: int
    reason: Reason | None
    problems: tuple[Problem, ...] = ()


def propose(
    foul_key: str,
    facts: Facts,
    earlier: Sequence[EarlierFoul] = (),
    book: FoulBook | None = None,
) -> Proposal:
    """Return the sanction of ``book`` (default ``mcr``) for a foul, or every problem with the facts.

    ``earlier``: the player's fouls that are not cancelled, of any kind and any session. Problem codes:
    ``foul_unknown``, ``minutes_missing``, ``minutes_not_positive``, ``points_missing``,
    ``points_not_on_scale`` {points, allowed}, ``victim_missing``, ``hu_was_valid_missing``,
    ``circumstance_missing``, ``circumstance_unknown`` {circumstance, allowed}, ``hand_number_missing``,
    ``hand_number_out_of_range`` {hand_number}. Raises ValueError if repeats count within a session, there are
    earlier fouls, and ``facts.session`` is None.
    """
    book = book or find_foul_book("mcr")
    foul = book.find(foul_key)
    if foul is None:
        return Proposal(None, 1, None, (FOUL_UNKNOWN("foul", foul=foul_key),))
    problems = foul.rule.problems(facts)
    if facts.hand_number is not None and not 1 <= facts.hand_number <= 16:
        problems = (HAND_NUMBER_OUT_OF_RANGE("hand_number", hand_number=facts.hand_number), *problems)
    if problems:
        return Proposal(None, 1, None, problems)
    occurrence = 1 + sum(_is_repeat(foul, before, facts, book) for before in earlier)
    sanction, reason = foul.rule.outcome(facts, occurrence)
    return Proposal(sanction, occurrence, replace(reason, params={"foul": foul_key, **reason.params}))


def _is_repeat(foul: Foul, before: EarlierFoul, facts: Facts, book: FoulBook) -> bool:
    """Return whether the earlier foul ``before`` makes this one a repeat."""
    if foul.repeats is None:
        return False
    if before.foul != foul.key:
        other = book.find(before.foul)
        if foul.repeats is not RepeatScope.ANY_FOUL or other is None or other.repeats is not foul.repeats:
            return False
    if foul.repeats is RepeatScope.TOURNAMENT:
        return True
    if facts.session is None:
        raise ValueError(f"repeats of {foul.key} count within a session, and none is given")
    if before.session != facts.session:
        return False
    match foul.repeats:
        case RepeatScope.HAND:
            return before.hand_number == facts.hand_number
        case RepeatScope.WIND_ROUND:
            return _wind_round(before.hand_number) == _wind_round(facts.hand_number)
        case _:
            return True


def _wind_round(hand_number: int | None) -> int | None:
    return None if hand_number is None else (hand_number - 1) // _HANDS_PER_ROUND
