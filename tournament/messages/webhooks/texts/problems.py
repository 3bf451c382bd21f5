"""Sentences about targets that are told what happens."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WEBHOOKS: dict[str, str | Promise] = {
    "webhook_name_missing": _("Give it a name of at most {most} letters."),
    "webhook_name_taken": _("There is a webhook “{name}” already."),
    "webhook_address_wrong": _("This is no address. It begins with https:// and has no spaces."),
    "webhook_not_https": _(
        "The address has to begin with https://. For http, whoever runs this site names the network."
    ),
    "webhook_private": _(
        "The address leads into a private network. Whoever runs this site can name it (WEBHOOK_NETWORKS)."
    ),
    "webhook_port": _("This port is not written to. Leave it out, or choose one from 1024 on."),
    "webhook_kinds_missing": _("Choose at least one thing that it is told."),
    "webhook_chat_missing": _("Telegram asks for the number or the name of the chat."),
    "webhook_chat_long": _("This is too long: at most {most} letters."),
    "webhooks_too_many": _("An event has at most {most} webhooks."),
    "delivery_under_way": _("This message is on its way already."),
    "delivery_withheld": _("This message is held back: the public is not told of it any more."),
}
