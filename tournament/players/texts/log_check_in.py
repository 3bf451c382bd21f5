"""Who has come, and who has not."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.web.texts.log import Data, LogWords, says
from tournament.web.texts.places import sentences

SHOWN = 5
"""So many names are written out."""


@says("checked_in")
def _checked_in(told: LogWords, data: Data) -> str:
    by = data.get("by") == "themselves"
    return told.fill(_("{player} checked in at the door.") if by else _("{player} is checked in."), data)


@says("check_in_taken_back")
def _taken_back(told: LogWords, data: Data) -> str:
    return told.fill(_("{player} is not checked in after all."), data)


def _some(told: LogWords, data: Data) -> str:
    numbers = data["players"]
    return joined(map(told.player, numbers[:SHOWN])) + (" …" if len(numbers) > SHOWN else "")


@says("checked_in_several")
def _several(told: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext("{n} player is checked in: {names}", "{n} players are checked in: {names}", n)
    return text.format(n=n, names=_some(told, data))


@says("check_in_restarted")
def _restarted(told: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext(
        "Check-in begins anew; {n} player was there.", "Check-in begins anew; {n} players were there.", n
    )
    return text.format(n=n)


@says("check_in_set")
def _set(told: LogWords, data: Data) -> str:
    if data["ends_at"]:
        at = timezone.localtime(datetime.fromisoformat(data["ends_at"]))
        until = _("Everybody is to be there by {at}.").format(at=date_format(at, "SHORT_DATETIME_FORMAT"))
    else:
        until = _("Everybody is to be there a quarter of an hour before the first session.")
    themselves = gettext_lazy("People check themselves in with the door’s code.")
    desk = gettext_lazy("People are checked in at the desk.")
    return sentences(until, str(themselves if data["by_themselves"] else desk))


@says("missing_withdrawn")
def _withdrawn(told: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext(
        "{n} player did not come and is withdrawn: {names}",
        "{n} players did not come and are withdrawn: {names}",
        n,
    )
    return text.format(n=n, names=_some(told, data))


@says("missing_readmitted")
def _readmitted(told: LogWords, data: Data) -> str:
    n = len(data["players"])
    text = ngettext("{n} player plays after all: {names}", "{n} players play after all: {names}", n)
    return text.format(n=n, names=_some(told, data))
