"""The audit finds whatever was changed past the services, and nothing in what the services wrote."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.test.utils import CaptureQueriesContext

from penalties.models import Penalty
from tests.support.factories import SYSTEM, evening, make_tournament, record, wash_out
from tournament.audit import audit
from tournament.engine.entry import WIN, HandEntry
from tournament.engine.statements import Accusation
from tournament.exchange.transcript import Stop
from tournament.models import Hand, LogEntry, Seat, Table, Tournament
from tournament.services.hands import correct_hand
from tournament.services.penalties import cancel_penalty, give_penalty
from tournament.words.problems import sentence


def findings(tournament: Tournament) -> list[str]:
    return [str(finding) for finding in audit(Tournament.objects.get(pk=tournament.pk))]


def first_table(tournament: Tournament) -> tuple[Table, list[int]]:
    """The table and the numbers of its players, from East on."""
    table = tournament.sessions.get(number=1).tables.get(number=1)
    return table, list(table.seats.order_by("id").values_list("player__number", flat=True))


@pytest.mark.thorough
def test_an_evening_with_fouls_agrees_but_for_the_hand_that_a_false_hu_overtook() -> None:
    assert findings(evening(Stop(2, (4, 6, 7, 4)))) == [
        "evening-of-16, session 2, table 1, hand 3: wants correcting: "
        "芳 Li has a dead hand in hand 3 (False hu) and may not win it."
    ]


def test_announced_and_corrected_hands_agree() -> None:
    tournament = make_tournament(running=0)
    table, (east, south, *_others) = first_table(tournament)
    hand = record(table, HandEntry(WIN, south, east, points=19))
    correct_hand(hand, SYSTEM, wash_out(), reason="it was the next table's", uuid=uuid4())
    assert findings(tournament) == []


def test_what_it_asks_of_the_database_does_not_grow_with_the_hands() -> None:
    """While a file is taken in it is asked within the write, and others wait for it."""
    counts = []
    for hands in (1, 4):
        tournament = make_tournament(running=(hands,) * 4, name=f"With {hands}")
        with CaptureQueriesContext(connection) as queries:
            assert findings(tournament) == []
        counts.append(len(queries))
    assert counts[0] == counts[1]


def first_win() -> QuerySet[Hand]:
    return Hand.objects.filter(pk=Hand.objects.filter(is_current=True, outcome="win")[0].pk)


def dearer_hand() -> None:
    first_win().update(points=F("points") + 1)


def richer_seat() -> None:
    seat = Seat.objects.filter(hands_won__gt=0)[0]
    Seat.objects.filter(pk=seat.pk).update(game_points=F("game_points") + 8)


def rewritten_log() -> None:
    entry = LogEntry.objects.filter(action="hand_recorded")[0]
    LogEntry.objects.filter(pk=entry.pk).update(data=entry.data | {"points": 88})


TAMPERED: dict[Callable[[], object], str] = {
    dearer_hand: "what was entered comes to",
    lambda: first_win().update(payments=dict.fromkeys(first_win().get().payments, 0)): (
        "its payments do not follow from its points"
    ),
    richer_seat: "game_points is stored as",
    lambda: Hand.objects.filter(is_current=True, number=1)[0].delete(): "counts 2 hands and has 1",
    rewritten_log: "does not follow from the one before",
    lambda: LogEntry.objects.latest("seq").delete(): "does not follow from the one before",
}


@pytest.mark.thorough
def test_what_was_changed_past_the_services_is_found(subtests: pytest.Subtests) -> None:
    tournament = make_tournament(running=(2, 2, 2, 2))
    assert findings(tournament) == []
    for tamper, finding in TAMPERED.items():
        with subtests.test(finding), transaction.atomic():
            tamper()
            assert [line for line in findings(tournament) if finding in line]
            transaction.set_rollback(True)


def test_the_command_says_where_and_fails_and_a_finding_is_a_problem_with_a_sentence() -> None:
    """So a refusal of a file says it in the reader's language."""
    tournament = make_tournament(name="Spring Open", running=(2, 2, 2, 2))
    call_command("check")
    richer_seat()
    with pytest.raises(CommandError, match=r"spring-open, session 1, table \d, .*game_points"):
        call_command("check")
    dearer_hand()
    problems = {finding.problem.code: finding for finding in audit(Tournament.objects.get(pk=tournament.pk))}
    finding = problems["audit_hand_points"]
    assert finding.what == sentence(finding.problem)


@pytest.fixture
def fouled() -> Penalty:
    """Two hands at the first table, a false hu in the second by who lost it."""
    tournament = make_tournament(running=(1, 1, 1, 1))
    table, (east, south, *_others) = first_table(tournament)
    penalty = give_penalty(table, SYSTEM, Accusation(east, "false_hu", 2), uuid=uuid4())
    record(table, HandEntry(WIN, south, east, points=19))
    assert findings(tournament) == []
    return penalty


PENALTY_TAMPERED: tuple[tuple[dict[str, Any], str], ...] = (
    ({"hand_number": 9}, "is of hand 9, of 3 that have begun"),
    ({"hand_number": None}, "holds for one hand and names none"),
    ({"effects": {}}, "its points do not follow from its sanction"),
    ({"sanction": {"warning": True}, "effects": {}}, "is not as the log has it"),
    ({"cancelled_at": datetime(2026, 11, 14, tzinfo=UTC)}, "is not as the log has it"),
)


@pytest.mark.thorough
def test_a_penalty_that_was_changed_is_found(fouled: Penalty, subtests: pytest.Subtests) -> None:
    for change, finding in PENALTY_TAMPERED:
        line = f"session 1, table 1, {fouled.player.name}, false_hu: {finding}"
        with subtests.test(**change), transaction.atomic():
            Penalty.objects.filter(pk=fouled.pk).update(**change)
            assert [fault for fault in findings(fouled.tournament) if line in fault]
            transaction.set_rollback(True)


def test_a_barred_winner_who_could_not_be_saved_is_found_at_the_hand(fouled: Penalty) -> None:
    hand = Hand.objects.get(table=fouled.table, number=2)
    loser, winner = fouled.player, hand.winner
    assert winner is not None
    turned = {str(loser.number): str(winner.number), str(winner.number): str(loser.number)}
    payments = {turned.get(player, player): points for player, points in hand.payments.items()}
    Hand.objects.filter(pk=hand.pk).update(winner=loser, discarder=winner, payments=payments)
    line = "spring-open, session 1, table 1, hand 2 version 1: is not legal: dead_hand"
    assert line in findings(fouled.tournament)


def test_a_dead_hand_taken_back_leaves_the_order_of_the_claimants_to_be_corrected() -> None:
    tournament = make_tournament(running=(0, 0, 0, 0))
    table, (east, south, west, _north) = first_table(tournament)
    penalty = give_penalty(table, SYSTEM, Accusation(south, "false_claim", 1), uuid=uuid4())
    hand = record(table, HandEntry(WIN, west, east, points=8, claimants=(south,)))
    assert findings(tournament) == []
    cancel_penalty(penalty, SYSTEM, reason="it was right")
    (line,) = findings(tournament)
    assert line.startswith("spring-open, session 1, table 1, hand 1: wants correcting: ")
    right = HandEntry(WIN, south, east, points=8, claimants=(west,))
    correct_hand(hand, SYSTEM, right, reason="South was first", uuid=uuid4())
    assert findings(tournament) == []
