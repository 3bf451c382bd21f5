"""Messages and letters. Neither an address nor a text stands in the log."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.messages.mail.texts.letters import LETTERS
from tournament.web.texts.log import Data, LogWords, rows, says, word

rows(
    {
        "mail_letter_changed": gettext_lazy("Letter “{title}” changed, {language}."),
        "mail_letter_restored": gettext_lazy("Letter “{title}” as it comes with Hule again, {language}."),
    }
)


@says("mail_all_sent_again")
def _all_sent_again(told: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} message that reached nobody sent again.",
        "{n} messages that reached nobody sent again.",
        data["n"],
    )
    return told.fill(text, data)


@word("title")
def _title(told: LogWords, data: Data) -> str:
    letter = LETTERS.get(data["letter"])
    return str(letter.title) if letter else str(data["letter"])


@says("mail_sent_again")
def _sent_again(told: LogWords, data: Data) -> str:
    if "registration" not in data:
        return told.fill(_("Message “{title}” sent again."), data)
    return told.fill(_("Message “{title}” sent again to {registrant}."), data)
