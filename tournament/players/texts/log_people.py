"""The people who play: entered, changed, gone, and who plays for them."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from scoring.texts import joined
from tournament.web.texts.log import Data, LogWords, rows, says
from tournament.web.texts.places import sentences

SHOWN = 5
"""So many names are written out."""

rows(
    {
        "player_withdrawn": _("{player} withdrew."),
        "player_readmitted": _("{player} plays again."),
    }
)


@says("player_deleted")
def _player_deleted(told: LogWords, data: Data) -> str:
    return told.fill(_("Deleted: player number {player}."), data, player=data["player"])


@says("stand_in_named")
def _stand_in_named(told: LogWords, data: Data) -> str:
    return told.fill(_("{name} plays for {player}, {at}."), data, name=data["stand_in"])


@says("players_added")
def _players_added(told: LogWords, data: Data) -> str:
    people = data["players"]
    numbers = set(data.get("substitutes", ()))
    if substitutes := [number for number in people if number in numbers]:
        return _("Substitutes, not ranked: {names}.").format(names=joined(map(told.player, substitutes)))
    names = joined(map(told.player, people[:SHOWN]))
    if len(people) > SHOWN:
        return _("{n} players entered: {names} …").format(n=len(people), names=names)
    return _("Entered: {names}.").format(names=names)


@says("list_entered")
def _list_entered(told: LogWords, data: Data) -> str:
    changed = _some(told, [one["player"] for one in data["changed"]])
    left = _some(told, data.get("left", ()))
    return sentences(
        _players_added(told, data) if data["players"] else "",
        _("Changed by a list: {names}.").format(names=changed) if changed else "",
        _("Withdrawn, not in the list: {names}.").format(names=left) if left else "",
    )


@says("list_undone")
def _list_undone(told: LogWords, data: Data) -> str:
    restored = _some(told, [*data["restored"], *data["back"]])
    removed = joined(map(str, data["removed"]))
    return sentences(
        told.fill(_("Entry {step}, a list, taken back."), data, step=data["step"]),
        _("As before: {names}.").format(names=restored) if restored else "",
        _("Removed again, by number: {numbers}.").format(numbers=removed) if removed else "",
    )


def _some(told: LogWords, numbers: Sequence[int]) -> str:
    """The first names of them."""
    return joined(map(told.player, numbers[:SHOWN])) + (" …" if len(numbers) > SHOWN else "")


@says("player_changed")
def _player_changed(told: LogWords, data: Data) -> str:
    number = data["player"]
    text = _("Player {number} changed: {name}.").format(number=number, name=told.player(number))
    return sentences(text, _ranked_or_not(data))


def _ranked_or_not(data: Data) -> str:
    """What the change of a player did to the ranking; "" when nothing."""
    if "substitute" not in data:
        return ""
    return str(_("Not ranked any more: a substitute.") if data["substitute"] else _("Ranked from now on."))
