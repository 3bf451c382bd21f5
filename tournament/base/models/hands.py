"""Hands: what happened, as entered, with the score the engine derived from it beside it."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.entry import HandEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Table


class Hand(models.Model):
    """One version of one of a table's sixteen hands.

    Nothing is edited in place: a correction is a new row that names the one it `replaces`, who, when and why. The row
    with `is_current` counts; a number all of whose rows are not current was taken back and is free again.
    """

    class Outcome(models.TextChoices):
        WIN = "win", _("won")
        DRAW = "draw", _("wash-out")

    table = models.ForeignKey(Table, models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField()
    uuid = models.UUIDField(unique=True)
    """The client's own: the same write twice is the same hand."""
    outcome = models.CharField(max_length=4, choices=Outcome)
    winner = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="hands_won")
    discarder = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="deal_ins")
    """None when the winner drew the tile."""
    tiles = models.JSONField(null=True, blank=True)
    """The winning hand as entered: the record `scoring.engine.Hand.from_json` reads; None when only points were."""

    announced = models.JSONField(null=True, blank=True)
    """{"points", "fans": {key: times}} as announced, either or both; None when only the tiles were written down."""
    claimants = models.JSONField(default=list, blank=True)
    """Numbers of the players who claimed the winning discard too."""
    absent = models.JSONField(default=list, blank=True)
    """Numbers of the players whose seats were empty in this hand, with nobody standing in."""
    overridden_because = models.CharField(max_length=300, blank=True)
    """Why the umpire counts the announcement against the tiles or below the minimum; empty when the rulebook counts."""

    points = models.PositiveSmallIntegerField(default=0)
    """The fan total that counts, flowers included."""
    points_without_flowers = models.PositiveSmallIntegerField(default=0)
    fans = models.JSONField(default=list, blank=True)
    """[{"key", "points", "count"}], dearest first; empty when only points were announced."""
    points_by_tiles = models.PositiveSmallIntegerField(null=True, blank=True)
    """What the tiles come to where the announcement counts instead; 0 for tiles that don't win."""
    payments = models.JSONField(default=dict, blank=True)
    """Player number (as text) → game points of this hand; sums to zero."""
    scored_by = models.CharField(max_length=40, blank=True)
    """The rulebook that computed the score; empty when it counts points that were announced."""

    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    replaces = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")
    reason = models.CharField(max_length=300, blank=True)
    deepens = models.BooleanField(default=False)
    """Whether it only says more of the hand it replaces, and counts for just the same."""
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ["table_id", "number", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "number"],
                condition=models.Q(is_current=True),
                name="one_current_hand_a_number",
            ),
            models.UniqueConstraint(fields=["table", "number", "version"], name="one_hand_a_version"),
            models.CheckConstraint(condition=models.Q(number__range=(1, 16)), name="sixteen_hands"),
            models.CheckConstraint(
                condition=models.Q(outcome="draw", winner=None, discarder=None)
                | models.Q(outcome="win", winner__isnull=False),
                name="a_win_has_a_winner",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}, hand {self.number} (version {self.version})"

    @property
    def is_corrected(self) -> bool:
        """Whether it counts for something else than the version before it."""
        return self.version > 1 and not self.deepens

    @property
    def entry(self) -> HandEntry:
        """What was entered."""
        announced = self.announced or {}
        return HandEntry(
            outcome=self.outcome,
            winner=self.winner.number if self.winner else None,
            discarder=self.discarder.number if self.discarder else None,
            tiles=self.tiles,
            points=announced.get("points"),
            fans=announced.get("fans"),
            override=self.overridden_because,
            claimants=tuple(self.claimants),
            absent=tuple(self.absent),
        )
