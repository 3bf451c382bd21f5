"""The tournament, its rules, staff and origin, and the worker's jobs."""

import hashlib
import json
import secrets
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from penalties.engine import FOUL_BOOKS
from penalties.texts import foul_book_name
from scoring.engine import find_rulebook
from scoring.engine.problems import problem_code
from scoring.texts import rulebook_name
from tournament.base import zones
from tournament.base.engine.rules import PLAYABLE, Rules, rules_from_snapshot
from tournament.base.errors import Invalid
from tournament.base.requests import site_address

ENDS_BEFORE_IT_STARTS = problem_code("ends_before_it_starts", "The last day comes before the first.")
UNKNOWN_TIME_ZONE = problem_code("unknown_time_zone", "There is no time zone “{name}”.")

# --- Snapshots of rules ---


class Snapshot(dict[str, Any]):
    """Stored rules. Instances are shared by all readers of the same text: replace them, never change them."""

    @cached_property
    def rules(self) -> Rules:
        return Rules.from_json(self)

    def __setitem__(self, key: str, value: Any) -> None:
        raise TypeError("a snapshot of rules is replaced as a whole")

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        raise TypeError("a snapshot of rules is replaced as a whole")


class SnapshotField(models.JSONField):
    """A JSON field whose values are `Snapshot`, parsed once per process.

    A snapshot has 30 KB, and every request to a tournament reads one.
    """

    def from_db_value(self, value: str | None, _expression: Any, _connection: Any) -> Snapshot | None:
        return None if value is None else _read(value)


@lru_cache(maxsize=64)
def _read(text: str) -> Snapshot:
    return Snapshot(json.loads(text))


# --- The event and its people ---


def playable_rulebooks() -> list[tuple[str, str]]:
    """Return the playable rulebooks as (key, name in the active language)."""
    return [(key, rulebook_name(find_rulebook(key))) for key in PLAYABLE]


def foul_books() -> list[tuple[str, str]]:
    """Return the foul books as (key, name in the active language); "" is that of the rulebook."""
    return [
        ("", gettext("that of the rulebook")),
        *((key, foul_book_name(book)) for key, book in FOUL_BOOKS.items()),
    ]


def check_time_zone(name: str) -> None:
    """Validate an IANA time zone name."""
    if name not in zones.known_time_zones():
        raise Invalid(UNKNOWN_TIME_ZONE(name=name))


class Tournament(models.Model):
    """One event under one rulebook.

    `version` counts the writes: it is the number of the newest log entry, the version of the standings, their ETag,
    the id of the live event and the number in the footer of printed pages.

    `public_version` is the same for the public: writes in a hidden session do not change it. While nothing is
    hidden the two are equal; opening the last hidden session makes them so.
    """

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(
        pgettext_lazy("of a thing", "name"), max_length=120, help_text=_("For example: Open de Lyon 2027.")
    )
    venue = models.CharField(
        _("venue"), max_length=120, blank=True, help_text=_("For example: Salle Molière, Lyon.")
    )
    starts_on = models.DateField(
        _("first day"), help_text=_("If you change it, the timetable moves with it.")
    )
    ends_on = models.DateField(
        _("last day"), help_text=_("For example the Sunday. Left empty, it ends on the day it starts.")
    )
    rulebook = models.CharField(
        _("rulebook"),
        max_length=40,
        choices=playable_rulebooks,
        default="mcr",
        help_text=_("For example MCR, as in most tournaments. It defines the fans and fouls."),
    )
    foul_book = models.CharField(
        _("foul book"),
        max_length=40,
        choices=foul_books,
        blank=True,
        help_text=_("European events use the MERS Tournament Regulations. Usual: that of the rulebook."),
    )
    """A key of `FOUL_BOOKS`; empty for that of the rulebook."""
    rules_snapshot = SnapshotField(editable=False)
    """The rules at creation: later changes to the code never rescore a finished event."""
    sessions_planned = models.PositiveSmallIntegerField(
        _("sessions"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(40)],
        help_text=_("Most two-day tournaments play 5 to 8."),
    )
    minutes = models.PositiveSmallIntegerField(
        _("minutes per session"),
        default=120,
        validators=[MinValueValidator(10), MaxValueValidator(600)],
        help_text=_("For example 120: seven and a half minutes for each of sixteen hands."),
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=64,
        default=timezone.get_default_timezone_name,
        validators=[check_time_zone],
        help_text=_("All times of the tournament use it. Type part of the name: Paris finds Europe/Paris."),
    )
    """IANA name: all times on pages and papers are local times of the venue."""
    is_public = models.BooleanField(
        _("make the tournament public"),
        default=True,
        help_text=_("Otherwise only organisers and umpires who are signed in see it."),
    )
    appeal_minutes = models.PositiveSmallIntegerField(
        _("minutes for appeals after a session"),
        default=30,
        validators=[MaxValueValidator(24 * 60)],
        help_text=_("Enter 0 if questions must be settled at once, before play continues."),
    )
    """Minutes after a session's end in which appeals are taken; 0: they are settled at the table."""
    appeal_deposit = models.CharField(
        _("deposit for an appeal"),
        max_length=40,
        blank=True,
        help_text=_("For example €150. Left empty: no deposit."),
    )
    penalties_public = models.BooleanField(_("penalties shown to everybody"), default=True)
    on_paper = models.BooleanField(_("score sheets on paper"), default=False)
    """Default for sessions and tables: sheets on paper, totals typed at the desk."""
    is_club_evening = models.BooleanField(
        _("club evening"),
        default=False,
        help_text=_(
            "Without registration, prices and appeals; the standings are published after each session."
        ),
    )
    is_trial = models.BooleanField(default=False, editable=False)
    """A demonstration event, which one button deletes."""
    draw_seed = models.CharField(max_length=80, blank=True)
    version = models.PositiveIntegerField(default=0, editable=False)
    public_version = models.PositiveIntegerField(default=0, editable=False)
    log_head = models.CharField(max_length=64, blank=True, editable=False)
    """The hash of the newest log entry."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-starts_on", "name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_on__gte=models.F("starts_on")), name="days_in_order"
            ),
            models.CheckConstraint(condition=models.Q(sessions_planned__gte=1), name="at_least_one_session"),
        ]
        indexes = [models.Index(fields=["is_public", "ends_on", "name"], name="tournaments_by_end")]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Check that the days are in order."""
        if self.starts_on and self.ends_on and self.ends_on < self.starts_on:
            raise ValidationError({"ends_on": Invalid(ENDS_BEFORE_IT_STARTS())})

    @property
    def rules(self) -> Rules:
        snapshot = self.rules_snapshot
        return snapshot.rules if isinstance(snapshot, Snapshot) else rules_from_snapshot(snapshot)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)


class Publication(models.Model):
    """Published standings: their version, and the rows as announced."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="publications")
    version = models.PositiveIntegerField()
    after_session = models.PositiveSmallIntegerField()
    is_final = models.BooleanField(default=False)
    rows = models.JSONField()
    """[{"rank", "number", "table_points", "game_points"}], table points with two decimals."""
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    published_at = models.DateTimeField()

    class Meta:
        ordering = ["tournament_id", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "version"], name="one_publication_a_version")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, standings after session {self.after_session} (version {self.version})"


class Role(models.TextChoices):
    """A role in a tournament, from most to fewest rights; `base.access.RIGHTS` lists them."""

    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")
    CHIEF = "chief", _("chief umpire")
    UMPIRE = "umpire", _("umpire")
    SCORER = "scorer", _("scorer")
    DESK = "desk", _("front desk")
    TREASURER = "treasurer", _("treasurer")
    SCREENS = "screens", _("screens")
    OBSERVER = "observer", _("observer")


class Membership(models.Model):
    """A person's role in one tournament: `everywhere`, or for some sessions and tables.

    `every_session`: the numbers of `tables` count in every session, future ones included. `table_number`: one table
    in every session, for the card on it. No sessions and tables do not mean everywhere: a redraw deletes tables,
    and must not widen anybody's access.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    everywhere = models.BooleanField(default=True)
    sessions = models.ManyToManyField("tournament.Session", blank=True, related_name="umpires")
    tables = models.ManyToManyField("tournament.Table", blank=True, related_name="umpires")
    every_session = models.BooleanField(default=False)
    table_number = models.PositiveSmallIntegerField(null=True, blank=True)
    player = models.ForeignKey(
        "tournament.Player", models.SET_NULL, null=True, blank=True, related_name="memberships"
    )
    """The same person as a player, who cannot umpire a session they play in."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user", "role"], name="one_membership_a_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.tournament}"


class SecretLink(models.Model):
    """A secret URL. Only the SHA-256 of its token is stored."""

    page: ClassVar[str]
    """The name of its URL pattern."""
    token: str
    """Set only after `make_token`."""
    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    def make_token(self) -> None:
        """Set a random token of 144 bits."""
        self.token = secrets.token_urlsafe(18)
        self.token_hash = token_hash(self.token)

    @property
    def link(self) -> str:
        return site_address() + reverse(self.page, args=[self.token])


def token_hash(token: str) -> str:
    """Return the stored hash of a token; a plain hash is enough for a random token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Pass(SecretLink):
    """Access to the desk without an account: whoever has the token writes under this membership.

    Never deleted, so that log entries keep its name.
    """

    page = "pass"
    membership = models.OneToOneField(Membership, models.CASCADE, related_name="desk_pass")
    opened_at = models.DateTimeField(null=True, blank=True)
    """When it was last opened on a device."""

    class Meta:
        ordering = ["membership__table_number", "pk"]
        verbose_name_plural = "passes"

    def __str__(self) -> str:
        return f"pass for {self.label} of {self.membership.tournament}"

    @property
    def label(self) -> str:
        """Who or what it was made for, as the log names its holder."""
        return self.membership.user.first_name

    @property
    def last_day(self) -> date:
        """The last day on which it is valid."""
        return timezone.localdate(self.expires_at - timedelta(seconds=1))


# --- Events that came as a file ---


class Arrival(models.Model):
    """The import of an event from another installation (docs/api/tournament-file.md).

    It is not a log entry: the log stays as it was.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="arrival")
    version = models.PositiveIntegerField()
    """The number of its newest log entry then: entries up to it were written elsewhere."""
    head = models.CharField(max_length=64)
    """The hash of that entry."""
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.tournament} came at {self.at}"


class FormerAccount(models.Model):
    """An account of the event's former installation, and the local account that stands for it.

    Nobody can sign in with that one; what it wrote keeps its name.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="former_accounts")
    uuid = models.UUIDField()
    """Its id in tournament files."""
    account = models.PositiveBigIntegerField()
    """Its key there, which the log's chain contains."""
    until = models.PositiveIntegerField()
    """The last log entry in which that key means this account."""
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="former_account")

    class Meta:
        ordering = ["tournament_id", "until", "account"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "uuid"], name="one_former_account_a_uuid"),
            models.UniqueConstraint(fields=["tournament", "until", "account"], name="one_account_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"account {self.account} of where {self.tournament} was"


class Extension(models.Model):
    """Data of another program in an event's file: stored and exported unchanged."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="extensions")
    name = models.CharField(max_length=200)
    """A reversed domain name: org.example.lottery."""
    spec_url = models.URLField(max_length=500)
    data = models.JSONField()

    class Meta:
        ordering = ["tournament_id", "pk"]
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="one_extension_a_name")]

    def __str__(self) -> str:
        return f"{self.name} of {self.tournament}"


# --- Jobs ---


ANSWER_WITHIN: Final = timedelta(seconds=15)
"""A worker that has not taken a job by then is not running, or is overloaded."""
DONE_WITHIN: Final = timedelta(minutes=10)
"""A job that is not done by then never will be: the longest takes a minute."""
UNREACHABLE: Final = "worker_unreachable"
"""The error of a job that could not be queued."""
CRASHED: Final = "crashed"


class Job(models.Model):
    """A job of the worker: its progress and result."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("being made")
        DONE = "done", _("ready")
        FAILED = "failed", _("failed")

    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    done_steps = models.PositiveSmallIntegerField(default=0)
    steps = models.PositiveSmallIntegerField(default=1)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-requested_at"]


class TrialJob(Job):
    """A demonstration event to be made. `tournament`: None until the worker has begun."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, related_name="trial_jobs")
    players = models.PositiveSmallIntegerField()
    language = models.CharField(max_length=10, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE)

    def __str__(self) -> str:
        return f"Trial with {self.players} players: {self.state}"
