"""Forms: the event's page, its timetable, and the particulars of the tournament."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, time
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.conf import settings
from django.forms import BoundField
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.engine import find_rulebook
from scoring.engine.problems import Problem
from scoring.texts import rulebook_name
from tournament.base import zones
from tournament.base.engine.rules import PLAYABLE
from tournament.base.errors import Refused
from tournament.base.event_words import EventWords
from tournament.base.models.events import EventPage
from tournament.base.models.tournament import Tournament
from tournament.events.engine import TimetableWish
from tournament.events.selectors import (
    APPEAL_MINUTES,
    FIXED_BY_THE_DRAW,
    LANGUAGES,
    LINES,
    LONGEST_TITLE,
    MOST_LINES,
    RANGES,
    TEXTS,
    Particulars,
    TimetableLine,
    timetable_problems,
)
from tournament.web.forms import DayInput, Form, add_problems
from tournament.web.texts.problems import sentence
from tournament.web.texts.words import choices

# --- The event's page ---


_LABELS = {"description": _("Description"), "fee": _("Fee"), "rules_note": _("Rules, besides the rulebook")}
_HELP = {
    "description": _(
        "What awaits who comes. Markdown: a line with # is a heading, one with - an item, [text](https://…) a link."
    ),
    "fee": _("For example: 60 €, students 40 €, with lunch on both days."),
    "rules_note": _("For example: no photographs during play. Markdown, as above."),
}
_ROWS = {"description": 12, "fee": 2, "rules_note": 4}


class EventPageForm(Form):
    """The service is the one who judges, so that all faults are said at once; lengths are only told to the browser."""

    address = forms.CharField(
        label=_("Address of the venue"), required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    country = forms.ChoiceField(label=_("Country"), required=False)
    map_url = forms.CharField(
        label=_("Link to a map"),
        help_text=_("For example from OpenStreetMap: the page links to it, and shows no map itself."),
        required=False,
        widget=forms.URLInput,
    )
    website = forms.CharField(label=_("Website"), required=False, widget=forms.URLInput)
    referees = forms.CharField(
        label=_("Umpires"), help_text=_("As they are to be named on the page."), required=False
    )
    contact = forms.CharField(
        label=_("Contact"),
        help_text=_(
            "Everybody sees it, programs that collect addresses too: one of the event, not your own."
        ),
        required=False,
    )
    mers = forms.ChoiceField(
        label=_("Counts for the European ranking (MERS)"), choices=EventPage.Mers.choices, required=False
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        country = self.fields["country"]
        assert isinstance(country, forms.ChoiceField)
        country.choices = [("", "–"), *choices()]
        for name, most in LINES.items():
            self.fields[name].widget.attrs["maxlength"] = most
        for language in LANGUAGES:
            for name in TEXTS:
                self.fields[f"{name}_{language}"] = _text_field(name, language)

    @classmethod
    def of(cls, words: EventWords) -> EventPageForm:
        known: dict[str, Any] = {"seen": words.fingerprint()}
        for name, value in asdict(words).items():
            if name in TEXTS:
                known |= {f"{name}_{language}": text for language, text in value.items()}
            else:
                known[name] = value
        return cls(initial=known)

    def words(self) -> EventWords:
        """What was typed, readable or not; call when the form has been looked at."""
        data = self.cleaned_data
        texts: dict[str, Any] = {
            name: {lang: data[f"{name}_{lang}"] for lang in LANGUAGES if data.get(f"{name}_{lang}")}
            for name in TEXTS
        }
        return EventWords(**texts | {name: data.get(name, "") for name in (*LINES, "country", "mers")})

    def say(self, refused: Refused) -> None:
        """Each problem at its place."""
        for problem in refused.problems:
            self.add_error(self._place_of(problem), sentence(problem))

    def _place_of(self, problem: Problem) -> str | None:
        name = problem.where.replace(".", "_")
        return name if name in self.fields else None

    def show_again(self, seen: str) -> None:
        """With this the next press puts these words in the place of what somebody else wrote."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        data["seen"] = seen
        self.data = data

    def languages(self) -> Iterator[dict[str, Any]]:
        """A tab a language: its fields, whether something stands in it, whether something is wrong there."""
        for code, name in settings.LANGUAGES:
            fields = [self[f"{text}_{code}"] for text in TEXTS]
            yield {
                "code": code,
                "name": name,
                "fields": fields,
                "is_filled": any(field.value() for field in fields),
                "is_wrong": any(field.errors for field in fields),
            }

    def lines(self) -> Iterator[forms.BoundField]:
        yield from (self[name] for name in (*LINES, "country", "mers") if name in self.fields)


def _text_field(name: str, language: str) -> forms.CharField:
    attrs = {"rows": _ROWS[name], "lang": language, "maxlength": TEXTS[name]}
    return forms.CharField(
        label=_LABELS[name], help_text=_HELP[name], required=False, widget=forms.Textarea(attrs=attrs)
    )


class EventDocumentForm(Form):
    """A file with its title. The same `uuid` again is the same file."""

    title = forms.CharField(
        label=_("What it is"), help_text=_("For example: Travel and hotels."), required=False
    )
    file = forms.FileField(
        label=_("File"),
        help_text=_("PDF, PNG, JPEG or WebP, 3 MB at most."),
        widget=forms.FileInput(attrs={"accept": ".pdf,.png,.jpg,.jpeg,.webp"}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput)

    @classmethod
    def blank(cls) -> EventDocumentForm:
        return cls(initial={"uuid": uuid4()})

    @property
    def content(self) -> bytes:
        read: bytes = self.cleaned_data["file"].read()
        return read

    @property
    def key(self) -> UUID:
        key: UUID = self.cleaned_data["uuid"]
        return key


# --- The timetable ---


BLANK_LINES: Final = 3
_PARTS: Final = ("title", "day", "starts", "ends")


class FillForm(Form):
    """When days begin, and their pauses."""

    first = forms.TimeField(
        label=_("First session of a day"), widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    )
    pause = forms.IntegerField(label=_("Minutes between sessions"), min_value=0, max_value=600)
    lunch_at = forms.TimeField(
        label=_("Lunch at about"), widget=forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    )
    lunch = forms.IntegerField(
        label=_("Minutes for lunch"), help_text=_("0: no lunch."), min_value=0, max_value=600
    )

    @staticmethod
    def usual() -> dict[str, Any]:
        usual = TimetableWish()
        return {
            "first": time(*divmod(usual.first, 60)),
            "pause": usual.pause,
            "lunch_at": time(*divmod(usual.lunch_at, 60)),
            "lunch": usual.lunch,
        }

    def wish(self) -> TimetableWish:
        """Call when the form is valid."""
        data = self.cleaned_data
        return TimetableWish(
            _minutes_of(data["first"]), data["pause"], _minutes_of(data["lunch_at"]), data["lunch"]
        )


def _minutes_of(at: time) -> int:
    return at.hour * 60 + at.minute


@dataclass(frozen=True)
class Row:
    """A line on the page: the number of its session or None, and its fields."""

    session: int | None
    hidden: tuple[BoundField, ...]
    title: BoundField | None
    day: BoundField
    starts: BoundField
    ends: BoundField | None


class TimetableForm(Form):
    """Fields title1, day1, starts1, ends1 … in the order of the lines; session1 and uuid1 say what the line is."""

    seen = forms.CharField(widget=forms.HiddenInput)
    """Required: what does not say which timetable it changes, an empty request for one, changes none."""

    def __init__(self, tournament: Tournament, lines: Sequence[TimetableLine], **kwargs: Any) -> None:
        """`lines`: what the form starts from; blank ones follow."""
        super().__init__(**kwargs)
        self.tournament = tournament
        self.sessions = [line.session for line in lines]
        for place, line in enumerate(lines, 1):
            self._add(place, line)

    @classmethod
    def of(cls, tournament: Tournament, lines: Sequence[TimetableLine], seen: str) -> TimetableForm:
        """To be filled in. `seen`: the fingerprint of the timetable there is."""
        blank = [TimetableLine(day=tournament.starts_on)] * BLANK_LINES
        return cls(tournament, [*lines, *blank], initial={"seen": seen})

    @classmethod
    def sent(cls, tournament: Tournament, data: Mapping[str, Any]) -> TimetableForm:
        """As it came back."""
        lines: list[TimetableLine] = []
        while f"starts{len(lines) + 1}" in data and len(lines) <= MOST_LINES:
            session = data.get(f"session{len(lines) + 1}", "")
            known = session.isdecimal() and session.isascii() and len(session) < 5
            lines.append(TimetableLine(int(session) if known else None))
        return cls(tournament, lines, data=data)

    def rows(self) -> list[Row]:
        return [self._row(place, session) for place, session in enumerate(self.sessions, 1)]

    def clean(self) -> dict[str, Any]:
        add_problems(self, self._not_yet_said(timetable_problems(self.tournament, self.lines())))
        return self.cleaned_data

    def lines(self) -> list[TimetableLine]:
        """What was entered, as far as it could be read."""
        return [self._line(place, session) for place, session in enumerate(self.sessions, 1)]

    def say(self, problems: Iterable[Problem]) -> None:
        add_problems(self, self._not_yet_said(problems))

    def show_again(self, seen: str) -> None:
        """What was typed stays; the next saving knows of the timetable with this fingerprint."""
        self.data = {**{name: self.data[name] for name in self.data}, "seen": seen}

    def _not_yet_said(self, problems: Iterable[Problem]) -> list[Problem]:
        """Each beside its field, but for fields whose entry could not be read anyhow."""
        placed = [Problem(fault.code, fault.where.replace(" ", ""), fault.params) for fault in problems]
        return [fault for fault in placed if fault.where not in self.errors]

    def _line(self, place: int, session: int | None) -> TimetableLine:
        values = {part: self.cleaned_data.get(f"{part}{place}") for part in _PARTS}
        return TimetableLine(
            session,
            title=values["title"] or "",
            day=values["day"],
            starts=values["starts"],
            ends=values["ends"],
            uuid=self.cleaned_data.get(f"uuid{place}"),
        )

    def _row(self, place: int, session: int | None) -> Row:
        is_session = session is not None
        return Row(
            session,
            (self[f"session{place}"],) if is_session else (self[f"uuid{place}"],),
            None if is_session else self[f"title{place}"],
            self[f"day{place}"],
            self[f"starts{place}"],
            None if is_session else self[f"ends{place}"],
        )

    def _add(self, place: int, line: TimetableLine) -> None:
        """The fields of a line: a session has a number, everything else a title and an end."""
        if line.session is not None:
            name = gettext("Session %(n)s") % {"n": line.session}
            self.fields[f"session{place}"] = _hidden_field(forms.IntegerField, line.session)
        else:
            name = gettext("Line %(n)s") % {"n": place}
            self.fields[f"uuid{place}"] = _hidden_field(forms.UUIDField, line.uuid)
            self.fields[f"title{place}"] = forms.CharField(
                label=gettext("%(line)s, what") % {"line": name},
                initial=line.title,
                max_length=LONGEST_TITLE,
                required=False,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )
        self.fields[f"day{place}"] = forms.DateField(
            label=gettext("%(line)s, day") % {"line": name},
            initial=line.day or self.tournament.starts_on,
            required=False,
            widget=DayInput(),
        )
        self.fields[f"starts{place}"] = _time_field(gettext("%(line)s, start") % {"line": name}, line.starts)
        if line.session is None:
            self.fields[f"ends{place}"] = _time_field(gettext("%(line)s, end") % {"line": name}, line.ends)


def _time_field(label: str, initial: time | None) -> forms.TimeField:
    widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    return forms.TimeField(label=label, initial=initial, required=False, widget=widget)


def _hidden_field(field: type[forms.Field], initial: object) -> forms.Field:
    return field(initial=initial, required=False, widget=forms.HiddenInput())


# --- The particulars ---


def _range_of(particular: str) -> dict[str, Any]:
    least, most = RANGES[particular]
    return {"min_value": least, "max_value": most}


class TournamentForm(Form):
    """What the organiser says of a tournament; `fixed` once seats are drawn: what rests on them then stays."""

    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        help_text=_("For example: Open de Lyon 2027."),
        max_length=120,
    )
    venue = forms.CharField(
        label=_("Venue"), help_text=_("For example: Salle Molière, Lyon."), max_length=120, required=False
    )
    starts_on = forms.DateField(
        label=_("First day"),
        help_text=_("For example the Saturday. The timetable moves with it."),
        widget=DayInput(),
    )
    ends_on = forms.DateField(
        label=_("Last day"),
        help_text=_("For example the Sunday. Left empty, it ends on the day it starts."),
        widget=DayInput(),
        required=False,
    )
    sessions_planned = forms.IntegerField(
        label=_("Sessions"),
        help_text=_("For example 5: four on the first day, one on the second."),
        **_range_of("sessions_planned"),
    )
    minutes = forms.IntegerField(
        label=_("Minutes a session"),
        help_text=_("For example 120: seven and a half minutes for each of sixteen hands."),
        **_range_of("minutes"),
    )
    appeal_minutes = forms.IntegerField(
        label=_("Minutes for appeals after a session"),
        help_text=_("0: a question is raised and settled at once, before play goes on. Left empty: 30."),
        **_range_of("appeal_minutes"),
        required=False,
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_(
            "All times of the tournament are told by it. Type a part of it: Paris finds Europe/Paris."
        ),
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "spellcheck": "false"}),
    )
    rulebook = forms.ChoiceField(
        label=_("Rulebook"),
        help_text=_("For example MCR, as most tournaments play. It says what fans and fouls count."),
    )
    held_out_waits = forms.ChoiceField(
        label=_("A tile whose four copies one holds oneself"),
        help_text=_(
            "A wait in MCR, none in the other rulebooks. "
            "As a wait it leaves the tile that won no Edge, Closed or Single Wait."
        ),
        choices=[
            ("", _("as the rulebook says")),
            ("yes", _("is a wait")),
            ("no", _("is no wait")),
        ],
        required=False,
    )
    is_public = forms.BooleanField(
        label=_("Show the draw and the ranking to everybody"),
        help_text=_("Otherwise only organisers and umpires who are signed in see them."),
        required=False,
    )

    def __init__(self, *args: Any, fixed: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rulebook = self.fields["rulebook"]
        assert isinstance(rulebook, forms.ChoiceField)
        rulebook.choices = [(key, rulebook_name(find_rulebook(key))) for key in PLAYABLE]
        zone = self.fields["time_zone"]
        assert isinstance(zone, forms.ChoiceField)
        zone.choices = [(name, name) for name in zones.to_choose()]
        for name in FIXED_BY_THE_DRAW:
            if fixed:
                self.fields[name].disabled = True
                self.fields[name].help_text = _("Fixed once the seats are drawn.")

    @classmethod
    def blank(cls) -> TournamentForm:
        """A form for a new tournament, filled with what is usual."""
        return cls(
            initial={
                "starts_on": timezone.localdate(),
                "sessions_planned": 5,
                "minutes": 120,
                "appeal_minutes": APPEAL_MINUTES,
                "rulebook": "mcr",
                "time_zone": timezone.get_default_timezone_name(),
                "is_public": True,
            }
        )

    @staticmethod
    def particulars_of(tournament: Tournament) -> dict[str, Any]:
        """What a tournament's form starts from."""
        known = {name: getattr(tournament, name) for name in TournamentForm.base_fields}
        return known | {"held_out_waits": _held_out_choice(tournament)}

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["ends_on"] = data.get("ends_on") or data.get("starts_on")
        if data.get("appeal_minutes") is None:
            data["appeal_minutes"] = APPEAL_MINUTES
        starts_on: date | None = data.get("starts_on")
        if starts_on and "ends_on" not in self.errors and data["ends_on"] < starts_on:
            add_problems(self, [Problem("ends_before_it_starts", "ends_on")])
        return data

    def particulars(self) -> Particulars:
        """What was entered; call when the form is valid."""
        data = dict(self.cleaned_data)
        usual = find_rulebook(data["rulebook"]).held_out_waits
        data["held_out_waits"] = _HELD_OUT.get(data["held_out_waits"], usual)
        return Particulars(**data)


_HELD_OUT = {"yes": True, "no": False}


def _held_out_choice(tournament: Tournament) -> str:
    """What is chosen of `held_out_waits`: nothing where the tournament follows its rulebook."""
    if tournament.held_out_waits == find_rulebook(tournament.rulebook).held_out_waits:
        return ""
    return "yes" if tournament.held_out_waits else "no"


class DeletionForm(Form):
    """The name of the tournament, typed, so that nobody deletes one by a slip."""

    name = forms.CharField(
        label=_("The tournament’s name"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, is_trial: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].required = not is_trial
