"""A letter in an organiser's own words."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.messages.mail.selectors import MOST_SUBJECT, MOST_TEXT
from tournament.web.forms import Form, ServiceChecked


class LetterForm(Form):
    """Plain text with placeholders in braces."""

    subject = ServiceChecked(label=_("Subject"), max_length=MOST_SUBJECT)
    text = ServiceChecked(
        label=_("Text"),
        help_text=_("Plain text. A line whose placeholder has nothing to say is left out of that letter."),
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 14}),
    )
