"""Putting a backup back: its name, typed; a file; the code of a first visit."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.accounts import setup_code
from tournament.accounts.services import WRONG_SETUP_CODE
from tournament.base.errors import Invalid
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


class SetupCodeForm(Form):
    """The printed code, before a file is taken from anybody."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("It was printed where Hule was started."),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not setup_code.check(code):
            raise Invalid(WRONG_SETUP_CODE())
        return code
