"""How the results are sent to the European Mahjong Association."""

from collections.abc import Iterator

from django.core.exceptions import ValidationError
from django.db import models

from scoring.engine.problems import Problem, problem_code
from tournament.base.errors import Invalid
from tournament.base.models.tournament import Tournament
from tournament.base.problems import TEXT_TOO_LONG, TEXT_UNREADABLE
from tournament.ema.engine import FIELDS, LONGEST, MOST, TEXT

EMA_COLUMNS_MISSING = problem_code("ema_columns_missing", "A file has at least one column.")
EMA_COLUMNS_TOO_MANY = problem_code("ema_columns_too_many", "A file has at most {most} columns.")
EMA_HEADING_MISSING = problem_code("ema_heading_missing", "A column needs a heading.")
EMA_HEADING_TWICE = problem_code("ema_heading_twice", "There are two columns “{heading}”.")
EMA_FIELD_UNKNOWN = problem_code("ema_field_unknown", "“{field}” is nothing that can stand in a column.")


class EmaColumns(models.Model):
    """The columns of a tournament's results file, where they are not the usual ones."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ema_columns")
    columns = models.JSONField(blank=True)
    """[{"heading", "field", "text"}], in order (`ema.engine.Column`)."""

    class Meta:
        verbose_name_plural = "EMA columns"

    def __str__(self) -> str:
        return f"columns of the results file of {self.tournament}"

    def clean(self) -> None:
        """Tidy the columns, and check that each has a heading of its own; a text stands in no column of a field."""
        for column in self.columns:
            column["heading"] = column["heading"].strip()
            column["text"] = column["text"].strip() if column["field"] == TEXT else ""
        if problems := list(self._problems()):
            raise ValidationError({"columns": [Invalid(problem) for problem in problems]})

    def _problems(self) -> Iterator[Problem]:
        if not self.columns:
            yield EMA_COLUMNS_MISSING()
        if len(self.columns) > MOST:
            yield EMA_COLUMNS_TOO_MANY(most=MOST)
        seen: set[str] = set()
        for n, column in enumerate(self.columns[:MOST]):
            heading, field = column["heading"], column["field"]
            if not heading:
                yield EMA_HEADING_MISSING(f"{n}.heading")
            elif heading in seen:
                yield EMA_HEADING_TWICE(f"{n}.heading", heading=heading)
            seen.add(heading)
            if field not in FIELDS:
                yield EMA_FIELD_UNKNOWN(f"{n}.field", field=field[:LONGEST])
            for name in ("heading", "text"):
                if len(column[name]) > LONGEST:
                    yield TEXT_TOO_LONG(f"{n}.{name}", length=len(column[name]), most=LONGEST)
                elif any(ord(char) < 32 for char in column[name]):
                    yield TEXT_UNREADABLE(f"{n}.{name}")
