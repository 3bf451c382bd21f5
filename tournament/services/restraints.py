"""What a penalty forbids in a hand: with a dead hand a player may not win it, before the hand is recorded or after."""

from __future__ import annotations

from penalties.engine import Sanction
from penalties.selectors import dead_hands
from penalties.texts import name_in
from scoring.engine.problems import Problem
from tournament.models import Player, Table


def barred_from_winning(table: Table) -> dict[int, dict[int, Problem]]:
    """Hand number → player number → why this player may not win that hand."""
    found = dead_hands(table)
    if not found:
        return {}
    names = {player.number: player.name for player in Player.objects.filter(seats__table=table)}
    book = table.session.tournament.rules.fouls
    return {
        hand: {number: dead_hand(names[number], hand, name_in(book, foul)) for number, foul in fouls.items()}
        for hand, fouls in found.items()
    }


def dead_hand(name: str, hand: int, foul: str) -> Problem:
    """Why somebody may not win a hand; `foul` as people call it."""
    return Problem("dead_hand", "winner", {"name": name, "hand": hand, "foul": foul})


def contradictions(table: Table, player: Player, hand: int | None, sanction: Sanction) -> tuple[Problem, ...]:
    """A dead hand for a hand that the record says this player won: the penalty stands, the hand wants correcting."""
    if not sanction.dead_hand or hand is None:
        return ()
    if not table.hands.filter(number=hand, is_current=True, winner=player).exists():
        return ()
    return (Problem("dead_hand_has_won", "hand_number", {"name": player.name, "hand": hand}),)
