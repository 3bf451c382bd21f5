"""Which human a player is. People are named by key: who they are now, the reader looks up."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.web.texts.log import Data, LogWords, rows, says

SHOWN = 5

rows(
    {
        "player_linked": _("{player} is known across tournaments: person {person}."),
        "player_unlinked": _("{player} is not said to be person {person} any more."),
        "person_refused": _("{player} is somebody else than person {person}."),
    }
)


@says("players_linked")
def _linked(told: LogWords, data: Data) -> str:
    numbers = [number for number, _person in data["players"]]
    text = ngettext(
        "{n} player is known across tournaments: {names}",
        "{n} players are known across tournaments: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=_some(told, numbers))


@says("players_unlinked")
def _unlinked(told: LogWords, data: Data) -> str:
    numbers = data["players"]
    text = ngettext(
        "{n} player is not said to be somebody known any more: {names}",
        "{n} players are not said to be somebody known any more: {names}",
        len(numbers),
    )
    return text.format(n=len(numbers), names=_some(told, numbers))


def _some(told: LogWords, numbers: list[int]) -> str:
    return joined(map(told.player, numbers[:SHOWN])) + (" …" if len(numbers) > SHOWN else "")
