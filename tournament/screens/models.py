"""Screens in the hall, ceremonies, and an event's own puzzles."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.quiz.questions import Question, question_from_record
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import Kind, Line, Place, Steering, Turn, steps, told

MAIN = "main"
"""The screen that every tournament has, arranged or not."""


class Screen(models.Model):
    """A rotation under a name; any number of projectors show it, all the same page.

    Without `turns` it chooses by itself.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="screens")
    name = models.SlugField(max_length=40, allow_unicode=True)
    turns = models.JSONField(default=list, blank=True)
    """[{"kind", "seconds"}], in order."""
    since = models.DateTimeField()
    """When the rotation was at its start."""
    only = models.CharField(max_length=20, blank=True)
    """The one kind that is shown; empty for all."""
    page = models.PositiveSmallIntegerField(default=0)
    """The page of it that is held; 0 for all, by turns."""
    turn = models.SmallIntegerField(default=-1)
    """The place in the rotation of what is held."""
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
        return Steering(as_ms(self.since), Kind(self.only) if self.only else None, self.page, self.turn)


def as_ms(moment: datetime) -> int:
    """Milliseconds since 1970."""
    return round(moment.timestamp() * 1000)


class Ceremony(models.Model):
    """Standings told from the last place to the first.

    Its lines are those of the moment it began: a correction meanwhile moves nobody on the stage.
    """

    class Kind(models.TextChoices):
        PLAYERS = "players", _("Players")
        TEAMS = "teams", _("Teams")
        NATIONS = "nations", _("Nations")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="ceremonies")
    kind = models.CharField(max_length=8, choices=Kind)
    first = models.PositiveSmallIntegerField(null=True, blank=True)
    """So many places are told; None: all."""
    lines = models.JSONField()
    """[{"rank", "name", "country", "about", "table_points", "game_points"}] of these places, the best first. Only what
    `told` steps have reached is for anybody but the organisers."""
    told = models.PositiveSmallIntegerField(default=0)
    """How many steps have been told."""
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
        """Who is told together, from the last place to the winner."""
        return steps(Line(**line) for line in self.lines)

    @property
    def places(self) -> tuple[Place, ...]:
        """What everybody has been told, the newest first."""
        return told(self.steps, self.told)

    @property
    def newest(self) -> Place | None:
        return next(iter(self.places), None)

    @property
    def earlier(self) -> tuple[Place, ...]:
        return self.places[1:]

    @property
    def rank(self) -> int:
        """The newest place; 0 before the first."""
        return self.newest[0].rank if self.newest else 0

    @property
    def next(self) -> Place | None:
        """Who is told next: for organisers alone; None after the winner."""
        return next(iter(self.steps[self.told :]), None)

    @property
    def left(self) -> int:
        """Steps still to be told."""
        return len(self.steps) - self.told


class Puzzle(models.Model):
    """A hand that an organiser adds to the quiz of an event.

    A whole one is judged for what it is worth, thirteen tiles for what completes them.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="puzzles")
    uuid = models.UUIDField()
    """The client's own, so that adding is idempotent."""
    record = models.JSONField()
    """The hand as the calculator reads it (`Hand.from_json`); of thirteen tiles without the winning one."""
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
