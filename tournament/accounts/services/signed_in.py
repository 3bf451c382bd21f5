"""Making and ending what an account is signed in with: programs' tokens, and browsers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.accounts.selectors import reached_by, token_named, tokens_of, visit_named
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.grants import Wanted
from tournament.base.errors import Refused
from tournament.base.models.signed_in import ApiToken, Visit

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
