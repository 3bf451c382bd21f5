"""Forms for the certification, the columns of the results file, and calculations of the European ranking."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournament.base.countries import choices
from tournament.ema.engine.columns import MAX_COLUMN_LENGTH, MAX_COLUMNS
from tournament.ema.engine.mers import HIGHEST, MAX_SEATS, Nation, Result, base
from tournament.ema.engine.numbers import parse_member
from tournament.ema.models import EmaCertification, EmaColumns
from tournament.players.engine import EMA_DIGITS, is_number
from tournament.web.exports.headings import folded
from tournament.web.exports.sheets import MAX_ROWS, Line, lines_of, read_lines, read_sheets
from tournament.web.forms import DayInput, Form, ListForm, ModelForm, ValuesFormSet, adding_problems


class CertificationForm(ModelForm):
    """What the organiser knows about the certification."""

    class Meta:
        model = EmaCertification
        fields = [
            *("applied_on", "is_national"),
            *("observer", "observer_country", "observer_named_on"),
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


MAX_WEIGHT: Final = 10
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


class MembersForm(ListForm):
    """A list of the EMA: a number and a name in each line."""

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if not self.errors:
            with adding_problems(self):
                lines = read_lines(self.content())
                data["members"] = [member for line in lines if (member := parse_member(line.cells))]
                if not data["members"]:
                    raise ValidationError(gettext("No line begins with an EMA number and a name."))
        return data


class HistoryForm(ListForm):
    """Results of players in earlier events, with the headings of the EMA's pages."""

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if not self.errors:
            with adding_problems(self):
                sheets = read_sheets(self.content())
                data["history"], errors = read_history(lines_of(sheets[0], MAX_ROWS))
                if errors:
                    raise ValidationError(errors[:10])
        return data


HISTORY_HEADINGS: Final[Mapping[str, frozenset[str]]] = {
    "ema_number": frozenset({"number", "emanumber", "emano", "ema"}),
    "base": frozenset({"base", "baserank"}),
    "weight": frozenset({"weight", "mers", "mersweight"}),
    "ended": frozenset({"date", "lastday", "ended"}),
}
"""Column → its headings, folded."""
_WEIGHTS: Final = forms.DecimalField(max_digits=6, decimal_places=4)
"""Limited before it becomes a fraction: 1e99999999 would be a number of a hundred million digits."""
_DAYS: Final = forms.DateField(input_formats=["%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d %b %Y"])


def read_history(lines: Sequence[Line]) -> tuple[dict[str, list[Result]], list[str]]:
    """Return the results by EMA number, and what is wrong."""
    headings = [folded(cell) for cell in lines[0].cells]
    columns = {
        name: next((at for at, heading in enumerate(headings) if heading in known), None)
        for name, known in HISTORY_HEADINGS.items()
    }
    if None in columns.values():
        return {}, [gettext("The first line needs the headings Number, Base, Weight and Date.")]
    history: dict[str, list[Result]] = {}
    errors = []
    for line in lines[1:]:
        cells = [line.cells[at] if at is not None and at < len(line.cells) else "" for at in columns.values()]
        result = _history_result(*cells)
        if result is None:
            errors.append(gettext("Line {n} has no number, base, weight or date.").format(n=line.number))
        else:
            history.setdefault(cells[0].zfill(EMA_DIGITS), []).append(result)
    return history, errors


def _history_result(ema_number: str, base_text: str, weight: str, ended: str) -> Result | None:
    try:
        day = _DAYS.clean(ended)
        exact_weight = Fraction(_WEIGHTS.clean(weight.replace(",", ".")))
        result = Result(int(base_text), exact_weight, day.toordinal())
    except (ValueError, ValidationError):
        return None
    is_valid = 0 <= result.base <= HIGHEST and 0 < result.weight <= MAX_WEIGHT
    return result if is_valid and is_number(ema_number.zfill(EMA_DIGITS)) else None


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
