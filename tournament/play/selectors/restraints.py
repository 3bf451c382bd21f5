"""What a penalty forbids in a hand: with a dead hand a player may not win it, before the hand is recorded or after."""

from __future__ import annotations

from collections.abc import Iterable

from penalties.engine import FoulBook, Sanction
from penalties.models import Penalty
from penalties.selectors import dead_hands
from scoring.engine.problems import Problem
from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.models.people import Player
from tournament.base.models.play import Table

Barred = dict[int, Problem]
"""Player number → why this player may not win the hand."""


def barred_from_winning(table: Table, penalties: Iterable[Penalty]) -> dict[int, Barred]:
    """Hand number → who may not win it, by the table's `penalties`."""
    found = dead_hands(penalties)
    if not found:
        return {}
    book = table.session.tournament.rules.fouls
    return {
        hand: {number: dead_hand(penalty, book) for number, penalty in given.items()}
        for hand, given in found.items()
    }


def dead_hand(penalty: Penalty, book: FoulBook) -> Problem:
    """Why its player may not win the hand that a penalty cost: the foul by its key, and by the book's names for it."""
    assert penalty.hand_number is not None
    foul = book.find(penalty.foul)
    names = {f"foul_{language}": name for language, name in foul.names.to_json().items()} if foul else {}
    about: dict[str, str | int] = {
        "name": penalty.player.name,
        "hand": penalty.hand_number,
        "foul": penalty.foul,
    }
    return Problem("dead_hand", "winner", about | names)


def not_begun(table: Table, hand: int) -> tuple[Problem, ...]:
    """That a foul cannot have been in this hand: there is no such hand, or nobody has played it yet."""
    if not 1 <= hand <= HANDS_PER_SESSION:
        return (Problem("no_such_hand", "hand_number", {"number": hand, "hands": HANDS_PER_SESSION}),)
    if hand <= table.hands_begun:
        return ()
    if table.hand_under_way is None:
        return (Problem("no_hand_under_way", "hand_number", {"number": hand, "table": table.number}),)
    about = {"number": hand, "under_way": table.hand_under_way}
    return (Problem("hand_not_begun", "hand_number", about),)


def without_a_hand(hand: int | None, sanction: Sanction) -> tuple[Problem, ...]:
    """A dead hand, or no claims, is for one hand."""
    return (
        (Problem("hand_number_missing", "hand_number"),) if sanction.lasts_the_hand and hand is None else ()
    )


def contradictions(table: Table, player: Player, hand: int | None, sanction: Sanction) -> tuple[Problem, ...]:
    """A dead hand for a hand that the record says this player won: the penalty stands, the hand wants correcting."""
    if not sanction.dead_hand or hand is None:
        return ()
    if not table.hands.filter(number=hand, is_current=True, winner=player).exists():
        return ()
    return (Problem("dead_hand_has_won", "hand_number", {"name": player.name, "hand": hand}),)
