"""Sessions, tables and seats: who plays where."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.rotation import HANDS_PER_SESSION
from tournament.base.models.hall_clock import HallClock
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament


class Wind(models.TextChoices):
    EAST = "E", _("East")
    SOUTH = "S", _("South")
    WEST = "W", _("West")
    NORTH = "N", _("North")


class Session(models.Model):
    """One complete game at every table: four wind rounds of four hands, or fewer when time runs out."""

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("being played")
        CLOSED = "closed", _("closed")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="sessions")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=State, default=State.PLANNED)
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """How much longer than planned the whole hall plays."""
    pauses = models.JSONField(default=list)
    """When the hall's clock stood still, in order (`base.models.hall_clock.Pause`): every page asks for the clock."""
    hidden = models.BooleanField(default=False)
    """How play went in it is kept from the public, usually for a ceremony; seats, clock and progress are not."""
    on_paper = models.BooleanField(null=True, blank=True)
    """Whether its tables keep their sheets on paper; None: as the tournament does."""

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
        """How long the hall plays."""
        return self.tournament.minutes + self.extra_minutes

    @property
    def clock(self) -> HallClock | None:
        """None before the gong."""
        return HallClock.from_json(self.started_at, self.pauses) if self.started_at else None


class Table(models.Model):
    """Four players for one session.

    `version` counts the writes that change its sheet: a stale one is answered with 409. Signing does not change it.
    """

    session = models.ForeignKey(Session, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=0)
    hands_played = models.PositiveSmallIntegerField(default=0)
    """How many of the sixteen hands are recorded; derived from the hands at each write."""
    counts_totals = models.BooleanField(default=False)
    """Its figures are totals from paper (`play.models.totals`), not the sum of its hands; derived at each write."""
    on_paper = models.BooleanField(null=True, blank=True)
    """Whether it keeps its sheet on paper; None: as the session does."""
    is_in = models.BooleanField(default=False)
    """The umpire has handed the table's sheet in: no hand follows."""
    extra_minutes = models.PositiveSmallIntegerField(default=0)
    """How much longer than the hall this table plays."""
    in_at = models.DateTimeField(null=True, blank=True)
    in_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["session_id", "number"]
        constraints = [models.UniqueConstraint(fields=["session", "number"], name="one_table_a_number")]

    def __str__(self) -> str:
        return f"{self.session}, table {self.number}"

    @property
    def is_on_paper(self) -> bool:
        """Whether its totals are typed from paper: they are, or they are going to be, no hand being recorded."""
        if self.hands_played and not self.counts_totals:
            return False
        said = (self.on_paper, self.session.on_paper, self.session.tournament.on_paper)
        return self.counts_totals or next(bool(one) for one in said if one is not None)

    @property
    def has_result(self) -> bool:
        """Whether something is on its sheet: hands, or their totals."""
        return self.hands_played > 0 or self.counts_totals

    @property
    def hand_under_way(self) -> int | None:
        """The hand being played; None before the session, after it, and when no hand follows here."""
        playing = self.session.state == Session.State.RUNNING and not (self.is_in or self.counts_totals)
        return self.hands_played + 1 if playing and self.hands_played < HANDS_PER_SESSION else None

    @property
    def hands_begun(self) -> int:
        """How many hands there have been, the one under way included; on paper it may be any."""
        if self.is_on_paper and self.session.state != Session.State.PLANNED:
            return HANDS_PER_SESSION
        return self.hand_under_way or self.hands_played


class Seat(models.Model):
    """A player's place at a table, named by the wind it starts the session with.

    The figures are derived from the table's hands and penalties at each write there, so that standings read one row a
    seat and never every hand.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    wind = models.CharField(max_length=1, choices=Wind)
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    game_points = models.IntegerField(default=0)
    """Hand payments and point penalties of this session."""
    hands_won = models.PositiveSmallIntegerField(default=0)
    wins_by_discard = models.PositiveSmallIntegerField(default=0)
    deal_ins = models.PositiveSmallIntegerField(default=0)
    stand_in = models.CharField(max_length=80, blank=True)
    """Who plays in the player's place at the moment; empty while the player sits there."""
    stand_in_from = models.PositiveSmallIntegerField(null=True, blank=True)
    """The first hand that the stand-in plays: fouls before it are the player's own. None without a stand-in."""

    class Meta:
        ordering = ["table_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["table", "wind"], name="one_player_a_wind"),
            models.UniqueConstraint(fields=["table", "player"], name="one_seat_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.table}, {self.wind}: {self.player}"


class Absence(models.Model):
    """A player missing at the gong: since when, and when they came. Never deleted; one taken back counts nothing."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="absences")
    player = models.ForeignKey(Player, models.PROTECT, related_name="absences")
    uuid = models.UUIDField(unique=True)
    since = models.DateTimeField()
    """The gong: lateness is counted from there, whenever the seat was tapped."""
    arrived_at = models.DateTimeField(null=True, blank=True)
    taken_back_at = models.DateTimeField(null=True, blank=True)
    begun_because = models.CharField(max_length=300, blank=True)
    """Why the others begin before the foul book lets them; empty while they wait."""

    class Meta:
        ordering = ["table_id", "since", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player"],
                condition=models.Q(taken_back_at=None),
                name="one_absence_a_seat",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.player}"
