"""Calls for an umpire, photographs of disputed hands, signatures and totals from paper."""

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.base.models.play import Table
from tournament.play.engine.statements import BestHand, TotalsEntry


class Call(models.Model):
    """A call for an umpire: raised by a table, taken by an umpire, done. A table has one open call at most."""

    class Topic(models.TextChoices):
        TILES = "tiles", _("wrong tile count")
        CLAIM = "claim", _("disputed claim")
        FOUL = "foul", _("foul")
        SCORE = "score", _("score differs")
        OTHER = "other", _("something else")

    table = models.ForeignKey(Table, models.CASCADE, related_name="calls")
    topic = models.CharField(max_length=8, choices=Topic)
    called_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["called_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(done_at=None), name="one_open_call_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.topic}"

    @property
    def is_open(self) -> bool:
        return self.done_at is None


class HandPhoto(models.Model):
    """A photograph of a disputed hand, for umpires and organisers only.

    It names the hand by its number: the ruling is another row of the hand.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="photos")
    hand_number = models.PositiveSmallIntegerField()
    uuid = models.UUIDField(unique=True, default=uuid4)
    """Chosen by the client; makes the write idempotent."""
    file = models.FileField(upload_to="documents/")
    added_at = models.DateTimeField(auto_now_add=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["table_id", "hand_number", "added_at", "pk"]

    def __str__(self) -> str:
        return f"photograph of {self.table}, hand {self.hand_number}"


class Signature(models.Model):
    """A player's consent to a table's sheet.

    It stands until the sheet changes or it is taken back; the row stays then. Handing in is the umpire's signature.
    """

    class Void(models.TextChoices):
        CHANGED = "changed", _("the sheet changed")
        CANCELLED = "cancelled", _("revoked")

    table = models.ForeignKey(Table, models.CASCADE, related_name="signatures")
    player = models.ForeignKey(Player, models.PROTECT, related_name="signatures")
    sheet = models.JSONField()
    """What was signed: player number (as text) → [game points, table points as a fraction]."""
    signed_at = models.DateTimeField()
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    """Who was signed in on the device."""
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


class Totals(models.Model):
    """One version of a table's four totals, as typed.

    Rows are not edited: a correction is a new row that names the one it `replaces`. The row with `is_current` counts.
    A row with `is_second` is an independent second reading of the same sheet. It never counts itself, and is open until
    both readings agree or the difference is settled.
    """

    class Settled(models.TextChoices):
        AGREED = "agreed", _("identical")
        FIRST = "first", _("the first reading")
        SECOND = "second", _("the second reading")
        TYPED = "typed", _("entered again")
        OVERTAKEN = "overtaken", _("the first reading has been corrected")

    table = models.ForeignKey(Table, models.CASCADE, related_name="totals")
    uuid = models.UUIDField(unique=True)
    """Chosen by the client; makes the write idempotent."""
    points = models.JSONField()
    """Player number (as text) → game points at the foot of the sheet, the table's penalties included."""
    payments = models.JSONField()
    """The same without the penalties that stood when it was typed; sums to zero."""
    wins = models.JSONField(null=True, blank=True)
    """Player number (as text) → hands won; None where nobody counted."""
    deal_ins = models.JSONField(null=True, blank=True)
    hands = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many hands the sheet has; None where unknown."""
    best = models.JSONField(null=True, blank=True)
    """{"player", "points"}: the highest-scoring hand on the sheet."""
    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    replaces = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")
    reason = models.CharField(max_length=300, blank=True)
    is_second = models.BooleanField(default=False)
    settled_as = models.CharField(max_length=9, choices=Settled, blank=True)
    """Result of a second reading; empty while it differs from the first."""
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    recorded_at = models.DateTimeField()

    class Meta:
        ordering = ["table_id", "is_second", "version", "id"]
        verbose_name_plural = "totals"
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(is_current=True), name="one_current_totals_a_table"
            ),
            models.UniqueConstraint(
                fields=["table", "version"],
                condition=models.Q(is_second=False),
                name="one_totals_a_version",
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=models.Q(is_second=True, settled_as=""),
                name="one_open_second_reading_a_table",
            ),
            models.CheckConstraint(
                condition=models.Q(is_second=False) | models.Q(is_current=False),
                name="a_second_reading_never_counts",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}, totals (version {self.version})"

    @property
    def entry(self) -> TotalsEntry:
        return TotalsEntry(
            points=int_keys(self.points) or {},
            wins=int_keys(self.wins),
            deal_ins=int_keys(self.deal_ins),
            hands=self.hands,
            best=BestHand(**self.best) if self.best else None,
            sure=True,
        )


def int_keys(figures: dict[str, int] | None) -> dict[int, int | None] | None:
    """Convert the keys, player numbers that JSON stores as text, to int."""
    return None if figures is None else {int(number): value for number, value in figures.items()}
