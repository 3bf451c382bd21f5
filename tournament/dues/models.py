"""Fees, dues and payments. Amounts are decimals in the tournament's currency."""

from datetime import timedelta
from decimal import Decimal
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import problem_code
from tournament.base.engine.money import CURRENCIES
from tournament.base.errors import Invalid
from tournament.base.fields import CompactField, LinkField, MoneyField
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.engine import is_bic, is_iban

IBAN_WRONG = problem_code("iban_wrong", "This is not an IBAN: a digit or letter is wrong or missing.")
BIC_WRONG = problem_code("bic_wrong", "A BIC has 8 or 11 letters and digits.")
HOLDER_MISSING = problem_code("holder_missing", "Whose account is it? Banks ask for the name.")
IBAN_MISSING = problem_code(
    "iban_missing", "An account holder without an account number: where should payments go?"
)
CURRENCY_IN_USE = problem_code("currency_in_use", "Payments have already been recorded in {currency}.")
PAYMENT_OF_NOTHING = problem_code("payment_of_nothing", "A payment must be above zero; a refund below zero.")
REFUND_TOO_LARGE = problem_code("refund_too_large", "{paid} has been paid, so at most that can be refunded.")
PAYMENT_TOO_FAR = problem_code(
    "payment_too_far", "Payment dates must be within the last {years} years and not in the future."
)
MAX_PAYMENT_YEARS: Final = 3
"""How many years ago a payment may have been made."""


def check_iban(text: str) -> None:
    """Validate an IBAN (ISO 13616)."""
    if not is_iban(text):
        raise Invalid(IBAN_WRONG())


def check_bic(text: str) -> None:
    """Validate the form of a BIC (ISO 9362)."""
    if not is_bic(text):
        raise Invalid(BIC_WRONG())


class TournamentAccount(models.Model):
    """A tournament's currency and bank account. A tournament without one uses euros in cash."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="account")
    currency = models.CharField(
        _("currency"), max_length=3, choices=[(currency, currency) for currency in CURRENCIES], default="EUR"
    )
    """ISO 4217."""
    holder = models.CharField(_("account holder"), max_length=70, blank=True)
    iban = CompactField(
        "IBAN",
        max_length=34,
        blank=True,
        validators=[check_iban],
        help_text=_("Without it, people are asked to pay in cash."),
    )
    bic = CompactField(
        "BIC",
        max_length=11,
        blank=True,
        validators=[check_bic],
        help_text=_("Only if the bank asks for it."),
    )
    mark = CompactField(
        _("references begin with"),
        max_length=8,
        blank=True,
        validators=[RegexValidator(r"^[A-Z0-9]*\Z", _("Only letters and digits."))],
        help_text=_(
            "Up to 8 letters and digits, for instance MCR27, so that you recognise them in your statements. "
            "References that people already have stay."
        ),
    )
    link = LinkField(
        _("link for online payment"),
        max_length=300,
        blank=True,
        help_text=_("For example a shop or a card payment page. People see it next to their price."),
    )
    """For card payments, which Hule does not take itself."""
    confirms_by_mail = models.BooleanField(_("confirm payments by e-mail"), default=True)

    def __str__(self) -> str:
        return f"account of {self.tournament}"

    def clean(self) -> None:
        """Check that IBAN and holder are both given, and that the currency stays once there are payments."""
        errors = {}
        if self.iban and not self.holder:
            errors["holder"] = Invalid(HOLDER_MISSING())
        if self.holder and not self.iban:
            errors["iban"] = Invalid(IBAN_MISSING())
        stored = TournamentAccount.objects.filter(tournament_id=self.tournament_id).first()
        currency = (stored or TournamentAccount()).currency
        payments = Payment.objects.filter(due__tournament_id=self.tournament_id, cancelled_at=None)
        if self.currency != currency and payments.exists():
            errors["currency"] = Invalid(CURRENCY_IN_USE(currency=currency))
        if errors:
            raise ValidationError(errors)


class Fee(models.Model):
    """What a category of people pays: members, students, late registrations."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="fees")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(_("category"), max_length=80)
    amount = MoneyField(_("amount"), validators=[MinValueValidator(0)])
    from_day = models.DateField(_("for registrations from"), null=True, blank=True)
    """A late fee: from this day on only the categories of this day are offered."""

    class Meta:
        ordering = ["tournament_id", "position"]

    def __str__(self) -> str:
        return f"{self.name}: {self.amount}"


class Due(models.Model):
    """What one person owes once they have a place: a registration, or a player who was entered without one.

    The amount is a copy: it does not change with the category.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="dues")
    registration = models.OneToOneField(
        Registration, models.CASCADE, null=True, blank=True, related_name="due"
    )
    player = models.OneToOneField(Player, models.CASCADE, null=True, blank=True, related_name="own_due")
    fee = models.ForeignKey(
        Fee, models.SET_NULL, verbose_name=_("category"), null=True, blank=True, related_name="dues"
    )
    amount = MoneyField(
        _("individual amount"),
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=_("Leave empty for the price of the category. 0: free of charge."),
    )
    reference = models.CharField(max_length=25, unique=True, null=True, blank=True)
    """The creditor reference for bank transfers (ISO 11649), made from the primary key."""
    batch = models.UUIDField(null=True, blank=True, db_index=True)
    """The bulk step that created it, for undoing."""

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

    @property
    def debtor(self) -> Registration | Player:
        """Whose due it is."""
        debtor = self.registration or self.player
        assert debtor is not None, "a due is somebody's"
        return debtor


class Payment(models.Model):
    """A payment; a refund when the amount is negative."""

    class Method(models.TextChoices):
        CASH = "cash", _("cash")
        TRANSFER = "transfer", _("bank transfer")
        CARD = "card", _("card (elsewhere)")
        OTHER = "other", _("other")

    due = models.ForeignKey(Due, models.CASCADE, related_name="payments")
    uuid = models.UUIDField(unique=True)
    amount = MoneyField(_("amount"))
    method = models.CharField(_("how"), max_length=8, choices=Method, default=Method.CASH)
    on = models.DateField(_("on"), default=timezone.localdate)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    cancelled_at = models.DateTimeField(null=True, blank=True)
    """When it was cancelled as a mistake; it does not count then."""

    class Meta:
        ordering = ["on", "pk"]

    def __str__(self) -> str:
        return f"{self.amount} by {self.method}"

    def clean(self) -> None:
        """Check the amount, the balance before a refund, and the day."""
        errors = {}
        if self.amount is None or not self.amount.is_finite():
            pass  # The field's own validation reports it.
        elif self.amount == 0:
            errors["amount"] = Invalid(PAYMENT_OF_NOTHING())
        elif self.amount < -self._received():
            errors["amount"] = Invalid(REFUND_TOO_LARGE(paid=str(self._received())))
        today = timezone.localdate(timezone=self.due.tournament.zone)
        if self.on is not None and not today - timedelta(days=365 * MAX_PAYMENT_YEARS) <= self.on <= today:
            errors["on"] = Invalid(PAYMENT_TOO_FAR(years=MAX_PAYMENT_YEARS))
        if errors:
            raise ValidationError(errors)

    def _received(self) -> Decimal:
        """Return the sum of the other payments less refunds."""
        payments = self.due.payments.filter(cancelled_at=None).exclude(pk=self.pk)
        return payments.aggregate(sum=Sum("amount"))["sum"] or Decimal("0.00")
