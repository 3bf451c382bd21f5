"""Making accounts: the first organiser's, and those of the staff."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import get_random_string
from django.views.decorators.debug import sensitive_variables

from tournament.accounts import setup_code
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.staff.services.staff import give_role

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""No i, l, o, 0 or 1: the password is read from one screen and typed on another."""


@sensitive_variables()
@transaction.atomic
def make_first_organiser(*, code: str, username: str, password: str, full_name: str = "") -> User:
    """The account that may make tournaments and name others; only the first, and only with the printed code."""
    if not setup_code.check(code):
        raise refuse("wrong_setup_code", "code")
    user = User.objects.create_superuser(username, password=password, first_name=full_name)
    transaction.on_commit(setup_code.done)
    return user


@sensitive_variables()
@transaction.atomic
def make_member(
    tournament: Tournament,
    actor: Actor,
    *,
    username: str,
    full_name: str = "",
    role: Role = Role.UMPIRE,
    sessions: Iterable[Session] = (),
    tables: Iterable[Table] = (),
    every_session: bool = False,
) -> tuple[Membership, str]:
    """An account for somebody on the staff, and the password it starts with; nobody can look that up later.

    The role and where it is for are said as to `give_role`.
    """
    access.require_to_give(actor, tournament, role)
    if User.objects.filter(username__iexact=username).exists():
        raise refuse("username_taken", "username", username=username)
    password = "-".join(get_random_string(4, _LETTERS) for _part in range(3))
    user = User.objects.create_user(username, password=password, first_name=full_name)
    membership = give_role(tournament, actor, user, role, sessions, tables, every_session=every_session)
    return membership, password
