"""The audit finds whatever was changed past the services, and nothing in what the services wrote."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from tests.factories import SYSTEM, evening, make_tournament, record, wash_out
from tournament.audit import audit
from tournament.engine.entry import WIN, HandEntry
from tournament.exchange.transcript import Stop
from tournament.models import Hand, LogEntry, Seat, Table, Tournament
from tournament.services.hands import correct_hand

pytestmark = pytest.mark.django_db


def found(tournament: Tournament) -> list[str]:
    return [str(finding) for finding in audit(Tournament.objects.get(pk=tournament.pk))]


def test_an_evening_with_fouls_and_corrections_agrees() -> None:
    assert found(evening(Stop(2, (4, 6, 7, 4)))) == []


def test_announced_and_corrected_hands_agree() -> None:
    tournament = make_tournament(running=0)
    table = Table.objects.get(session__tournament=tournament, session__number=1, number=1)
    east, south, *_others = [seat.player.number for seat in table.seats.order_by("id")]
    hand = record(table, HandEntry(WIN, south, east, points=19))
    correct_hand(
        hand,
        SYSTEM,
        wash_out(),
        reason="it was the next table's",
        uuid=uuid4(),
    )
    assert found(tournament) == []


def first_win() -> Hand:
    won = Hand.objects.filter(is_current=True, outcome="win").first()
    assert won is not None
    return won


def dearer_hand() -> None:
    won = first_win()
    Hand.objects.filter(pk=won.pk).update(points=won.points + 1)


def other_payments() -> None:
    won = first_win()
    Hand.objects.filter(pk=won.pk).update(payments=dict.fromkeys(won.payments, 0))


def richer_seat() -> None:
    seat = Seat.objects.filter(hands_won__gt=0).first()
    assert seat is not None
    Seat.objects.filter(pk=seat.pk).update(game_points=seat.game_points + 8)


def lost_hand() -> None:
    Hand.objects.filter(is_current=True, number=1).first().delete()  # type: ignore[union-attr]


def rewritten_log() -> None:
    entry = LogEntry.objects.filter(action="hand_recorded").first()
    assert entry is not None
    LogEntry.objects.filter(pk=entry.pk).update(data=entry.data | {"points": 88})


def shortened_log() -> None:
    LogEntry.objects.order_by("seq").last().delete()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("tamper", "says"),
    [
        (dearer_hand, "what was entered comes to"),
        (other_payments, "its payments do not follow from its points"),
        (richer_seat, "game_points is stored as"),
        (lost_hand, "counts 2 hands and has 1"),
        (rewritten_log, "does not follow from the one before"),
        (shortened_log, "does not follow from the one before"),
    ],
)
def test_what_was_changed_past_the_services_is_found(tamper: Callable[[], None], says: str) -> None:
    tournament = make_tournament(running=(2, 2, 2, 2))
    assert found(tournament) == []
    tamper()
    assert any(says in line for line in found(tournament)), found(tournament)


def test_the_command_says_where_and_fails() -> None:
    make_tournament(name="Spring Open", running=(2, 2, 2, 2))
    call_command("check")
    richer_seat()
    with pytest.raises(CommandError, match=r"spring-open, session 1, table \d, .*game_points"):
        call_command("check")
