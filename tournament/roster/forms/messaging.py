"""The form of a message to a group."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.text import capfirst
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from tournament.base.fields import normalize_newlines
from tournament.base.models.tournament import Tournament
from tournament.messages.mail.models import LetterText
from tournament.roster.engine import Addressees, Group
from tournament.roster.selectors.messaging import usual_texts
from tournament.web.forms import Form


class MessageForm(Form):
    """Subject and text in each language of the event; a language without text gets the first one."""

    table = forms.IntegerField(
        label=_("Only table"), min_value=1, max_value=9999, required=False, help_text=_("Empty: every table.")
    )
    uuid = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, tournament: Tournament, addressees: Addressees, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.tournament, self.addressees = tournament, addressees
        self.usual = usual_texts(tournament, addressees)
        if addressees.group is not Group.SESSION:
            del self.fields["table"]
        for language, own in self.usual.items():
            for name, widget in (("subject", forms.TextInput()), ("text", forms.Textarea({"rows": 12}))):
                model_field: Any = LetterText._meta.get_field(name)
                widget.attrs["lang"] = language
                self.fields[f"{name}_{language}"] = forms.CharField(
                    label=capfirst(model_field.verbose_name),
                    initial=getattr(own, name),
                    required=False,
                    widget=widget,
                )

    def texts(self) -> list[LetterText]:
        """Return the text of each language in which one was written, else the usual ones as they stand."""
        texts = [
            LetterText(
                tournament=self.tournament,
                letter=usual.letter,
                language=language,
                subject=self.cleaned_data[f"subject_{language}"],
                text=normalize_newlines(self.cleaned_data[f"text_{language}"]).strip(),
            )
            for language, usual in self.usual.items()
        ]
        is_reminder = self.addressees.group is Group.OWING
        written = [own for own in texts if is_reminder or own.text != self.usual[own.language].text.strip()]
        return [own for own in written or texts if own.text]

    def languages(self) -> list[dict[str, Any]]:
        """Return each language with its name and fields."""
        return [
            {
                "name": get_language_info(language)["name_local"],
                "fields": [self[f"subject_{language}"], self[f"text_{language}"]],
            }
            for language in self.usual
        ]
