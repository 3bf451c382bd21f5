"""Template tags for e-mails."""

from typing import Final
from urllib.parse import quote

from django import template
from django.utils.safestring import SafeString

from tournament.messages.mail.models import Mail
from tournament.web.tags import pill

register = template.Library()

STATES: Final = {
    Mail.State.WAITING: "wait",
    Mail.State.SENDING: "wait",
    Mail.State.SENT: "ok",
    Mail.State.FAILED: "bad",
    Mail.State.NOT_SENT: "",
}


@register.simple_tag
def mail_state(mail: Mail) -> SafeString:
    state = Mail.State(mail.state)
    return pill(str(state.label), STATES[state])


@register.filter
def mailto(mail: Mail) -> str:
    """Return a mailto link with the whole mail."""
    return f"mailto:{quote(mail.to, safe='@')}?subject={quote(mail.subject)}&body={quote(mail.text)}"
