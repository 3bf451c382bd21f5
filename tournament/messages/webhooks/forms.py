"""A target that is told what happens."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.messages.webhooks.engine import FOR_STAFF, OFFERED
from tournament.messages.webhooks.models import Webhook
from tournament.messages.webhooks.texts import KINDS
from tournament.web.forms import ModelForm

_PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class WebhookForm(ModelForm):
    """What a target is told, and where; the kinds in two lists, so that nobody takes the staff's for the public's."""

    public = forms.MultipleChoiceField(
        label=_("Tell what the public pages say"),
        choices=[(kind.value, KINDS[kind]) for kind in OFFERED if kind not in FOR_STAFF],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    staff = forms.MultipleChoiceField(
        label=_("Tell what only the staff knows"),
        help_text=_("Choose these for a chat that only the staff reads."),
        choices=[(kind.value, KINDS[kind]) for kind in OFFERED if kind in FOR_STAFF],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    field_order = ("name", "format", "url", "chat", "public", "staff", "language")

    class Meta:
        model = Webhook
        fields = ("name", "format", "url", "chat", "language")
        widgets: ClassVar[Any] = {
            "name": forms.TextInput({"autocomplete": "off"}),
            "url": forms.URLInput(_PLAIN),
            "chat": forms.TextInput(_PLAIN),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.update(public=self.instance.kinds, staff=self.instance.kinds)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        self.instance.kinds = [*data.get("public", ()), *data.get("staff", ())]
        if not self.instance.kinds:
            self.add_error("public", self.fields["public"].error_messages["required"])
        return data
