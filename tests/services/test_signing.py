"""Signing off: what was signed stands, what has changed since does not, and nobody is waited for."""

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest

from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_tournament, record, wash_out, win
from tournament.audit import audit
from tournament.engine.statements import Accusation
from tournament.errors import Refused, Stale
from tournament.models import Player, Seat, Signature, Table, Tournament
from tournament.services.hands import correct_hand
from tournament.services.penalties import give_penalty
from tournament.services.signing import sign, take_signature_back
from tournament.services.tables import hand_in, reopen

pytestmark = pytest.mark.stored


@pytest.fixture
def table() -> Table:
    """Two hands recorded, the session being played."""
    return make_tournament(running=2).sessions.get(number=1).tables.get(number=1)


def signed_by(table: Table) -> set[int]:
    return set(table.signatures.filter(void_at=None).values_list("player__number", flat=True))


def sign_all(table: Table) -> None:
    for player in players_at(table):
        sign(table, SYSTEM, player)


def last_entry(table: Table) -> dict[str, Any]:
    data: dict[str, Any] = table.session.tournament.log.latest("seq").data
    return data


def other_session(table: Table) -> Table:
    return Table.objects.filter(session__number=2, seats__player__number=players_at(table)[0]).get()


def test_a_signature_keeps_the_scores_and_table_points_of_all_four_and_moves_no_figure(table: Table) -> None:
    before = list(Seat.objects.order_by("id").values())
    signature = sign(table, SYSTEM, players_at(table)[0])
    scores = {str(seat.player.number): seat.game_points for seat in table.seats.all()}
    assert {player: score for player, (score, _points) in signature.sheet.items()} == scores
    assert sum(Fraction(points) for _score, points in signature.sheet.values()) == 7
    version = Tournament.objects.get().version
    assert sign(table, SYSTEM, players_at(table)[0]) == signature
    assert Tournament.objects.get().version == version, "signing twice is signing once and one entry"
    for player in players_at(table):
        sign(table, SYSTEM, player, expected_version=table.version)
    assert signed_by(table) == set(players_at(table)), "signing does not make the next one stale"
    assert list(Seat.objects.order_by("id").values()) == before


def test_only_the_four_sign_what_is_played_and_as_it_stands_now(table: Table) -> None:
    seen = table.version
    record(table, wash_out())
    with pytest.raises(Stale):
        sign(table, SYSTEM, players_at(table)[0], expected_version=seen)
    player = players_at(table)[0]
    stranger = Player.objects.exclude(number__in=players_at(table)).earliest("pk")
    for where, number in ((table, stranger.number), (other_session(table), player)):
        with pytest.raises(Refused):
            sign(where, SYSTEM, number)
    assert not Signature.objects.exists()


@pytest.mark.parametrize("what", ["hand", "correction", "penalty"])
def test_whatever_changes_the_sheet_voids_what_was_signed_and_says_so(table: Table, what: str) -> None:
    sign_all(table)
    if what == "hand":
        record(table, wash_out())
    elif what == "correction":
        hand = table.hands.get(number=1, is_current=True)
        correct_hand(hand, SYSTEM, win(players_at(table)[0]), reason="Wrong winner", uuid=uuid4())
    else:
        give_penalty(table, SYSTEM, Accusation(players_at(table)[0], "false_hu", 1), uuid=uuid4())
    assert signed_by(table) == set()
    assert table.signatures.filter(void_because=Signature.Void.CHANGED).count() == 4
    assert last_entry(table)["signatures_void"] == sorted(players_at(table))


def test_another_tables_hand_or_handing_in_and_taking_back_voids_nothing(table: Table) -> None:
    sign_all(table)
    record(Table.objects.get(session__number=1, number=2), wash_out())
    assert signed_by(table) == set(players_at(table))
    hand_in(table, SYSTEM)
    assert reopen(table, SYSTEM).in_at is None
    assert signed_by(table) == set(players_at(table))


def test_handing_in_waits_for_nobody_and_names_who_has_not_signed(table: Table) -> None:
    east, *others = players_at(table)
    sign(table, SYSTEM, east)
    assert hand_in(table, SYSTEM).in_at is not None
    assert last_entry(table)["unsigned"] == others
    assert signed_by(table) == {east}


def test_a_signature_taken_back_stays_as_a_trace_and_can_be_given_again(table: Table) -> None:
    east = players_at(table)[0]
    sign(table, SYSTEM, east)
    take_signature_back(table, SYSTEM, east)
    assert signed_by(table) == set()
    sign(table, SYSTEM, east)
    assert [each.void_because for each in table.signatures.order_by("id")] == ["taken_back", ""]


def test_the_audit_finds_a_signature_under_other_figures(table: Table) -> None:
    sign(table, SYSTEM, players_at(table)[0])
    tournament = Tournament.objects.get()
    assert list(audit(tournament)) == []
    Signature.objects.update(sheet={str(number): [0, "7/4"] for number in players_at(table)})
    assert ["signed" in str(finding) for finding in audit(tournament)] == [True]
