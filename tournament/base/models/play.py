"""Sessions, tables, seats, hands, appeals, finals, and the hall's clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.entries import HandEntry
from tournament.base.engine.finals import Carry, Cut
from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament

# --- The clock of the hall ---


@dataclass(frozen=True)
class Pause:
    """A pause of the clock; `until` is None while it lasts."""

    since: datetime
    until: datetime | None = None
    reason: str = ""

    def within(self, begin: datetime, end: datetime) -> timedelta:
        """Return how much of the time between two moments is paused."""
        until = end if self.until is None else min(self.until, end)
        return max(timedelta(), until - max(self.since, begin))

    def to_json(self) -> dict[str, Any]:
        until = self.until.isoformat() if self.until else None
        return {"since": self.since.isoformat(), "until": until, "reason": self.reason}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Pause:
        until = datetime.fromisoformat(data["until"]) if data["until"] else None
        return cls(datetime.fromisoformat(data["since"]), until, data["reason"])


@dataclass(frozen=True)
class HallClock:
    """The clock of a session: it runs from the gong except during pauses.

    `pauses` are in order; only the last may still go on.
    """

    began: datetime
    pauses: tuple[Pause, ...] = ()

    @classmethod
    def from_json(cls, began: datetime, pauses: Iterable[Mapping[str, Any]]) -> HallClock:
        return cls(began, tuple(map(Pause.from_json, pauses)))

    @property
    def pause(self) -> Pause | None:
        """The current pause."""
        return self.pauses[-1] if self.pauses and self.pauses[-1].until is None else None

    def shows(self, now: datetime) -> datetime:
        """Return the time that the clock shows: `now`, or when it was paused."""
        return now if self.pause is None else min(now, self.pause.since)

    def played(self, moment: datetime, since: datetime | None = None) -> timedelta:
        """Return the playing time from `since` (default: the gong) to a moment."""
        begin = self.began if since is None else since
        paused = sum((pause.within(begin, moment) for pause in self.pauses), timedelta())
        return moment - begin - paused

    def after(self, playing: timedelta, since: datetime | None = None) -> datetime:
        """Return when so much playing time is over: each pause in between delays it.

        During a pause the result assumes that play goes on at once: compare it with what the clock `shows`.
        """
        end = (self.began if since is None else since) + playing
        for pause in self.pauses:
            if pause.until is None or pause.since >= end:
                break
            end += pause.within(self.began if since is None else since, pause.until)
        return end


# --- Sessions, tables, seats ---


class Wind(models.TextChoices):
    EAST = "E", _("East")
    SOUTH = "S", _("South")
    WEST = "W", _("West")
    NORTH = "N", _("North")


class Session(models.Model):
    """One complete game at every table: four wind rounds of four hands, or fewer if time runs out."""

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("in progress")
        CLOSED = "closed", _("closed")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="sessions")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.PLANNED)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """Minutes added for the whole hall."""
    pauses = models.JSONField(default=list)
    """The clock's pauses in order, as `Pause.to_json` writes them."""
    hidden = models.BooleanField(default=False)
    """Whether results are hidden from the public, usually for a ceremony; seats, clock and progress are not."""
    on_paper = models.BooleanField(null=True, blank=True)
    """Whether tables use paper sheets; None: the tournament's setting."""

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [models.UniqueConstraint(fields=["tournament", "number"], name="one_session_a_number")]
        indexes = [
            # the few of a whole site: its front page asks for them
            models.Index(
                fields=["tournament"], condition=models.Q(state="running"), name="sessions_being_played"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, session {self.number}"

    @property
    def minutes(self) -> int:
        """The playing time in minutes."""
        return self.tournament.minutes + self.extra_minutes

    @property
    def clock(self) -> HallClock | None:
        """None before the gong."""
        return HallClock.from_json(self.started_at, self.pauses) if self.started_at else None


class Table(models.Model):
    """Four players in one session.

    `version` counts the writes that change its sheet: a stale write is answered with 409. Signing does not change
    it.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=0)
    hands_played = models.PositiveSmallIntegerField(default=0)
    """Number of recorded hands; derived at each write."""
    counts_totals = models.BooleanField(default=False)
    """Whether its figures are totals from paper (`play.models`), not sums of its hands; derived at each write."""
    on_paper = models.BooleanField(null=True, blank=True)
    """Whether it uses a paper sheet; None: the session's setting."""
    is_in = models.BooleanField(default=False)
    """The umpire has handed in the sheet: no further hands."""
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """Minutes added for this table."""
    in_at = models.DateTimeField(null=True, blank=True)
    in_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["session_id", "number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="one_table_a_number")]

    def __str__(self) -> str:
        return f"{self.session}, table {self.number}"

    has_absences = has_penalties = has_signatures = True
    """False where it is known that there are none (`base.sql.reread_sheet`)."""

    @cached_property
    def seated(self) -> list[Seat]:
        """The seats with their players, by id; read once."""
        return list(self.seats.select_related("player").order_by("id"))

    @property
    def is_on_paper(self) -> bool:
        """Whether its totals are typed from paper, now or later; false once a hand is recorded."""
        if self.hands_played and not self.counts_totals:
            return False
        choices = (self.on_paper, self.session.on_paper, self.session.tournament.on_paper)
        return self.counts_totals or next(bool(choice) for choice in choices if choice is not None)

    @property
    def has_result(self) -> bool:
        """Whether its sheet has hands or totals."""
        return self.hands_played > 0 or self.counts_totals

    @property
    def hand_under_way(self) -> int | None:
        """The number of the hand being played; None if none is."""
        playing = self.session.state == Session.State.RUNNING and not (self.is_in or self.counts_totals)
        return self.hands_played + 1 if playing and self.hands_played < HANDS_PER_SESSION else None

    @property
    def hands_begun(self) -> int:
        """Number of hands that have begun; the maximum for paper sheets, where it is unknown."""
        if self.is_on_paper and self.session.state != Session.State.PLANNED:
            return HANDS_PER_SESSION
        return self.hand_under_way or self.hands_played


class Seat(models.Model):
    """A player's seat at a table, named by its wind at the start of the session.

    The figures are derived from hands and penalties at each write, so that standings read one row per seat.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    wind = models.CharField(max_length=1, choices=Wind)
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    game_points = models.IntegerField(default=0)
    """Payments and point penalties of this session."""
    hands_won = models.PositiveSmallIntegerField(default=0)
    wins_by_discard = models.PositiveSmallIntegerField(default=0)
    deal_ins = models.PositiveSmallIntegerField(default=0)
    stand_in = models.CharField(max_length=80, blank=True)
    """The name of a stand-in; empty if the player plays."""
    stand_in_from = models.PositiveSmallIntegerField(null=True, blank=True)
    """The stand-in's first hand: earlier fouls are the player's. None without a stand-in."""

    class Meta:
        ordering = ["table_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "wind"], name="one_player_a_wind"),
            models.UniqueConstraint(fields=["table", "player"], name="one_seat_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.table}, {self.wind}: {self.player}"


class Absence(models.Model):
    """A player who was missing at the gong, and when they arrived. Never deleted; a cancelled one does not count."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="absences")
    player = models.ForeignKey(Player, models.PROTECT, related_name="absences")
    uuid = models.UUIDField(unique=True)
    since = models.DateTimeField()
    """The gong, from which lateness is counted."""
    arrived_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    begun_because = models.CharField(max_length=300, blank=True)
    """Why the others begin earlier than the foul book allows; empty while they wait."""

    class Meta:
        ordering = ["table_id", "since", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player"],
                condition=models.Q(cancelled_at=None),
                name="one_absence_a_seat",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.player}"


# --- Hands ---


MAX_TEXT_LENGTH = 2000
"""Characters of a dispute, an appeal or a ruling; the database would keep any number."""


class Hand(models.Model):
    """One version of a hand: what was entered, and the score derived from it.

    A pending hand scores nothing: it is disputed, and the ruling is its next version.

    A correction is a new row that names the one it `replaces`, who, when and why. The row with `is_current` counts;
    if no row of a number is current, the hand was taken back.
    """

    class Outcome(models.TextChoices):
        WIN = "win", _("won")
        DRAW = "draw", _("wash-out")
        PENDING = "pending", _("to be ruled on")

    table = models.ForeignKey(Table, models.CASCADE, related_name="hands")
    number = models.PositiveSmallIntegerField()
    uuid = models.UUIDField(unique=True)
    """From the client: the same UUID is the same hand."""
    outcome = models.CharField(max_length=7, choices=Outcome)
    winner = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="hands_won")
    discarder = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="deal_ins")
    """None for a self-drawn hand."""
    tiles = models.JSONField(null=True, blank=True)
    """The winning hand as `scoring.engine.Hand.from_json` reads it; None if only points were entered.

    Of a pending hand as many tiles as are known.
    """

    announced = models.JSONField(null=True, blank=True)
    """{"points", "fans": {key: times}} as announced, either or both; None if only tiles were entered."""
    claimants = models.JSONField(default=list, blank=True)
    """Numbers of other players who claimed the winning discard; of a pending hand, of the players who claim it."""
    dispute = models.TextField(
        blank=True, max_length=MAX_TEXT_LENGTH, validators=[MaxLengthValidator(MAX_TEXT_LENGTH)]
    )
    """What each side of a pending hand claims."""
    absent = models.JSONField(default=list, blank=True)
    """Numbers of players with an empty seat and no stand-in."""
    overridden_because = models.CharField(max_length=300, blank=True)
    """Why the announcement counts against the tiles or below the minimum; empty if the rulebook decides."""
    in_time = models.BooleanField(null=True, blank=True)
    """True if it was saved after time and the umpire confirmed that it counts; None if nobody was asked."""

    points = models.PositiveSmallIntegerField(default=0)
    """The points that count, flowers included."""
    points_without_flowers = models.PositiveSmallIntegerField(default=0)
    fans = models.JSONField(default=list, blank=True)
    """[{"key", "points", "count"}], highest first; empty if only points were announced."""
    points_by_tiles = models.PositiveSmallIntegerField(null=True, blank=True)
    """Points of the tiles if the announcement counts instead; 0 if they do not win."""
    payments = models.JSONField(default=dict, blank=True)
    """Player number (as text) → game points; sums to zero."""
    scored_by = models.CharField(max_length=40, blank=True)
    """The rulebook that computed the score; empty for announced points."""

    version = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    replaces = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="replaced_by")
    reason = models.CharField(max_length=300, blank=True)
    deepens = models.BooleanField(default=False)
    """Whether it only adds detail to the hand it replaces."""
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
                condition=models.Q(outcome__in=["draw", "pending"], winner=None, discarder=None)
                | models.Q(outcome="win", winner__isnull=False),
                name="a_win_has_a_winner",
            ),
        ]
        indexes = [
            # the few of a session: its tables show them, and it cannot be closed with them
            models.Index(
                fields=["table"],
                condition=models.Q(outcome="pending", is_current=True),
                name="hands_to_be_ruled_on",
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}, hand {self.number} (version {self.version})"

    @property
    def is_pending(self) -> bool:
        return self.outcome == self.Outcome.PENDING

    @property
    def is_corrected(self) -> bool:
        """Whether it changed the result of the version before it."""
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
            dispute=self.dispute,
        )


# --- Appeals ---


class Appeal(models.Model):
    """An objection to a table's sheet, open until it is dismissed, or granted and carried out.

    A ruling changes no figures: a correction of the hand or a cancelled penalty carries it out.
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
    """Against a hand or a penalty; against the whole sheet if both are None."""
    text = models.TextField(max_length=MAX_TEXT_LENGTH, validators=[MaxLengthValidator(MAX_TEXT_LENGTH)])
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    granted = models.BooleanField(null=True, blank=True)
    ruling = models.TextField(
        blank=True, max_length=MAX_TEXT_LENGTH, validators=[MaxLengthValidator(MAX_TEXT_LENGTH)]
    )
    ruled_at = models.DateTimeField(null=True, blank=True)
    ruled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    alone_because = models.CharField(max_length=300, blank=True)
    """Why the organiser who took the decision also rules on it."""
    committee = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="+")
    """The members named to rule on it: the chief umpire and two; if empty, whoever may rule."""
    settled_as = models.CharField(max_length=12, choices=Settled, blank=True)
    """How a granted appeal ended."""
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    settled_because = models.CharField(max_length=300, blank=True)
    """Why nothing was changed, or what was done instead."""

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
        """Granted, and not carried out yet."""
        return bool(self.granted) and self.settled_at is None

    @property
    def is_open(self) -> bool:
        """Not ruled on, or not carried out yet."""
        return not self.is_ruled or self.is_pending


OPEN = models.Q(ruled_at=None) | models.Q(granted=True, settled_at=None)
"""`Appeal.is_open` as a filter."""


class Final(models.Model):
    """A stage for finalists: the sessions after `after_session`, up to the next final.

    Its players are stored: later corrections change the points they carry, and who they are only if the organiser sets
    it up again.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="finals")
    after_session = models.PositiveSmallIntegerField()
    carry = models.CharField(max_length=8, choices=[(carry.value, carry.value) for carry in Carry])
    groups = models.JSONField()
    """[[player number, …], …], the best group first."""
    confirmed = models.JSONField(default=list, blank=True)
    """The groups by later standings, as `groups`, when the organiser kept the finalists nevertheless."""

    class Meta:
        ordering = ["tournament_id", "after_session"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "after_session"], name="one_final_after_a_session")
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, final after session {self.after_session}"

    @property
    def numbers(self) -> list[int]:
        """Numbers of the finalists, best first."""
        return [number for group in self.groups for number in group]

    @property
    def cut(self) -> Cut:
        return Cut(self.after_session, tuple(map(tuple, self.groups)), Carry(self.carry))
