"""Appeals: an objection to what a table's sheet says, the ruling on it, and what became of the ruling."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.base.models.play import Table


class Appeal(models.Model):
    """Open until it is dismissed, or granted and carried out.

    A ruling moves no figure: the hand is corrected or the penalty cancelled beside it, and that carries it out.
    """

    class Settled(models.TextChoices):
        CARRIED_OUT = "carried_out", _("carried out")
        WAIVED = "waived", _("closed without a change")

    table = models.ForeignKey(Table, models.CASCADE, related_name="appeals")
    uuid = models.UUIDField(unique=True)
    player = models.ForeignKey(Player, models.PROTECT, related_name="appeals")
    """Who appeals."""
    hand_number = models.PositiveSmallIntegerField(null=True, blank=True)
    penalty = models.ForeignKey(
        "penalties.Penalty", models.CASCADE, null=True, blank=True, related_name="appeals"
    )
    """Against a hand or against a penalty; against the whole sheet when both are None."""
    text = models.TextField()
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    granted = models.BooleanField(null=True, blank=True)
    ruling = models.TextField(blank=True)
    ruled_at = models.DateTimeField(null=True, blank=True)
    ruled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    alone_because = models.CharField(max_length=300, blank=True)
    """Why the organiser who took the decision rules on it too."""
    committee = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    """Who was named to rule on it, the chief umpire and two; whoever may rule where nobody was."""
    settled_as = models.CharField(max_length=12, choices=Settled, blank=True)
    """What became of a granted one."""
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    settled_because = models.CharField(max_length=300, blank=True)
    """Why it was closed without a change, or what was done instead."""

    class Meta:
        ordering = ["opened_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ruled_at=None, granted=None, ruling="")
                | (models.Q(ruled_at__isnull=False, granted__isnull=False) & ~models.Q(ruling="")),
                name="a_ruling_is_whole",
            ),
            models.CheckConstraint(
                condition=models.Q(settled_at=None, settled_as="")
                | (models.Q(settled_at__isnull=False, granted=True) & ~models.Q(settled_as="")),
                name="what_is_settled_was_granted",
            ),
            models.CheckConstraint(
                condition=models.Q(hand_number=None) | models.Q(penalty=None),
                name="one_thing_an_appeal",
            ),
        ]

    def __str__(self) -> str:
        return f"appeal of {self.player} at {self.table}"

    @property
    def is_ruled(self) -> bool:
        return self.ruled_at is not None

    @property
    def is_pending(self) -> bool:
        """Granted, and still to be carried out."""
        return bool(self.granted) and self.settled_at is None

    @property
    def is_open(self) -> bool:
        """Whether something about it is still to be done."""
        return not self.is_ruled or self.is_pending


OPEN = models.Q(ruled_at=None) | models.Q(granted=True, settled_at=None)
"""`Appeal.is_open`, for a query."""
