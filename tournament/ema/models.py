"""How the results are sent to the European Mahjong Association."""

from django.db import models

from tournament.base.models.tournament import Tournament


class EmaColumns(models.Model):
    """The columns of a tournament's results file, where they are not the usual ones."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ema_columns")
    columns = models.JSONField()
    """[{"heading", "field", "text"}], in order (`ema.engine.Column`)."""

    class Meta:
        verbose_name_plural = "EMA columns"

    def __str__(self) -> str:
        return f"columns of the results file of {self.tournament}"
