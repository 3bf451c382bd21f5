"""Inviting somebody to help at a tournament: a link that gives a role, once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from tournament.base import access, log
from tournament.base.access import Actor, name_of
from tournament.base.access.rights import REACHING
from tournament.base.errors import refuse
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.selectors.reach import drawn_in, scope_of
from tournament.messages.mail.post import post
from tournament.play.services.fresh import fresh
from tournament.staff.invitations import Letter, NewInvitation, Offer, Standing, standing_of
from tournament.staff.models import Invitation
from tournament.staff.passes import new_token, token_hash
from tournament.staff.services.staff import assign


def invite(tournament: Tournament, actor: Actor, offer: Offer, letter: Letter | None = None) -> NewInvitation:
    """An invitation to be passed on by its link, or sent by e-mail too."""
    access.require_to_give(actor, tournament, offer.role)
    if offer.expires_at <= timezone.now():
        raise refuse("pass_already_over", "expires_on")
    reaching, token = offer.role in REACHING, new_token()
    with log.write(tournament, actor, "staff_invited") as entry:
        made = Invitation.objects.create(
            tournament=entry.tournament,
            role=offer.role,
            sessions=sorted(offer.sessions) if reaching else [],
            tables=sorted(offer.tables) if reaching else [],
            token_hash=token_hash(token),
            email=letter.to if letter else "",
            expires_at=offer.expires_at,
            made_by=actor.user,
        )
        entry.data = {"invitation": made.pk, "role": made.role, "expires_at": made.expires_at.isoformat()}
        if letter is not None:
            _send(made, actor, letter, token)
    return NewInvitation(made, token)


def revoke_invitation(invitation: Invitation, actor: Actor) -> None:
    """Its link opens nothing any more. One that was used stays so: then the role is ended."""
    access.require_to_give(actor, invitation.tournament, Role(invitation.role))
    with log.write(invitation.tournament, actor, "invitation_revoked") as entry:
        invitation = fresh(Invitation.objects.all(), invitation)
        if invitation.used_at or invitation.revoked_at:
            entry.unchanged()
            return
        invitation.revoked_at, invitation.email = timezone.now(), ""
        invitation.save(update_fields=["revoked_at", "email"])
        entry.data = {"invitation": invitation.pk, "role": invitation.role}


@transaction.atomic
def accept_invitation(invitation: Invitation, actor: Actor) -> Membership:
    """Whoever is signed in takes the role. Of two at the same moment one gets it."""
    if actor.user is None or not actor.user.has_usable_password():
        raise refuse("invitation_needs_account")
    access.require_that(actor, access.is_somebody, "a token for less takes no role")
    with log.write(invitation.tournament, actor, "invitation_accepted") as entry:
        invitation = fresh(Invitation.objects.select_related("tournament", "made_by"), invitation)
        if (stands := standing_of(invitation, actor.user)) is not Standing.OPEN:
            raise refuse(f"invitation_{stands.value}")
        invitation.used_at, invitation.used_by, invitation.email = timezone.now(), actor.user, ""
        invitation.save(update_fields=["used_at", "used_by", "email"])
        role = Role(invitation.role)
        membership, data = assign(entry.tournament, actor.user, role, **_reach(invitation))
        entry.data = {"invitation": invitation.pk} | data
    return membership


@sensitive_variables()
@transaction.atomic
def join(invitation: Invitation, *, username: str, password: str, full_name: str = "") -> User:
    """A new account that takes the role; with a link that opens nothing, none is made."""
    if User.objects.filter(username__iexact=username).exists():
        raise refuse("username_taken", "username", username=username)
    user = User.objects.create_user(username, password=password, first_name=full_name)
    accept_invitation(invitation, Actor.of(user))
    return user


def _reach(invitation: Invitation) -> dict[str, Any]:
    """What was named is looked up anew: what a redraw has removed must not become everywhere."""
    tournament, sessions, tables = invitation.tournament, invitation.sessions, invitation.tables
    there = set(tournament.sessions.values_list("number", flat=True))
    if not {*sessions} <= there or not {*tables} <= drawn_in(tournament, sessions):
        raise refuse("invitation_reach_gone")
    return scope_of(tournament, sessions, tables)


def _send(invitation: Invitation, actor: Actor, letter: Letter, token: str) -> None:
    facts = letter.facts(invitation, name_of(actor.user) or actor.name, token)
    post("staff_invitation", letter.to, letter.language, facts, tournament=invitation.tournament)
