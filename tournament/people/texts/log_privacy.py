"""Personal data: how long it is kept, that it went, and who was erased."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.web.texts.log import Data, LogWords, says
from tournament.web.texts.places import sentences


@says("player_erased")
def _player_erased(told: LogWords, data: Data) -> str:
    return _("Erased: who player {number} was.").format(number=data["player"])


@says("privacy_set")
def _privacy_set(told: LogWords, data: Data) -> str:
    text = ngettext(
        "Contact data is kept until {n} day after the last session.",
        "Contact data is kept until {n} days after the last session.",
        data["days"],
    )
    return text.format(n=data["days"])


@says("contacts_deleted")
def _contacts_deleted(told: LogWords, data: Data) -> str:
    people = ngettext(
        "Contact data of {n} person deleted.", "Contact data of {n} people deleted.", data["people"]
    )
    letters = ngettext("The text of {n} e-mail too.", "The texts of {n} e-mails too.", data["letters"])
    return sentences(
        people.format(n=data["people"]),
        letters.format(n=data["letters"]) if data["letters"] else "",
    )


@says("tournament_taken")
def _tournament_taken(told: LogWords, data: Data) -> str:
    if data["contacts"]:
        return str(_("The whole tournament was taken as a file, with contact data."))
    return str(_("The whole tournament was taken as a file, without contact data."))


@says("erased_registration")
def _registration_erased(told: LogWords, data: Data) -> str:
    text = _("Erased: who registration {number} was.").format(number=data["registration"])
    player = _("They were player {number}.").format(number=data["player"]) if "player" in data else ""
    return sentences(text, player)
