"""Accounts: the first organiser's, their second factor, tokens of programs, and the browsers signed in."""

import secrets
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from scoring.engine.problems import Problem, problem_code
from tournament.accounts import setup_code
from tournament.accounts.selectors import SHORT, reached_by, tokens_of, visit_named
from tournament.accounts.texts import TOKEN_ENDED, TOKEN_MADE
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.people import DEFAULT_TOKEN_LIFETIME, ApiToken, Visit
from tournament.base.models.tournament import Tournament
from tournament.base.problems import VALUE_MISSING
from tournament.base.validation import check, problems_of

WRONG_SETUP_CODE = problem_code(
    "wrong_setup_code", "This is not the code that was printed when Hule started."
)
SECOND_FACTOR_CODE_WRONG = problem_code(
    "second_factor_code_wrong", "This is not the code that the app shows now."
)
TOKEN_ALREADY_OVER = problem_code("token_already_over", "This day has already passed.")
TOKEN_FOR_NOTHING = problem_code("token_for_nothing", "Choose tournaments that you work at.")
TOKENS_TOO_MANY = problem_code("tokens_too_many", "You have {most} tokens. Revoke one first.")
USERNAME_TAKEN = problem_code("username_taken", "An account named “{username}” already exists.")


@sensitive_variables()
def make_account(user: User, password: str) -> None:
    """Store a new account. Nobody else has its name, in capitals or not."""
    if User.objects.filter(username__iexact=user.username).exists():
        raise Refused(USERNAME_TAKEN("username", username=user.username))
    user.set_password(password)
    check(user)
    user.save()


@sensitive_variables()
@transaction.atomic
def make_first_organiser(user: User, password: str, *, code: str) -> None:
    """Make the account that may make tournaments and name others; only the first, with the printed code."""
    if not setup_code.check(code):
        raise Refused(WRONG_SETUP_CODE("code"))
    user.is_staff = user.is_superuser = True
    make_account(user, password)
    transaction.on_commit(setup_code.done)


CODES: Final = 10
CODE_LENGTH: Final = 10
"""Digits of a recovery code; an app's code has six."""
STORED_LENGTH: Final = 16
"""Letters that django-otp keeps of one: 64 bits."""


@transaction.atomic
def begin_second_factor(user: User) -> TOTPDevice:
    """Make a secret to put into an authenticator app (RFC 6238).

    It counts for nothing until it is confirmed; an earlier one of the kind is gone. django-otp keeps it.
    """
    TOTPDevice.objects.filter(user=user, confirmed=False).delete()
    return TOTPDevice.objects.create(user=user, name="app", confirmed=False)


@sensitive_variables()
@transaction.atomic
def confirm_second_factor(user: User, code: str) -> list[str]:
    """Ask for codes from now on; return the recovery codes, which nobody can look up later."""
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if device is None or not device.verify_token(_digits(code)):
        raise Refused(SECOND_FACTOR_CODE_WRONG("code"))
    TOTPDevice.objects.filter(user=user, confirmed=True).delete()
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    return renew_recovery_codes(user)


def _digits(code: str) -> str:
    return "".join(sign for sign in code if sign.isdecimal() and sign.isascii())


@sensitive_variables()
@transaction.atomic
def renew_recovery_codes(user: User) -> list[str]:
    """Make new recovery codes, for when the app is away; those before open nothing any more.

    They are stored as a keyed hash, so that neither the database nor a copy of it opens anything.
    """
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [f"{secrets.randbelow(10**CODE_LENGTH):0{CODE_LENGTH}}" for _ in range(CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=_hashed(user, code)) for code in codes)
    return [f"{code[: CODE_LENGTH // 2]} {code[CODE_LENGTH // 2 :]}" for code in codes]


def _hashed(user: User, code: str) -> str:
    return salted_hmac("tournament.recovery-code", f"{user.pk}:{code}", algorithm="sha256").hexdigest()[
        :STORED_LENGTH
    ]


@sensitive_variables()
@transaction.atomic
def take_code(user: User, code: str) -> bool:
    """Check a code of the app, or a recovery code. It counts once."""
    digits = _digits(code)
    if len(digits) == CODE_LENGTH:
        recovery = StaticDevice.objects.select_for_update().filter(user=user).first()
        return recovery is not None and recovery.verify_token(_hashed(user, digits))
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True).first()
    return device is not None and device.verify_token(digits)


@transaction.atomic
def end_second_factor(user: User) -> bool:
    """Make the password enough again; whether there was a second factor."""
    gone, _kinds = TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    return bool(gone)


MOST_TOKENS: Final = 20
"""Of those that programs sign in for; one more ends the oldest, for many a program does so each time it starts. Of
those with a name there are as many at most, and none is ended but by hand."""
NOTED_EVERY: Final = timedelta(minutes=5)


@transaction.atomic
def make_token(user: User) -> tuple[ApiToken, str]:
    """Make a token for a program that signed in: as it is stored, and as it is shown, once.

    Good for 90 days, for all that the account may.
    """
    token = ApiToken(user=user, expiry=timezone.now() + DEFAULT_TOKEN_LIFETIME)
    text = token.make_letters()
    token.save(force_insert=True)
    signed_in = user.api_tokens.filter(name="").order_by("-created")
    newest = signed_in.values_list("pk", flat=True)[:MOST_TOKENS]
    signed_in.exclude(pk__in=list(newest)).delete()
    return token, text


@transaction.atomic
def name_token(token: ApiToken, tournaments: Collection[Tournament] = ()) -> str:
    """Store a token for a program that is named; return it as it is shown, once.

    Every tournament that it opens has it in its log. Of one that is not for everywhere, `tournaments` are those.
    """
    if problems := list(_token_problems(token, tournaments)):
        raise Refused(problems)
    text = token.make_letters()
    token.save(force_insert=True)
    token.tournaments.set(tournaments)
    for tournament in reached_by(token):
        with log.write(tournament, Actor.of(token.user), TOKEN_MADE) as entry:
            entry.data = _log_data(token)
    return text


def _token_problems(token: ApiToken, tournaments: Collection[Tournament]) -> Iterator[Problem]:
    yield from problems_of(token, exclude=["digest", "token_key"])
    if not token.name.strip():
        yield VALUE_MISSING("name")
    if token.expiry is not None and token.expiry <= timezone.now():
        yield TOKEN_ALREADY_OVER("expires_on")
    own = access.tournaments_of(Actor.of(token.user))
    if not token.everywhere and not (tournaments and {*tournaments} <= {*own}):
        yield TOKEN_FOR_NOTHING("tournaments")
    if tokens_of(token.user).exclude(name="").count() >= MOST_TOKENS:
        yield TOKENS_TOO_MANY(most=MOST_TOKENS)


def _log_data(token: ApiToken) -> dict[str, str]:
    """Say what the log of an event has of a token."""
    data = {"program": token.name, "scope": token.scope}
    if token.expiry is not None:
        data["expires_at"] = token.expiry.isoformat()
    return data


def note_use(token: ApiToken) -> None:
    """Record that a token was used, at most every few minutes."""
    now = timezone.now()
    if token.used_at is None or token.used_at + NOTED_EVERY < now:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


@transaction.atomic
def end_token(user: User, name: str) -> None:
    """Delete the token with this name on the account's page, if there is one."""
    token = user.api_tokens.filter(digest__startswith=name).first() if len(name) == SHORT else None
    if token is not None:
        for tournament in reached_by(token) if token.name else ():
            with log.write(tournament, Actor.of(user), TOKEN_ENDED) as entry:
                entry.data = _log_data(token)
        token.delete()


def end_visit(user: User, name: str) -> None:
    """Sign the browser out at its next request."""
    if (visit := visit_named(user, name)) is not None:
        visit.delete()


def end_other_visits(user: User, here: str | None) -> None:
    """Sign out everywhere but in the browser whose session's key is `here`."""
    user.visits.exclude(pk=here or "").delete()


def forget_what_is_over(before: datetime) -> None:
    """Delete sessions and tokens that ran out before then: nobody asks for them any more."""
    Visit.objects.filter(expire_date__lt=before).delete()
    ApiToken.objects.filter(expiry__lt=before).delete()
