"""Roles: who gives which, that nobody gives more than they have, and that a tournament keeps somebody who runs it."""

import pytest

from tests.services.rights_of_events import DAYS
from tests.support.factories import SYSTEM, make_member, make_organiser, make_tournament, make_user
from tests.support.sampling import sample
from tournament.access import Actor, Right, can_give, can_judge, may, rights_in
from tournament.access.rights import RIGHTS
from tournament.errors import Forbidden, Refused
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


def codes(action: object, *args: object) -> list[str]:
    with pytest.raises(Refused) as caught:
        action(*args)  # type: ignore[operator]
    return [problem.code for problem in caught.value.problems]


def said(event: Tournament) -> str:
    newest = event.log.order_by("-seq").first()
    assert newest is not None
    return log_words(event).sentence(newest)


def test_whoever_makes_a_tournament_owns_it() -> None:
    olga = make_user(staff=True)
    made = create_tournament(Actor.of(olga), DAYS)
    assert made.memberships.get().role == Role.OWNER
    assert rights_in(Actor.of(olga), made) == frozenset(Right)


def test_without_an_owner_its_organisers_own_it(event: Tournament) -> None:
    olga = Actor.of(make_organiser(event))
    assert may(olga, event, Right.OWN)
    make_member(event, Role.OWNER, "odile")
    assert not may(olga, event, Right.OWN)


@pytest.mark.parametrize("giver", sample(Role, 1, always=[Role.CHIEF, Role.ORGANISER]))
@pytest.mark.parametrize("given", Role)
def test_nobody_gives_a_right_they_do_not_have(event: Tournament, giver: Role, given: Role) -> None:
    make_member(event, Role.OWNER, "odile")
    actor = Actor.of(make_member(event, giver, "nina"))
    if can_give(actor, event, given):
        assert RIGHTS[given] <= rights_in(actor, event)
    else:
        with pytest.raises(Forbidden):
            give_role(event, actor, make_user("friend"), given)


def test_an_organiser_names_no_organiser_where_somebody_owns_the_tournament(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    olga = Actor.of(make_organiser(event))
    assert [role for role in Role if can_give(olga, event, role)] == list(Role)[2:]


def test_an_organiser_does_not_become_the_owner_by_a_change(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    olga = Actor.of(make_organiser(event))
    with pytest.raises(Forbidden):
        change_role(member(event, "olga"), olga, Role.OWNER)


def test_the_last_owner_stays(event: Tournament) -> None:
    odile = Actor.of(make_member(event, Role.OWNER, "odile"))
    make_organiser(event)
    assert codes(end_role, member(event, "odile"), odile) == ["last_owner"]
    assert codes(change_role, member(event, "odile"), odile, Role.DESK) == ["last_owner"]


def test_the_last_organiser_stays_where_nobody_owns_the_tournament(event: Tournament) -> None:
    olga = Actor.of(make_organiser(event))
    assert codes(end_role, member(event, "olga"), olga) == ["last_organiser"]
    make_organiser(event, "otto")
    end_role(member(event, "olga"), Actor.of(olga.user))
    assert [one.user.username for one in event.memberships.all()] == ["otto"]


def test_an_owner_hands_the_tournament_over_and_organises_it_on(event: Tournament) -> None:
    odile = make_member(event, Role.OWNER, "odile")
    make_organiser(event)
    hand_over(event, Actor.of(odile), member(event, "olga").user)
    roles = {one.user.username: one.role for one in event.memberships.select_related("user")}
    assert roles == {"odile": Role.ORGANISER, "olga": Role.OWNER}
    assert said(event) == "The tournament belongs to olga now."


def test_anybody_lays_their_own_role_down(event: Tournament) -> None:
    dora = make_member(event, Role.DESK, "dora")
    end_role(member(event, "dora"), Actor.of(dora))
    assert not event.memberships.exists()


def test_what_is_no_umpire_s_or_scorer_s_is_for_the_whole_tournament(event: Tournament) -> None:
    first = event.sessions.get(number=1)
    desk = give_role(event, SYSTEM, make_user("dora"), Role.DESK, [first])
    assert (desk.everywhere, list(desk.sessions.all())) == (True, [])


def test_a_scorer_of_one_session_becomes_its_umpire(event: Tournament) -> None:
    first = event.sessions.get(number=1)
    sam = give_role(event, SYSTEM, make_user("sam"), Role.SCORER, [first])
    table = Table.objects.select_related("session__tournament").get(session=first, number=1)
    assert not can_judge(Actor.of(sam.user), table)
    change_role(sam, SYSTEM, Role.UMPIRE, [first])
    assert can_judge(Actor.of(sam.user), table)
    assert said(event) == "sam: umpire, session 1; before: scorer."


def test_the_log_names_staff_by_their_key(event: Tournament) -> None:
    dora = make_member(event, Role.DESK, "dora")
    entry = event.log.get(action="role_given")
    assert entry.data["user"] == dora.pk
    assert "dora" not in str(entry.data)
    dora.username = "theodora"
    dora.save()
    assert said(event) == "theodora, from now on: registration desk, everywhere."


def test_a_player_is_one_person_on_the_staff(event: Tournament) -> None:
    make_member(event, Role.UMPIRE, "uma")
    make_member(event, Role.UMPIRE, "udo")
    player = event.players.get(number=1)
    link_player(member(event, "uma"), SYSTEM, player)
    assert codes(link_player, member(event, "udo"), SYSTEM, player) == ["player_is_somebody_else"]
