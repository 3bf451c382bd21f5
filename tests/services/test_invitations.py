"""Invitations: a link gives a role once, to whoever opens it, as long as it is good and its maker could give it."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.support.factories import SYSTEM, make_card, make_member, make_organiser, make_tournament, make_user
from tournament.access import Actor
from tournament.errors import Forbidden, Refused
from tournament.invitations import Letter, NewInvitation, Offer, find_invitation
from tournament.models import Mail, Role, Tournament
from tournament.services.invitations import accept_invitation, invite, join, revoke_invitation
from tournament.services.staff import end_role


@pytest.fixture
def event() -> Tournament:
    return make_tournament()


def offer(role: Role = Role.UMPIRE, **reach: Any) -> Offer:
    return Offer(role, timezone.now() + timedelta(days=1), **reach)


def made(event: Tournament, role: Role = Role.UMPIRE, **reach: Any) -> NewInvitation:
    return invite(event, SYSTEM, offer(role, **reach))


def by_letter(event: Tournament) -> NewInvitation:
    letter = Letter("nina@example.org", "en", lambda token: f"https://hule.example/{token}")
    return invite(event, SYSTEM, offer(), letter)


def why_not(new: NewInvitation, user: User) -> str:
    with pytest.raises(Refused) as caught:
        accept_invitation(new.invitation, Actor.of(user))
    return caught.value.problems[0].code


def test_whoever_opens_the_link_has_the_role_or_makes_an_account_with_it(event: Tournament) -> None:
    new = made(event, sessions=[2], tables=[1, 3])
    nina = make_user("nina")
    invitation = find_invitation(new.token)
    assert invitation is not None
    member = accept_invitation(invitation, Actor.of(nina))
    where = [(table.session.number, table.number) for table in member.tables.order_by("number")]
    assert (member.role, where, member.everywhere) == (Role.UMPIRE, [(2, 1), (2, 3)], False)
    account = {"username": "dora", "password": "pung-chow-kong", "full_name": "Dora"}
    user = join(made(event, Role.DESK).invitation, **account)
    assert event.memberships.get(user=user).role == Role.DESK
    assert not user.is_staff


def test_it_is_good_once(event: Tournament) -> None:
    new = made(event)
    accept_invitation(new.invitation, Actor.of(make_user("nina")))
    assert why_not(new, make_user("nino")) == "invitation_used"
    assert why_not(new, User.objects.get(username="nina")) == "invitation_used_by_you"


def test_one_that_was_taken_back_or_whose_time_is_over_opens_nothing(event: Tournament) -> None:
    revoked, expired, nina = made(event), made(event), make_user("nina")
    revoke_invitation(revoked.invitation, SYSTEM)
    assert why_not(revoked, nina) == "invitation_revoked"
    type(expired.invitation).objects.filter(pk=expired.invitation.pk).update(expires_at=timezone.now())
    assert why_not(expired, nina) == "invitation_expired"
    with pytest.raises(Refused):
        join(expired.invitation, username="nina2", password="pung-chow-kong")
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
    assert new.token not in str(list(type(new.invitation).objects.values()))
    nino = make_user("nino")
    nino.email = "nino@example.org"
    nino.save()
    assert why_not(new, nino) == "invitation_for_somebody_else"


def test_the_address_goes_when_the_invitation_is_over(event: Tournament) -> None:
    revoked, accepted = by_letter(event).invitation, by_letter(event).invitation
    revoke_invitation(revoked, SYSTEM)
    accept_invitation(accepted, Actor.of(make_user("nina")))
    for invitation in (revoked, accepted):
        invitation.refresh_from_db()
        assert invitation.email == ""


def test_an_organiser_invites_no_owner_and_nobody_once_they_no_longer_organise(event: Tournament) -> None:
    make_member(event, Role.OWNER, "odile")
    olga = make_organiser(event)
    with pytest.raises(Forbidden):
        invite(event, Actor.of(olga), offer(Role.OWNER))
    new = invite(event, Actor.of(olga), offer())
    end_role(event.memberships.get(user=olga), SYSTEM)
    assert why_not(new, make_user("nina")) == "invitation_revoked"


def test_tables_that_are_no_longer_drawn_do_not_become_everywhere(event: Tournament) -> None:
    new = made(event, sessions=[2])
    event.sessions.get(number=2).delete()
    assert why_not(new, make_user("nina")) == "invitation_reach_gone"
    assert not event.memberships.exists()
