"""Base classes of forms with localised errors, fields for figures and ranges, and service problems as errors."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby, pairwise
from math import inf
from typing import Any, Final

from django import forms
from django.forms.formsets import ORDERING_FIELD_NAME
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from penalties.engine.rules import amounts
from penalties.engine.sanctions import MAX_POINTS
from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.problems import VALUE_MISSING, sentence
from tournament.web.exports.sheets import MAX_BYTES
from tournament.web.texts.fields import DEFAULT_MESSAGES, EMPTY, MESSAGES_BY_FIELD, Messages

_NULL_CHARACTERS: Final = "null_characters_not_allowed"
WARNING_WORDS = {"warning", "w", "0", "警告"}


class LocalizedErrors(forms.BaseForm):
    """A form with our error messages instead of Django's.

        class SeatsForm(Form): …                           # instead of django.forms.Form
        class SignInForm(LocalizedErrors, AuthenticationForm): …    # a form of Django's own

    A field's own `error_messages` are kept. Messages are set in `full_clean`, so for fields added later too.
    """

    def full_clean(self) -> None:
        for name, field in self.fields.items():
            localize_errors(field, self[name].label)
        super().full_clean()

    def add_error(self, field: str | None, error: Any) -> None:
        """Replace the message for null characters, which fields of related objects cannot override."""
        if getattr(error, "code", None) == _NULL_CHARACTERS:
            error.message = DEFAULT_MESSAGES[_NULL_CHARACTERS]
        super().add_error(field, error)


class Form(LocalizedErrors, forms.Form):
    """The base of all forms."""


class ModelForm(LocalizedErrors, forms.ModelForm):  # type: ignore[type-arg]  # Django cannot be subscripted
    """A form for a settings-like object: the model has the limits, and a service stores `instance`."""


class _Rows(forms.BaseFormSet):  # type: ignore[type-arg]
    """Rows that a service stores together, in order."""

    default_error_messages = {
        "missing_management_form": _("This form is incomplete. Reload the page."),
        "too_many_forms": _("Too many: at most %(num)d."),
    }

    def add_fields(self, form: forms.BaseForm, index: int | None) -> None:
        super().add_fields(form, index)
        if self.can_order:
            form.fields[ORDERING_FIELD_NAME].says_optional = False  # type: ignore[attr-defined]

    @property
    def row_forms(self) -> list[Any]:
        """The forms of the rows to be stored, neither removed nor blank, in the submitted order."""
        stored = self.initial_form_count()
        remaining = [
            form
            for n, form in enumerate(self.forms)
            if form not in self.deleted_forms and (n < stored or form.has_changed())
        ]
        return sorted(remaining, key=_order) if self.can_order else remaining

    def add_problems(self, name: str, refused: Refused, form: forms.BaseForm | None = None) -> None:
        """Add each problem to its row: with `name` "fees", "fees.1.amount" belongs to the second stored row.

        Other problems go to `form`, or above the rows.
        """
        row_forms, others = self.row_forms, []
        for problem in refused.problems:
            list_name, _dot, path = problem.where.partition(".")
            n, _dot, field = path.partition(".")
            if list_name == name and n.isdecimal() and int(n) < len(row_forms):
                add_problems(row_forms[int(n)], [replace(problem, where=field)])
            else:
                others.append(problem)
        if form is not None:
            add_problems(form, others)
        else:
            self.non_form_errors().extend(map(sentence, others))


def _order(form: forms.BaseForm) -> float:
    order: int | None = form.cleaned_data.get(ORDERING_FIELD_NAME)
    return inf if order is None else order


class RowsFormSet(_Rows, forms.BaseModelFormSet):  # type: ignore[type-arg]
    """Rows that are model instances."""

    def rows(self) -> list[Any]:
        """Return the instances in order. Call if the formset is valid."""
        return [form.instance for form in self.row_forms]


def rows_formset(model: Any, form: Any, maximum: int, **options: Any) -> type[RowsFormSet]:
    """Return a formset of at most `maximum` rows, each with a tick to delete it, and two empty ones."""
    return forms.modelformset_factory(  # type: ignore[return-value]  # its base is `formset`
        model,
        form,
        formset=RowsFormSet,
        extra=2,
        can_delete=True,
        can_delete_extra=False,
        max_num=maximum,
        absolute_max=maximum + 2,
        **options,
    )


class ValuesFormSet(_Rows):
    """Rows of one field's value; `initial` has the old ones."""

    def rows(self) -> list[dict[str, Any]]:
        """Return the values of each row. Call if the formset is valid."""
        names = list(self.form.base_fields)
        return [{name: form.cleaned_data[name] for name in names} for form in self.row_forms]


def localize_errors(field: forms.Field, label: str | Promise) -> None:
    """Replace Django's error messages by ours, those of validators too; that for an empty field has its label."""
    django_messages = _django_messages(field)
    for code, message in _own_messages(field).items():
        if message is EMPTY:
            message = str(EMPTY) % {"field": label} if label else sentence(VALUE_MISSING())
        if field.error_messages.get(code) is django_messages.get(code):
            field.error_messages[code] = message  # type: ignore[assignment]  # lazy texts are texts


def _django_messages(field: forms.Field) -> Messages:
    """Return the default messages of a field's class."""
    sentences: dict[str, str] = {}
    for kind in reversed(type(field).__mro__):
        sentences.update(getattr(kind, "default_error_messages", {}))
    return sentences


def _own_messages(field: forms.Field) -> Messages:
    """Return our messages for a field's class; subclasses override."""
    sentences = dict(DEFAULT_MESSAGES)
    for kind in reversed(type(field).__mro__):
        sentences.update(MESSAGES_BY_FIELD.get(kind.__name__, {}))
    return sentences


class DayInput(forms.DateInput):
    """A date picker. Its format does not depend on the language."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%d")


class TimeInput(forms.TimeInput):
    """A time picker."""

    input_type = "time"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%H:%M")


class MomentInput(forms.DateTimeInput):
    """A date and time picker."""

    input_type = "datetime-local"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs, format="%Y-%m-%dT%H:%M")


class NameOrderSelect(forms.NullBooleanSelect):
    """Whether the family name stands first: yes, no, or as usual in the script of the name."""

    def __init__(self, attrs: Any = None) -> None:
        super().__init__(attrs)
        self.choices = [
            ("unknown", _("As usual in its script")),
            ("true", _("Family name first")),
            ("false", _("Family name last")),
        ]


class ListForm(Form):
    """A list of players, as a file or pasted."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV or XLSX; headings in any language, any separator."),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,text/csv,text/plain"}),
    )
    pasted = forms.CharField(
        label=_("Or paste the list"),
        help_text=_("Copied from a spreadsheet, a mail or a web page."),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        file = data.get("file")
        if file is not None and file.size > MAX_BYTES:
            self.add_error("file", _("This file is too large to be a list of players."))
        elif (
            file is None
            and not data.get("pasted", "").strip()
            and not self.errors
            and self.is_list_required()
        ):
            self.add_error("file", _("Choose a file, or paste the list below."))
        return data

    def is_list_required(self) -> bool:
        """Return whether a list has to be sent."""
        return True

    def content(self) -> bytes:
        """Return the uploaded file, or the pasted text. Call if the form is valid."""
        file = self.cleaned_data.get("file")
        content: bytes = file.read() if file is not None else self.cleaned_data["pasted"].encode()
        return content


def add_problems(form: forms.BaseForm, problems: Refused | Iterable[Problem]) -> None:
    """Add each problem to the field named by `where`; to the form if there is no such field."""
    for problem in problems.problems if isinstance(problems, Refused) else problems:
        field = form.fields.get(problem.where)
        if field is not None and problem.code == VALUE_MISSING.code:
            form.add_error(problem.where, field.error_messages["required"])
        else:
            form.add_error(problem.where if field is not None else None, sentence(problem))


@contextmanager
def adding_problems(form: forms.BaseForm) -> Iterator[None]:
    """Add the problems of a Refused raised within the block to the form; code after the block then runs."""
    try:
        yield
    except Refused as refused:
        add_problems(form, refused)


class CheckedByService(forms.CharField):
    """A required text whose service reports its absence together with all other problems."""

    def validate(self, value: str) -> None:
        """Leave it to the service."""


def parse_numbers(text: str) -> list[int]:
    """Return the numbers in a text, sorted and without repetition; ranges may have any dash.

    Raises ValueError with the part that is not a number.
    """
    numbers: set[int] = set()
    for part in filter(None, (part.strip() for part in re.split(r"[,;、，]", text))):
        match = re.fullmatch(r"(\d{1,4})(?:\s*[-–—]\s*(\d{1,4}))?", part, re.ASCII)
        if match is None:
            raise ValueError(part)
        first, last = sorted((int(match[1]), int(match[2] or match[1])))
        numbers.update(range(first, last + 1))
    return sorted(numbers)


def numbers_text(numbers: Iterable[int]) -> str:
    """Format numbers as `parse_numbers` reads them: [1, 2, 3, 8] is "1-3, 8"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    ]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


class Amounts(forms.CharField):
    """ "warning, 5, 10": points separated by commas or spaces; a warning is 0.

    With `span`, "5-60" is any whole number from 5 to 60: a range.
    """

    def __init__(self, *, warning: bool = False, span: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.warning, self.span = warning, span

    def to_python(self, value: Any) -> Any:
        text = (super().to_python(value) or "").strip().lower()
        if self.span and (ends := re.fullmatch(r"(\d{1,4})\s*[-–—~～至]\s*(\d{1,4})", text, re.ASCII)):
            return self._span(text, *map(int, ends.groups()))
        return tuple(self._amount(word) for word in re.split(r"[\s,;，、；]+", text) if word)

    def _span(self, text: str, minimum: int, maximum: int) -> range:
        try:
            return amounts(minimum, maximum)
        except ValueError:
            raise forms.ValidationError(
                _("“%(word)s” is not an amount of points."), params={"word": text}
            ) from None

    def _amount(self, word: str) -> int:
        if self.warning and word in WARNING_WORDS:
            return 0
        if not re.fullmatch(r"\d{1,4}", word, re.ASCII) or not 1 <= int(word) <= MAX_POINTS:
            raise forms.ValidationError(_("“%(word)s” is not an amount of points."), params={"word": word})
        return int(word)


class Bands(forms.CharField):
    """ "10: 10, 15: 20": up to so many minutes, so many points."""

    def to_python(self, value: Any) -> Any:
        bands = []
        for pair in re.split(r"[,;，；\n]+", super().to_python(value) or ""):
            match = re.fullmatch(r"\s*(\d{1,3})\s*[:：]\s*(\d{1,4})\s*", pair)
            if match is None or not int(match[2]):
                raise forms.ValidationError(_("“%(pair)s” is not minutes and points."), params={"pair": pair})
            bands.append((int(match[1]), int(match[2])))
        if any(low >= high for (low, _p), (high, _q) in pairwise(bands)) or bands[0][0] < 1:
            raise forms.ValidationError(_("The minutes must grow from one to the next."))
        return bands
