"""The texts of the list of people and of messages to groups."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from tournament.base.access import Right
from tournament.base.log_actions import Data, staff_action
from tournament.roster.engine import Group, Part
from tournament.web.sections import register_section
from tournament.web.texts.log import LogWords

PARTS: Final[dict[Part, str | Promise]] = {
    Part.UNCONFIRMED: _("Not confirmed"),
    Part.TO_REVIEW: _("To review"),
    Part.WAITING: pgettext_lazy("for a place", "Waiting"),
    Part.COMING: _("Coming"),
    Part.PLAYING: pgettext_lazy("in the event", "Playing"),
    Part.LEFT: pgettext_lazy("the event", "Left"),
    Part.OWING: _("Unpaid"),
    Part.TO_REFUND: _("To refund"),
    Part.WITHOUT_FEE: _("No price yet"),
}

GROUPS: Final[dict[Group, str | Promise]] = {
    Group.EVERYBODY: _("Everybody"),
    Group.OWING: _("Who has not paid"),
    Group.WAITING: _("Waiting list"),
    Group.TO_REVIEW: _("To be reviewed"),
    Group.SESSION: _("Session {session}"),
}


def _message_sent(words: LogWords, data: Data) -> str:
    n = data["letters"]
    text = ngettext("Message to {n} person written.", "Message to {n} people written.", n)
    return words.fill(text, data, n=n)


MESSAGE_SENT = staff_action("message_sent", _message_sent)

register_section(
    "people",
    "before",
    30,
    _("People"),
    "organiser_people",
    Right.READ,
    Right.ADMIT,
    Right.CASH,
    help="organisers/people/",
)
