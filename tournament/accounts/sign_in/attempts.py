"""Attempts at a password, for pages and programs alike: looked at within limits, and not beyond.

An address that fails again and again is closed for a while (axes). A name that is tried from many addresses is not, for
then anybody could shut anybody out: it is slowed on devices that never signed in by it. Those that did have a limit of
their own, so that neither what others try nor what their neighbours in the hall mistype concerns them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.views.decorators.debug import sensitive_variables

from scoring.engine.problems import Problem
from tournament.accounts.services import second_factor
from tournament.accounts.sign_in.known import Device, device_of, place_of_name
from tournament.base.errors import TooMany
from tournament.base.limits import QUARTER, Guesses, Limit

NAME: Final = Guesses.at("sign-in", freely=10, seconds=5)
DEVICE: Final = Limit("sign-in-device", most=20, within=QUARTER)
CODES: Final = Limit("sign-in-codes", most=6, within=QUARTER)
"""Of a million codes three are right at a time: a year of guessing this often finds one with a chance of 1:2."""
PASSWORDS: Final = Limit("password-again", most=10, within=QUARTER)


@sensitive_variables()
def who_signs_in(request: HttpRequest, name: str, password: str) -> User | None:
    """Whose name and password these are; None when nobody's, or when this place is closed.

    TooMany when the name is slowed. A closed place is marked in the request, and the answer is axes' (`closed`).
    """
    device = device_of(request)
    if device.knows(name):
        return _on_known_device(request, device, name, password)
    if not AxesProxyHandler.is_allowed(request, {"username": name}):
        return _look(request, name, password)  # which axes denies, and says
    place = place_of_name(name)
    NAME.require(place, Problem("name_tried_again_and_again", "", {"seconds": NAME.pace.within}))
    user = _look(request, name, password)
    if user is not None:
        NAME.was_right(place)
    return user


@sensitive_variables()
def _on_known_device(request: HttpRequest, device: Device, name: str, password: str) -> User | None:
    if DEVICE.is_passed(device.key):
        close(request)
        return None
    user = _look(request, name, password)
    if user is not None:
        DEVICE.give_back(device.key)
    return user


@sensitive_variables()
def _look(request: HttpRequest, name: str, password: str) -> User | None:
    found = authenticate(request, username=name, password=password)
    return found if isinstance(found, User) else None


def close(request: HttpRequest) -> None:
    """Answer this request as one from a closed place."""
    AxesProxyHandler.update_request(request)
    request.axes_locked_out = True  # type: ignore[attr-defined]


@sensitive_variables()
def check_code(request: HttpRequest, user: User, code: str) -> bool:
    """Whether the code is one of the account's now, which it is once. TooMany after so many that were not."""
    device, name = device_of(request), user.get_username()
    place = device.key if device.knows(name) else place_of_name(name)
    with _counted(CODES, place) as attempt:
        attempt.right = second_factor.take_code(user, code)
    return attempt.right


@sensitive_variables()
def check_password(user: User, password: str) -> bool:
    """Whether that is the password of who is signed in, asked once more. TooMany after so many that were not."""
    with _counted(PASSWORDS, str(user.pk)) as attempt:
        attempt.right = user.check_password(password)
    return attempt.right


@dataclass
class _Attempt:
    right: bool = False


@contextmanager
def _counted(limit: Limit, place: str) -> Iterator[_Attempt]:
    if limit.is_passed(place):
        raise TooMany(Problem("secret_tried_too_often", "", {"minutes": limit.within // 60}), limit.within)
    attempt = _Attempt()
    yield attempt
    if attempt.right:
        limit.give_back(place)
