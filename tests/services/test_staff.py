"""Roles: who gives which, that nobody gives more than they have, and that a tournament keeps somebody who runs it."""

from contextlib import suppress
from itertools import product

import pytest

from tests.services.rights_of_services import DAYS
from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_member, make_organiser, make_tournament, make_user
from tournament.access import Actor, Right, can_give, can_judge, may, rights_in
from tournament.access.rights import RIGHTS
from tournament.errors import Forbidden
from tournament.models import Membership, Role, Table, Tournament
from tournament.selectors.log_words import log_words
from tournament.services.staff import change_role, end_role, give_role, hand_over, link_player
from tournament.services.tournaments import create_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament()


def member(event: Tournament, name: str) -> Membership:
    return event.memberships.get(user__username=name)


def newest_sentence(event: Tournament) -> str:
    return log_words(event).sentence(event.log.latest("seq"))


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


def test_the_last_owner_stays_and_the_last_organiser_where_nobody_owns_the_tournament(
    event: Tournament,
) -> None:
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
