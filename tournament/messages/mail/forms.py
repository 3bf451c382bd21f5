"""The form for an organiser's own text of a letter."""

from typing import Any, ClassVar

from django import forms

from tournament.messages.mail.models import LetterText
from tournament.web.forms import ModelForm


class LetterForm(ModelForm):
    """Plain text with placeholders in braces."""

    class Meta:
        model = LetterText
        fields = ("subject", "text")
        widgets: ClassVar[Any] = {"text": forms.Textarea({"rows": 14})}
