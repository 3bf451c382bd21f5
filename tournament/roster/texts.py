"""The texts of messages to groups: log entries, and the names of the groups."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.base.log_actions import Data, staff_action
from tournament.roster.engine import Group
from tournament.web.texts.log import LogWords

GROUPS: Final[dict[Group, str | Promise]] = {
    Group.EVERYBODY: _("Everybody"),
    Group.OWING: _("Who owes"),
    Group.WAITING: _("Waiting list"),
    Group.TO_REVIEW: _("To be reviewed"),
    Group.SESSION: _("Session {session}"),
}


def _message_sent(words: LogWords, data: Data) -> str:
    n = data["letters"]
    text = ngettext("Message to {n} person written.", "Message to {n} people written.", n)
    return words.fill(text, data, n=n)


MESSAGE_SENT = staff_action("message_sent", _message_sent)
