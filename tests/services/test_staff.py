"""Roles: nobody gives more than they have, and a tournament keeps somebody who runs it; the rota gives no right."""

from contextlib import suppress
from itertools import product

import pytest

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import SYSTEM, make_member, make_organiser, make_tournament, make_user
from tests.support.rights import DAYS
from tournament.access import Actor, Right, can_give, can_judge, may, rights_in
from tournament.access.rights import RIGHTS
from tournament.errors import Forbidden
from tournament.models import Membership, Role, Table, Tournament
from tournament.selectors.rota import proposed, rota_of, watched_by
from tournament.services.rota import set_rota
from tournament.services.staff import change_role, end_role, give_role, hand_over, link_player
from tournament.services.tournaments import create_tournament


@pytest.fixture
def event() -> Tournament:
    return make_tournament()


def member(event: Tournament, name: str) -> Membership:
    return event.memberships.get(user__username=name)


def test_who_owns_a_tournament(event: Tournament) -> None:
    """Whoever makes it; its organisers where nobody does."""
    creator = Actor.of(make_user("otto", staff=True))
    made = create_tournament(creator, DAYS)
    assert made.memberships.get().role == Role.OWNER
    assert rights_in(creator, made) == frozenset(Right)
    organiser = Actor.of(make_organiser(event))
    assert may(organiser, event, Right.OWN)
    make_member(event, Role.OWNER, "odile")
    assert not may(organiser, event, Right.OWN)


def test_nobody_gives_a_right_they_do_not_have(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    givers = {role: Actor.of(make_member(event, role, f"nina-{role.value}")) for role in Role}
    friend, wrong = make_user("friend"), []
    for (giver, actor), given in product(givers.items(), Role):
        if can_give(actor, event, given):
            if not RIGHTS[given] <= rights_in(actor, event):
                wrong.append((giver, given))
        else:
            with suppress(Forbidden):
                give_role(event, actor, friend, given)
                wrong.append((giver, given))
    assert wrong == []


def test_an_organiser_names_no_organiser_where_somebody_owns_the_tournament(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    olga = Actor.of(make_organiser(event))
    assert [role for role in Role if can_give(olga, event, role)] == list(Role)[2:]
    with pytest.raises(Forbidden):
        change_role(member(event, "olga"), olga, Role.OWNER)


def test_the_last_owner_stays_and_so_does_the_last_organiser_without_one(event: Tournament) -> None:
    olga = Actor.of(make_organiser(event))
    assert refused_codes(end_role, member(event, "olga"), olga) == ["last_organiser"]
    odile = Actor.of(make_member(event, Role.OWNER, "odile"))
    assert refused_codes(end_role, member(event, "odile"), odile) == ["last_owner"]
    assert refused_codes(change_role, member(event, "odile"), odile, Role.DESK) == ["last_owner"]
    other = make_tournament(name="Other")
    otto, oda = make_organiser(other, "otto"), make_organiser(other, "oda")
    end_role(member(other, "otto"), Actor.of(otto))
    assert other.memberships.get().user == oda


def test_an_owner_hands_the_tournament_over_and_organises_it_on(event: Tournament) -> None:
    odile = make_member(event, Role.OWNER, "odile")
    make_organiser(event)
    hand_over(event, Actor.of(odile), member(event, "olga").user)
    roles = {each.user.username: each.role for each in event.memberships.select_related("user")}
    assert roles == {"odile": Role.ORGANISER, "olga": Role.OWNER}
    assert newest_sentence(event) == "The tournament belongs to olga now."


def test_a_scorer_of_one_session_becomes_its_umpire_but_a_desk_is_for_all(event: Tournament) -> None:
    first = event.sessions.get(number=1)
    desk = give_role(event, SYSTEM, make_user("dora"), Role.DESK, [first])
    assert (desk.everywhere, list(desk.sessions.all())) == (True, [])
    sam = give_role(event, SYSTEM, make_user("sam"), Role.SCORER, [first])
    table = Table.objects.select_related("session__tournament").get(session=first, number=1)
    assert not can_judge(Actor.of(sam.user), table)
    change_role(sam, SYSTEM, Role.UMPIRE, [first])
    assert can_judge(Actor.of(sam.user), table)
    assert newest_sentence(event) == "sam: umpire, session 1; before: scorer."


def test_the_log_names_staff_by_their_key_and_anybody_lays_their_own_role_down(event: Tournament) -> None:
    dora = make_member(event, Role.DESK, "dora")
    entry = event.log.get(action="role_given")
    assert entry.data["user"] == dora.pk
    assert "dora" not in str(entry.data)
    dora.username = "theodora"
    dora.save()
    assert newest_sentence(event) == "theodora, from now on: registration desk, everywhere."
    end_role(member(event, "theodora"), Actor.of(dora))
    assert not event.memberships.exists()


def test_a_player_is_one_person_on_the_staff(event: Tournament) -> None:
    make_member(event, Role.UMPIRE, "uma")
    make_member(event, Role.UMPIRE, "udo")
    player = event.players.get(number=1)
    link_player(member(event, "uma"), SYSTEM, player)
    assert refused_codes(link_player, member(event, "udo"), SYSTEM, player) == ["player_is_somebody_else"]


@pytest.fixture
def umpired() -> Tournament:
    tournament = make_tournament()
    for name in ("udo", "uma"):
        make_member(tournament, Role.UMPIRE, name)
    return tournament


def test_the_rota_is_proposed_kept_once_and_read_by_the_umpire(umpired: Tournament) -> None:
    lines = {line.name: line.tables for line in proposed(umpired).lines}
    assert lines == {"udo": {1: [1, 2], 2: [3, 4]}, "uma": {1: [3, 4], 2: [1, 2]}}
    assert not rota_of(umpired).is_set
    udo = member(umpired, "udo")
    rows = {(1, 2): [udo.pk], (1, 1): [udo.pk, member(umpired, "uma").pk]}
    for _again in range(2):
        set_rota(umpired, SYSTEM, rows)
    assert watched_by(Actor.of(udo.user), umpired.sessions.get(number=1)) == [1, 2]
    assert rota_of(umpired).uncovered == {1: [3, 4], 2: [1, 2, 3, 4]}
    assert umpired.log.get(action="rota_set").data["rota"][0] == [1, 1, udo.user.pk]


def test_who_plays_is_not_proposed_and_not_put_in(umpired: Tournament) -> None:
    udo = link_player(member(umpired, "udo"), SYSTEM, umpired.players.get(number=1))
    lines = {line.name: line.tables for line in proposed(umpired).lines}
    assert lines == {"udo": {1: None, 2: None}, "uma": {1: [1, 2, 3, 4], 2: [1, 2, 3, 4]}}
    assert refused_codes(set_rota, umpired, SYSTEM, {(1, 1): [udo.pk]}) == ["umpire_plays"]


def test_an_umpire_is_put_in_at_a_table_that_there_is_and_that_is_theirs(umpired: Tournament) -> None:
    table = umpired.sessions.get(number=1).tables.get(number=3)
    ugo = give_role(umpired, SYSTEM, make_user("ugo"), Role.UMPIRE, [], [table])
    assert refused_codes(set_rota, umpired, SYSTEM, {(1, 1): [ugo.pk]}) == ["umpire_not_there"]
    assert len(set_rota(umpired, SYSTEM, {(1, 3): [ugo.pk]})) == 1
    for where in ((1, 99), (9, 1)):
        assert refused_codes(set_rota, umpired, SYSTEM, {where: [member(umpired, "udo").pk]}) == [
            "umpire_not_there"
        ]
