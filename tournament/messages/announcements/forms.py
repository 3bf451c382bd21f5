"""The form of an announcement."""

from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.utils.functional import lazystr
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext_lazy as _

from tournament.base.errors import Invalid
from tournament.base.problems import NOT_TABLE_NUMBERS
from tournament.messages.announcements.models import MAX_LENGTH, MAX_MINUTES, Announcement
from tournament.web.forms import ModelForm, parse_numbers


class AnnouncementForm(ModelForm):
    """The text in the organiser's language, and optionally in the others."""

    tables = forms.CharField(
        label=_("Only at tables"),
        help_text=_("For instance 1-5, 8. Leave empty for everybody."),
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    minutes = forms.IntegerField(
        label=_("For how many minutes?"),
        help_text=_("Leave empty: until you withdraw it."),
        min_value=1,
        max_value=MAX_MINUTES,
        required=False,
    )

    class Meta:
        model = Announcement
        fields = ("text", "uuid")
        widgets: ClassVar[Any] = {"text": forms.Textarea({"rows": 2}), "uuid": forms.HiddenInput()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.others = [code for code, _name in settings.LANGUAGES if code != get_language()]
        for code in self.others:
            self.fields[code] = forms.CharField(
                label=lazystr(get_language_info(code)["name_local"]),
                max_length=MAX_LENGTH,
                required=False,
                widget=forms.Textarea(attrs={"rows": 2, "lang": code}),
            )

    @property
    def in_others(self) -> list[forms.BoundField]:
        """The fields of the text in the other languages."""
        return [self[code] for code in self.others]

    def clean_tables(self) -> list[int]:
        try:
            return parse_numbers(self.cleaned_data["tables"])
        except ValueError as fault:
            raise Invalid(NOT_TABLE_NUMBERS(text=str(fault))) from None

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        self.instance.tables = data.get("tables", [])
        self.instance.translations = {code: data.get(code, "") for code in self.others}
        return data
