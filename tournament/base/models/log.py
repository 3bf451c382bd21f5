"""The entries of a tournament's log, and what their writers are called now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext as _

from tournament.base.engine.entries import said
from tournament.base.models.tournament import Tournament

if TYPE_CHECKING:
    from tournament.base.log_actions import LogAction

ACCOUNT = "account:"
"""How the code of an actor begins who has, or had, an account; its key follows."""


class LogQuerySet(models.QuerySet["LogEntry"]):
    def of(self, *actions: LogAction) -> Self:
        """Those of these actions."""
        return self.filter(action__in=[action.code for action in actions])


class LogEntry(models.Model):
    """One write, for good: who did what when, and the hash of the entry before it.

    What is hashed names people by key. `texts` stand beside it (`base.engine.entries`), and can be erased.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="log")
    seq = models.PositiveIntegerField()
    public_seq = models.PositiveIntegerField(null=True)
    """The tournament's public version after it; None where the public is told nothing. Derived, so not in the hash."""
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    actor_code = models.CharField(max_length=60)
    """Who wrote, as the chain has it: an account by its key, a visitor, a command by its name."""
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    """Numbers and codes alone; `said` has the texts too."""
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
    def said(self) -> dict[str, Any]:
        """Its data as the service wrote it; erased texts are `base.engine.entries.ERASED`."""
        return said(self.data, self.texts)

    @property
    def erased(self) -> frozenset[str]:
        """The keys of the texts that are no longer there."""
        return frozenset(key for key, text in self.texts.items() if "salt" not in text)

    @property
    def actor_name(self) -> str:
        """What its writer is called now."""
        if self.actor is not None:
            return name_of(self.actor)
        if self.actor_code.startswith(ACCOUNT):
            return staff_text(self.actor_code.removeprefix(ACCOUNT))
        return self.actor_code


def staff_text(key: object) -> str:
    """Whoever has no account any more, by the key of the one they had."""
    return _("staff {number}").format(number=key)


def name_of(user: Any) -> str:
    """What an account is called; nothing for none."""
    return "" if user is None else user.get_full_name() or user.get_username()
