"""Roles: nobody gives more than they have; a link that gives one once; and what the card of a table may do.

The card is in its players' hands: it records what happened there, and judges nothing. The rota gives no right."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from penalties.engine.sanctions import Points, PointScope, Sanction
from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import (
    SYSTEM,
    make_card,
    make_member,
    make_organiser,
    make_tournament,
    make_user,
    record,
    wash_out,
    win,
)
from tests.support.rights import DAYS
from tournament.base.access import (
    RIGHTS,
    Actor,
    Right,
    can_assign_role,
    can_judge,
    can_see_penalties,
    may,
    rights_in,
)
from tournament.base.engine.entries import WIN, HandEntry
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.events.services import create_tournament
from tournament.fouls.services import cancel_penalty, give_penalty, undo_penalty
from tournament.messages.mail.models import Mail
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import begin_without, note_absence, seat_stand_in, take_absence_back
from tournament.play.services.hands import correct_hand
from tournament.play.services.tables import hand_in, reopen
from tournament.staff.models import Invitation
from tournament.staff.passes import find_invitation
from tournament.staff.selectors import proposed, rota_of, watched_by
from tournament.staff.services import (
    accept_invitation,
    change_role,
    end_role,
    give_role,
    hand_over,
    invite,
    join,
    link_player,
    revoke_invitation,
    set_rota,
)


def member(event: Tournament, name: str) -> Membership:
    return event.memberships.get(user__username=name)


def test_who_owns_a_tournament(event: Tournament) -> None:
    """Whoever makes it; its organisers where nobody does."""
    creator = Actor.of(make_user("otto", staff=True))
    made = create_tournament(creator, Tournament(**DAYS))
    assert made.memberships.get().role == Role.OWNER
    assert rights_in(creator, made) == frozenset(Right)
    organiser = make_organiser(event)
    assert may(Actor.of(organiser), event, Right.OWN)
    make_member(event, Role.OWNER, "odile")
    assert not may(Actor.of(organiser), event, Right.OWN)


def test_nobody_gives_a_right_they_do_not_have(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    givers = {role: Actor.of(make_member(event, role, f"nina-{role.value}")) for role in Role}
    friend, wrong = make_user("friend"), []
    for (giver, actor), given in product(givers.items(), Role):
        if can_assign_role(actor, event, given):
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
    assert [role for role in Role if can_assign_role(olga, event, role)] == list(Role)[2:]
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
    desk = give_role(event, SYSTEM, make_user("dora"), Role.DESK, sessions=[first])
    assert (desk.everywhere, list(desk.sessions.all())) == (True, [])
    sam = give_role(event, SYSTEM, make_user("sam"), Role.SCORER, sessions=[first])
    table = Table.objects.select_related("session__tournament").get(session=first, number=1)
    assert not can_judge(Actor.of(sam.user), table)
    change_role(sam, SYSTEM, Role.UMPIRE, sessions=[first])
    assert can_judge(Actor.of(sam.user), table)
    assert newest_sentence(event) == "sam: umpire, session 1; before: scorer."


def test_the_log_names_staff_by_their_key_and_anybody_lays_their_own_role_down(event: Tournament) -> None:
    dora = make_member(event, Role.DESK, "dora")
    entry = event.log.get(action="role_given")
    assert entry.data["user"] == dora.pk
    assert "dora" not in str(entry.data)
    dora.username = "theodora"
    dora.save()
    assert newest_sentence(event) == "theodora is now registration desk, everywhere."
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
    rows = [(1, 2, udo.pk), (1, 1, udo.pk), (1, 1, member(umpired, "uma").pk)]
    for _again in range(2):
        set_rota(umpired, SYSTEM, rows)
    assert watched_by(Actor.of(udo.user), umpired.sessions.get(number=1)) == [1, 2]
    assert rota_of(umpired).uncovered == {1: [3, 4], 2: [1, 2, 3, 4]}
    assert umpired.log.get(action="rota_set").data["rota"][0] == [1, 1, udo.user.pk]


def test_an_umpire_is_put_in_at_a_table_that_is_theirs_and_not_while_playing(umpired: Tournament) -> None:
    udo = link_player(member(umpired, "udo"), SYSTEM, umpired.players.get(number=1))
    lines = {line.name: line.tables for line in proposed(umpired).lines}
    assert lines == {"udo": {1: None, 2: None}, "uma": {1: [1, 2, 3, 4], 2: [1, 2, 3, 4]}}
    assert refused_codes(set_rota, umpired, SYSTEM, [(1, 1, udo.pk)]) == ["umpire_plays"]
    table = umpired.sessions.get(number=1).tables.get(number=3)
    ugo = give_role(umpired, SYSTEM, make_user("ugo"), Role.UMPIRE, tables=[table])
    assert refused_codes(set_rota, umpired, SYSTEM, [(1, 1, ugo.pk)]) == ["umpire_not_there"]
    set_rota(umpired, SYSTEM, [(1, 3, ugo.pk)])
    assert watched_by(Actor.of(ugo.user), umpired.sessions.get(number=1)) == [3]
    for where in ((1, 99), (9, 1)):
        assert refused_codes(set_rota, umpired, SYSTEM, [(*where, member(umpired, "uma").pk)]) == [
            "umpire_not_there"
        ]


def invitation(event: Tournament, role: Role = Role.UMPIRE, **reach: Any) -> Invitation:
    return Invitation(tournament=event, role=role, expires_at=timezone.now() + timedelta(days=1), **reach)


def made(event: Tournament, role: Role = Role.UMPIRE, **reach: Any) -> Invitation:
    return invite(invitation(event, role, **reach), SYSTEM)


def by_letter(event: Tournament) -> Invitation:
    return made(event, email="nina@example.org")


def why_not(new: Invitation, user: User) -> str:
    with pytest.raises(Refused) as caught:
        accept_invitation(new, Actor.of(user))
    return caught.value.problems[0].code


def test_whoever_opens_the_link_has_the_role_or_makes_an_account_with_it(event: Tournament) -> None:
    new = made(event, sessions=[2], tables=[1, 3])
    nina = make_user("nina")
    invitation = find_invitation(new.token)
    assert invitation is not None
    member = accept_invitation(invitation, Actor.of(nina))
    where = [(table.session.number, table.number) for table in member.tables.order_by("number")]
    assert (member.role, where, member.everywhere) == (Role.UMPIRE, [(2, 1), (2, 3)], False)
    user = User(username="dora", first_name="Dora")
    join(made(event, Role.DESK), user, "pung-chow-kong")
    assert event.memberships.get(user=user).role == Role.DESK
    assert not user.is_staff


def test_an_invitation_is_good_once(event: Tournament) -> None:
    new = made(event)
    accept_invitation(new, Actor.of(make_user("nina")))
    assert why_not(new, make_user("nino")) == "invitation_used"
    assert why_not(new, User.objects.get(username="nina")) == "invitation_used_by_you"


def test_an_invitation_taken_back_or_whose_time_is_over_opens_nothing(event: Tournament) -> None:
    revoked, expired, nina = made(event), made(event), make_user("nina")
    revoke_invitation(revoked, SYSTEM)
    assert why_not(revoked, nina) == "invitation_revoked"
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now())
    assert why_not(expired, nina) == "invitation_expired"
    with pytest.raises(Refused):
        join(expired, User(username="nina2"), "pung-chow-kong")
    assert not User.objects.filter(username="nina2").exists()
    card = make_card(event, 1)
    card.set_unusable_password()
    card.save()
    assert why_not(made(event), card) == "invitation_needs_account", "a table's card is no person"


def test_the_letter_has_the_link_and_the_log_neither(event: Tournament) -> None:
    """It opens nothing for who has another address. Only a fingerprint of the link is kept."""
    new = by_letter(event)
    mail = Mail.objects.get()
    assert (mail.letter, mail.to, new.token in mail.text) == ("staff_invitation", "nina@example.org", True)
    logged = str(event.log.get(action="staff_invited").data)
    assert "nina" not in logged
    assert new.token not in logged
    assert new.token not in str(list(Invitation.objects.values()))
    nino = make_user("nino")
    nino.email = "nino@example.org"
    nino.save()
    assert why_not(new, nino) == "invitation_for_somebody_else"


def test_the_address_goes_when_the_invitation_is_over(event: Tournament) -> None:
    revoked, accepted = by_letter(event), by_letter(event)
    revoke_invitation(revoked, SYSTEM)
    accept_invitation(accepted, Actor.of(make_user("nina")))
    for invitation in (revoked, accepted):
        invitation.refresh_from_db()
        assert invitation.email == ""


def test_an_organiser_invites_no_owner_and_nobody_once_they_no_longer_organise(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    olga = make_organiser(event)
    with pytest.raises(Forbidden):
        invite(invitation(event, Role.OWNER), Actor.of(olga))
    new = invite(invitation(event), Actor.of(olga))
    end_role(event.memberships.get(user=olga), SYSTEM)
    assert why_not(new, make_user("nina")) == "invitation_revoked"


def test_tables_that_are_no_longer_drawn_do_not_become_everywhere(event: Tournament) -> None:
    new = made(event, sessions=[2])
    event.sessions.get(number=2).delete()
    assert why_not(new, make_user("nina")) == "invitation_reach_gone"
    assert not event.memberships.exists()


PLAYER, OTHER = 1, 5


def refused(write: Callable[[], object], table: Table) -> bool:
    """Whether it is refused, and nothing has changed."""
    before = Table.objects.get(pk=table.pk).version
    with pytest.raises(Forbidden):
        write()
    return Table.objects.get(pk=table.pk).version == before


def test_a_card_records_hands_corrects_its_own_and_opens_what_it_handed_in(table: Table, card: Actor) -> None:
    hand = record(table, wash_out(), card)
    corrected = correct_hand(hand, card, win(PLAYER), reason="Wrong button", uuid=uuid4())
    assert corrected.winner is not None
    table.refresh_from_db()
    assert not reopen(hand_in(table, card), card).is_in


def test_a_card_says_more_of_a_hand_that_an_umpire_entered_and_corrects_nothing(
    table: Table, card: Actor, umpire: Actor
) -> None:
    hand = record(table, HandEntry(WIN, PLAYER, OTHER, points=25), umpire)
    deepened = correct_hand(hand, card, win(PLAYER, OTHER), reason="", uuid=uuid4())
    assert deepened.deepens
    entered = record(table, win(PLAYER, OTHER), umpire)
    assert refused(lambda: correct_hand(entered, card, wash_out(), reason="No", uuid=uuid4()), table)


def test_a_card_gives_what_the_foul_book_says_and_undoes_it_for_a_minute(table: Table, card: Actor) -> None:
    for foul in ("empty_call", "false_hu"):
        penalty = give_penalty(table, card, Accusation(PLAYER, foul, 1), uuid=uuid4())
        assert penalty.given_by == card.user
        assert undo_penalty(penalty, card, reason="A slip").is_cancelled


def test_a_card_neither_overrides_the_rulebook_nor_excuses_who_is_late(table: Table, card: Actor) -> None:
    cheap = replace(win(PLAYER, OTHER, "too_cheap"), points=8, override="We think so")
    assert refused(lambda: record(table, cheap, card), table)
    absence = note_absence(table, card, PLAYER, uuid=uuid4())
    assert refused(lambda: take_absence_back(absence, card), table)
    assert refused(lambda: begin_without(absence, card, "We do not wait"), table)
    assert refused(lambda: seat_stand_in(table, card, PLAYER, "A friend"), table)


def test_a_card_gives_no_penalty_that_takes_an_umpire(table: Table, card: Actor) -> None:
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


def test_a_card_neither_cancels_nor_undoes_a_penalty_of_an_umpire(
    table: Table, card: Actor, umpire: Actor
) -> None:
    penalty = give_penalty(table, umpire, Accusation(PLAYER, "empty_call", 1), uuid=uuid4())
    assert refused(lambda: cancel_penalty(penalty, card, reason="It was nothing"), table)
    with pytest.raises(Refused):
        undo_penalty(penalty, card, reason="A slip")


def test_a_card_opens_no_sheet_of_an_umpire_and_reads_no_penalties(
    table: Table, card: Actor, umpire: Actor
) -> None:
    record(table, wash_out(), card)
    handed_in = hand_in(table, umpire)
    assert refused(lambda: reopen(handed_in, card), table)
    tournament = table.session.tournament
    tournament.penalties_public = False
    assert not can_see_penalties(card, tournament)
    assert can_see_penalties(SYSTEM, tournament)
