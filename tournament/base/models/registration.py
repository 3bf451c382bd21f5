"""Who wants to play: what the organiser asks of them, what they answered, and where they stand."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.text import display_name
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament


class RegistrationPlan(models.Model):
    """When registration is open, how many may come and how they come in. A tournament without one takes none."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="registration_plan")
    opens_at = models.DateTimeField(_("open from"), null=True, blank=True)
    closes_at = models.DateTimeField(_("open until"), null=True, blank=True)
    """Without them it is open at once, and until the organiser closes it."""
    is_open = models.BooleanField(_("open"), default=True)
    """The organiser's own switch, above both times."""
    places = models.PositiveSmallIntegerField(_("places"), null=True, blank=True)
    waiting_places = models.PositiveSmallIntegerField(_("places on the waiting list"), null=True, blank=True)
    """None: as many as come."""
    accepts_itself = models.BooleanField(_("accept by itself while there are places"), default=False)
    moves_up_itself = models.BooleanField(_("move up by itself when a place becomes free"), default=True)
    site = models.CharField(max_length=200, blank=True, editable=False)
    """What links in letters begin with, as whoever set the plan reached it: who registers could name any host."""
    list_is_public = models.BooleanField(_("show who is coming"), default=True)

    def __str__(self) -> str:
        return f"registration for {self.tournament}"


class KeptPlaces(models.Model):
    """Places of the plan that are kept for one country or one club."""

    class By(models.TextChoices):
        COUNTRY = "country", _("country")
        CLUB = "club", _("club")

    plan = models.ForeignKey(RegistrationPlan, models.CASCADE, related_name="kept")
    by = models.CharField(max_length=7, choices=By)
    value = models.CharField(max_length=80)
    """A country's three letters, or a club's name."""
    places = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["by", "value"]
        constraints = [models.UniqueConstraint(fields=["plan", "by", "value"], name="kept_once")]

    def __str__(self) -> str:
        return f"{self.places} places for {self.value}"


class Question(models.Model):
    """What the organiser wants to know besides: lunch, allergies."""

    class Kind(models.TextChoices):
        TEXT = "text", _("text")
        CHOICE = "choice", _("choice")
        YES_NO = "yes_no", _("yes or no")

    plan = models.ForeignKey(RegistrationPlan, models.CASCADE, related_name="questions")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind)
    text = models.JSONField()
    """Language → the question; the first language that has one stands in for the others."""
    choices = models.JSONField(default=list)
    """Of a choice: [{language: text}], answered by its index."""
    is_required = models.BooleanField(default=False)

    class Meta:
        ordering = ["plan_id", "position"]

    def __str__(self) -> str:
        return next(iter(self.text.values()), "")


class Registration(models.Model):
    """One person who wants to play, or did. `number` names them in the log: it is the registration's, not a player's.

    The link that belongs to it is signed, with `key` in it: whoever has it sees and changes this one and no other.
    """

    class State(models.TextChoices):
        UNCONFIRMED = "unconfirmed", _("to be confirmed")
        PENDING = "pending", _("to be looked at")
        WAITING = "waiting", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        CANCELLED = "cancelled", _("cancelled")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="registrations")
    number = models.PositiveIntegerField()
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    state = models.CharField(max_length=11, choices=State, default=State.UNCONFIRMED)
    waits_since = models.DateTimeField(null=True, blank=True)
    """The order of the waiting list; the organiser may have moved somebody within it."""
    player = models.OneToOneField(Player, models.SET_NULL, null=True, blank=True, related_name="registration")

    first_name = models.CharField(_("first name"), max_length=80, blank=True)
    last_name = models.CharField(_("last name"), max_length=80)
    country = models.CharField(_("country"), max_length=3, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    ema_number = models.CharField(_("EMA number"), max_length=8, blank=True)
    club = models.CharField(_("club"), max_length=80, blank=True)
    team = models.CharField(_("team"), max_length=80, blank=True)
    message = models.TextField(_("message to the organiser"), blank=True)
    answers = models.JSONField(default=dict)
    """Question's key as text → text, the index of a choice, or yes/no as a boolean."""
    language = models.CharField(max_length=10, blank=True)
    photos_agreed = models.BooleanField(_("may be photographed"), default=False)
    name_shown = models.BooleanField(_("name shown on the list of who is coming"), default=False)
    privacy_read_at = models.DateTimeField(null=True, blank=True)

    made_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    """Since when it holds no personal data."""

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
    def name(self) -> str:
        return display_name(self.first_name, self.last_name)
