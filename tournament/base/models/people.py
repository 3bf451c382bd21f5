"""Players, people across tournaments, and the sessions and tokens of accounts."""

from __future__ import annotations

import secrets
from datetime import timedelta
from importlib import import_module
from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.crypto import hash_token
from knox.models import AbstractAuthToken

from scoring.engine.problems import problem_code
from tournament.base.engine.names import display_name, initials, name_key
from tournament.base.engine.text import LETTERS, RANDOM, token_text
from tournament.base.errors import Invalid
from tournament.base.fields import CountryField, EmaNumberField, NameField
from tournament.base.models.tournament import Role, Tournament


class Particulars(models.Model):
    """Names, country, EMA number and club, as every list has them."""

    last_name = NameField(_("last name"))
    first_name = NameField(_("first name"), blank=True)
    country = CountryField(
        _("country"),
        blank=True,
        help_text=_("A name in any language, or a code: Denmark, Danmark, DNK."),
    )
    """ISO 3166 alpha-3, upper case, or empty."""
    ema_number = EmaNumberField(_("EMA number"), blank=True, help_text=_("Eight digits."))
    club = NameField(_("club"), blank=True)
    family_name_first = models.BooleanField(_("order of the name"), null=True, blank=True)
    """None for the order of the script."""

    class Meta:
        abstract = True

    @property
    def full_name(self) -> str:
        return display_name(self.first_name, self.last_name, self.family_name_first)

    @property
    def initials(self) -> str:
        return initials(self.first_name, self.last_name, self.family_name_first)

    @property
    def name(self) -> str:
        return self.full_name


class Entry(Particulars):
    """Particulars of somebody in one tournament."""

    second_name = NameField(
        _("second name"),
        blank=True,
        help_text=_("In another script, or as it should be on the badge."),
    )

    namesake_detail = ""
    """Not stored: what tells the person apart from a namesake in a list (`base.selectors.tell_apart`)."""

    class Meta:
        abstract = True

    @property
    def names_by_key(self) -> dict[str, str]:
        """Return the key of each of their names → the name."""
        names = (self.full_name, self.second_name)
        return {key: name for name in names if (key := name_key(name))}


class Person(Particulars):
    """Somebody who plays in several tournaments. Each `Player` has their name in that tournament.

    Merging only sets `merged_into`, so that it can be undone.
    """

    ema_number = EmaNumberField(_("EMA number"), blank=True, db_index=True)
    """Not unique: refusing a number would reveal people of private tournaments."""
    key = models.CharField(max_length=170, blank=True, db_index=True, editable=False)
    """Search key of the name: `name_key`."""
    is_hidden = models.BooleanField(default=False)
    """Asked for initials instead of the name outside single tournaments."""
    merged_into = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="merged")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["last_name", "first_name", "pk"]
        verbose_name_plural = "people"

    def __str__(self) -> str:
        return self.name


class PersonName(models.Model):
    """A further name of a person, for instance in another script."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="names")
    name = models.CharField(max_length=160)
    key = models.CharField(max_length=170, blank=True, db_index=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "name"], name="a_name_once")]

    def __str__(self) -> str:
        return self.name


class PersonChange(models.Model):
    """A change to a person outside any tournament; kept for good, and whether it was undone.

    It names people and players by key only, so that it can stay when personal data is erased.
    """

    class What(models.TextChoices):
        MADE = "made", _("made")
        MERGED = "merged", _("merged")
        HIDDEN = "hidden", _("no longer shown")
        SHOWN = "shown", _("shown again")
        CHANGED = "changed", _("changed")

    person = models.ForeignKey(Person, models.CASCADE, related_name="changes")
    what = models.CharField(max_length=7, choices=What)
    into = models.ForeignKey(Person, models.CASCADE, null=True, blank=True, related_name="+")
    """Of a merge: the person who stays."""
    moved = models.JSONField(default=dict)
    """Of a merge: {"players", "people"}, the keys that were moved."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"person {self.person_id}: {self.what}"


class Exclusion(models.TextChoices):
    """Why a player is excluded; the value is the part of the sanction."""

    DISQUALIFIED = "disqualification", _("disqualified")
    STOPPED = "may_not_continue", _("may not continue")


HAS_LEFT: Final = ~models.Q(withdrawn_at=None) | ~models.Q(excluded_as="")
"""Filter for players who play no further: withdrawn, or excluded by a penalty (`Player.has_left`)."""


NUMBER_OUT_OF_RANGE = problem_code(
    "number_out_of_range",
    "{number} is not a player number: 1 to 9999.",
    also=("name",),
)
NUMBER_TAKEN = problem_code("number_taken", "Number {number} belongs to another player.", also=("name",))
NUMBER_FIXED = problem_code(
    "number_fixed",
    "Player {number} has begun to play, so the number can no longer be changed.",
    also=("name",),
)
EMA_NUMBER_TAKEN = problem_code(
    "ema_number_taken",
    "EMA number {ema_number} belongs to another player.",
    also=("name",),
)


def check_number(number: int) -> None:
    """Validate a player's number."""
    if not 1 <= number <= 9999:
        raise Invalid(NUMBER_OUT_OF_RANGE(number=number))


class PlayerQuerySet(models.QuerySet["Player"]):
    """Players of one or more tournaments."""

    def with_fixed_numbers(self) -> PlayerQuerySet:
        """Return those who have begun to play: hands, penalties and totals name them by their numbers."""
        return self.filter(
            models.Q(seats__table__session__started_at__isnull=False)
            | models.Q(absences__isnull=False)
            | models.Q(penalties__isnull=False)
        ).distinct()


class Player(Entry):
    """A person entered in one tournament; `Person` is the same human across tournaments."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="players")
    number = models.PositiveSmallIntegerField(
        _("number"),
        validators=[check_number],
        help_text=_("Leave empty for the next free number."),
    )
    team = NameField(_("team"), blank=True)
    is_substitute = models.BooleanField(
        _("substitute"),
        default=False,
        help_text=_("Plays like anyone else, but is not ranked."),
    )
    excluded_as = models.CharField(max_length=16, choices=Exclusion, blank=True, editable=False)
    """Set while a penalty excludes the player."""
    excluded_at = models.DateTimeField(null=True, blank=True, editable=False)
    person = models.ForeignKey(
        Person, models.SET_NULL, null=True, blank=True, editable=False, related_name="players"
    )
    checked_in_at = models.DateTimeField(null=True, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    erased_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When personal data was erased; only results remain."""
    has_namesake = models.BooleanField(default=False, editable=False)
    """Whether another player of the tournament has the same name (`players.services.mark_namesakes`)."""

    is_by_initials = False
    """Not stored: whether the name of this instance was replaced by initials (`players.selectors.public_players`)."""

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_player_a_number")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Check that the number may change, and that it and the EMA number are unique, if the tournament is known."""
        if self.tournament_id is None:
            return
        errors, others = {}, Player.objects.filter(tournament=self.tournament_id).exclude(pk=self.pk)
        renumbered = (
            Player.objects.filter(pk=self.pk).exclude(number=self.number) if self.pk else others.none()
        )
        if self.number is not None and (stored := renumbered.with_fixed_numbers().first()):
            errors["number"] = Invalid(NUMBER_FIXED(number=stored.number))
        elif self.number is not None and others.filter(number=self.number).exists():
            errors["number"] = Invalid(NUMBER_TAKEN(number=self.number))
        if self.ema_number and others.filter(ema_number=self.ema_number).exists():
            errors["ema_number"] = Invalid(EMA_NUMBER_TAKEN(ema_number=self.ema_number))
        if errors:
            raise ValidationError(errors)

    @property
    def name(self) -> str:
        """The name for pages, papers and screens: "Anna Berg", or "Anna Berg (12)" where she has a namesake.

        Data for programs has `full_name` beside the number.
        """
        return self.numbered_name if self.has_namesake else self.full_name

    @property
    def numbered_name(self) -> str:
        return f"{self.full_name} ({self.number})"

    @property
    def roster_key(self) -> str:
        """The key of the person's page among the event's people: "p7"."""
        return f"p{self.number}"

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None

    @property
    def has_left(self) -> bool:
        """Whether somebody else has to play in their seat."""
        return self.is_withdrawn or bool(self.excluded_as)


class RejectedPerson(models.Model):
    """A rejected match: this player is not that person. It is not proposed again."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="rejected_people")
    person = models.ForeignKey(Person, models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "person"], name="refused_once")]

    def __str__(self) -> str:
        return f"player {self.player_id} is not person {self.person_id}"


DEFAULT_TOKEN_LIFETIME: Final = timedelta(days=90)
"""Default lifetime of a token."""
VISIBLE_CHARACTERS: Final = 9
"""How many characters of a token are stored readable, to tell tokens apart: `hule_` and four."""


class Visit(AbstractBaseSession):
    """A browser session with its account, so that an account's sessions can be found. Written by `accounts.visits`."""

    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="visits")

    @classmethod
    def get_session_store_class(cls) -> Any:
        return import_module(settings.SESSION_ENGINE).SessionStore


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """A program's token. Only its hash is stored; its text is shown once.

    Tokens with a name were created on the account page, others by a program that signed in.
    """

    ALL: Final = "all"
    """All rights of the account."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens")
    name = models.CharField(
        _("name of the program"),
        max_length=60,
        blank=True,
        help_text=_("For instance: scoreboard of the stream."),
    )
    scope = models.CharField(
        _("rights"),
        max_length=12,
        choices=[(ALL, _("Everything I may do")), *Role.choices],
        default=ALL,
    )
    """A role that limits the rights, which never exceed those of the account."""
    everywhere = models.BooleanField(default=True)
    tournaments = models.ManyToManyField(Tournament, related_name="api_tokens")
    """Where it is valid, unless it is valid everywhere."""
    used_at = models.DateTimeField(null=True, blank=True)
    """Last use, to within minutes."""

    objects: ClassVar[models.Manager[ApiToken]] = models.Manager()

    class Meta:
        ordering = ["-created"]

    def make_letters(self) -> str:
        """Set a new random token and return its text, which is not stored."""
        text = token_text("".join(secrets.choice(LETTERS) for _letter in range(RANDOM)))
        self.digest, self.token_key = hash_token(text), text[:VISIBLE_CHARACTERS]
        return text
