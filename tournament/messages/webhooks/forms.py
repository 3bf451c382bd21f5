"""A target that is told what happens."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournament.messages.webhooks.engine import FOR_STAFF, OFFERED, Format, Kind
from tournament.messages.webhooks.models import LONGEST_CHAT, LONGEST_NAME, LONGEST_URL, Webhook
from tournament.messages.webhooks.selectors import WebhookWish
from tournament.messages.webhooks.texts import FORMATS, KINDS
from tournament.web.forms import Form

_PLAIN = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}


class WebhookForm(Form):
    name = forms.CharField(
        label=pgettext_lazy("of a thing", "Name"),
        help_text=_("For instance: umpires’ chat."),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    format = forms.ChoiceField(
        label=_("Who listens there?"), choices=[(format.value, FORMATS[format]) for format in Format]
    )
    url = forms.CharField(
        label=_("Address"),
        help_text=_(
            "Of Telegram: https://api.telegram.org/bot…/sendMessage. Whoever has it can write there."
        ),
        max_length=LONGEST_URL,
        widget=forms.URLInput(attrs=_PLAIN),
    )
    chat = forms.CharField(
        label=_("Telegram: which chat. DingTalk, Feishu: the robot’s own secret, if it has one"),
        max_length=LONGEST_CHAT,
        required=False,
        widget=forms.TextInput(attrs=_PLAIN),
    )
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
    language = forms.ChoiceField(label=_("Language"), choices=settings.LANGUAGES)

    @classmethod
    def of(cls, webhook: Webhook, given: Any = None) -> WebhookForm:
        """As the target is now."""
        initial = {name: getattr(webhook, name) for name in ("name", "format", "url", "chat", "language")}
        return cls(given, initial=initial | {"public": webhook.kinds, "staff": webhook.kinds})

    def wish(self) -> WebhookWish:
        """Call when the form is valid."""
        data = self.cleaned_data
        return WebhookWish(
            name=data["name"],
            url=data["url"],
            format=Format(data["format"]),
            kinds=tuple(Kind(kind) for kind in (*data["public"], *data["staff"])),
            language=data["language"],
            chat=data["chat"],
        )
