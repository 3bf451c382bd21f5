"""Whatever may be written at a table of four, as hypothesis draws it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from django.db import transaction
from hypothesis import strategies as st

from scoring.engine.problems import Problem
from tests.support.factories import SYSTEM, make_tournament
from tournament.engine.entry import HandEntry
from tournament.engine.statements import Accusation
from tournament.errors import Refused
from tournament.models import Table
from tournament.selectors.records import current_hand
from tournament.services.hands import correct_hand, record_hand
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.tables import hand_in, reopen

PLAYERS = st.integers(1, 4)
Write = dict[str, Any]

wins = st.fixed_dictionaries(
    {
        "outcome": st.just("win"),
        "winner": PLAYERS,
        "discarder": st.none() | PLAYERS,
        "claimants": st.lists(PLAYERS, max_size=2, unique=True),
        "points": st.sampled_from((8, 24)),
    }
)
hands = wins | st.just({"outcome": "draw"})
fouls = st.fixed_dictionaries(
    {
        "player": PLAYERS,
        "foul": st.sampled_from(("false_hu", "false_claim", "late_pung", "empty_call", "exposed_tile")),
        "hand": st.none() | st.integers(1, 5),
    }
)
corrections = st.tuples(st.integers(1, 4), hands)


@contextmanager
def a_table() -> Iterator[Table]:
    """One of four players, with no hand yet; nothing of it is kept."""
    with transaction.atomic():
        tournament = make_tournament(players=4, sessions=1, running=0)
        yield tournament.sessions.get().tables.get()
        transaction.set_rollback(True)


def entry(hand: Write) -> HandEntry:
    return HandEntry(**hand | {"claimants": tuple(hand.get("claimants", ()))})


def record(table: Table, write: Write) -> None:
    """A hand or a foul, whichever it is, as the next thing that happens at the table."""
    table.refresh_from_db()
    if "foul" in write:
        foul = Accusation(write["player"], write["foul"], write["hand"])
        give_penalty(table, SYSTEM, foul, uuid=uuid4())
    else:
        record_hand(table, SYSTEM, entry(write), number=table.hands_played + 1, uuid=uuid4())


def refused(step: Callable[[Table, Any], None], table: Table, write: Any) -> Problem | None:
    """What is wrong with it first; None when it is done."""
    try:
        with transaction.atomic():
            step(table, write)
    except Refused as refusal:
        return refusal.problems[0]
    return None


def do(table: Table, write: Any) -> None:
    """A hand or a foul; the last penalty cancelled; the sheet in, or back; a hand corrected."""
    table.refresh_from_db()
    match write:
        case "cancel":
            if penalty := table.penalties.filter(cancelled_at=None).last():
                cancel_penalty(penalty, SYSTEM, reason="it was right")
        case "hand_in":
            hand_in(table, SYSTEM)
        case "reopen":
            reopen(table, SYSTEM)
        case (int() as number, dict() as hand):
            if recorded := current_hand(table, number):
                correct_hand(recorded, SYSTEM, entry(hand), reason="seen", uuid=uuid4())
        case _:
            record(table, write)
