"""Registration: its plan, the organiser's questions, and the registrations."""

import uuid
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import problem_code
from tournament.base.countries import is_country
from tournament.base.errors import Invalid
from tournament.base.fields import AddressField, NameField, TextsField
from tournament.base.models.people import Entry, Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import UNKNOWN_COUNTRY

REGISTRATION_ENDS_BEFORE_IT_STARTS = problem_code(
    "registration_ends_before_it_starts", "Registration would close before it opens."
)
QUESTION_CHOICES = problem_code(
    "question_choices",
    "A choice needs 2 to {maximum} answers, one per line, the same number in each language.",
)
MAX_PLACES: Final = 9999
MAX_CHOICES: Final = 20
MAX_TEXT_LENGTH: Final = 200


class RegistrationPlan(models.Model):
    """When registration is open, and for how many. A tournament without a plan takes none."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="registration_plan")
    is_open = models.BooleanField(
        _("registration is open"),
        default=True,
        help_text=_("If off, registration is closed whatever the times say."),
    )
    opens_at = models.DateTimeField(_("from"), null=True, blank=True)
    closes_at = models.DateTimeField(_("until"), null=True, blank=True)
    """Without times it is open at once, until the organiser closes it."""
    places = models.PositiveSmallIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(MAX_PLACES)],
        help_text=_("Leave empty for no limit."),
    )
    waiting_places = models.PositiveSmallIntegerField(
        _("places on the waiting list"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(MAX_PLACES)],
        help_text=_("Leave empty for no limit."),
    )
    accepts_automatically = models.BooleanField(
        _("accept people automatically while there are places"),
        default=False,
        help_text=_("Otherwise you review each registration."),
    )
    moves_up_automatically = models.BooleanField(
        _("move up from the waiting list automatically"), default=True
    )
    list_is_public = models.BooleanField(_("show who is coming (only people who agreed)"), default=True)

    def __str__(self) -> str:
        return f"registration for {self.tournament}"

    def clean(self) -> None:
        """Check that it opens before it closes."""
        if self.opens_at and self.closes_at and self.closes_at <= self.opens_at:
            raise ValidationError({"closes_at": Invalid(REGISTRATION_ENDS_BEFORE_IT_STARTS())})


class PlaceReservation(models.Model):
    """Places of the plan that are reserved for one country or club."""

    class By(models.TextChoices):
        COUNTRY = "country", _("country")
        CLUB = "club", _("club")

    plan = models.ForeignKey(RegistrationPlan, models.CASCADE, related_name="reservations")
    by = models.CharField(_("reserved for"), max_length=7, choices=By, default=By.COUNTRY)
    value = NameField(_("country or club"))
    """A country's alpha-3 code, or a club's name."""
    places = models.PositiveSmallIntegerField(
        _("places"), validators=[MinValueValidator(1), MaxValueValidator(MAX_PLACES)]
    )

    class Meta:
        ordering = ["by", "value"]
        constraints = [models.UniqueConstraint(fields=["plan", "by", "value"], name="reserved_once")]

    def __str__(self) -> str:
        return f"{self.places} places for {self.value}"

    def clean(self) -> None:
        """Check that there is such a country."""
        if self.by == self.By.COUNTRY and self.value and not is_country(self.value):
            raise ValidationError({"value": Invalid(UNKNOWN_COUNTRY(country=self.value))})


def check_choices(choices: Any) -> None:
    """Validate the answers of a choice, each by its languages."""
    for texts in choices if isinstance(choices, list) else [choices]:
        TextsField(max_length=MAX_TEXT_LENGTH).clean(texts, None)


class Question(models.Model):
    """A question of the organiser: lunch, allergies."""

    class Kind(models.TextChoices):
        TEXT = "text", _("text")
        CHOICE = "choice", _("choice")
        YES_NO = "yes_no", _("yes or no")

    plan = models.ForeignKey(RegistrationPlan, models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(_("type of answer"), max_length=6, choices=Kind, default=Kind.TEXT)
    text = TextsField(max_length=MAX_TEXT_LENGTH, blank=False)
    """Language → question; a missing language falls back to the first one."""
    choices = models.JSONField(default=list, blank=True, validators=[check_choices])
    """Of a choice: [{language: text}]; the answer is an index."""
    is_required = models.BooleanField(_("required"), default=False)

    class Meta:
        ordering = ["plan_id", "position"]

    def __str__(self) -> str:
        return next(iter(self.text.values()), "")

    def clean(self) -> None:
        """Check the number of choices."""
        if self.kind == self.Kind.CHOICE and not 2 <= len(self.choices) <= MAX_CHOICES:
            raise ValidationError({"choices": Invalid(QUESTION_CHOICES(maximum=MAX_CHOICES))})


class Registration(Entry):
    """One person's registration. `number` is its own, not a player's; the log names it by that.

    Its link is signed and contains `key`: whoever has it sees and changes this registration only.
    """

    class State(models.TextChoices):
        UNCONFIRMED = "unconfirmed", _("not confirmed")
        PENDING = "pending", _("to be reviewed")
        WAITING = "waiting", _("on the waiting list")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        CANCELLED = "cancelled", _("cancelled")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="registrations")
    number = models.PositiveIntegerField()
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=11, choices=State, default=State.UNCONFIRMED)
    waits_since = models.DateTimeField(null=True, blank=True)
    """Order of the waiting list; the organiser may change it."""
    player = models.OneToOneField(Player, models.SET_NULL, null=True, blank=True, related_name="registration")

    team = NameField(_("team"), blank=True)
    email = AddressField(
        _("e-mail"),
        blank=True,
        help_text=_("E-mails go to this address; only the organisers see it."),
    )
    changed_from = models.JSONField(default=dict, blank=True, editable=False)
    """"country" and "club" that the desk has accepted, if the person has changed them since: those count for
    reserved places."""
    message = models.CharField(_("message to the organiser"), max_length=2000, blank=True)
    answers = models.JSONField(default=dict, blank=True)
    """Question's key as text → text, index of a choice, or boolean."""
    language = models.CharField(max_length=10, blank=True)
    photos_agreed = models.BooleanField(
        _("I agree that photos of me may be taken and published."), default=False
    )
    name_shown = models.BooleanField(
        _("my full name may be shown in the list of participants."),
        default=False,
        help_text=_(
            "Otherwise your initials are shown until play begins. Seats and results name all players."
        ),
    )
    declines_messages = models.BooleanField(
        _("I do not want general messages by e-mail."),
        default=False,
        help_text=_("You still get e-mails about your own registration and payment."),
    )
    privacy_read_at = models.DateTimeField(null=True, blank=True)

    made_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    """When its personal data was erased."""

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_registration_a_number"),
            models.CheckConstraint(
                condition=~Q(state="waiting") | Q(waits_since__isnull=False), name="who_waits_has_a_turn"
            ),
        ]
        indexes = [models.Index(fields=["tournament", "state"], name="registrations_by_state")]

    def __str__(self) -> str:
        return f"registration {self.number}"

    @property
    def roster_key(self) -> str:
        """The key of the person's page among the event's people: "r7", or that of the player they became."""
        return self.player.roster_key if self.player else f"r{self.number}"


CANCELLED_STATES: Final = (Registration.State.CANCELLED, Registration.State.DECLINED)
"""States without a place, and without a claim to one; all others are active."""
