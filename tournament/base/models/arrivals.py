"""Events that came as a file (docs/tournament-file.md): where they are from, who wrote there, what others added."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from tournament.base.models.tournament import Tournament


class Arrival(models.Model):
    """An event that was played, or begun, in another installation. It is no entry of the log: that is as it came."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="arrival")
    version = models.PositiveIntegerField()
    """The newest entry of its log then: what is up to it was written elsewhere."""
    head = models.CharField(max_length=64)
    """The hash of that entry."""
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.tournament} came at {self.at}"


class FormerAccount(models.Model):
    """An account of the installation where an event was before, and the one here that stands in for it: nobody can
    sign in with that, and what it wrote keeps its name."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="former_accounts")
    uuid = models.UUIDField()
    """What files call it by."""
    account = models.PositiveBigIntegerField()
    """Its key there, by which the chain of the log names it."""
    until = models.PositiveIntegerField()
    """The last entry of the log in which that number is this account."""
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="former_account")

    class Meta:
        ordering = ["tournament_id", "until", "account"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "uuid"], name="one_former_account_a_uuid"),
            models.UniqueConstraint(fields=["tournament", "until", "account"], name="one_account_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"account {self.account} of where {self.tournament} was"


class Extension(models.Model):
    """What another program wrote into the file of an event: Hule keeps it, and hands it on untouched."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="extensions")
    name = models.CharField(max_length=200)
    """The program's own, as a domain name backwards: org.example.lottery."""
    spec_url = models.URLField(max_length=500)
    data = models.JSONField()

    class Meta:
        ordering = ["tournament_id", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="one_extension_a_name")]

    def __str__(self) -> str:
        return f"{self.name} of {self.tournament}"
