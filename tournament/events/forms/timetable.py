"""The timetable, all lines at once, and what a new one is made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any, Final

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.base.models.tournament import Tournament
from tournament.events.engine import TimetableWish
from tournament.events.selectors.timetable_lines import (
    LONGEST_TITLE,
    MOST_LINES,
    TimetableLine,
    timetable_problems,
)
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form

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
        wish = TimetableWish()
        return {
            "first": time(*divmod(wish.first, 60)),
            "pause": wish.pause,
            "lunch_at": time(*divmod(wish.lunch_at, 60)),
            "lunch": wish.lunch,
        }

    def wish(self) -> TimetableWish:
        """Call when the form is valid."""
        data = self.cleaned_data
        return TimetableWish(
            _minutes(data["first"]), data["pause"], _minutes(data["lunch_at"]), data["lunch"]
        )


def _minutes(at: time) -> int:
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
        said = {part: self.cleaned_data.get(f"{part}{place}") for part in _PARTS}
        return TimetableLine(
            session,
            title=said["title"] or "",
            day=said["day"],
            starts=said["starts"],
            ends=said["ends"],
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
            self.fields[f"session{place}"] = _hidden(forms.IntegerField, line.session)
        else:
            name = gettext("Line %(n)s") % {"n": place}
            self.fields[f"uuid{place}"] = _hidden(forms.UUIDField, line.uuid)
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
            widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        )
        self.fields[f"starts{place}"] = _time(gettext("%(line)s, start") % {"line": name}, line.starts)
        if line.session is None:
            self.fields[f"ends{place}"] = _time(gettext("%(line)s, end") % {"line": name}, line.ends)


def _time(label: str, initial: time | None) -> forms.TimeField:
    widget = forms.TimeInput(format="%H:%M", attrs={"type": "time"})
    return forms.TimeField(label=label, initial=initial, required=False, widget=widget)


def _hidden(field: type[forms.Field], initial: object) -> forms.Field:
    return field(initial=initial, required=False, widget=forms.HiddenInput())
