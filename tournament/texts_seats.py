"""The log's sentences of who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.texts import joined
from tournament.display.finals import final_text
from tournament.engine.finals import Carry, Cut
from tournament.texts_fouls import FoulTexts
from tournament.texts_parts import seed_text, sentences, sessions_text

Data = Mapping[str, Any]
HOW_SEATED = {
    "standing": gettext_lazy("by standing (Swiss)"),
    "interval": gettext_lazy("at intervals of the standings"),
    "lot": gettext_lazy("by lot"),
    "hand": gettext_lazy("by hand"),
    "file": gettext_lazy("from a file"),
    "finals": gettext_lazy("for a final, not in the figures above"),
}
"""How a session was seated by itself, to stand after "seats"."""


class SeatTexts(FoulTexts):
    """Knows a tournament's players by number."""

    def seats_drawn(self, data: Data) -> str:
        text = ngettext(
            "Seats of {n} session drawn for {players} players.",
            "Seats of {n} sessions drawn for {players} players.",
            data["sessions"],
        ).format(n=data["sessions"], players=data["players"])
        return sentences(text, seed_text(data.get("seed")))

    def seats_swapped(self, data: Data) -> str:
        one, other = self._player(data["one"]), self._player(data["other"])
        text = _("{one} and {other} changed seats: {where}.")
        return text.format(one=one, other=other, where=sessions_text(data["sessions"]))

    def seats_replanned(self, data: Data) -> str:
        text = _("Seats planned again for {players} players: {where}.")
        return text.format(players=data["players"], where=sessions_text(data["sessions"]))

    def session_seated(self, data: Data) -> str:
        text = _("Seats {how}: {where}.").format(
            how=HOW_SEATED[data["how"]], where=sessions_text(data["sessions"])
        )
        return sentences(text, seed_text(data.get("seed")))

    def finals_set(self, data: Data) -> str:
        players = sum(map(len, data["groups"]))
        cut = Cut(data["after"], tuple(map(tuple, data["groups"])), Carry(data["carry"]))
        size = ngettext("{n} finalist.", "{n} finalists.", players).format(n=players)
        return sentences(sentences(final_text(cut), size), seed_text(data["seed"]))

    def seats_planned(self, data: Data) -> str:
        return _("Seats read from a file: {where}.").format(where=sessions_text(data["sessions"]))

    def stream_seated(self, data: Data) -> str:
        names = joined(map(self._player, data["players"]))
        text = _("At table {table}, which is filmed: {names}, {where}.")
        return text.format(table=data["table"], names=names, where=sessions_text(data["at"]))

    def seats_corrected(self, data: Data) -> str:
        text = _("{one} and {other} sat in each other's places, {where}: the names are mended.")
        return self._mended(text, data)

    def correction_undone(self, data: Data) -> str:
        return self._mended(_("{one} and {other} have the places again that they had before, {where}."), data)

    def _mended(self, text: str, data: Data) -> str:
        one, other = self._player(data["one"]), self._player(data["other"])
        return text.format(one=one, other=other, where=sessions_text([data["session"]]))
