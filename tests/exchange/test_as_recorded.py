"""What the services take at a table replays to the point; what they refuse, a transcript with it is refused for, at
its place; and the audit finds nothing that could not have been saved.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.engine.problems import Problem
from tests.support.factories import SYSTEM, make_tournament
from tournament.audit import audit
from tournament.engine.entry import HandEntry
from tournament.engine.statements import Accusation
from tournament.errors import Refused
from tournament.exchange.transcript import TranscriptError, load, play
from tournament.models import Table, Tournament
from tournament.selectors.records import current_hand
from tournament.services.hands import correct_hand, record_hand
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.services.tables import hand_in, reopen

pytestmark = pytest.mark.django_db
EXAMPLES = 8
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
others = st.sampled_from(("cancel", "hand_in", "reopen")) | st.tuples(st.integers(1, 4), hands)


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


def written_down(table: Table) -> Write:
    """The transcript of a tournament of this one table, nothing recorded yet."""
    about = {"name": table.session.tournament.name, "rulebook": "mcr", "sessions": 1, "minutes": 120}
    days = {"starts_on": "2026-11-14", "ends_on": "2026-11-14"}
    players = table.session.tournament.players.values("number", "last_name")
    seats = dict(table.seats.values_list("wind", "player__number"))
    sheet = {"number": 1, "seats": seats, "hands": [], "penalties": []}
    return {
        "format": "hule-transcript",
        "version": 1,
        "tournament": about | days,
        "players": list(players),
        "sessions": [{"number": 1, "tables": [sheet]}],
    }


def with_it(transcript: Write, write: Write) -> tuple[Write, str]:
    """The transcript with one more write, and its place in there."""
    more = deepcopy(transcript)
    (sheet,) = more["sessions"][0]["tables"]
    if "foul" in write:
        sheet["penalties"].append(write | {"after": len(sheet["hands"])})
        return more, f"session 1, table 1, penalty {len(sheet['penalties'])}"
    sheet["hands"].append({"number": len(sheet["hands"]) + 1} | write)
    return more, f"session 1, table 1, hand {len(sheet['hands'])}"


def replay(transcript: Write) -> Tournament:
    return play(load(json.dumps(transcript)), SYSTEM)


def figures(tournament: Tournament) -> list[Any]:
    """Every score, and what each penalty was."""
    table = Table.objects.get(session__tournament=tournament)
    names = ("player__number", "game_points", "hands_won", "deal_ins")
    scores = table.seats.order_by("wind").values_list(*names)
    given = table.penalties.order_by("id").values_list("hand_number", "sanction", "effects", "occurrence")
    return [*scores, *given]


@settings(max_examples=EXAMPLES)
@given(writes=st.lists(hands | fouls, min_size=1, max_size=8))
def test_what_the_services_take_replays_and_what_they_refuse_is_refused(writes: list[Write]) -> None:
    with a_table() as table:
        transcript = written_down(table)
        for write in [*writes, {"outcome": "draw"}]:
            more, place = with_it(transcript, write)
            if (problem := refused(record, table, write)) is None:
                transcript = more
                continue
            with pytest.raises(TranscriptError) as caught:
                replay(more)
            assert (caught.value.where, caught.value.problem.code) == (place, problem.code)
        assert figures(replay(transcript)) == figures(table.session.tournament)


@settings(max_examples=EXAMPLES)
@given(writes=st.lists(hands | fouls | others, min_size=4, max_size=12))
def test_nothing_that_the_services_take_could_not_have_been_saved(writes: list[Any]) -> None:
    with a_table() as table:
        for write in writes:
            refused(do, table, write)
        findings = [finding.what for finding in audit(Tournament.objects.get(sessions=table.session_id))]
        assert [what for what in findings if not what.startswith("wants correcting")] == []


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
