"""What a player needs, on the player's page while the session is played."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, make_tournament, play_session, record, win
from tests.support.html import element, elements, read, words
from tournament.models import Table, Tournament
from tournament.services.tables import hand_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    """One hand played at table 1 of the second session: the one at East won it self-drawn."""
    tournament = make_tournament(players=8, sessions=2, played=1, running=0)
    table = tournament.sessions.get(number=2).tables.get(number=1)
    record(table, win(at(table, "E")))
    return table


def at(table: Table, wind: str) -> int:
    return table.seats.get(wind=wind).player.number


def needs(client: Client, tournament: Tournament, number: int, query: str = "") -> Any:
    tree = read(client.get(f"/t/{tournament.slug}/players/{number}/{query}"))
    return next(elements(tree, "section", id="needs"), None)


def test_it_says_what_each_place_takes_and_from_whom(client: Client, table: Table) -> None:
    leader = table.seats.get(wind="E")
    behind = leader.game_points - table.seats.get(wind="S").game_points
    text = words(needs(client, table.session.tournament, at(table, "S")))
    assert f"1st at the table , {behind} behind {leader.player.name}" in text
    least = (behind - 32) // 4 + 1
    assert f"by self-draw {max(8, least)} points" in text
    assert f"from {leader.player.name} {max(8, (behind - 32) // 2 + 1)} points" in text


def test_who_leads_is_told_so(client: Client, table: Table) -> None:
    assert "You lead the table." in words(needs(client, table.session.tournament, at(table, "E")))


def test_a_rank_is_asked_for_by_a_plain_address(client: Client, table: Table) -> None:
    section = needs(client, table.session.tournament, at(table, "S"), "?rank=1")
    assert "Rank 1 or better" in words(section)
    assert "open" in dict(element(section, "details").attributes)


@pytest.mark.parametrize("rank", ["", "0", "-1", "x", "999999999", "99999", "٣"])
def test_a_rank_that_is_none_breaks_nothing(client: Client, table: Table, rank: str) -> None:
    assert needs(client, table.session.tournament, at(table, "S"), f"?rank={rank}") is not None


def test_nothing_is_needed_where_nothing_can_change(client: Client, table: Table) -> None:
    tournament = table.session.tournament
    hand_in(table, SYSTEM)
    assert needs(client, tournament, at(table, "S")) is None
    over = make_tournament(players=8, sessions=1, name="Over")
    play_session(over.sessions.get(number=1), hands=1)
    assert needs(client, over, 1) is None
