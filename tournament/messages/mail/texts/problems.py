"""Sentences about messages: letters and the texts they are made from, and what programs and chats are told."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.messages.webhooks.texts.problems import WEBHOOKS

MAILS: dict[str, str | Promise] = {
    **WEBHOOKS,
    "mail_under_way": _("This message is on its way already."),
    "mail_server_missing": _("This site has no mail server. Copy the message and send it yourself."),
    "mail_of_no_tournament": _("This message belongs to no tournament."),
    "no_such_letter": _("There is no letter “{name}”."),
    "letter_empty": _("Write something here."),
    "letter_subject_lines": _("A subject is one line."),
    "letter_placeholder_unknown": _("“{name}” in braces is nothing this letter knows of."),
    "letter_placeholder_missing": _("Without “{name}” in braces this letter is of no use."),
}
