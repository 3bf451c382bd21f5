"""The log's sentences of fouls: penalties, and who was missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from penalties.engine import Names, Sanction
from penalties.texts import sanction_text
from scoring.texts import joined
from tournament.display.figures import signed
from tournament.engine.attendance import Credit
from tournament.texts_desk import DeskTexts

Data = Mapping[str, Any]


class FoulTexts(DeskTexts):
    """Penalties, lateness and stand-ins, the foul book itself."""

    def penalty_given(self, data: Data) -> str:
        effects = joined(
            f"{self._player(int(number))} {signed(points)}"
            for number, points in data.get("effects", {}).items()
        )
        text = _("{foul}: {player}, {at}.") if not effects else _("{foul}: {player}, {at} ({effects}).")
        text = text.format(
            foul=self._foul(data), player=self._player(data["player"]), at=self._at(data), effects=effects
        )
        if "because" not in data:
            return text
        instead = _("Imposed: {sanction}; the foul book says: {proposed}. Reason: {reason}").format(
            sanction=sanction_text(Sanction.from_json(data["sanction"])),
            proposed=sanction_text(Sanction.from_json(data["proposed"])),
            reason=data["because"],
        )
        return f"{text} {instead}"

    def penalty_cancelled(self, data: Data) -> str:
        text = _("Taken back: {foul}, {player}, {at}. Reason: {reason}")
        return text.format(
            foul=self._foul(data),
            player=self._player(data["player"]),
            at=self._at(data),
            reason=data.get("reason", ""),
        )

    def penalties_shown(self, data: Data) -> str:
        if data["public"]:
            return _("Penalties are shown to everybody.")
        return _("Penalties are shown to organisers and umpires only.")

    def foul_changed(self, data: Data) -> str:
        return _("Foul changed: {foul}.").format(foul=self._named(data))

    def foul_added(self, data: Data) -> str:
        return _("House foul added: {foul}.").format(foul=self._named(data))

    def foul_restored(self, data: Data) -> str:
        return _("Foul as in the rulebook again, or taken out: {foul}.").format(foul=self._named(data))

    def attendance_changed(self, data: Data) -> str:
        if data["stand_in"] == Credit.NOBODY:
            credit = _("A stand-in's result is nobody's.")
        else:
            credit = _("A stand-in's result is the absent player's.")
        kept, lost = _("Who withdraws keeps a rank."), _("Who withdraws is not ranked.")
        said = f"{credit} {kept if data['withdrawn_ranked'] else lost}"
        if not data.get("starting_points"):
            return said
        start = _("A player starts a session with {points} points: lateness docks no more than they hold.")
        return f"{said} {start.format(points=data['starting_points'])}"

    def _named(self, data: Data) -> str:
        """The foul by the name it had when this was written."""
        return Names.from_json(data["names"]).in_language(get_language() or "en")

    def player_absent(self, data: Data) -> str:
        return _("{player} is missing: {at}.").format(player=self._player(data["player"]), at=self._at(data))

    def player_arrived(self, data: Data) -> str:
        text = ngettext(
            "{player} came {n} minute late: {at}.", "{player} came {n} minutes late: {at}.", data["minutes"]
        )
        return text.format(player=self._player(data["player"]), n=data["minutes"], at=self._at(data))

    def begun_without(self, data: Data) -> str:
        text = _("The others begin without {player}: {at}. Reason: {reason}")
        return text.format(player=self._player(data["player"]), at=self._at(data), reason=data["reason"])

    def absence_taken_back(self, data: Data) -> str:
        text = _("{player} is not missing after all: {at}.")
        return text.format(player=self._player(data["player"]), at=self._at(data))

    def stand_in_seated(self, data: Data) -> str:
        text = _("{stand_in} plays for {player}: {at}.")
        return text.format(stand_in=data["stand_in"], player=self._player(data["player"]), at=self._at(data))

    def player_seated_again(self, data: Data) -> str:
        text = _("{player} plays again, no longer {stand_in}: {at}.")
        return text.format(stand_in=data["stand_in"], player=self._player(data["player"]), at=self._at(data))
