"""Where accounts are signed in: browsers, and programs."""

from __future__ import annotations

import secrets
from datetime import timedelta
from importlib import import_module
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.crypto import hash_token
from knox.models import AbstractAuthToken

from tournament.base.engine.token_text import LETTERS, RANDOM, token_text
from tournament.base.models.tournament import Role, Tournament

USUALLY: Final = timedelta(days=90)
SHOWN: Final = 9
"""Letters of a token that are kept as they are, by which people tell theirs apart: `hule_` and four."""


class Visit(AbstractBaseSession):
    """A browser's session, and whose it is, so that an account's can be found. Written by `accounts.visits`."""

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="visits")

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore


class ApiTokens(models.Manager["ApiToken"]):
    def create(  # type: ignore[override]
        self, user: User, expiry: timedelta | None = USUALLY, **more: Any
    ) -> tuple[ApiToken, str]:
        """A token as it is stored, and as it is told, once. `expiry`: from now; None: never."""
        told = token_text("".join(secrets.choice(LETTERS) for _letter in range(RANDOM)))
        made = super().create(
            digest=hash_token(told),
            token_key=told[:SHOWN],
            user=user,
            expiry=None if expiry is None else timezone.now() + expiry,
            **more,
        )
        return made, told


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """What a program shows instead of a password. Its hash is stored, and the token is told once.

    One with a name was made on the page of the account; one without, by a program that signed in.
    """

    ALL: Final = "all"
    """Whatever its account may do."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60, blank=True)
    scope = models.CharField(
        max_length=12, choices=[(ALL, _("Everything I may do")), *Role.choices], default=ALL
    )
    """At most what this role may do, and never more than the account may."""
    everywhere = models.BooleanField(default=True)
    tournaments = models.ManyToManyField(Tournament, related_name="api_tokens")
    """Where it opens something, unless it is for everywhere."""
    used_at = models.DateTimeField(null=True)
    """When it was last shown, to within minutes."""

    objects = ApiTokens()

    class Meta:
        ordering = ["-created"]
