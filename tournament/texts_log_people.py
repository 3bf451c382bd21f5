"""The log's sentences of the people who play: entered, changed, gone, and who plays for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from scoring.texts import joined
from tournament.texts_hall import HallTexts

Data = Mapping[str, Any]


class PeopleTexts(HallTexts):
    """Knows a tournament's players by number and its fouls by key."""

    def players_added(self, data: Data) -> str:
        if substitutes := self._substitutes(data):
            return substitutes
        people = data["players"]
        names = joined(player["name"] for player in people[:5])
        if len(people) > 5:
            return _("{n} players entered: {names} …").format(n=len(people), names=names)
        return _("Entered: {names}.").format(names=names)

    def list_entered(self, data: Data) -> str:
        names = joined(player["name"] for player in data["changed"][:5])
        more = " …" if len(data["changed"]) > 5 else ""
        changed = _("Changed by a list: {names}.").format(names=names + more)
        return f"{self.players_added(data)} {changed}" if data["players"] else changed

    def player_changed(self, data: Data) -> str:
        renamed = data["before"] != data["name"]
        text = (
            _("Player {number} changed: {before} is now {name}.")
            if renamed
            else _("Player {number} changed: {name}.")
        ).format(number=data["player"], before=data["before"], name=data["name"])
        return " ".join(filter(None, (text, self._ranked_or_not(data))))

    def player_withdrawn(self, data: Data) -> str:
        return _("{name} withdrew.").format(name=data["name"])

    def player_readmitted(self, data: Data) -> str:
        return _("{name} plays again.").format(name=data["name"])

    def player_deleted(self, data: Data) -> str:
        return _("Deleted: {name}, number {player}.").format(**data)

    def stand_in_named(self, data: Data) -> str:
        return _("{name} plays for {player}, {at}.").format(
            name=data["stand_in"], player=self._player(data["player"]), at=self._at(data)
        )

    def session_unstarted(self, data: Data) -> str:
        return _("Session {session} is planned again: its start was taken back.").format(**data)

    def _substitutes(self, data: Data) -> str:
        """Who of those entered is not ranked; "" when everybody is."""
        numbers = set(data.get("substitutes", ()))
        names = [player["name"] for player in data["players"] if player["number"] in numbers]
        listed = joined(names)
        return _("Substitutes, not ranked: {names}.").format(names=listed) if names else ""

    def _ranked_or_not(self, data: Data) -> str:
        """What the change of a player did to the ranking; "" when nothing."""
        if "substitute" not in data:
            return ""
        return _("Not ranked any more: a substitute.") if data["substitute"] else _("Ranked from now on.")
