"""What is stored for the European Mahjong Association: the columns of the results file, and the certification."""

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem, problem_code
from tournament.base.errors import Invalid
from tournament.base.fields import CountryField
from tournament.base.models.tournament import Tournament
from tournament.base.problems import TEXT_TOO_LONG, TEXT_UNREADABLE
from tournament.ema.engine.columns import FIXED_TEXT, MAX_COLUMN_LENGTH, MAX_COLUMNS

EMA_COLUMNS_MISSING = problem_code("ema_columns_missing", "A file has at least one column.")
EMA_COLUMNS_TOO_MANY = problem_code("ema_columns_too_many", "A file has at most {maximum} columns.")
EMA_HEADING_MISSING = problem_code("ema_heading_missing", "A column needs a heading.")
EMA_HEADING_TWICE = problem_code("ema_heading_twice", "There are two columns “{heading}”.")
EMA_FIELD_UNKNOWN = problem_code("ema_field_unknown", "“{field}” cannot be used in a column.")


class EmaColumns(models.Model):
    """The columns of a tournament's results file, unless they are the default ones."""

    class Field(models.TextChoices):
        """The contents of a column, in the order of the choices: facts about the event, then about a player."""

        EVENT_NAME = "event_name", _("Event: name")
        SHORT_NAME = "short_name", _("Event: short name, as in its address")
        PARTICIPANTS = "participants", _("Event: number of participants")
        FIRST_DAY = "first_day", _("Event: first day")
        LAST_DAY = "last_day", _("Event: last day")
        PERIOD = "period", _("Event: its days, in English")
        DAYS = "days", _("Event: number of days")
        VENUE = "venue", _("Event: venue")
        EVENT_COUNTRY = "event_country", _("Event: country (three letters)")
        RULES = "rules", _("Event: “Chinese official”")
        MERS_WEIGHT = "mers_weight", _("Event: weight")
        PLACE = "place", _("Place")
        NUMBER = "number", _("Player number")
        FIRST_NAME = "first_name", _("First name")
        LAST_NAME = "last_name", _("Last name")
        LAST_NAME_CAPITALS = "last_name_capitals", _("Last name in capitals")
        EMA_NUMBER = "ema_number", _("EMA number")
        TABLE_POINTS = "table_points", _("Table points")
        GAME_POINTS = "game_points", _("Game points")
        EMA_MEMBER = "ema_member", _("EMA member: YES or NO")
        COUNTRY = "country", _("Country (three letters)")
        COUNTRY_NAME = "country_name", _("Country by name, in English")
        TEAM = "team", _("Team")
        CLUB = "club", _("Club")
        MERS_BASE = "mers_base", _("Base of the place")
        REMARK = "remark", _("Remark: withdrawn")
        TEXT = "text", _("Always the same text:")

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ema_columns")
    columns = models.JSONField(blank=True)
    """[{"heading", "field", "text"}], in order (`ema.engine.Column`)."""

    class Meta:
        verbose_name_plural = "EMA columns"

    def __str__(self) -> str:
        return f"columns of the results file of {self.tournament}"

    def clean(self) -> None:
        """Strip headings and texts, clear texts that are not used, and collect all problems."""
        for column in self.columns:
            column["heading"] = column["heading"].strip()
            column["text"] = column["text"].strip() if column["field"] == FIXED_TEXT else ""
        if problems := list(self._problems()):
            raise ValidationError({"columns": [Invalid(problem) for problem in problems]})

    def _problems(self) -> Iterator[Problem]:
        if not self.columns:
            yield EMA_COLUMNS_MISSING()
        if len(self.columns) > MAX_COLUMNS:
            yield EMA_COLUMNS_TOO_MANY(maximum=MAX_COLUMNS)
        seen: set[str] = set()
        for n, column in enumerate(self.columns[:MAX_COLUMNS]):
            heading, field = column["heading"], column["field"]
            if not heading:
                yield EMA_HEADING_MISSING(f"{n}.heading")
            elif heading in seen:
                yield EMA_HEADING_TWICE(f"{n}.heading", heading=heading)
            seen.add(heading)
            if field not in self.Field.values:
                yield EMA_FIELD_UNKNOWN(f"{n}.field", field=field[:MAX_COLUMN_LENGTH])
            for name in ("heading", "text"):
                if len(column[name]) > MAX_COLUMN_LENGTH:
                    yield TEXT_TOO_LONG(f"{n}.{name}", length=len(column[name]), maximum=MAX_COLUMN_LENGTH)
                elif any(ord(char) < 32 for char in column[name]):
                    yield TEXT_UNREADABLE(f"{n}.{name}")


class EmaCertification(models.Model):
    """What the organiser knows about the certification of an event, beside what Hule knows."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ema_certification")
    applied_on = models.DateField(
        _("day of the application"),
        null=True,
        blank=True,
        help_text=_("When the national association sent the application to the EMA."),
    )
    is_national = models.BooleanField(
        _("national championship"),
        default=False,
        help_text=_("It is named in the application; a country has one in each calendar year."),
    )
    observer = models.CharField(
        _("observer"),
        max_length=120,
        blank=True,
        help_text=_("The event page shows the name, as the EMA asks for it there."),
    )
    observer_country = CountryField(_("country of the observer"), blank=True)
    observer_named_on = models.DateField(
        _("observer named to the EMA on"),
        null=True,
        blank=True,
        help_text=_("At the latest two weeks before the event."),
    )

    class Meta:
        verbose_name_plural = "EMA certifications"

    def __str__(self) -> str:
        return f"EMA certification of {self.tournament}"

    def content(self) -> dict[str, Any]:
        """Return the content: field → value."""
        names = [field.name for field in self._meta.fields if field.name not in ("id", "tournament")]
        return {name: getattr(self, name) for name in names}
