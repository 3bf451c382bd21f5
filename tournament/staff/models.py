"""Invitations to the staff, and the umpires' rota."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role, SecretLink, Tournament


class Invitation(SecretLink):
    """A link that gives a role, once, to whoever accepts it.

    `sessions`, `tables`: numbers; none of either means everywhere. `email` is deleted when the invitation ends.
    """

    page = "invitation"
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role)
    sessions = models.JSONField(default=list, blank=True)
    tables = models.JSONField(default=list, blank=True)
    email = models.EmailField(
        _("e-mail address"), blank=True, help_text=_("Leave empty to get a link to pass on.")
    )
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["expires_at", "pk"]

    def __str__(self) -> str:
        return f"invitation: {self.role} of {self.tournament}"


class Watch(models.Model):
    """An umpire's assignment to a table of the rota. It grants no rights: those come from the membership."""

    membership = models.ForeignKey(Membership, models.CASCADE, related_name="watches")
    table = models.ForeignKey(Table, models.CASCADE, related_name="watches")

    class Meta:
        ordering = ["table_id", "pk"]
        verbose_name_plural = "watches"
        constraints = [
            models.UniqueConstraint(fields=["membership", "table"], name="an_umpire_once_at_a_table")
        ]

    def __str__(self) -> str:
        return f"{self.membership.user} at {self.table}"
