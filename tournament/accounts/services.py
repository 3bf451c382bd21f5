"""Create accounts; set up the second factor; create and end tokens and browser sessions."""

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
from tournament.accounts.selectors import HASH_PREFIX_LENGTH, find_visit, tokens_of, tournaments_of_token
from tournament.accounts.texts import TOKEN_CREATED, TOKEN_REVOKED
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.limits import Limit
from tournament.base.models.people import DEFAULT_TOKEN_LIFETIME, ApiToken, Visit
from tournament.base.models.tournament import Tournament
from tournament.base.problems import VALUE_MISSING
from tournament.base.validation import check, problems_of
from tournament.base.work import enqueue

WRONG_SETUP_CODE = problem_code(
    "wrong_setup_code", "This is not the code that was printed when Hule started."
)
SECOND_FACTOR_CODE_WRONG = problem_code(
    "second_factor_code_wrong", "This is not the code that the app shows now."
)
TOKEN_ALREADY_OVER = problem_code("token_already_over", "This day has already passed.")
TOKEN_FOR_NOTHING = problem_code("token_for_nothing", "Choose tournaments that you work at.")
TOKENS_TOO_MANY = problem_code("tokens_too_many", "You have {maximum} tokens. Revoke one first.")
USERNAME_TAKEN = problem_code("username_taken", "An account named “{username}” already exists.")

# --- Accounts ---


@sensitive_variables()
def make_account(user: User, password: str) -> None:
    """Save a new account. Raises Refused if the username is taken, ignoring case."""
    if User.objects.filter(username__iexact=user.username).exists():
        raise Refused(USERNAME_TAKEN("username", username=user.username))
    user.set_password(password)
    check(user)
    user.save()


@sensitive_variables()
@transaction.atomic
def make_first_organiser(user: User, password: str, *, code: str) -> None:
    """Save the first account, a superuser, and invalidate the setup code. Raises Refused for a wrong code."""
    if not setup_code.check(code):
        raise Refused(WRONG_SETUP_CODE("code"))
    user.is_staff = user.is_superuser = True
    make_account(user, password)
    transaction.on_commit(setup_code.invalidate)


# --- A forgotten password ---


LINKS_PER_ACCOUNT: Final = Limit("password-links", maximum=5, within=3600)


def request_password_link(user: User, language: str) -> None:
    """Have the worker send a link to a new password; not more than a few an hour."""
    if not LINKS_PER_ACCOUNT.exceeded_by(user.pk):
        enqueue("accounts.send_password_link", user.pk, language)


# --- The second factor ---


RECOVERY_CODES: Final = 10
CODE_LENGTH: Final = 10
"""Digits of a recovery code; a code of an authenticator app has six."""
STORED_CODE_LENGTH: Final = 16
"""Hexadecimal digits (64 bits): the maximum length of django-otp's `StaticToken.token`."""


@transaction.atomic
def begin_second_factor(user: User) -> TOTPDevice:
    """Create a device with a secret for an authenticator app (RFC 6238), unconfirmed; delete an earlier such one."""
    TOTPDevice.objects.filter(user=user, confirmed=False).delete()
    return TOTPDevice.objects.create(user=user, name="app", confirmed=False)


@sensitive_variables()
@transaction.atomic
def confirm_second_factor(user: User, code: str) -> list[str]:
    """Turn the second factor on with the first code; return the recovery codes. Raises Refused for a wrong code."""
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
    """Replace the recovery codes by new ones and return these. Only their keyed hashes are stored."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [f"{secrets.randbelow(10**CODE_LENGTH):0{CODE_LENGTH}}" for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(
        StaticToken(device=device, token=_hash_code(user, code)) for code in codes
    )
    return [f"{code[: CODE_LENGTH // 2]} {code[CODE_LENGTH // 2 :]}" for code in codes]


def _hash_code(user: User, code: str) -> str:
    return salted_hmac("tournament.recovery-code", f"{user.pk}:{code}", algorithm="sha256").hexdigest()[
        :STORED_CODE_LENGTH
    ]


@sensitive_variables()
@transaction.atomic
def use_code(user: User, code: str) -> bool:
    """Return whether a code of the app or a recovery code is right, and mark it as used."""
    digits = _digits(code)
    if len(digits) == CODE_LENGTH:
        recovery = StaticDevice.objects.select_for_update().filter(user=user).first()
        return recovery is not None and recovery.verify_token(_hash_code(user, digits))
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True).first()
    return device is not None and device.verify_token(digits)


@transaction.atomic
def end_second_factor(user: User) -> bool:
    """Turn the second factor off; return whether there was one."""
    count, _by_model = TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    return bool(count)


# --- Tokens ---


MAX_TOKENS: Final = 20
"""Limit for an account's tokens without a name, of which one more deletes the oldest, because many programs sign in at
every start; and for those with a name, of which one more is refused."""
USE_INTERVAL: Final = timedelta(minutes=5)
"""How often `used_at` of a token is stored."""


@transaction.atomic
def make_token(user: User) -> tuple[ApiToken, str]:
    """Create a token with all the account's rights for a program that signed in; return it and its text."""
    token = ApiToken(user=user, expiry=timezone.now() + DEFAULT_TOKEN_LIFETIME)
    text = token.make_letters()
    token.save(force_insert=True)
    unnamed = user.api_tokens.filter(name="").order_by("-created")
    newest = unnamed.values_list("pk", flat=True)[:MAX_TOKENS]
    unnamed.exclude(pk__in=list(newest)).delete()
    return token, text


@transaction.atomic
def make_named_token(token: ApiToken, tournaments: Collection[Tournament] = ()) -> str:
    """Save a named token and return its text; log it in every tournament that it is for.

    `tournaments`: those of a token that is not for everywhere. Raises Refused with every problem.
    """
    if problems := list(_token_problems(token, tournaments)):
        raise Refused(problems)
    text = token.make_letters()
    token.save(force_insert=True)
    token.tournaments.set(tournaments)
    for tournament in tournaments_of_token(token):
        with log.write(tournament, Actor.of(token.user), TOKEN_CREATED, None) as entry:
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
    if tokens_of(token.user).exclude(name="").count() >= MAX_TOKENS:
        yield TOKENS_TOO_MANY(maximum=MAX_TOKENS)


def _log_data(token: ApiToken) -> dict[str, str]:
    """Return the data of the log entry."""
    data = {"program": token.name, "scope": token.scope}
    if token.expiry is not None:
        data["expires_at"] = token.expiry.isoformat()
    return data


def record_token_use(token: ApiToken) -> None:
    """Store when a token was used, at most once in `USE_INTERVAL`."""
    now = timezone.now()
    if token.used_at is None or token.used_at + USE_INTERVAL < now:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


@transaction.atomic
def end_token(user: User, name: str) -> None:
    """Delete the token whose digest begins with `name`. Idempotent."""
    token = (
        user.api_tokens.filter(digest__startswith=name).first() if len(name) == HASH_PREFIX_LENGTH else None
    )
    if token is not None:
        for tournament in tournaments_of_token(token) if token.name else ():
            with log.write(tournament, Actor.of(user), TOKEN_REVOKED, None) as entry:
                entry.data = _log_data(token)
        token.delete()


# --- Browser sessions ---


def end_visit(user: User, name: str) -> None:
    """Delete a browser session, which signs the browser out. Idempotent."""
    if (visit := find_visit(user, name)) is not None:
        visit.delete()


def end_other_visits(user: User, current_key: str | None) -> None:
    """Delete all browser sessions but the one with the session key `current_key`."""
    user.visits.exclude(pk=current_key or "").delete()


def delete_expired(before: datetime) -> None:
    """Delete the browser sessions and tokens that expired before then."""
    Visit.objects.filter(expire_date__lt=before).delete()
    ApiToken.objects.filter(expiry__lt=before).delete()
