"""A puzzle of one's own: a hand as text."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.quiz.own import LONGEST
from tournament.web.forms.problems import ServiceChecked
from tournament.web.forms.spoken import Form


class PuzzleForm(Form):
    hand = ServiceChecked(
        label=_("The hand as text"),
        help_text=_(
            "14 tiles ask what the hand is worth, 13 which tiles complete it: 123m 456p 678s 55m 23s +1s self-drawn"
        ),
        max_length=LONGEST,
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, given: Any = None) -> None:
        super().__init__(given, initial={"uuid": uuid4()})
