"""Players: a `Player` is a person entered in one tournament."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.engine.names import display_name
from tournament.models.tournament import Tournament


class Player(models.Model):
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField(_("number"))
    first_name = models.CharField(_("first name"), max_length=80, blank=True)
    last_name = models.CharField(_("last name"), max_length=80)
    country = models.CharField(_("country"), max_length=3, blank=True)
    """ISO 3166 alpha-3, upper case, or empty."""
    ema_number = models.CharField(_("EMA number"), max_length=8, blank=True)
    """Eight digits as text: the leading zero counts."""
    team = models.CharField(_("team"), max_length=80, blank=True)
    club = models.CharField(_("club"), max_length=80, blank=True)
    """Where the player plays at home: the draw may keep club-mates apart; no ranking counts it."""
    is_substitute = models.BooleanField(default=False)
    """Fills a table: sits, plays and takes a place there like anybody, and is in no ranking."""
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_player_a_number")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return display_name(self.first_name, self.last_name)

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None
