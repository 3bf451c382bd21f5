"""Roles, the rota, invitations, and the rights of a table's pass."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
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
from tournament.fouls.services.penalties import cancel_penalty, give_penalty, undo_penalty
from tournament.messages.mail.models import Mail
from tournament.play.engine.statements import Accusation
from tournament.play.services.absences import begin_without, cancel_absence, record_absence, seat_stand_in
from tournament.play.services.hands import correct_hand
from tournament.play.services.tables import hand_in, reopen
from tournament.staff.models import Invitation
from tournament.staff.passes import find_invitation
from tournament.staff.selectors import proposed_rota, rota_of, tables_umpired_by
from tournament.staff.services import (
    accept_invitation,
    accept_with_new_account,
    change_role,
    end_role,
    give_role,
    hand_over,
    invite,
    link_player,
    revoke_invitation,
    set_rota,
)


def member(event: Tournament, name: str) -> Membership:
    return event.memberships.get(user__username=name)


def test_the_creator_owns_a_tournament_and_without_an_owner_its_organisers_do(event: Tournament) -> None:
    creator = Actor.of(make_user("otto", staff=True))
    tournament = create_tournament(creator, Tournament(**DAYS))
    assert tournament.memberships.get().role == Role.OWNER
    assert rights_in(creator, tournament) == frozenset(Right)
    organiser = make_organiser(event)
    assert may(Actor.of(organiser), event, Right.OWN)
    make_member(event, Role.OWNER, "odile")
    assert not may(Actor.of(organiser), event, Right.OWN)


def test_nobody_gives_a_right_they_do_not_have(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    actors = {role: Actor.of(make_member(event, role, f"nina-{role.value}")) for role in Role}
    friend, wrong = make_user("friend"), []
    for (own_role, actor), role in product(actors.items(), Role):
        if can_assign_role(actor, event, role):
            if not RIGHTS[role] <= rights_in(actor, event):
                wrong.append((own_role, role))
        else:
            with suppress(Forbidden):
                give_role(event, actor, friend, role)
                wrong.append((own_role, role))
    assert wrong == []


def test_organisers_assign_no_organiser_if_the_tournament_has_an_owner(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    olga = Actor.of(make_organiser(event))
    assert [role for role in Role if can_assign_role(olga, event, role)] == list(Role)[2:]
    with pytest.raises(Forbidden):
        change_role(member(event, "olga"), olga, Role.OWNER)


def test_the_last_owner_and_without_one_the_last_organiser_keep_their_role(event: Tournament) -> None:
    olga = Actor.of(make_organiser(event))
    assert refused_codes(end_role, member(event, "olga"), olga) == ["last_organiser"]
    odile = Actor.of(make_member(event, Role.OWNER, "odile"))
    assert refused_codes(end_role, member(event, "odile"), odile) == ["last_owner"]
    assert refused_codes(change_role, member(event, "odile"), odile, Role.DESK) == ["last_owner"]
    other = make_tournament(name="Other")
    otto, oda = make_organiser(other, "otto"), make_organiser(other, "oda")
    end_role(member(other, "otto"), Actor.of(otto))
    assert other.memberships.get().user == oda


def test_an_owner_hands_the_tournament_over_and_becomes_an_organiser(event: Tournament) -> None:
    odile = make_member(event, Role.OWNER, "odile")
    make_organiser(event)
    hand_over(event, Actor.of(odile), member(event, "olga").user)
    memberships = event.memberships.select_related("user")
    roles = {membership.user.username: membership.role for membership in memberships}
    assert roles == {"odile": Role.ORGANISER, "olga": Role.OWNER}
    assert newest_sentence(event) == "The tournament belongs to olga now."


def test_scorers_and_umpires_have_a_scope_and_a_registration_desk_has_none(event: Tournament) -> None:
    first = event.sessions.get(number=1)
    desk = give_role(event, SYSTEM, make_user("dora"), Role.DESK, sessions=[first])
    assert (desk.everywhere, list(desk.sessions.all())) == (True, [])
    sam = give_role(event, SYSTEM, make_user("sam"), Role.SCORER, sessions=[first])
    table = Table.objects.select_related("session__tournament").get(session=first, number=1)
    assert not can_judge(Actor.of(sam.user), table)
    change_role(sam, SYSTEM, Role.UMPIRE, sessions=[first])
    assert can_judge(Actor.of(sam.user), table)
    assert newest_sentence(event) == "sam: umpire, session 1; before: scorer."


def test_the_log_stores_the_keys_of_accounts_and_everybody_may_end_their_own_role(event: Tournament) -> None:
    dora = make_member(event, Role.DESK, "dora")
    entry = event.log.get(action="role_given")
    assert entry.data["user"] == dora.pk
    assert "dora" not in str(entry.data)
    dora.username = "theodora"
    dora.save()
    assert newest_sentence(event) == "theodora is now front desk, whole event."
    end_role(member(event, "theodora"), Actor.of(dora))
    assert not event.memberships.exists()


def test_a_player_is_linked_to_one_member_of_the_staff(event: Tournament) -> None:
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


def test_the_rota_is_proposed_and_set_once(umpired: Tournament) -> None:
    lines = {line.name: line.tables for line in proposed_rota(umpired).lines}
    assert lines == {"udo": {1: [1, 2], 2: [3, 4]}, "uma": {1: [3, 4], 2: [1, 2]}}
    assert not rota_of(umpired).is_set
    udo = member(umpired, "udo")
    rows = [(1, 2, udo.pk), (1, 1, udo.pk), (1, 1, member(umpired, "uma").pk)]
    for _again in range(2):
        set_rota(umpired, SYSTEM, rows)
    assert tables_umpired_by(Actor.of(udo.user), umpired.sessions.get(number=1)) == [1, 2]
    assert rota_of(umpired).uncovered == {1: [3, 4], 2: [1, 2, 3, 4]}
    assert umpired.log.get(action="rota_set").data["rota"][0] == [1, 1, udo.user.pk]


def test_the_rota_has_no_umpire_who_plays_or_whose_role_is_for_other_tables(umpired: Tournament) -> None:
    udo = link_player(member(umpired, "udo"), SYSTEM, umpired.players.get(number=1))
    lines = {line.name: line.tables for line in proposed_rota(umpired).lines}
    assert lines == {"udo": {1: None, 2: None}, "uma": {1: [1, 2, 3, 4], 2: [1, 2, 3, 4]}}
    assert refused_codes(set_rota, umpired, SYSTEM, [(1, 1, udo.pk)]) == ["umpire_plays"]
    table = umpired.sessions.get(number=1).tables.get(number=3)
    ugo = give_role(umpired, SYSTEM, make_user("ugo"), Role.UMPIRE, tables=[table])
    assert refused_codes(set_rota, umpired, SYSTEM, [(1, 1, ugo.pk)]) == ["umpire_not_there"]
    set_rota(umpired, SYSTEM, [(1, 3, ugo.pk)])
    assert tables_umpired_by(Actor.of(ugo.user), umpired.sessions.get(number=1)) == [3]
    for where in ((1, 99), (9, 1)):
        assert refused_codes(set_rota, umpired, SYSTEM, [(*where, member(umpired, "uma").pk)]) == [
            "umpire_not_there"
        ]


def invitation(event: Tournament, role: Role = Role.UMPIRE, **scope: Any) -> Invitation:
    return Invitation(tournament=event, role=role, expires_at=timezone.now() + timedelta(days=1), **scope)


def make(event: Tournament, role: Role = Role.UMPIRE, **scope: Any) -> Invitation:
    return invite(invitation(event, role, **scope), SYSTEM)


def make_mailed(event: Tournament) -> Invitation:
    return make(event, email="nina@example.org")


def refusal(new: Invitation, user: User) -> str:
    with pytest.raises(Refused) as caught:
        accept_invitation(new, Actor.of(user))
    return caught.value.problems[0].code


def test_an_invitation_gives_its_role_to_an_existing_or_a_new_account(event: Tournament) -> None:
    new = make(event, sessions=[2], tables=[1, 3])
    nina = make_user("nina")
    invitation = find_invitation(new.token)
    assert invitation is not None
    member = accept_invitation(invitation, Actor.of(nina))
    tables = [(table.session.number, table.number) for table in member.tables.order_by("number")]
    assert (member.role, tables, member.everywhere) == (Role.UMPIRE, [(2, 1), (2, 3)], False)
    user = User(username="dora", first_name="Dora")
    accept_with_new_account(make(event, Role.DESK), user, "pung-chow-kong")
    assert event.memberships.get(user=user).role == Role.DESK
    assert not user.is_staff


def test_an_invitation_is_accepted_once(event: Tournament) -> None:
    new = make(event)
    accept_invitation(new, Actor.of(make_user("nina")))
    assert refusal(new, make_user("nino")) == "invitation_used"
    assert refusal(new, User.objects.get(username="nina")) == "invitation_used_by_you"
    revoke_invitation(new, SYSTEM)
    new.refresh_from_db()
    assert new.revoked_at is None
    assert event.log.latest("seq").action == "invitation_accepted"


def test_a_revoked_or_expired_invitation_is_refused(event: Tournament) -> None:
    revoked, expired, nina = make(event), make(event), make_user("nina")
    revoke_invitation(revoked, SYSTEM)
    assert refusal(revoked, nina) == "invitation_revoked"
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now())
    assert refusal(expired, nina) == "invitation_expired"
    with pytest.raises(Refused):
        accept_with_new_account(expired, User(username="nina2"), "pung-chow-kong")
    assert not User.objects.filter(username="nina2").exists()
    card = make_card(event, 1)
    card.set_unusable_password()
    card.save()
    assert refusal(make(event), card) == "invitation_needs_account"


def test_the_mail_has_the_link_and_the_log_neither_link_nor_address(event: Tournament) -> None:
    """Accounts with another address cannot accept it."""
    new = make_mailed(event)
    mail = Mail.objects.get()
    assert (mail.letter, mail.to, new.token in mail.text) == ("staff_invitation", "nina@example.org", True)
    entry = str(event.log.get(action="staff_invited").data)
    assert "nina" not in entry
    assert new.token not in entry
    assert new.token not in str(list(Invitation.objects.values()))
    nino = make_user("nino")
    nino.email = "nino@example.org"
    nino.save()
    assert refusal(new, nino) == "invitation_for_somebody_else"


def test_the_address_of_an_invitation_is_deleted_when_it_ends(event: Tournament) -> None:
    revoked, accepted = make_mailed(event), make_mailed(event)
    revoke_invitation(revoked, SYSTEM)
    accept_invitation(accepted, Actor.of(make_user("nina")))
    for invitation in (revoked, accepted):
        invitation.refresh_from_db()
        assert invitation.email == ""


def test_organisers_invite_no_owner_and_their_invitations_end_with_their_role(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    olga = make_organiser(event)
    with pytest.raises(Forbidden):
        invite(invitation(event, Role.OWNER), Actor.of(olga))
    new = invite(invitation(event), Actor.of(olga))
    end_role(event.memberships.get(user=olga), SYSTEM)
    assert refusal(new, make_user("nina")) == "invitation_revoked"


def test_an_invitation_for_a_deleted_session_is_refused(event: Tournament) -> None:
    new = make(event, sessions=[2])
    event.sessions.get(number=2).delete()
    assert refusal(new, make_user("nina")) == "invitation_reach_gone"
    assert not event.memberships.exists()


PLAYER, OTHER = 1, 5


def is_forbidden(write: Callable[[], object], table: Table) -> bool:
    """Return whether a write raises Forbidden and leaves the table as it was."""
    before = Table.objects.get(pk=table.pk).version
    with pytest.raises(Forbidden):
        write()
    return Table.objects.get(pk=table.pk).version == before


def test_a_pass_records_and_corrects_its_hands_and_reopens_its_sheet(table: Table, card: Actor) -> None:
    hand = record(table, wash_out(), card)
    corrected = correct_hand(hand, card, win(PLAYER), reason="Wrong button", uuid=uuid4())
    assert corrected.winner is not None
    table.refresh_from_db()
    assert not reopen(hand_in(table, card), card).is_in


def test_a_pass_adds_tiles_to_a_hand_of_an_umpire_and_does_not_correct_it(
    table: Table, card: Actor, umpire: Actor
) -> None:
    hand = record(table, HandEntry(WIN, PLAYER, OTHER, points=25), umpire)
    deepened = correct_hand(hand, card, win(PLAYER, OTHER), reason="", uuid=uuid4())
    assert deepened.deepens
    entered = record(table, win(PLAYER, OTHER), umpire)
    assert is_forbidden(lambda: correct_hand(entered, card, wash_out(), reason="No", uuid=uuid4()), table)


def test_a_pass_gives_the_foul_books_sanction_and_undoes_it(table: Table, card: Actor) -> None:
    for foul in ("empty_call", "false_hu"):
        penalty = give_penalty(table, card, Accusation(PLAYER, foul, 1), uuid=uuid4())
        assert penalty.given_by == card.user
        assert undo_penalty(penalty, card, reason="A slip").is_cancelled


def test_a_pass_does_not_override_the_rulebook_or_decide_on_absences(table: Table, card: Actor) -> None:
    cheap = replace(win(PLAYER, OTHER, "too_cheap"), points=8, override="We think so")
    assert is_forbidden(lambda: record(table, cheap, card), table)
    absence = record_absence(table, card, PLAYER, uuid=uuid4())
    assert is_forbidden(lambda: cancel_absence(absence, card), table)
    assert is_forbidden(lambda: begin_without(absence, card, "We do not wait"), table)
    assert is_forbidden(lambda: seat_stand_in(table, card, PLAYER, "A friend"), table)


def test_a_pass_gives_no_penalty_that_needs_an_umpires_judgement(table: Table, card: Actor) -> None:
    sanction = Sanction(points=Points(60, PointScope.SESSION))
    accusations = {
        "another sanction than the book's": Accusation(
            PLAYER, "empty_call", 1, imposed=sanction, because="So"
        ),
        "points to be chosen": Accusation(PLAYER, "rules_violation", 1, details={"points": 5}),
        "loss of rank": Accusation(PLAYER, "severe_disturbance", 1),
    }
    for name, accusation in accusations.items():
        assert is_forbidden(partial(give_penalty, table, card, accusation, uuid=uuid4()), table), name


def test_a_pass_does_not_cancel_or_undo_a_penalty_of_an_umpire(
    table: Table, card: Actor, umpire: Actor
) -> None:
    penalty = give_penalty(table, umpire, Accusation(PLAYER, "empty_call", 1), uuid=uuid4())
    assert is_forbidden(lambda: cancel_penalty(penalty, card, reason="It was nothing"), table)
    with pytest.raises(Refused):
        undo_penalty(penalty, card, reason="A slip")


def test_a_pass_does_not_reopen_a_sheet_of_an_umpire_or_read_hidden_penalties(
    table: Table, card: Actor, umpire: Actor
) -> None:
    record(table, wash_out(), card)
    handed_in = hand_in(table, umpire)
    assert is_forbidden(lambda: reopen(handed_in, card), table)
    tournament = table.session.tournament
    tournament.penalties_public = False
    assert not can_see_penalties(card, tournament)
    assert can_see_penalties(SYSTEM, tournament)
