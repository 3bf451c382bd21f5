"""Forms that import a tournament file."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.exchange.event_file.reading import MAX_BYTES
from tournament.exchange.selectors import SLUG
from tournament.web.forms import Form


class TournamentFileForm(Form):
    file = forms.FileField(
        label=_("The tournament’s file"),
        help_text=_("As its owner downloaded it; its name ends in .hule.json."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )

    def content(self) -> bytes:
        """Return the file's content; one byte more than allowed is enough for `parse_json` to refuse it."""
        content: bytes = self.cleaned_data["file"].read(MAX_BYTES + 1)
        return content


class ImportForm(Form):
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
