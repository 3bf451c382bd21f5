"""The form of a webhook."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.messages.webhooks.engine import STAFF_KINDS, SUBSCRIBABLE_KINDS
from tournament.messages.webhooks.models import Webhook
from tournament.messages.webhooks.texts import KINDS
from tournament.web.forms import ModelForm

PLAIN_INPUT = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class WebhookForm(ModelForm):
    """A webhook. Its kinds are two fields, to keep those that only the staff may know apart."""

    public = forms.MultipleChoiceField(
        label=_("What is on the public pages"),
        choices=[(kind.value, KINDS[kind]) for kind in SUBSCRIBABLE_KINDS if kind not in STAFF_KINDS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    staff = forms.MultipleChoiceField(
        label=_("What only staff can see"),
        help_text=_("Choose these for a chat that only the staff reads."),
        choices=[(kind.value, KINDS[kind]) for kind in SUBSCRIBABLE_KINDS if kind in STAFF_KINDS],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    field_order = ("name", "format", "url", "chat", "public", "staff", "language")

    class Meta:
        model = Webhook
        fields = ("name", "format", "url", "chat", "language")
        widgets: ClassVar[Any] = {
            "name": forms.TextInput({"autocomplete": "off"}),
            "url": forms.URLInput(PLAIN_INPUT),
            "chat": forms.TextInput(PLAIN_INPUT),
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
