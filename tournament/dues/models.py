"""What people owe for coming, and what they have paid. Amounts are exact decimals in the tournament's one currency."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament


class TournamentAccount(models.Model):
    """In which currency a tournament reckons, and where its money is paid to. Without one it is euros, in cash."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="account")
    currency = models.CharField(_("currency"), max_length=3, default="EUR")
    """ISO 4217."""
    holder = models.CharField(_("account holder"), max_length=70, blank=True)
    iban = models.CharField("IBAN", max_length=34, blank=True)
    bic = models.CharField("BIC", max_length=11, blank=True)
    mark = models.CharField(_("references begin with"), max_length=8, blank=True)
    """Capitals and digits. It is in the references that are made from now on; those there are stay."""
    link = models.URLField(_("link for paying elsewhere"), max_length=300, blank=True)
    """A shop, a card terminal's page: Hule takes no cards."""
    tells = models.BooleanField(_("confirm payments by e-mail"), default=True)

    def __str__(self) -> str:
        return f"account of {self.tournament}"


class Fee(models.Model):
    """What a category of people pays: members, students, whoever registers late."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="fees")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("category"), max_length=80)
    amount = models.DecimalField(_("amount"), max_digits=9, decimal_places=2)
    from_day = models.DateField(_("for registrations from"), null=True, blank=True)
    """A late fee: it is the one that is proposed from this day on."""

    class Meta:
        ordering = ["tournament_id", "position"]

    def __str__(self) -> str:
        return f"{self.name}: {self.amount}"


class Due(models.Model):
    """What one person owes: of a registration, or of a player who was entered without one.

    The amount stays what the person was told, whatever becomes of the category.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="dues")
    registration = models.OneToOneField(Registration, models.CASCADE, null=True, related_name="due")
    player = models.OneToOneField(Player, models.CASCADE, null=True, related_name="own_due")
    fee = models.ForeignKey(Fee, models.SET_NULL, null=True, related_name="dues")
    amount = models.DecimalField(max_digits=9, decimal_places=2)
    reference = models.CharField(max_length=25, unique=True, null=True)  # noqa: DJ001  (none yet is shared, "" is not)
    """What a bank transfer states (ISO 11649), made of its key once there is one."""
    batch = models.UUIDField(null=True, blank=True, db_index=True)
    """The step in which many got theirs, which can be taken back."""

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gte=0), name="nobody_owes_less_than_nothing"),
            models.CheckConstraint(
                condition=Q(registration__isnull=False, player=None)
                | Q(registration=None, player__isnull=False),
                name="a_due_is_one_persons",
            ),
        ]

    def __str__(self) -> str:
        return f"due of {self.amount}"


class Payment(models.Model):
    """Money that came in, or went back: then `amount` is below zero."""

    class Method(models.TextChoices):
        CASH = "cash", _("cash")
        TRANSFER = "transfer", _("bank transfer")
        CARD = "card", _("card, elsewhere")
        OTHER = "other", _("other")

    due = models.ForeignKey(Due, models.CASCADE, related_name="payments")
    uuid = models.UUIDField(unique=True)
    amount = models.DecimalField(max_digits=9, decimal_places=2)
    method = models.CharField(max_length=8, choices=Method)
    on = models.DateField()
    noted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    cancelled_at = models.DateTimeField(null=True, blank=True)
    """Noted by mistake."""

    class Meta:
        ordering = ["on", "pk"]

    def __str__(self) -> str:
        return f"{self.amount} by {self.method}"
