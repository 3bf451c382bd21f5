"""What an organiser says to the hall."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.conf import settings
from django.utils.functional import lazystr
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.messages.announcements.models import LONGEST
from tournament.messages.announcements.services import MOST_MINUTES
from tournament.play.engine.statements import Message
from tournament.web.forms import Form, ServiceChecked, add_problems, numbers_in


class AnnouncementForm(Form):
    """The text in the organiser's language, and where wished in the others."""

    text = ServiceChecked(
        label=_("What do you say?"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    tables = forms.CharField(
        label=_("Only to tables"),
        help_text=_("For instance 1-5, 8. Empty: to everybody."),
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    minutes = forms.IntegerField(
        label=_("For how many minutes?"),
        help_text=_("Empty: until you withdraw it."),
        min_value=1,
        max_value=MOST_MINUTES,
        required=False,
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, given: Any = None) -> None:
        super().__init__(given, initial={"uuid": uuid4()})
        self.others = [code for code, _name in settings.LANGUAGES if code != get_language()]
        for code in self.others:
            self.fields[code] = forms.CharField(
                label=lazystr(get_language_info(code)["name_local"]),
                max_length=LONGEST,
                required=False,
                widget=forms.Textarea(attrs={"rows": 2, "lang": code}),
            )

    @property
    def in_others(self) -> list[forms.BoundField]:
        """The same in other languages."""
        return [self[code] for code in self.others]

    def clean_tables(self) -> list[int]:
        try:
            return numbers_in(self.cleaned_data["tables"])
        except ValueError as fault:
            add_problems(self, [Problem("not_table_numbers", "tables", {"text": str(fault)})])
            return []

    def message(self) -> Message:
        """What was entered; call when the form is valid."""
        data = self.cleaned_data
        return Message(
            data["text"], {code: data[code] for code in self.others}, data["tables"], data["minutes"]
        )
