"""Give and end roles, create and revoke invitations and passes, and set the rota."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Unpack

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.views.decorators.debug import sensitive_variables

from scoring.engine.problems import Problem, problem_code
from tournament.accounts.services import make_account
from tournament.base import access, log
from tournament.base.access import OWNER_ASSIGNED_ROLES, SCOPED_ROLES, Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.log import name_of
from tournament.base.models.people import Player
from tournament.base.models.tournament import Membership, Pass, Role, Tournament
from tournament.base.problems import NAME_MISSING, NO_SUCH_ACCOUNT
from tournament.base.validation import check
from tournament.messages.mail.outbox import queue_mail
from tournament.play.services.tables import fresh
from tournament.staff import texts as actions
from tournament.staff.models import Invitation, Watch
from tournament.staff.passes import PASS_ALREADY_OVER, PassScope, closed_reason
from tournament.staff.selectors import (
    RotaEntry,
    Scope,
    drawn_tables,
    is_last,
    rota_problems,
    scope_of,
    tables_of,
    unknown_problems,
)

TABLES_NOT_NAMED = problem_code("tables_not_named", "Which tables? Enter at least one.")
LAST_OWNER = problem_code("last_owner", "You are the only owner of this tournament. Transfer it first.")
LAST_ORGANISER = problem_code(
    "last_organiser", "You are the only organiser of this tournament. Add another organiser first."
)
PLAYER_IS_SOMEBODY_ELSE = problem_code(
    "player_is_somebody_else", "{name} is already linked to another staff member."
)
INVITATION_NEEDS_ACCOUNT = problem_code(
    "invitation_needs_account", "An invitation is for a person with an account. Sign in, or create one."
)
INVITATION_REACH_GONE = problem_code(
    "invitation_reach_gone",
    "Its sessions or tables no longer exist. Ask the sender for a new one.",
)

# --- Roles ---


def give_role(
    tournament: Tournament, actor: Actor, user: Any, role: Role = Role.UMPIRE, **scope: Unpack[Scope]
) -> Membership:
    """Give `user` a role; a user who has it gets the new scope."""
    access.require_role_assignment(actor, tournament, role)
    with log.write(tournament, actor, actions.ROLE_ASSIGNED, None) as entry:
        membership, _ = Membership.objects.get_or_create(tournament=tournament, user=user, role=role)
        entry.data = _store_scope(membership, scope)
    return membership


def _store_scope(membership: Membership, scope: Scope) -> dict[str, Any]:
    """Store the scope of a role (none for roles that are always for everywhere); return data for the log entry."""
    if membership.role not in SCOPED_ROLES:
        scope = Scope()
    membership.sessions.set(scope.get("sessions", ()))
    membership.tables.set(scope.get("tables", ()))
    membership.everywhere = not (membership.sessions.exists() or membership.tables.exists())
    membership.every_session = scope.get("every_session", False) and not membership.everywhere
    membership.save(update_fields=["everywhere", "every_session"])
    return {
        "user": membership.user_id,
        "role": membership.role,
        "sessions": [session.number for session in membership.sessions.all()],
        "tables": [[table.session.number, table.number] for table in membership.tables.all()],
        "every_session": membership.every_session,
    }


_PASSWORD_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without i, l, o, 0 and 1, which are easy to confuse."""


@sensitive_variables()
@transaction.atomic
def make_member(
    tournament: Tournament,
    actor: Actor,
    user: User,
    role: Role = Role.UMPIRE,
    *,
    is_new: bool = True,
    **scope: Unpack[Scope],
) -> tuple[Membership, str | None]:
    """Give a role to a new account, or to the existing one of the same username if not `is_new`.

    Return the membership and the initial password of a new account, which is not stored in clear.
    """
    access.require_role_assignment(actor, tournament, role)
    if not is_new:
        stored = User.objects.filter(username__iexact=user.username).first()
        if stored is None:
            raise Refused(NO_SUCH_ACCOUNT("username", username=user.username))
        return give_role(tournament, actor, stored, role, **scope), None
    password = "-".join(get_random_string(4, _PASSWORD_ALPHABET) for _part in range(3))
    make_account(user, password)
    return give_role(tournament, actor, user, role, **scope), password


def change_role(membership: Membership, actor: Actor, role: Role, **scope: Unpack[Scope]) -> Membership:
    """Change the role and its scope. If the user already has the new role, the two become one.

    Raises Refused if nobody else could run the tournament.
    """
    tournament, before = membership.tournament, Role(membership.role)
    access.require_role_assignment(actor, tournament, before)
    access.require_role_assignment(actor, tournament, role)
    with log.write(tournament, actor, actions.ROLE_CHANGED, None) as entry:
        if role != before:
            check_not_last(membership, role)
            Membership.objects.filter(tournament=tournament, user=membership.user, role=role).delete()
        membership.role = role
        membership.save(update_fields=["role"])
        entry.data = _store_scope(membership, scope) | {"before": before.value}
    return membership


def end_role(membership: Membership, actor: Actor) -> None:
    """Delete a role. Everybody may end a role of their own. Raises Refused if nobody else could run the tournament."""
    tournament = membership.tournament
    if membership.user != actor.user:
        access.require_role_assignment(actor, tournament, Role(membership.role))
    with log.write(tournament, actor, actions.ROLE_ENDED, None) as entry:
        check_not_last(membership)
        entry.data = {"user": membership.user_id, "role": membership.role}
        membership.delete()


def check_not_last(membership: Membership, becomes: Role | None = None) -> None:
    """Raise Refused if nobody else could run the tournament."""
    if membership.role == Role.OWNER and is_last(membership):
        raise Refused(LAST_OWNER("role"))
    still_organises = becomes in OWNER_ASSIGNED_ROLES
    if membership.role == Role.ORGANISER and not still_organises and is_last(membership):
        raise Refused(LAST_ORGANISER("role"))


def hand_over(tournament: Tournament, actor: Actor, user: Any) -> Membership:
    """Make `user` the owner of the tournament; the former owner becomes an organiser. Idempotent."""
    with log.write(tournament, actor, actions.OWNERSHIP_TRANSFERRED, Right.OWN) as entry:
        members = Membership.objects.filter(tournament=tournament)
        if not user.is_active or members.filter(user=user, desk_pass__isnull=False).exists():
            raise Refused(NO_SUCH_ACCOUNT("username", username=user.get_username()))
        for owner in members.filter(role=Role.OWNER).exclude(user=user):
            Membership.objects.get_or_create(
                tournament=tournament, user_id=owner.user_id, role=Role.ORGANISER
            )
            owner.delete()
        members.filter(user=user, role=Role.ORGANISER).delete()
        membership, is_new = Membership.objects.get_or_create(
            tournament=tournament, user=user, role=Role.OWNER
        )
        if not is_new:
            entry.mark_unchanged()
        entry.data = {"user": user.pk}
    return membership


def link_player(membership: Membership, actor: Actor, player: Player | None) -> Membership:
    """Set which player a member of the staff plays as, or None, so that the rota leaves their sessions out.

    Raises Refused if the player is linked to another user.
    """
    with log.write(membership.tournament, actor, actions.STAFF_PLAYER_SET, Right.ORGANISE) as entry:
        if membership.player == player:
            return entry.unchanged(membership)
        others = Membership.objects.filter(tournament=membership.tournament, player=player)
        if player is not None and others.exclude(user=membership.user).exists():
            raise Refused(PLAYER_IS_SOMEBODY_ELSE("player", name=player.name))
        Membership.objects.filter(tournament=membership.tournament, user=membership.user).update(
            player=player
        )
        membership.player = player
        entry.data = {"user": membership.user_id, "plays_as": player.number if player else None}
    return membership


# --- Invitations ---


def invite(invitation: Invitation, actor: Actor, language: str = "en") -> Invitation:
    """Save a new invitation; queue a mail in `language` if it has an address. Raises Refused with every problem."""
    tournament, role = invitation.tournament, Role(invitation.role)
    access.require_role_assignment(actor, tournament, role)
    if invitation.expires_at <= timezone.now():
        raise Refused(PASS_ALREADY_OVER("expires_on"))
    scope_of(tournament, invitation.sessions, invitation.tables)
    for name in ("sessions", "tables"):
        setattr(invitation, name, sorted(getattr(invitation, name)) if role in SCOPED_ROLES else [])
    invitation.made_by = actor.user
    invitation.make_token()
    with log.write(tournament, actor, actions.INVITATION_CREATED, None) as entry:
        check(invitation)
        invitation.save(force_insert=True)
        entry.data = {
            "invitation": invitation.pk,
            "role": invitation.role,
            "expires_at": invitation.expires_at.isoformat(),
        }
        if invitation.email:
            facts = {
                "name": name_of(actor.user) or actor.name,
                "tournament": tournament.name,
                "role": str(invitation.get_role_display()),
                "link": invitation.link,
            }
            queue_mail("staff_invitation", invitation.email, language, facts, tournament=tournament)
    return invitation


def revoke_invitation(invitation: Invitation, actor: Actor) -> None:
    """Revoke an unused invitation. Idempotent; a used invitation stays, and its role has to be ended instead."""
    access.require_role_assignment(actor, invitation.tournament, Role(invitation.role))
    with log.write(invitation.tournament, actor, actions.INVITATION_REVOKED, None) as entry:
        invitation = fresh(Invitation.objects.all(), invitation)
        if invitation.used_at or invitation.revoked_at:
            entry.mark_unchanged()
            return
        invitation.revoked_at, invitation.email = timezone.now(), ""
        invitation.save(update_fields=["revoked_at", "email"])
        entry.data = {"invitation": invitation.pk, "role": invitation.role}


@transaction.atomic
def accept_invitation(invitation: Invitation, actor: Actor) -> Membership:
    """Give the role of the invitation to the actor. Only the first of two concurrent calls succeeds.

    Raises Refused if the invitation is closed or its sessions and tables are no longer drawn.
    """
    if actor.user is None or not actor.user.has_usable_password():
        raise Refused(INVITATION_NEEDS_ACCOUNT())
    access.require_that(actor, access.has_account, "a token for less takes no role")
    with log.write(invitation.tournament, actor, actions.INVITATION_ACCEPTED, None) as entry:
        invitation = fresh(Invitation.objects.select_related("tournament", "made_by"), invitation)
        if (code := closed_reason(invitation, actor.user)) is not None:
            raise Refused(code())
        invitation.used_at, invitation.used_by, invitation.email = timezone.now(), actor.user, ""
        invitation.save(update_fields=["used_at", "used_by", "email"])
        membership, _ = Membership.objects.get_or_create(
            tournament=entry.tournament, user=actor.user, role=invitation.role
        )
        # If a redraw removed all of its tables, the role must not become one for everywhere.
        try:
            scope = scope_of(entry.tournament, invitation.sessions, invitation.tables)
        except Refused:
            raise Refused(INVITATION_REACH_GONE()) from None
        entry.data = {"invitation": invitation.pk} | _store_scope(membership, scope)
    return membership


@sensitive_variables()
@transaction.atomic
def accept_with_new_account(invitation: Invitation, user: User, password: str) -> None:
    """Save a new account and give it the role of the invitation; save nothing if the invitation is closed."""
    make_account(user, password)
    accept_invitation(invitation, Actor.of(user))


# --- Passes ---


def make_passes(
    tournament: Tournament, actor: Actor, scopes: Sequence[PassScope], expires_at: datetime
) -> list[Pass]:
    """Create a pass for each scope. Raises Refused with every problem."""
    with log.write(tournament, actor, actions.PASSES_CREATED, Right.ORGANISE) as entry:
        if problems := [*_pass_problems(entry.tournament, scopes, expires_at)]:
            raise Refused(problems)
        passes = [_make_pass(entry.tournament, actor, scope, expires_at) for scope in scopes]
        entry.data = {
            "passes": [_log_data(desk_pass) for desk_pass in passes],
            "expires_at": expires_at.isoformat(),
        }
    return passes


def _pass_problems(
    tournament: Tournament, scopes: Sequence[PassScope], expires_at: datetime
) -> Iterator[Problem]:
    if not scopes:
        yield TABLES_NOT_NAMED("tables")
    if not all(scope.label or scope.table_number for scope in scopes):
        yield NAME_MISSING("name")
    if expires_at <= timezone.now():
        yield PASS_ALREADY_OVER("expires_on")
    sessions = {number for scope in scopes for number in scope.sessions}
    tables = {scope.table_number for scope in scopes if scope.table_number is not None}
    existing = tournament.sessions.values_list("number", flat=True)
    yield from unknown_problems(sessions - {*existing}, tables - {*tables_of(tournament)})


def renew_pass(desk_pass: Pass, actor: Actor) -> Pass:
    """Replace a pass by a new one of the same scope and expiry; revoke the old one."""
    tournament = desk_pass.membership.tournament
    with log.write(tournament, actor, actions.PASS_RENEWED, Right.ORGANISE) as entry:
        facts = _log_data(desk_pass)
        scope = PassScope(desk_pass.label, facts["table_number"], facts["sessions"])
        _revoke(desk_pass)
        new_pass = _make_pass(entry.tournament, actor, scope, desk_pass.expires_at)
        entry.data = _log_data(new_pass)
    return new_pass


def revoke_passes(tournament: Tournament, actor: Actor, passes: Iterable[Pass]) -> None:
    """Revoke passes. Idempotent."""
    with log.write(tournament, actor, actions.PASSES_REVOKED, Right.ORGANISE) as entry:
        revoked = [desk_pass for desk_pass in passes if desk_pass.revoked_at is None]
        if not revoked:
            entry.mark_unchanged()
        for desk_pass in revoked:
            _revoke(desk_pass)
        entry.data = {"passes": [_log_data(desk_pass) for desk_pass in revoked]}


def _make_pass(tournament: Tournament, actor: Actor, scope: PassScope, expires_at: datetime) -> Pass:
    user = User(username=f"pass-{get_random_string(12).lower()}", first_name=scope.name)
    user.set_unusable_password()
    check(user, exclude=["username"])
    user.save()
    membership = Membership.objects.create(
        tournament=tournament,
        user=user,
        role=Role.UMPIRE,
        everywhere=scope.table_number is None and not scope.sessions,
        table_number=scope.table_number,
    )
    membership.sessions.set(tournament.sessions.filter(number__in=scope.sessions))
    desk_pass = Pass(membership=membership, expires_at=expires_at, made_by=actor.user)
    desk_pass.make_token()
    desk_pass.save()
    return desk_pass


def _revoke(desk_pass: Pass) -> None:
    desk_pass.revoked_at = timezone.now()
    desk_pass.save(update_fields=["revoked_at"])


def _log_data(desk_pass: Pass) -> dict[str, Any]:
    membership = desk_pass.membership
    sessions = [session.number for session in membership.sessions.all()]
    return {"user": membership.user_id, "table_number": membership.table_number, "sessions": sessions}


# --- The rota ---


def set_rota(tournament: Tournament, actor: Actor, rows: Iterable[RotaEntry]) -> None:
    """Replace the whole rota. Grants no rights. Raises Refused with every problem."""
    with log.write(tournament, actor, actions.ROTA_SET, Right.RULE) as entry:
        rota = sorted({*rows})
        if problems := rota_problems(entry.tournament, rota):
            raise Refused(problems)
        watches = Watch.objects.filter(membership__tournament=entry.tournament)
        stored = watches.values_list("table__session__number", "table__number", "membership_id")
        if rota == sorted(stored):
            entry.mark_unchanged()
            return
        watches.delete()
        tables = drawn_tables(entry.tournament)
        Watch.objects.bulk_create(
            Watch(membership_id=umpire, table=tables[session, number]) for session, number, umpire in rota
        )
        users = dict(Membership.objects.filter(tournament=tournament).values_list("pk", "user"))
        entry.data = {"rota": [[session, number, users[umpire]] for session, number, umpire in rota]}
