"""Where accounts are signed in: browsers, and programs."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from knox.models import AbstractAuthToken


class Visit(AbstractBaseSession):
    """A browser's session, and whose it is, so that an account's can be found. Written by `tournament.visits`."""

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="visits")

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """What a program shows instead of a password. Its hash is stored, and the token is told once."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    used_at = models.DateTimeField(null=True)
    """When it was last shown, to within minutes."""

    class Meta:
        ordering = ["-created"]
