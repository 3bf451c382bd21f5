"""Finals: who of a tournament plays on."""

from django.db import models

from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.finals import Carry, Cut


class Final(models.Model):
    """The sessions after `after_session` are for finalists, up to the next final. Its players are a fact: a correction
    changes the points they carry and not who they are."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="finals")
    after_session = models.PositiveSmallIntegerField()
    carry = models.CharField(max_length=8, choices=[(carry.value, carry.value) for carry in Carry])
    groups = models.JSONField()
    """[[player number, …], …], the best group first."""

    class Meta:
        ordering = ["tournament_id", "after_session"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "after_session"], name="one_final_after_a_session")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, final after session {self.after_session}"

    @property
    def numbers(self) -> list[int]:
        """The finalists, best first."""
        return [number for group in self.groups for number in group]

    @property
    def cut(self) -> Cut:
        return Cut(self.after_session, tuple(map(tuple, self.groups)), Carry(self.carry))
