"""Making and ending what an account is signed in with: programs' tokens, and browsers."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament.models import ApiToken, Visit
from tournament.selectors.accounts import token_named, visit_named

MOST_TOKENS: Final = 20
"""Of an account; one more ends the oldest, for many a program signs in each time it starts."""
NOTED_EVERY: Final = timedelta(minutes=5)


@transaction.atomic
def make_token(user: User) -> tuple[ApiToken, str]:
    """A token, as it is stored and as it is told, once. It is good for as long as REST_KNOX says."""
    made: tuple[ApiToken, str] = ApiToken.objects.create(user=user)
    kept = user.api_tokens.order_by("-created").values_list("pk", flat=True)[:MOST_TOKENS]
    user.api_tokens.exclude(pk__in=list(kept)).delete()
    return made


def note_use(token: ApiToken) -> None:
    """A program has shown it just now; noted every few minutes."""
    now = timezone.now()
    if token.used_at is None or token.used_at + NOTED_EVERY < now:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)


def end_token(user: User, name: str) -> None:
    """The token of the account that its page calls so opens nothing any more. None of that name is none to end."""
    if (found := token_named(user, name)) is not None:
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
