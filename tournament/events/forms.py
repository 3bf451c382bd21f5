"""Forms for the event's page, timetable, particulars and rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import time
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.functional import Promise
from django.utils.text import capfirst, format_lazy
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from penalties.engine.sanctions import MAX_POINTS
from scoring.engine.problems import Problem
from tournament.base import zones
from tournament.base.countries import choices
from tournament.base.engine.rules import (
    MAX_WARNING_MINUTES,
    Attendance,
    Credit,
    LastHand,
    PlaySettings,
    rules_named,
)
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.ema.engine.certification import least_sessions
from tournament.events.engine import TimetablePattern
from tournament.events.selectors import (
    LANGUAGES,
    MAX_LINES,
    PARTICULARS,
    PARTICULARS_FIXED_BY_THE_DRAW,
)
from tournament.ranking.texts import CRITERIA as CRITERIA_NAMES
from tournament.web.exports.whole_names import SplitName, split_name
from tournament.web.forms import DayInput, Form, ModelForm, RowsFormSet, TimeInput
from tournament.web.texts.words import CHART_NAMES

# --- The event's page ---


_TEXT_ROWS: Final = {"description": 8, "rules_note": 3}
NO_COLOUR: Final = "#ffffff"


class EventPageForm(ModelForm):
    """The event's page: a field for each text in each language, then fields without a language."""

    class Meta:
        model = EventPage
        fields = ["colour", "address", "country", "map_url", "website", "referees", "contact", "mers"]
        widgets = {
            "address": forms.Textarea({"rows": 3}),
            "country": forms.Select(),
            "colour": forms.TextInput({"type": "color"}),
        }
        help_texts = {
            "colour": _(
                "A band of this colour is on the event page, screens, papers and certificates. White: no band."
            )
        }
        field_classes = {"country": forms.CharField}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A browser's field for a colour is never empty.
        self.initial["colour"] = self.initial.get("colour") or NO_COLOUR
        self.fields["country"].widget.choices = [("", "–"), *choices()]
        for language in LANGUAGES:
            for name in _TEXT_ROWS:
                self.fields[f"{name}_{language}"] = self._text_field(name, language)

    def clean_colour(self) -> str:
        colour: str = self.cleaned_data["colour"]
        return "" if colour == NO_COLOUR else colour

    def clean(self) -> None:
        for name in _TEXT_ROWS:
            texts = {language: self.cleaned_data.get(f"{name}_{language}") for language in LANGUAGES}
            setattr(self.instance, name, {language: text for language, text in texts.items() if text})

    def languages(self) -> Iterator[dict[str, Any]]:
        """Yield, for each language, its fields, whether one has text or errors; the reader's language comes first."""
        here = get_language()
        for code, name in sorted(settings.LANGUAGES, key=lambda language: language[0] != here):
            fields = [self[f"{text}_{code}"] for text in _TEXT_ROWS]
            yield {
                "code": code,
                "name": name,
                "fields": fields,
                "is_filled": any(field.value() for field in fields),
                "is_wrong": any(field.errors for field in fields),
            }

    def _text_field(self, name: str, language: str) -> forms.CharField:
        texts: Any = EventPage._meta.get_field(name)
        return forms.CharField(
            label=capfirst(texts.verbose_name),
            help_text=texts.help_text,
            max_length=texts.max_length,
            initial=getattr(self.instance, name).get(language),
            required=False,
            widget=forms.Textarea({"rows": _TEXT_ROWS[name], "lang": language}),
        )


class EventDocumentForm(ModelForm):
    """A file with its title. Sending the same `uuid` twice adds one file."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("PDF, PNG, JPEG or WebP, 3 MB at most."),
        widget=forms.FileInput(attrs={"accept": ".pdf,.png,.jpg,.jpeg,.webp"}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    class Meta:
        model = EventDocument
        fields = ["title", "is_logo"]


# --- The timetable ---


class TimetablePatternForm(Form):
    """How to generate a timetable: start of the days, pauses and lunch."""

    first = forms.TimeField(label=_("First session of a day"), widget=TimeInput())
    pause = forms.IntegerField(label=_("Minutes between sessions"), min_value=0, max_value=600)
    lunch_at = forms.TimeField(label=_("Lunch at about"), widget=TimeInput())
    lunch = forms.IntegerField(
        label=_("Minutes for lunch"), help_text=_("0: no lunch."), min_value=0, max_value=600
    )

    @staticmethod
    def defaults() -> dict[str, Any]:
        pattern = TimetablePattern()
        return {
            "first": time(*divmod(pattern.first, 60)),
            "pause": pattern.pause,
            "lunch_at": time(*divmod(pattern.lunch_at, 60)),
            "lunch": pattern.lunch,
        }

    def pattern(self) -> TimetablePattern:
        """Return the pattern of a valid form."""
        data = self.cleaned_data
        return TimetablePattern(
            _minutes_after_midnight(data["first"]),
            data["pause"],
            _minutes_after_midnight(data["lunch_at"]),
            data["lunch"],
        )


def _minutes_after_midnight(at: time) -> int:
    return at.hour * 60 + at.minute


class TimetableItemForm(ModelForm):
    """A line: a session with its number, or another item with its title. `uuid`: the stored line that it changes."""

    uuid = forms.UUIDField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = TimetableItem
        fields = ["session", "title", "day", "starts", "ends"]
        widgets = {
            "session": forms.HiddenInput(),
            "title": forms.TextInput({"autocomplete": "off"}),
            "day": DayInput(),
            "starts": TimeInput(),
            "ends": TimeInput(),
        }

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("day", tournament.starts_on)
        self.instance.tournament = tournament

    def has_changed(self) -> bool:
        """Whether the line has content: a day alone is none, and a session without a start is not planned."""
        return not {"title", "starts", "ends"}.isdisjoint(self.changed_data)

    def clean(self) -> None:
        if self.cleaned_data.get("uuid"):
            self.instance.uuid = self.cleaned_data["uuid"]


def _is_number(field: forms.Field, value: Any) -> bool:
    try:
        return field.clean(value) is not None
    except ValidationError:
        return False


class TimetableItemsFormSet(RowsFormSet):
    """The lines of a timetable; a session has no title and no end."""

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        number = form["session"].value()
        if _is_number(form.fields["session"], number):
            del form.fields["title"], form.fields["ends"]
            name = gettext("Session %(n)s") % {"n": number}
        else:
            name = gettext("Line %(n)s") % {"n": index + 1} if index is not None else gettext("New line")
        for field in form.fields.values():
            field.label = f"{name}, {field.label}"


TimetableFormSet = forms.modelformset_factory(
    TimetableItem,
    TimetableItemForm,
    formset=TimetableItemsFormSet,
    max_num=MAX_LINES,
    absolute_max=MAX_LINES,
)


# --- The particulars ---


RULES: Final = ("rulebook", "foul_book", "appeal_minutes", "appeal_deposit")
"""The particulars that `RulesForm` has."""


class TournamentForm(ModelForm):
    """The particulars of a tournament but its rules; those that the draw fixes are disabled once there are seats."""

    class Meta:
        model = Tournament
        fields = tuple(name for name in PARTICULARS if name not in RULES)
        widgets = {
            "starts_on": DayInput(),
            "ends_on": DayInput(),
            "time_zone": forms.TextInput({"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
        }
        error_messages = {
            "name": {"required": _("Enter a name for the tournament.")},
            "starts_on": {"required": _("Enter the first day.")},
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["ends_on"].required = False
        if self.instance.pk and self.instance.sessions.exists():
            for name in self.fields.keys() & set(PARTICULARS_FIXED_BY_THE_DRAW):
                self.fields[name].disabled = True
                self.fields[name].help_text = _("Fixed once the seats are drawn.")

    def clean(self) -> dict[str, Any]:
        """An event without a last day has one day."""
        data: dict[str, Any] = self.cleaned_data
        if "ends_on" in data:
            data["ends_on"] = data["ends_on"] or data.get("starts_on")
        return data

    def zones(self) -> list[str]:
        """Return the suggested time zones."""
        return zones.time_zone_choices()


class EventTemplate(models.TextChoices):
    """What kind of event is created; each sets some defaults."""

    OPEN = "open", pgettext_lazy("kind of event", "Open tournament")
    CLUB = "club", _("Club evening")
    EMA = "ema", _("EMA event (MERS)")


MAX_PLAYERS: Final = 1000


class NewEventForm(TournamentForm):
    """A new event: what kind it is, its particulars, and the number of its players or their names."""

    template = forms.ChoiceField(
        label=_("Kind of event"),
        choices=EventTemplate,
        initial=EventTemplate.OPEN,
        widget=forms.RadioSelect,
        help_text=_(
            "A club evening has no registration, prices or appeals. An EMA event counts for the European ranking; "
            "its foul book, stand-ins and appeals follow the MERS Tournament Regulations."
        ),
    )
    players = forms.IntegerField(
        label=_("Number of players"),
        required=False,
        min_value=4,
        max_value=MAX_PLAYERS,
        help_text=_("For example 48: the registration has that many places."),
    )
    names = forms.CharField(
        label=_("Players"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea({"rows": 8}),
        help_text=_("One name a line. You can also add them later."),
    )

    class Meta(TournamentForm.Meta):
        fields = ("rulebook", *(name for name in TournamentForm.Meta.fields if name != "is_club_evening"))
        help_texts = {
            "sessions_planned": _(
                "Left empty: 5; on a club evening 2; at an EMA event 4 on one day, 6 on two, 9 on three."
            ),
            "minutes": _("Left empty: 120; on a club evening 90."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        for name in ("sessions_planned", "minutes"):
            self.initial[name], fields[name].required = None, False
            fields[name].says_optional = False  # its help says what empty means

    def clean(self) -> dict[str, Any]:
        """Apply the defaults of the template. Two sessions of 90 minutes and a pause fit between 19:00 and 22:30."""
        data, defaults = super().clean(), (5, 120)
        if data.get("template") == EventTemplate.CLUB:
            self.instance.is_club_evening, self.instance.appeal_minutes = True, 0
            defaults = (2, 90)
        elif data.get("template") == EventTemplate.EMA and {"starts_on", "ends_on"} <= data.keys():
            days = (data["ends_on"] - data["starts_on"]).days + 1
            defaults = (least_sessions(max(days, 1))[0], 120)
        for name, default in zip(("sessions_planned", "minutes"), defaults, strict=True):
            if name in data and data[name] is None:
                data[name] = default
        return data

    @property
    def entrants(self) -> list[SplitName]:
        """The names of a club evening."""
        if self.cleaned_data["template"] != EventTemplate.CLUB:
            return []
        return [split_name(line.strip()) for line in self.cleaned_data["names"].splitlines() if line.strip()]


class ScaleField(forms.CharField):
    """The table points of the places, as "4, 2, 1, 0"."""

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else ", ".join(map(str, value))

    def to_python(self, value: Any) -> Any:
        if isinstance(value, list):
            return value
        words = filter(None, re.split(r"[\s,;，、；/]+", super().to_python(value) or ""))
        try:
            return [int(word) for word in words]
        except ValueError:
            return []

    def validate(self, value: Any) -> None:
        """Do nothing: the service validates the scale with the rest."""


class CriteriaInput(forms.MultiWidget):
    """A select for each step of an order."""

    def __init__(self, choices: Sequence[tuple[str, str | Promise]], steps: int) -> None:
        labels = (format_lazy(_("Criterion {n}"), n=n) for n in range(1, steps + 1))
        super().__init__([forms.Select({"aria-label": label}, choices) for label in labels])

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0"

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        keys = list(value or ())
        return keys + [""] * (len(self.widgets) - len(keys))


class CriteriaField(forms.MultiValueField):
    """An order of criteria; empty steps are ignored."""

    def __init__(self, names: Mapping[str, str | Promise], **kwargs: Any) -> None:
        choices = [("", "–"), *names.items()]
        steps = [forms.ChoiceField(choices=choices, required=False) for _name in names]
        widget = CriteriaInput(choices, len(steps))
        super().__init__(steps, require_all_fields=False, widget=widget, **kwargs)

    def compress(self, data_list: Sequence[str]) -> tuple[str, ...]:
        return tuple(filter(None, data_list))


class RulesForm(ModelForm):
    """The rulebook and the time for appeals, with the fields of `PlaySettings` and `Attendance` in JSON.

    `fixed`: fields that cannot be changed any more, with the reason.
    """

    last_hand = forms.ChoiceField(
        label=_("The current hand when time is up"),
        help_text=_(
            "By the rules it is not finished; in Europe it usually is. No new hand starts after time."
        ),
        choices=[
            (LastHand.VOID.value, _("not finished, does not count")),
            (LastHand.FINISHED.value, _("finished and counts")),
        ],
    )
    warning = forms.IntegerField(
        label=_("Warning, minutes before the end"),
        help_text=_("Screens and phones show it and ring. You can change it at any time. Usual: 15."),
        min_value=1,
        max_value=MAX_WARNING_MINUTES,
    )
    scale = ScaleField(
        label=_("Table points for the first to the fourth place"),
        help_text=_("Usual: 4, 2, 1, 0. Two players who share the first place then get 3 each."),
    )
    criteria = CriteriaField(
        CRITERIA_NAMES,
        label=_("Who ranks higher?"),
        help_text=_(
            "Usual: table points, then game points. With 12 table points each, the player with more game points "
            "is then ahead; players who are equal in everything chosen share a place."
        ),
    )
    withdrawn_ranked = forms.TypedChoiceField(
        label=_("Players who withdraw after having played"),
        help_text=_(
            "Example: 9 table points in 3 of 5 sessions. The player keeps the rank that 9 points give, or is listed "
            "last. Players who withdraw before playing are neither ranked nor counted."
        ),
        choices=[("True", _("keep a rank")), ("False", _("are listed without a rank"))],
        coerce=lambda value: value == "True",
    )
    stand_in = forms.ChoiceField(
        label=_("If a stand-in plays to the end, the result counts"),
        help_text=_(
            "Example: the stand-in wins the table with 40 points. The absent player gets 4 table points and 40 "
            "points; or 0 of both, less any penalty, and the others take the places 1 to 3. By the MERS Tournament "
            "Regulations they take the places 2 to 4 if the stand-in has played from the first hand on."
        ),
        choices=[
            (Credit.NOBODY.value, _("for nobody")),
            (Credit.PLAYER.value, _("for the absent player")),
            (Credit.STAND_IN.value, _("for the stand-in (MERS)")),
        ],
    )
    disqualified_ranked = forms.TypedChoiceField(
        label=_("Players who are disqualified"),
        help_text=_(
            "By the MERS Tournament Regulations they end the event with 0, and it counts in the ranking."
        ),
        choices=[("False", _("are listed without a rank")), ("True", _("are last, with 0 points (MERS)"))],
        coerce=lambda value: value == "True",
    )
    starting_points = forms.IntegerField(
        label=_("Most points that being late can cost"),
        help_text=_(
            "Example: 200. A player at −50 then loses 150 at most. 0: no limit, the penalty keeps growing."
        ),
        min_value=0,
        max_value=MAX_POINTS,
    )
    chart = forms.ChoiceField(
        label=_("Seat rotation"),
        help_text=_("How the players change seats between the wind rounds. Usual: Appendix 2 of the rules."),
        choices=list(CHART_NAMES.items()),
    )
    held_out_waits = forms.TypedChoiceField(
        label=_("Waiting for a fifth copy of a tile"),
        help_text=_(
            "Example: 4-4-4-4-5-6-7 waits for the 7, and for a fifth 4. If that is a wait, as in MCR, winning with "
            "the 7 is no Single Wait."
        ),
        choices=[("True", _("is a wait")), ("False", _("is no wait"))],
        coerce=lambda value: value == "True",
    )

    class Meta:
        model = Tournament
        fields = RULES

    def __init__(self, *args: Any, fixed: Mapping[str, Problem], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["appeal_minutes"].required = False
        fields["foul_book"].says_optional = False  # there always is one
        for name, problem in fixed.items():
            fields[name].disabled = True
            fields[name].help_text = sentence(problem)

    def clean_appeal_minutes(self) -> int:
        minutes: int | None = self.cleaned_data["appeal_minutes"]
        return Tournament().appeal_minutes if minutes is None else minutes

    def play(self) -> PlaySettings:
        """Return the play settings. Another rulebook brings its own waits unless they are changed too."""
        data = self.cleaned_data
        if "rulebook" in self.changed_data and data["held_out_waits"] == self.initial["held_out_waits"]:
            data["held_out_waits"] = rules_named(data["rulebook"]).play.held_out_waits
        return PlaySettings.from_json(data)

    def attendance(self) -> Attendance:
        return Attendance.from_json(self.cleaned_data)


class DeletionForm(Form):
    """The name of the tournament, typed as a confirmation."""

    name = forms.CharField(
        label=_("The tournament’s name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, is_trial: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = not is_trial
