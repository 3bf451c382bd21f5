"""Targets that are told what happens. Neither an address nor a name stands in the log."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournament.messages.webhooks.models import Webhook
from tournament.web.texts.log import Data, LogWords, rows, says

rows(
    {
        "webhook_added": _("Webhook {webhook} added."),
        "webhook_changed": _("Webhook {webhook} changed."),
        "webhook_removed": _("Webhook {webhook} removed."),
        "webhook_secret_renewed": _("Webhook {webhook} has a new secret."),
        "webhook_resumed": _("Webhook {webhook} goes on."),
        "webhook_tested": _("Webhook {webhook} tested."),
        "webhook_sent_again": _("A message to webhook {webhook} sent again."),
    }
)
_PAUSED: Final = {
    Webhook.Pause.BY_HAND: _("Webhook {webhook} paused."),
    Webhook.Pause.FAILING: _("Webhook {webhook} paused: nothing arrived for a day."),
    Webhook.Pause.GONE: _("Webhook {webhook} paused: it says that it is gone."),
}


@says("webhook_paused")
def _paused(told: LogWords, data: Data) -> str:
    return told.fill(_PAUSED[Webhook.Pause(data["state"])], data)
