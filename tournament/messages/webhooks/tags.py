"""Template tags for webhooks."""

from typing import Final
from urllib.parse import urlsplit

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.texts import joined
from tournament.base.engine.notices import Kind
from tournament.messages.webhooks.engine import SUBSCRIBABLE_KINDS
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.texts import FAULTS, KINDS
from tournament.web.tags import pill

register = template.Library()

STATES: Final = {
    Delivery.State.WAITING: "wait",
    Delivery.State.SENDING: "wait",
    Delivery.State.DELIVERED: "ok",
    Delivery.State.FAILED: "bad",
    Delivery.State.WITHHELD: "",
}


@register.filter
def host(webhook: Webhook) -> str:
    """The host of the confidential URL."""
    return urlsplit(webhook.url).hostname or ""


@register.filter
def kind_label(kind: str) -> str:
    return str(KINDS[Kind(kind)])


@register.filter
def kind_labels(webhook: Webhook) -> str:
    return joined(KINDS[kind] for kind in SUBSCRIBABLE_KINDS if kind in webhook.kinds)


@register.filter
def fault_text(delivery: Delivery) -> str:
    return str(FAULTS[delivery.fault]) if delivery.fault else ""


@register.simple_tag
def delivery_state(delivery: Delivery) -> SafeString:
    state = Delivery.State(delivery.state)
    return pill(str(state.label), STATES[state])


@register.simple_tag
def webhook_state(webhook: Webhook) -> SafeString:
    if webhook.pause:
        pause = Webhook.Pause(webhook.pause)
        return pill(str(pause.label), "" if pause is Webhook.Pause.BY_HAND else "bad")
    if webhook.failing_since:
        return pill(_("nothing arrives at the moment"), "wait")
    return pill(_("on"), "ok")
