"""The rota as it is kept: who may be put where, and that it gives nobody a right."""

import pytest

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_tournament, make_umpire
from tournament.access import Actor
from tournament.models import Membership, Tournament
from tournament.selectors.rota import proposed, rota_of, watched_by
from tournament.services.rota import set_rota
from tournament.services.staff import link_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    tournament = make_tournament()
    for name in ("udo", "uma"):
        make_umpire(tournament, name)
    return tournament


def member(event: Tournament, name: str) -> Membership:
    return event.memberships.select_related("user").get(user__username=name)


def test_a_proposal_shares_the_tables_and_moves_the_umpires_on(event: Tournament) -> None:
    lines = {line.name: line.tables for line in proposed(event).lines}
    assert lines == {"udo": {1: [1, 2], 2: [3, 4]}, "uma": {1: [3, 4], 2: [1, 2]}}
    assert not rota_of(event).is_set


def test_who_plays_is_not_proposed_and_not_put_in(event: Tournament) -> None:
    udo = link_player(member(event, "udo"), SYSTEM, event.players.get(number=1))
    lines = {line.name: line.tables for line in proposed(event).lines}
    assert lines == {"udo": {1: None, 2: None}, "uma": {1: [1, 2, 3, 4], 2: [1, 2, 3, 4]}}
    assert refused_codes(set_rota, event, SYSTEM, {(1, 1): [udo.pk]}) == ["umpire_plays"]


def test_the_rota_is_kept_once_and_read_by_the_umpire(event: Tournament) -> None:
    udo = member(event, "udo")
    rows = {(1, 2): [udo.pk], (1, 1): [udo.pk, member(event, "uma").pk]}
    for _again in range(2):
        set_rota(event, SYSTEM, rows)
    assert watched_by(Actor.of(udo.user), event.sessions.get(number=1)) == [1, 2]
    assert rota_of(event).uncovered == {1: [3, 4], 2: [1, 2, 3, 4]}
    assert event.log.get(action="rota_set").data["rota"][0] == [1, 1, udo.user.pk]


def test_an_umpire_is_put_in_at_a_table_that_there_is_and_that_is_theirs(event: Tournament) -> None:
    table = event.sessions.get(number=1).tables.get(number=3)
    ugo = Membership.objects.get(user=make_umpire(event, "ugo", tables=[table]))
    assert refused_codes(set_rota, event, SYSTEM, {(1, 1): [ugo.pk]}) == ["umpire_not_there"]
    assert len(set_rota(event, SYSTEM, {(1, 3): [ugo.pk]})) == 1
    for where in ((1, 99), (9, 1)):
        assert refused_codes(set_rota, event, SYSTEM, {where: [member(event, "udo").pk]}) == [
            "umpire_not_there"
        ]
