"""Passes: making them, making one anew, taking them back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.crypto import get_random_string

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.tournament import Membership, Pass, Role, Tournament
from tournament.staff.passes import NewPass, Reach, new_token, token_hash


def make_passes(
    tournament: Tournament, actor: Actor, reaches: Iterable[Reach], expires_at: datetime
) -> list[NewPass]:
    """A pass for each reach, good until `expires_at`."""
    access.require_organiser(actor, tournament)
    if expires_at <= timezone.now():
        raise refuse("pass_already_over", "expires_on")
    with log.write(tournament, actor, "passes_made") as entry:
        made = [_make(entry.tournament, actor, reach, expires_at) for reach in reaches]
        entry.data = {
            "passes": [_about(new.desk_pass) for new in made],
            "expires_at": expires_at.isoformat(),
        }
    return made


def renew_pass(desk_pass: Pass, actor: Actor) -> NewPass:
    """A new link for the same reach; the old one opens nothing from now on."""
    tournament = desk_pass.membership.tournament
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "pass_renewed") as entry:
        membership = desk_pass.membership
        reach = Reach(desk_pass.label, membership.table_number, list(membership.sessions.all()))
        _revoke(desk_pass)
        new = _make(entry.tournament, actor, reach, desk_pass.expires_at)
        entry.data = _about(new.desk_pass)
    return new


def revoke_passes(tournament: Tournament, actor: Actor, passes: Iterable[Pass]) -> None:
    """Take passes back; what was written under them stays."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "passes_revoked") as entry:
        gone = [one for one in passes if one.revoked_at is None]
        if not gone:
            entry.unchanged()
        for one in gone:
            _revoke(one)
        entry.data = {"passes": [_about(one) for one in gone]}


def _make(tournament: Tournament, actor: Actor, reach: Reach, expires_at: datetime) -> NewPass:
    user = User(username=f"pass-{get_random_string(12).lower()}", first_name=reach.label)
    user.set_unusable_password()
    user.save()
    membership = Membership.objects.create(
        tournament=tournament,
        user=user,
        role=Role.UMPIRE,
        everywhere=reach.table_number is None and not reach.sessions,
        table_number=reach.table_number,
    )
    membership.sessions.set(reach.sessions)
    token = new_token()
    desk_pass = Pass.objects.create(
        membership=membership, token_hash=token_hash(token), expires_at=expires_at, made_by=actor.user
    )
    return NewPass(desk_pass, token)


def _revoke(desk_pass: Pass) -> None:
    desk_pass.revoked_at = timezone.now()
    desk_pass.save(update_fields=["revoked_at"])


def _about(desk_pass: Pass) -> dict[str, Any]:
    membership = desk_pass.membership
    sessions = [session.number for session in membership.sessions.all()]
    return {"user": membership.user_id, "table_number": membership.table_number, "sessions": sessions}
