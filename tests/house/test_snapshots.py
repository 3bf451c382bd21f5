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
        found = names(make_tournament(players=8))
        transaction.set_rollback(True)
    return found


def test_the_second_of_a_kind_is_as_the_first() -> None:
    first = players_of_one_that_is_taken_back()
    assert len(snapshots.SNAPSHOTS) == 1
    assert names(make_tournament(players=8)) == first


def test_one_beside_somebody_s_token_is_not_kept() -> None:
    make_token(make_user("olga"))
    make_tournament(players=8)
    assert snapshots.SNAPSHOTS == {}


def test_one_that_is_put_back_leaves_alone_what_is_there() -> None:
    players_of_one_that_is_taken_back()
    token, _ = make_token(make_user("olga"))
    make_tournament(players=8)
    assert list(ApiToken.objects.all()) == [token]
    assert Player.objects.count() == 8
