"""Totals: what stands at the foot of a table's sheet that was kept on paper."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.play import Table
from tournament.play.engine.totals import BestHand, TotalsEntry


class Totals(models.Model):
    """One version of a table's four totals, as they were typed.

    Nothing is edited in place: a correction is a new row that names the one it `replaces`. The row with `is_current`
    counts. One that `is_second` is the same sheet read again by somebody who did not see the first reading; it never
    counts itself, and waits until the two agree or the difference is settled.
    """

    class Settled(models.TextChoices):
        AGREED = "agreed", _("the same")
        FIRST = "first", _("the first reading")
        SECOND = "second", _("the second reading")
        TYPED = "typed", _("typed anew")
        OVERTAKEN = "overtaken", _("the first was corrected meanwhile")

    table = models.ForeignKey(Table, models.CASCADE, related_name="totals")
    uuid = models.UUIDField(unique=True)
    """The client's own: the same write twice is the same totals."""
    points = models.JSONField()
    """Player number (as text) → game points at the foot of the sheet, the table's penalties included."""
    payments = models.JSONField()
    """The same without the penalties that stood when it was typed; sums to zero."""
    wins = models.JSONField(null=True, blank=True)
    """Player number (as text) → hands won; None where nobody counted."""
    deal_ins = models.JSONField(null=True, blank=True)
    hands = models.PositiveSmallIntegerField(null=True, blank=True)
    """How many hands the sheet has; None where that is not said."""
    best = models.JSONField(null=True, blank=True)
    """{"player", "points"}: the dearest hand on the sheet."""
    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    replaces = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")
    reason = models.CharField(max_length=300, blank=True)
    is_second = models.BooleanField(default=False)
    settled_as = models.CharField(max_length=9, choices=Settled, blank=True)
    """What became of a second reading; empty while it differs from what counts."""
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
        """What was typed."""
        return TotalsEntry(
            points=numbered(self.points) or {},
            wins=numbered(self.wins),
            deal_ins=numbered(self.deal_ins),
            hands=self.hands,
            best=BestHand(**self.best) if self.best else None,
            sure=True,
        )


def numbered(kept: dict[str, int] | None) -> dict[int, int | None] | None:
    """Player number → figure, of what is kept by number as text."""
    return None if kept is None else {int(number): value for number, value in kept.items()}
