"""Who wrote something and when, as the desk says it."""

from __future__ import annotations

from typing import Any

from django.template.defaultfilters import time as clock
from django.utils import timezone


def who(user: Any) -> str:
    return "" if user is None else user.get_full_name() or user.get_username()


def clock_text(at: Any) -> str:
    """The time of day, as it is written here: 20:29."""
    return str(clock(timezone.localtime(at), "H:i"))
