"""A tournament's file: which, and where it is to be."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.exchange.event_file.format import MOST_BYTES
from tournament.exchange.selectors import SLUG
from tournament.web.forms import Form


class ArrivalFileForm(Form):
    """A tournament's file, to be looked at."""

    file = forms.FileField(
        label=_("The tournament’s file"),
        help_text=_("As its owner downloaded it; its name ends in .hule.json."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def content(self) -> bytes:
        """One byte more than there may be is enough to say so."""
        content: bytes = self.cleaned_data["file"].read(MOST_BYTES + 1)
        return content


class ArrivalForm(Form):
    """A file that was looked at, and its address here."""

    slug = forms.RegexField(
        SLUG,
        label=_("Address"),
        help_text=_("The page of the tournament is /t/…/."),
        max_length=60,
        error_messages={"invalid": _("An address has letters a to z, digits and hyphens.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
    )
