"""Models of screens in the hall, ceremonies, and an event's own puzzles."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.quiz.questions import Question, question_from_record
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import Kind, Line, Place, Steering, Turn, announced_places, ceremony_steps

MAIN_SCREEN = "main"
"""Name of the screen that every tournament has, even without a row."""


class Screen(models.Model):
    """A named rotation and how it is steered. All projectors of a screen show the same page.

    Without `turns` it is automatic: what it shows depends on the phase of the event.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="screens")
    name = models.SlugField(max_length=40, allow_unicode=True)
    turns = models.JSONField(default=list, blank=True)
    """[{"kind", "seconds"}], in order."""
    since = models.DateTimeField()
    """With `only`, `page` and `turn`: the fields of `engine.Steering`."""
    only = models.CharField(max_length=20, blank=True)
    page = models.PositiveSmallIntegerField(default=0)
    turn = models.SmallIntegerField(default=-1)
    steered_at = models.DateTimeField()

    class Meta:
        ordering = ["tournament_id", "name"]
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="one_screen_a_name")]

    def __str__(self) -> str:
        return f"{self.tournament}, screen {self.name}"

    @property
    def is_automatic(self) -> bool:
        return not self.turns

    @property
    def rotation(self) -> tuple[Turn, ...]:
        return tuple(Turn(Kind(turn["kind"]), turn["seconds"]) for turn in self.turns)

    @property
    def steering(self) -> Steering:
        return Steering(
            to_milliseconds(self.since), Kind(self.only) if self.only else None, self.page, self.turn
        )


def to_milliseconds(moment: datetime) -> int:
    """Return a time in milliseconds since 1970."""
    return round(moment.timestamp() * 1000)


class Ceremony(models.Model):
    """Standings announced from the last place to the first, as they were when the ceremony started."""

    class Kind(models.TextChoices):
        PLAYERS = "players", _("Players")
        TEAMS = "teams", _("Teams")
        NATIONS = "nations", _("Nations")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="ceremonies")
    kind = models.CharField(max_length=8, choices=Kind)
    first = models.PositiveSmallIntegerField(null=True, blank=True)
    """Number of places to announce; None for all."""
    lines = models.JSONField()
    """Fields of `engine.Line` for each line of these places, best first. Only announced places are public."""
    announced_steps = models.PositiveSmallIntegerField(default=0)
    """Number of announced steps."""
    started_at = models.DateTimeField()
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament_id", "-started_at", "-id"]
        verbose_name_plural = "ceremonies"
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=models.Q(ended_at=None), name="one_ceremony_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: ceremony of the {self.kind}"

    @property
    def steps(self) -> list[Place]:
        """The places, from the last to the winner."""
        return ceremony_steps(Line(**line) for line in self.lines)

    @property
    def places(self) -> tuple[Place, ...]:
        """The announced places, newest first."""
        return announced_places(self.steps, self.announced_steps)

    @property
    def newest(self) -> Place | None:
        return next(iter(self.places), None)

    @property
    def earlier(self) -> tuple[Place, ...]:
        return self.places[1:]

    @property
    def rank(self) -> int:
        """The rank of the newest place; 0 before the first."""
        return self.newest[0].rank if self.newest else 0

    @property
    def next(self) -> Place | None:
        """The place that is announced next, for organisers only; None after the winner."""
        return next(iter(self.steps[self.announced_steps :]), None)

    @property
    def left(self) -> int:
        """Number of steps that are not announced yet."""
        return len(self.steps) - self.announced_steps


class Puzzle(models.Model):
    """A hand that an organiser adds to the quiz of an event.

    A complete hand asks for its score, thirteen tiles ask which tiles complete them.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="puzzles")
    uuid = models.UUIDField()
    """From the client, so that adding is idempotent."""
    record = models.JSONField()
    """The hand in the format of the calculator (`Hand.from_json`); thirteen tiles have no winning tile."""
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [models.UniqueConstraint(fields=["tournament", "uuid"], name="one_puzzle_a_uuid")]

    def __str__(self) -> str:
        return f"{self.tournament}, puzzle {self.uuid}"

    @property
    def question(self) -> Question:
        return question_from_record(self.record, str(self.uuid))
