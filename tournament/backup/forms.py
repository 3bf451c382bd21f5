"""Putting a backup back: its name, typed; a file."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.web.forms import Form


class RestoreForm(Form):
    """The name of the backup, typed, so that nobody takes an evening back by a slip."""

    name = forms.CharField(
        label=_("The backup’s name"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class BackupFileForm(Form):
    file = forms.FileField(
        label=_("Backup"),
        help_text=_("A file whose name ends in .hule."),
        widget=forms.FileInput(attrs={"accept": ".hule,.zip"}),
    )
