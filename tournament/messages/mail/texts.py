"""The texts of letters, and of log entries about mail."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournament.base.log_actions import Data, staff_action
from tournament.web.texts.log import LogWords, log_placeholder

# --- Letters ---


Text = str | Promise
PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")
_GAPS: Final = re.compile(r"\n{3,}")

COMMON_PLACEHOLDERS: Final = ("name", "tournament", "days", "venue")
"""The placeholders that every letter has."""
GREETING: Final = _("Dear {name},")
SIGNATURE: Final = _("The organisers of {tournament}")


@dataclass(frozen=True)
class Letter:
    """One kind of letter, with Hule's text.

    `facts`: its placeholders besides COMMON_PLACEHOLDERS; `required`: those that an own text must use. Placeholders
    stand in {braces}; a line with an empty one is left out.
    """

    key: str
    title: Text
    subject: Text
    paragraphs: tuple[Text, ...]
    facts: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    signature: Text = SIGNATURE

    @property
    def text(self) -> str:
        """Greeting, paragraphs and signature in the active language."""
        return "\n\n".join(str(part) for part in (GREETING, *self.paragraphs, self.signature))

    @property
    def placeholders(self) -> tuple[str, ...]:
        return COMMON_PLACEHOLDERS + self.facts


_LINK: Final = _("See your place, change your answers, or cancel: {link}")
_LINK_WITHOUT_PLACE: Final = _("Your registration: {link}")
_WHERE: Final = _("Venue: {venue}")
_OF_REGISTRATION: Final = ("link", "position", "closes")
_OF_PAYMENT: Final = ("open", "holder", "iban", "reference", "pay_link")
_TO_PAY: Final = _("To pay: {open}.")
_PAY_ONLINE: Final = _("Or pay here: {pay_link}")
_TRANSFER: Final = _("By bank transfer: {holder}, {iban}.\nPlease give this reference: {reference}")

LETTERS: Final[Mapping[str, Letter]] = {
    letter.key: letter
    for letter in (
        Letter(
            "registration_confirm",
            _("Is this your address?"),
            _("{tournament}: please confirm your registration"),
            (
                _("Someone, perhaps you, has registered you for {tournament} ({days})."),
                _("Please confirm that this is your address. You are only registered once you do: {link}"),
                _("Registration is open until {closes}."),
                _(
                    "If you did not register, ignore this message: without confirmation the registration "
                    "expires."
                ),
            ),
            _OF_REGISTRATION,
            ("link",),
        ),
        Letter(
            "registration_received",
            _("We have received your registration"),
            _("{tournament}: we have received your registration"),
            (
                _(
                    "Thank you, your address is confirmed. The organisers will review your registration and "
                    "contact you."
                ),
                _LINK,
            ),
            _OF_REGISTRATION,
        ),
        Letter(
            "registration_waiting",
            _("You are on the waiting list"),
            _("{tournament}: you are on the waiting list"),
            (
                _("All places in {tournament} are taken at the moment."),
                _(
                    "You are number {position} on the waiting list; we will let you know when a place "
                    "becomes free."
                ),
                _LINK,
            ),
            _OF_REGISTRATION,
        ),
        Letter(
            "registration_accepted",
            _("You have a place"),
            _("{tournament}: you have a place"),
            (
                _("You have a place in {tournament} ({days})."),
                _WHERE,
                _TO_PAY,
                _TRANSFER,
                _PAY_ONLINE,
                _LINK,
                _("We look forward to seeing you."),
            ),
            _OF_REGISTRATION + _OF_PAYMENT,
        ),
        Letter(
            "registration_moved_up",
            _("A place became free"),
            _("{tournament}: a place has become free for you"),
            (
                _("A place in {tournament} ({days}) has become free, and it is yours."),
                _WHERE,
                _("If you can no longer come, please cancel soon, so that someone else can take the place."),
                _TO_PAY,
                _TRANSFER,
                _PAY_ONLINE,
                _LINK,
            ),
            _OF_REGISTRATION + _OF_PAYMENT,
        ),
        Letter(
            "registration_declined",
            _("No place this time"),
            _("{tournament}: your registration"),
            (_("We are sorry: we cannot give you a place in {tournament}."), _LINK_WITHOUT_PLACE),
            _OF_REGISTRATION,
        ),
        Letter(
            "registration_cancelled",
            _("Your registration is cancelled"),
            _("{tournament}: your registration is cancelled"),
            (
                _(
                    "Your registration for {tournament} is cancelled. If this is a mistake, please tell the "
                    "organisers soon."
                ),
                _LINK_WITHOUT_PLACE,
            ),
            _OF_REGISTRATION,
        ),
        Letter(
            "registration_changed",
            _("Your registration changed"),
            _("{tournament}: your registration changed"),
            (_("Your registration for {tournament} has changed. Please check it."), _LINK),
            _OF_REGISTRATION,
        ),
        Letter(
            "payment_received",
            _("We have received your payment"),
            _("{tournament}: payment received"),
            (
                _("Thank you, we have received {paid}."),
                _("Still to pay: {open}."),
                _LINK,
            ),
            ("paid", "open", "link"),
        ),
        Letter(
            "message",
            _("A message from the organisers"),
            _("News of {tournament}"),
            (_("Your registration, and how to stop messages like this: {link}"),),
            ("link",),
        ),
        Letter(
            "payment_reminder",
            _("Payment reminder"),
            _("{tournament}: {open} still to pay"),
            (
                _("{open} is still to be paid for {tournament} ({days})."),
                _TRANSFER,
                _PAY_ONLINE,
                _("If you have already paid, thank you; please ignore this message."),
                _LINK,
            ),
            (*_OF_PAYMENT, "link"),
            ("open",),
        ),
        Letter(
            "staff_invitation",
            _("Invitation to help"),
            _("{tournament}: an invitation"),
            (
                _("You are invited to help at {tournament} ({days}). Your role: {role}."),
                _WHERE,
                _("This link is only for you. With it you create your account: {link}"),
            ),
            ("role", "link"),
            ("link",),
        ),
        Letter(
            "webhook_paused",
            _("A webhook is paused"),
            _("{tournament}: messages no longer reach “{target}”"),
            (
                _("Messages of {tournament} no longer reach “{target}”, so that webhook is paused."),
                _("Nothing is lost: undelivered messages are kept. To see the reason and to resume: {link}"),
            ),
            ("target", "link"),
            ("link",),
            _("Hule, for {tournament}"),
        ),
    )
}
"""Key → letter."""

PLACEHOLDER_HELP: Final[Mapping[str, Text]] = {
    "name": _("the person’s name"),
    "tournament": _("the tournament’s name"),
    "days": _("its dates"),
    "venue": _("its venue"),
    "link": _("the person’s own link"),
    "position": _("the number on the waiting list"),
    "closes": _("until when registration is open"),
    "paid": _("the amount paid"),
    "open": _("the unpaid amount"),
    "holder": _("the account’s holder"),
    "iban": _("the account’s IBAN"),
    "reference": _("the reference of a bank transfer"),
    "pay_link": _("the link for online payment"),
    "role": _("the role"),
    "target": _("the name of the webhook"),
}
"""Placeholder → its explanation for organisers."""


def unknown_placeholders(text: str, letter: Letter) -> list[str]:
    """Return the placeholders in `text` that the letter does not have, each once."""
    return [name for name in dict.fromkeys(PLACEHOLDER.findall(text)) if name not in letter.placeholders]


def missing_placeholders(text: str, letter: Letter) -> list[str]:
    """Return the required placeholders that `text` does not use."""
    used = PLACEHOLDER.findall(text)
    return [name for name in letter.required if name not in used]


def fill_placeholders(text: str, facts: Mapping[str, str]) -> str:
    """Fill in the placeholders, leaving out lines with an empty one. Values are not searched for placeholders."""
    lines = [
        PLACEHOLDER.sub(lambda match: facts[match[1]], line)
        for line in text.splitlines()
        if all(facts.get(name) for name in PLACEHOLDER.findall(line))
    ]
    return _GAPS.sub("\n\n", "\n".join(lines)).strip()


# --- The log ---


# The log has neither addresses nor texts of mails.
def _all_sent_again(words: LogWords, data: Data) -> str:
    text = ngettext(
        "{n} undelivered message sent again.",
        "{n} undelivered messages sent again.",
        data["n"],
    )
    return words.fill(text, data)


@log_placeholder("title")
def _title(words: LogWords, data: Data) -> str:
    letter = LETTERS.get(data["letter"])
    return str(letter.title) if letter else str(data["letter"])


def _sent_again(words: LogWords, data: Data) -> str:
    if "registration" not in data:
        return words.fill(gettext("Message “{title}” sent again."), data)
    return words.fill(gettext("Message “{title}” sent again to {registrant}."), data)


MAIL_LETTER_CHANGED = staff_action("mail_letter_changed", _("Template “{title}” changed, {language}."))
MAIL_LETTER_RESTORED = staff_action(
    "mail_letter_restored", _("Template “{title}” restored to Hule’s default, {language}.")
)
MAILS_RETRIED = staff_action("mail_all_sent_again", _all_sent_again)
MAIL_RETRIED = staff_action("mail_sent_again", _sent_again)
