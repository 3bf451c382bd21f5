"""The prizes of an event, and how they are given."""

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine.problems import problem_code
from tournament.base.countries import find_country
from tournament.base.errors import Invalid
from tournament.base.fields import MoneyField
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.base.problems import UNKNOWN_COUNTRY, VALUE_MISSING
from tournament.prizes.engine import Ladder

PRIZE_EMPTY = problem_code("prize_empty", "Say what is given.")
MAX_PLACE: Final = 999


class PrizePlan(models.Model):
    """How prizes are given. An event without one has the defaults."""

    class Ties(models.TextChoices):
        SHARED = "shared", _("share the money of their places equally")
        HORT = "hort", _("Hort: half by place, half shared by all with equal points")

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="prize_plan")
    one_per_person = models.BooleanField(
        _("one prize for each person"),
        default=False,
        help_text=_("A winner is passed over for the prizes further down. Teams do not count."),
    )
    ties = models.CharField(_("tied players"), max_length=6, choices=Ties, default=Ties.SHARED)

    def __str__(self) -> str:
        return f"prize plan of {self.tournament}"


class Prize(models.Model):
    """A prize for one place of the ranking, of a part of it, or for a hand."""

    class Kind(models.TextChoices):
        OVERALL = "overall", pgettext_lazy("prizes", "Overall")
        TEAM = "team", _("Teams")
        COUNTRY = "country", pgettext_lazy("prizes", "From a country")
        CLUB = "club", pgettext_lazy("prizes", "From a club")
        NEWCOMER = "newcomer", pgettext_lazy("prizes", "Newcomers")
        CATEGORY = "category", pgettext_lazy("prizes", "Another category")
        BEST_HAND = "best_hand", _("Best hand")
        LOWEST_HAND = "lowest_hand", _("Cheapest hand won")

    NAMED: Final = (Kind.COUNTRY, Kind.CLUB, Kind.CATEGORY)
    """The kinds that need a name."""
    LISTED: Final = (Kind.NEWCOMER, Kind.CATEGORY)
    """The kinds for which the organiser chooses the players."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="prizes")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(
        pgettext_lazy("what a prize is for", "for"), max_length=11, choices=Kind, default=Kind.OVERALL
    )
    value = models.CharField(_("country, club or category"), max_length=80, blank=True)
    players = models.ManyToManyField(Player, blank=True, related_name="prizes")
    """Of the kinds `LISTED`. Without any, newcomers are the players without an EMA number."""
    rank = models.PositiveSmallIntegerField(
        _("place"), default=1, validators=[MinValueValidator(1), MaxValueValidator(MAX_PLACE)]
    )
    text = models.CharField(_("prize"), max_length=120, blank=True)
    amount = MoneyField(_("amount"), null=True, blank=True, validators=[MinValueValidator(0)])

    class Meta:
        ordering = ["tournament_id", "position"]

    def __str__(self) -> str:
        return f"{self.text or self.amount} for place {self.rank}, {self.kind}"

    @property
    def ladder(self) -> Ladder:
        return self.kind, self.value

    def clean(self) -> None:
        """Clear what the kind has no use for, and check what it needs."""
        errors: dict[str, Any] = {}
        self.value = self.value.strip() if self.kind in self.NAMED else ""
        if self.kind in self.NAMED and not self.value:
            errors["value"] = Invalid(VALUE_MISSING())
        elif self.kind == self.Kind.COUNTRY:
            country = find_country(self.value)
            if country is None:
                errors["value"] = Invalid(UNKNOWN_COUNTRY(country=self.value))
            self.value = country or self.value
        if not self.text and not self.amount:
            errors["text"] = Invalid(PRIZE_EMPTY())
        if errors:
            raise ValidationError(errors)
