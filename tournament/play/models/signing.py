"""Signing off: a player's consent to a table's sheet, as it stood."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.base.models.play import Table


class Signature(models.Model):
    """One player's signature under one state of a table's sheet.

    It stands until the sheet changes or it is taken back; then it stays as a trace. The umpire's own is the handing-in.
    """

    class Void(models.TextChoices):
        CHANGED = "changed", _("the sheet changed")
        TAKEN_BACK = "taken_back", _("taken back")

    table = models.ForeignKey(Table, models.CASCADE, related_name="signatures")
    player = models.ForeignKey(Player, models.PROTECT, related_name="signatures")
    sheet = models.JSONField()
    """What was signed: player number (as text) → [game points, table points as a fraction]."""
    signed_at = models.DateTimeField()
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    """On whose device."""
    void_at = models.DateTimeField(null=True, blank=True)
    void_because = models.CharField(max_length=10, choices=Void, blank=True)

    class Meta:
        ordering = ["table_id", "signed_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player"],
                condition=models.Q(void_at=None),
                name="one_standing_signature_a_player",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player} under {self.table}"

    @property
    def stands(self) -> bool:
        return self.void_at is None
