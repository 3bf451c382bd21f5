"""The accounts of a demonstration. Their passwords are known to everybody: never for a real tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth import get_user_model


@dataclass(frozen=True)
class Login:
    username: str
    password: str
    first_name: str
    may_create: bool
    """Whether the account may make tournaments."""


ORGANISER: Final = Login("organiser", "demo-organiser", "Olga", may_create=True)
UMPIRE: Final = Login("umpire", "demo-umpire", "Uma", may_create=False)
LOGINS: Final = (ORGANISER, UMPIRE)


def account(login: Login) -> Any:
    """The account of a login, made when there is none of that name; one that exists is left as it is."""
    model = get_user_model()
    user, made = model.objects.get_or_create(
        username=login.username, defaults={"first_name": login.first_name, "is_staff": login.may_create}
    )
    if made:
        user.set_password(login.password)
        user.save(update_fields=["password"])
    return user


def logins_made() -> list[Login]:
    """The logins whose accounts a demonstration has made here. (Trying their passwords would take a second each.)"""
    names = dict(get_user_model().objects.values_list("username", "first_name"))
    return [login for login in LOGINS if names.get(login.username) == login.first_name]
