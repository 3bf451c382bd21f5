"""The card on a table is in its players' hands: it records what happened there, and judges nothing."""

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest

from penalties.engine.sanctions import Points, PointScope, Sanction
from tests.support.factories import SYSTEM, record, wash_out, win
from tournament.access import Actor, can_see_penalties
from tournament.engine.entry import WIN, HandEntry
from tournament.engine.statements import Accusation
from tournament.errors import Forbidden, Refused
from tournament.models import Table
from tournament.services.absences import begin_without, note_absence, seat_stand_in, take_absence_back
from tournament.services.hands import correct_hand
from tournament.services.penalties import cancel_penalty, give_penalty, undo_penalty
from tournament.services.tables import hand_in, reopen

PLAYER, OTHER = 1, 5


def refused(write: Callable[[], object], table: Table) -> bool:
    """Whether it is refused, and nothing has changed."""
    before = Table.objects.get(pk=table.pk).version
    with pytest.raises(Forbidden):
        write()
    return Table.objects.get(pk=table.pk).version == before


def test_it_records_hands_corrects_its_own_and_opens_what_it_handed_in(table: Table, card: Actor) -> None:
    hand = record(table, wash_out(), card)
    corrected = correct_hand(hand, card, win(PLAYER), reason="Wrong button", uuid=uuid4())
    assert corrected.winner is not None
    table.refresh_from_db()
    assert not reopen(hand_in(table, card), card).is_in


def test_it_says_more_of_a_hand_that_an_umpire_entered_and_corrects_nothing(
    table: Table, card: Actor, umpire: Actor
) -> None:
    hand = record(table, HandEntry(WIN, PLAYER, OTHER, points=25), umpire)
    deepened = correct_hand(hand, card, win(PLAYER, OTHER), reason="", uuid=uuid4())
    assert deepened.deepens
    entered = record(table, win(PLAYER, OTHER), umpire)
    assert refused(lambda: correct_hand(entered, card, wash_out(), reason="No", uuid=uuid4()), table)


def test_it_gives_what_the_foul_book_says_and_undoes_it_for_a_minute(table: Table, card: Actor) -> None:
    for foul in ("empty_call", "false_hu"):
        penalty = give_penalty(table, card, Accusation(PLAYER, foul, 1), uuid=uuid4())
        assert penalty.given_by == card.user
        assert undo_penalty(penalty, card, reason="A slip").is_cancelled


def test_it_neither_overrides_the_rulebook_nor_excuses_who_is_late(table: Table, card: Actor) -> None:
    cheap = replace(win(PLAYER, OTHER, "too_cheap"), points=8, override="We think so")
    assert refused(lambda: record(table, cheap, card), table)
    absence = note_absence(table, card, PLAYER, uuid=uuid4())
    assert refused(lambda: take_absence_back(absence, card), table)
    assert refused(lambda: begin_without(absence, card, "We do not wait"), table)
    assert refused(lambda: seat_stand_in(table, card, PLAYER, "A friend"), table)


def test_it_gives_no_penalty_that_takes_an_umpire(table: Table, card: Actor) -> None:
    sanction = Sanction(points=Points(60, PointScope.SESSION))
    accusations = {
        "another sanction than the book's": Accusation(
            PLAYER, "empty_call", 1, imposed=sanction, because="So"
        ),
        "points to be chosen": Accusation(PLAYER, "rules_violation", 1, details={"points": 5}),
        "loss of rank": Accusation(PLAYER, "severe_disturbance", 1),
    }
    for name, accusation in accusations.items():
        assert refused(lambda charge=accusation: give_penalty(table, card, charge, uuid=uuid4()), table), name  # type: ignore[misc]


def test_it_neither_cancels_nor_undoes_a_penalty_of_an_umpire(
    table: Table, card: Actor, umpire: Actor
) -> None:
    penalty = give_penalty(table, umpire, Accusation(PLAYER, "empty_call", 1), uuid=uuid4())
    assert refused(lambda: cancel_penalty(penalty, card, reason="It was nothing"), table)
    with pytest.raises(Refused):
        undo_penalty(penalty, card, reason="A slip")


def test_it_opens_no_sheet_of_an_umpire_and_reads_no_penalties(
    table: Table, card: Actor, umpire: Actor
) -> None:
    record(table, wash_out(), card)
    handed_in = hand_in(table, umpire)
    assert refused(lambda: reopen(handed_in, card), table)
    tournament = table.session.tournament
    tournament.penalties_public = False
    assert not can_see_penalties(card, tournament)
    assert can_see_penalties(SYSTEM, tournament)
