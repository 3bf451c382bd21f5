"""Forms for the certification, the columns of the results file, and calculations of the European ranking."""

import re
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournament.base.countries import choices
from tournament.ema.engine.columns import MAX_COLUMN_LENGTH, MAX_COLUMNS
from tournament.ema.engine.mers import MAX_SEATS, Nation, Result, base
from tournament.ema.models import EmaCertification, EmaColumns
from tournament.web.forms import DayInput, Form, ModelForm, ValuesFormSet


class CertificationForm(ModelForm):
    """What the organiser knows about the certification."""

    class Meta:
        model = EmaCertification
        fields = [
            *("applied_on", "is_national", "local_club"),
            *("observer", "observer_country", "observer_named_on", "has_prizes"),
        ]
        widgets = {
            "applied_on": DayInput(),
            "observer_named_on": DayInput(),
            "observer_country": forms.Select(),
        }
        field_classes = {"observer_country": forms.CharField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["observer_country"].widget.choices = [("", "–"), *choices()]


class ColumnForm(Form):
    """A column of the results file."""

    heading = forms.CharField(label=_("Heading"), max_length=MAX_COLUMN_LENGTH)
    field = forms.ChoiceField(
        label=_("Content of the column"), choices=EmaColumns.Field.choices, initial="text"
    )
    text = forms.CharField(label=_("Text"), max_length=MAX_COLUMN_LENGTH, required=False)


ColumnFormSet = forms.formset_factory(
    ColumnForm,
    formset=ValuesFormSet,
    extra=2,
    can_order=True,
    can_delete=True,
    can_delete_extra=False,
    max_num=MAX_COLUMNS,
    absolute_max=MAX_COLUMNS + 2,
)


MAX_LINES: Final = 200
MAX_LENGTH: Final = 8000
_SPACE = r"[\s,;|]+"
_RESULT = re.compile(
    rf"(?:(?P<place>\d{{1,4}})\s*/\s*(?P<players>\d{{1,4}})|(?P<base>\d{{1,4}})){_SPACE}"
    rf"(?P<weight>\d{{1,2}}(?:\.\d{{1,2}})?)(?:{_SPACE}(?P<ended>\d{{4}}-\d{{2}}-\d{{2}}))?",
    re.ASCII,
)
_NATION = re.compile(
    rf"(?P<name>.{{0,80}}?[^\s\d,;|]){_SPACE}(?P<players>\d{{1,5}}){_SPACE}(?P<strong>\d{{1,5}})"
    rf"(?:{_SPACE}(?P<above>\d{{1,5}}))?",
    re.ASCII,
)
_AREA: Final = {"rows": 8, "spellcheck": "false", "autocomplete": "off", "class": "code"}


class _LinesForm(Form):
    """A form with a field of lines."""

    def _parse_lines(self, name: str, parse: Callable[[str], Any], message: str) -> list[Any]:
        """Parse each line of a field; `parse` returns None for an invalid one, `message` contains {n} and {line}.

        Raises ValidationError with up to ten invalid lines.
        """
        text = self.cleaned_data.get(name, "")
        lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) > MAX_LINES:
            raise ValidationError(gettext("At most {maximum} lines.").format(maximum=MAX_LINES))
        values, errors = [], []
        for n, line in lines:
            value = parse(line)
            if value is None:
                errors.append(message.format(n=n, line=line[:60]))
            values.append(value)
        if errors:
            raise ValidationError(errors[:10])
        return values


class ScoreForm(_LinesForm):
    """Results of a player."""

    results = forms.CharField(
        label=_("Results, one per line"),
        help_text=_(
            "The base, or the place and the number of players; then the weight and, if you like, the last day."
        ),
        max_length=MAX_LENGTH,
        widget=forms.Textarea(attrs=_AREA | {"placeholder": "32/60 2.5 2026-03-15\n867 1"}),
    )
    on = forms.DateField(
        label=_("Date of the ranking"),
        help_text=_("Results that are too old on this date do not count. Leave it empty to count all."),
        required=False,
        widget=DayInput(),
    )

    def clean_results(self) -> list[Result]:
        message = gettext("Line {n}, “{line}”: write for instance 475 2.5, or 32/60 2.5 2026-03-15.")
        results: list[Result] = self._parse_lines("results", _parse_result, message)
        return results


def _parse_result(line: str) -> Result | None:
    if (match := _RESULT.fullmatch(line)) is None:
        return None
    try:
        points = int(match["base"]) if match["base"] else base(int(match["place"]), int(match["players"]))
        ended = date.fromisoformat(match["ended"]) if match["ended"] else None
    except ValueError:
        return None
    weight = Fraction(match["weight"])
    if points > 1000 or not weight:
        return None
    return Result(points, weight, ended.toordinal() if ended else None)


class QuotasForm(_LinesForm):
    """Seats, and countries in the order of their ranking."""

    seats = forms.IntegerField(
        label=pgettext_lazy("of a championship", "Seats"), min_value=1, max_value=MAX_SEATS, initial=70
    )
    nations = forms.CharField(
        label=_("Countries, best first, one per line"),
        help_text=_(
            "Name, players in the ranking, players with 700 points or more and, if you like, players above the mean."
        ),
        max_length=MAX_LENGTH,
        widget=forms.Textarea(attrs=_AREA | {"placeholder": "France 120 9 55\nItaly 60 4 31"}),
    )

    def clean_nations(self) -> list[Nation]:
        message = gettext("Line {n}, “{line}”: write for instance France 120 9, or France 120 9 55.")
        nations: list[Nation] = self._parse_lines("nations", _parse_nation, message)
        return nations


def _parse_nation(line: str) -> Nation | None:
    if (match := _NATION.fullmatch(line)) is None:
        return None
    above = int(match["above"]) if match["above"] else None
    return Nation(match["name"], int(match["players"]), int(match["strong"]), above)
