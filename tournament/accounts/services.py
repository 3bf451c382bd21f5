"""Accounts: making them, their second factor, and ending what they are signed in with."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from scoring.engine.problems import Problem
from tournament.accounts import setup_code
from tournament.accounts.selectors import reached_by, token_named, tokens_of, visit_named
from tournament.base import access, log
from tournament.base.access import Actor, Wanted
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import ApiToken, Visit

# --- Making accounts: the first organiser's, and those of the staff ---


@sensitive_variables()
@transaction.atomic
def make_first_organiser(*, code: str, username: str, password: str, full_name: str = "") -> User:
    """The account that may make tournaments and name others; only the first, and only with the printed code."""
    if not setup_code.check(code):
        raise refuse("wrong_setup_code", "code")
    user = User.objects.create_superuser(username, password=password, first_name=full_name)
    transaction.on_commit(setup_code.done)
    return user


# --- Second factor ---
# The second factor of an account: an authenticator app's code (RFC 6238), and recovery codes for when it is away.
#
# django-otp keeps both. The recovery codes are stored as a keyed hash, so that neither the database nor a copy of it
# opens anything.


CODES: Final = 10
CODE_LENGTH: Final = 10
"""Digits of a recovery code; an app's code has six."""
STORED_LENGTH: Final = 16
"""Letters that django-otp keeps of one: 64 bits."""


@transaction.atomic
def begin_second_factor(user: User) -> TOTPDevice:
    """A secret to put into an app. It counts for nothing until it is confirmed; an earlier one of the kind is gone."""
    TOTPDevice.objects.filter(user=user, confirmed=False).delete()
    return TOTPDevice.objects.create(user=user, name="app", confirmed=False)


@sensitive_variables()
@transaction.atomic
def confirm_second_factor(user: User, code: str) -> list[str]:
    """The app has it: from now on it is asked for. Returns the recovery codes, which nobody can look up later."""
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if device is None or not device.verify_token(_digits(code)):
        raise refuse("second_factor_code_wrong", "code")
    TOTPDevice.objects.filter(user=user, confirmed=True).delete()
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    return renew_recovery_codes(user)


@sensitive_variables()
@transaction.atomic
def renew_recovery_codes(user: User) -> list[str]:
    """New ones; those before open nothing any more."""
    StaticDevice.objects.filter(user=user).delete()
    kept = StaticDevice.objects.create(user=user, name="recovery codes")
    made = [f"{secrets.randbelow(10**CODE_LENGTH):0{CODE_LENGTH}}" for _code in range(CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=kept, token=_stored(user, one)) for one in made)
    return [f"{one[: CODE_LENGTH // 2]} {one[CODE_LENGTH // 2 :]}" for one in made]


@sensitive_variables()
@transaction.atomic
def take_code(user: User, code: str) -> bool:
    """Whether the app shows this now, or it is a recovery code. It counts once."""
    digits = _digits(code)
    if len(digits) == CODE_LENGTH:
        kept = StaticDevice.objects.select_for_update().filter(user=user).first()
        return kept is not None and kept.verify_token(_stored(user, digits))
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True).first()
    return device is not None and device.verify_token(digits)


@transaction.atomic
def end_second_factor(user: User) -> bool:
    """The password is enough again; whether there was a second factor."""
    gone, _kinds = TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    return bool(gone)


def _digits(code: str) -> str:
    return "".join(one for one in code if one.isdecimal() and one.isascii())


def _stored(user: User, code: str) -> str:
    return salted_hmac("tournament.recovery-code", f"{user.pk}:{code}", algorithm="sha256").hexdigest()[
        :STORED_LENGTH
    ]


# --- Making and ending what an account is signed in with: programs' tokens, and browsers ---


MOST_TOKENS: Final = 20
"""Of those that programs sign in for; one more ends the oldest, for many a program does so each time it starts. Of
those with a name there are as many at most, and none is ended but by hand."""
NOTED_EVERY: Final = timedelta(minutes=5)


@transaction.atomic
def make_token(user: User) -> tuple[ApiToken, str]:
    """A token for a program that signed in, as it is stored and as it is told, once. Good for 90 days, for all that
    the account may."""
    made: tuple[ApiToken, str] = ApiToken.objects.create(user=user)
    signed_in = user.api_tokens.filter(name="").order_by("-created")
    kept = signed_in.values_list("pk", flat=True)[:MOST_TOKENS]
    signed_in.exclude(pk__in=list(kept)).delete()
    return made


@transaction.atomic
def name_token(user: User, wanted: Wanted) -> tuple[ApiToken, str]:
    """A token for a program that is named. Every tournament that it opens has it in its log."""
    if problems := list(_wrong(user, wanted)):
        raise Refused(problems)
    now = timezone.now()
    made, told = ApiToken.objects.create(
        user=user,
        expiry=None if wanted.expires_at is None else wanted.expires_at - now,
        name=wanted.name.strip(),
        scope=wanted.scope,
        everywhere=wanted.tournaments is None,
    )
    made.tournaments.set(wanted.tournaments or ())
    for tournament in reached_by(made):
        with log.write(tournament, Actor.of(user), "token_made") as entry:
            entry.data = _said(made)
    return made, told


def _wrong(user: User, wanted: Wanted) -> Iterable[Problem]:
    if not wanted.name.strip():
        yield Problem("token_nameless", "name")
    if wanted.expires_at is not None and wanted.expires_at <= timezone.now():
        yield Problem("token_already_over", "expires_on")
    if wanted.tournaments is not None:
        mine = {one.pk for one in access.tournaments_of(Actor.of(user))}
        if not wanted.tournaments or not {one.pk for one in wanted.tournaments} <= mine:
            yield Problem("token_for_nothing", "tournaments")
    if tokens_of(user).exclude(name="").count() >= MOST_TOKENS:
        yield Problem("tokens_too_many", "", {"most": MOST_TOKENS})


def _said(token: ApiToken) -> dict[str, str]:
    """What the log of an event has of a token."""
    data = {"program": token.name, "scope": token.scope}
    if token.expiry is not None:
        data["expires_at"] = token.expiry.isoformat()
    return data


def note_use(token: ApiToken) -> None:
    """A program has shown it just now; noted every few minutes."""
    now = timezone.now()
    if token.used_at is None or token.used_at + NOTED_EVERY < now:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


@transaction.atomic
def end_token(user: User, name: str) -> None:
    """The token of the account that its page calls so opens nothing any more. None of that name is none to end."""
    if (found := token_named(user, name)) is not None:
        for tournament in reached_by(found) if found.name else ():
            with log.write(tournament, Actor.of(user), "token_ended") as entry:
                entry.data = _said(found)
        found.delete()


def end_visit(user: User, name: str) -> None:
    """The browser is signed out at its next request."""
    if (found := visit_named(user, name)) is not None:
        found.delete()


def end_other_visits(user: User, here: str | None) -> None:
    """Everywhere but in the browser whose session's key is `here`."""
    user.visits.exclude(pk=here or "").delete()


def forget_what_is_over(before: datetime) -> None:
    """Sessions that ran out before then, and tokens: nobody asks for them any more."""
    Visit.objects.filter(expire_date__lt=before).delete()
    ApiToken.objects.filter(expiry__lt=before).delete()
