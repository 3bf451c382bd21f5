"""Who works at a tournament: giving somebody a role, changing it, ending it, handing the tournament over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.access.rights import REACHING
from tournament.base.errors import refuse
from tournament.base.models.people import Player
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.staff.services.leaving import check_somebody_is_left


def give_role(
    tournament: Tournament,
    actor: Actor,
    user: Any,
    role: Role = Role.UMPIRE,
    sessions: Iterable[Session] = (),
    tables: Iterable[Table] = (),
    *,
    every_session: bool = False,
) -> Membership:
    """Give `user` a role; an umpire's or scorer's is for the named sessions and tables, or everywhere when none is.

    `every_session`: the tables are meant by their numbers, also in sessions that have no seats yet.
    """
    access.require_to_give(actor, tournament, role)
    with log.write(tournament, actor, "role_given") as entry:
        membership, entry.data = assign(tournament, user, role, sessions, tables, every_session=every_session)
    return membership


def assign(
    tournament: Tournament,
    user: Any,
    role: Role,
    sessions: Iterable[Session] = (),
    tables: Iterable[Table] = (),
    *,
    every_session: bool = False,
) -> tuple[Membership, dict[str, Any]]:
    """Likewise, for a write under way; and what its entry of the log says."""
    membership, _ = Membership.objects.get_or_create(tournament=tournament, user=user, role=role)
    return membership, _reach(membership, sessions, tables, every_session=every_session)


def change_role(
    membership: Membership,
    actor: Actor,
    role: Role,
    sessions: Iterable[Session] = (),
    tables: Iterable[Table] = (),
    *,
    every_session: bool = False,
) -> Membership:
    """Another role instead of this one, or another reach of the same. Who has the other already has one less."""
    tournament, before = membership.tournament, Role(membership.role)
    access.require_to_give(actor, tournament, before)
    access.require_to_give(actor, tournament, role)
    with log.write(tournament, actor, "role_changed") as entry:
        if role != before:
            check_somebody_is_left(membership, role)
            Membership.objects.filter(tournament=tournament, user=membership.user, role=role).delete()
        membership.role = role
        membership.save(update_fields=["role"])
        entry.data = _reach(membership, sessions, tables, every_session=every_session) | {
            "before": before.value
        }
    return membership


def end_role(membership: Membership, actor: Actor) -> None:
    """Take a role back, or lay one's own down; what was recorded stays."""
    tournament = membership.tournament
    if membership.user != actor.user:
        access.require_to_give(actor, tournament, Role(membership.role))
    with log.write(tournament, actor, "role_ended") as entry:
        check_somebody_is_left(membership)
        entry.data = {"user": membership.user_id, "role": membership.role}
        membership.delete()


def hand_over(tournament: Tournament, actor: Actor, user: Any) -> Membership:
    """`user` owns the tournament from now on; who did organises it."""
    access.require(actor, tournament, Right.OWN)
    with log.write(tournament, actor, "tournament_handed_over") as entry:
        members = Membership.objects.filter(tournament=tournament)
        if not user.is_active or members.filter(user=user, desk_pass__isnull=False).exists():
            raise refuse("no_such_account", "username", username=user.get_username())
        for owner in members.filter(role=Role.OWNER).exclude(user=user):
            Membership.objects.get_or_create(
                tournament=tournament, user_id=owner.user_id, role=Role.ORGANISER
            )
            owner.delete()
        members.filter(user=user, role=Role.ORGANISER).delete()
        membership, made = Membership.objects.get_or_create(tournament=tournament, user=user, role=Role.OWNER)
        if not made:
            entry.unchanged()
        entry.data = {"user": user.pk}
    return membership


def link_player(membership: Membership, actor: Actor, player: Player | None) -> Membership:
    """Say who of the players somebody on the staff is: they umpire no session that they play in. None: nobody."""
    access.require_organiser(actor, membership.tournament)
    with log.write(membership.tournament, actor, "staff_plays") as entry:
        if membership.player == player:
            entry.unchanged()
            return membership
        others = Membership.objects.filter(tournament=membership.tournament, player=player)
        if player is not None and others.exclude(user=membership.user).exists():
            raise refuse("player_is_somebody_else", "player", name=player.name)
        Membership.objects.filter(tournament=membership.tournament, user=membership.user).update(
            player=player
        )
        membership.player = player
        entry.data = {"user": membership.user_id, "plays_as": player.number if player else None}
    return membership


def _reach(
    membership: Membership, sessions: Iterable[Session], tables: Iterable[Table], *, every_session: bool
) -> dict[str, Any]:
    """Store where a role is for, and say for the log who has it where."""
    reaching = membership.role in REACHING
    membership.sessions.set(sessions if reaching else ())
    membership.tables.set(tables if reaching else ())
    membership.everywhere = not (membership.sessions.exists() or membership.tables.exists())
    membership.every_session = every_session and not membership.everywhere
    membership.save(update_fields=["everywhere", "every_session"])
    return {
        "user": membership.user_id,
        "role": membership.role,
        "sessions": [session.number for session in membership.sessions.all()],
        "tables": [[table.session.number, table.number] for table in membership.tables.all()],
        "every_session": membership.every_session,
    }
