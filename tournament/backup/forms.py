"""Forms of backups: the typed name to confirm a restore; a file."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.web.forms import Form


class RestoreForm(Form):
    """The backup's name, typed to confirm a restore."""

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
