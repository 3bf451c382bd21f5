"""Tournaments that are put back as rows: what else was there when the first was made is not put back with them."""

import pytest
from django.db import transaction

from tests.support import snapshots
from tests.support.factories import make_tournament, make_user
from tournament.accounts.services import make_token
from tournament.base.models.people import ApiToken, Player
from tournament.base.models.tournament import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.stored]


@pytest.fixture(autouse=True)
def nothing_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOTS", {})


def names(tournament: Tournament) -> list[tuple[int, str]]:
    return [(player.number, player.name) for player in tournament.players.all()]


def players_of_one_that_is_taken_back() -> list[tuple[int, str]]:
    with transaction.atomic():
        players = names(make_tournament(players=8))
        transaction.set_rollback(True)
    return players


def test_a_restored_tournament_equals_the_first() -> None:
    first = players_of_one_that_is_taken_back()
    assert len(snapshots.SNAPSHOTS) == 1
    assert names(make_tournament(players=8)) == first


def test_no_snapshot_is_stored_beside_other_rows() -> None:
    make_token(make_user("olga"))
    make_tournament(players=8)
    assert snapshots.SNAPSHOTS == {}


def test_restoring_a_snapshot_keeps_other_rows() -> None:
    players_of_one_that_is_taken_back()
    token, _ = make_token(make_user("olga"))
    make_tournament(players=8)
    assert list(ApiToken.objects.all()) == [token]
    assert Player.objects.count() == 8
