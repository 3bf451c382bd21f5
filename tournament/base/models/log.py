"""The entries of a tournament's log, and the current names of their writers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from tournament.base.engine.entries import join_texts
from tournament.base.log_actions import LogAction
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament

Value = TypeVar("Value")
ACCOUNT = "account:"
"""Prefix of the actor code of an account; its key follows."""


class LogQuerySet(models.QuerySet["LogEntry"]):
    def of(self, *actions: LogAction) -> Self:
        """Filter by actions."""
        return self.filter(action__in=[action.code for action in actions])


class LogEntry(models.Model):
    """One write: who did what and when, and the hash of the entry before it. Never changed.

    What is hashed names people by key. `texts` are stored beside it (`base.engine.entries`) and can be erased.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="log")
    seq = models.PositiveIntegerField()
    public_seq = models.PositiveIntegerField(null=True)
    """The tournament's public version after it; None if the public does not see it. Derived, so not hashed."""
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    actor_code = models.CharField(max_length=60)
    """The writer as the chain names them: an account by its key, a visitor, or a command."""
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    """Numbers and codes; `full_data` has the texts too."""
    texts = models.JSONField(default=dict)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)

    objects = LogQuerySet.as_manager()

    class Meta:
        ordering = ["tournament_id", "seq"]
        verbose_name_plural = "log entries"
        constraints = [
            models.UniqueConstraint(fields=["tournament", "seq"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["tournament", "public_seq"], name="one_entry_a_public_number"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.action} by {self.actor_code}"

    @property
    def full_data(self) -> dict[str, Any]:
        """The data as the service wrote it, with `base.engine.entries.ERASED` for erased texts."""
        return join_texts(self.data, self.texts)

    @property
    def erased(self) -> frozenset[str]:
        """The keys of erased texts."""
        return frozenset(key for key, text in self.texts.items() if "salt" not in text)

    @property
    def actor_name(self) -> str:
        """The current name of its writer."""
        if self.actor is not None:
            return name_of(self.actor)
        if self.actor_code.startswith(ACCOUNT):
            return staff_text(self.actor_code.removeprefix(ACCOUNT))
        return self.actor_code


def staff_text(key: object) -> str:
    """Return the name for a deleted account, by its key."""
    return _("staff {number}").format(number=key)


def name_of(user: Any) -> str:
    """Return an account's display name; "" for none."""
    return "" if user is None else user.get_full_name() or user.get_username()


@dataclass
class Write:
    """A write in progress: `action` and `data` go into the log, unless it is marked as unchanged."""

    tournament: Tournament
    action: LogAction
    data: dict[str, Any] = field(default_factory=dict)
    is_unchanged: bool = False
    session: Session | None = None
    """The session it is about, if it was read within this write: whether it is hidden is then known."""

    def change_action(self, action: LogAction) -> None:
        """Log another action than the write began with."""
        self.action = action

    def mark_unchanged(self) -> None:
        """Write no entry and no new version: the same write (same UUID) was stored before, or nothing changed."""
        self.is_unchanged = True

    def unchanged(self, value: Value) -> Value:
        """Mark as unchanged, and return `value`, which the service returns."""
        self.mark_unchanged()
        return value
