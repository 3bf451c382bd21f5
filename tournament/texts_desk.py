"""The log's sentences of what happens at the umpire's desk beside the hands: signing off, appeals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from penalties.engine import FoulBook
from penalties.texts import name_in
from scoring.texts import joined
from tournament.display.figures import minus
from tournament.models import Call, Tournament

Data = Mapping[str, Any]


class DeskTexts:
    """Knows a tournament's players by number and its fouls by key."""

    def __init__(self, tournament: Tournament) -> None:
        self._names = {player.number: player.name for player in tournament.players.all()}
        self._fouls: FoulBook = tournament.rules.fouls

    def _foul(self, data: Data) -> str:
        return name_in(self._fouls, data["foul"])

    def _void(self, data: Data) -> str:
        """Whose signatures this write has made void."""
        names = joined(self._player(number) for number in data.get("signatures_void", ()))
        return _("No longer signed by {players}.").format(players=names) if names else ""

    def _player(self, number: int | None) -> str:
        if number is None:
            return "–"
        return self._names.get(number) or _("player {number}").format(number=number)

    def _at(self, data: Data) -> str:
        return _("session {session}, table {table}").format(session=data["session"], table=data["table"])

    def sheet_signed(self, data: Data) -> str:
        return _("Signed: {player}, {at}, with {score}.").format(
            player=self._player(data["player"]),
            at=self._at(data),
            score=minus(data["sheet"][str(data["player"])][0]),
        )

    def signature_taken_back(self, data: Data) -> str:
        text = _("Signature taken back: {player}, {at}.")
        return text.format(player=self._player(data["player"]), at=self._at(data))

    def call_raised(self, data: Data) -> str:
        return _("Umpire called: {at}, {topic}.").format(at=self._at(data), topic=self._topic(data))

    def call_taken(self, data: Data) -> str:
        return _("Call taken: {at}, {topic}.").format(at=self._at(data), topic=self._topic(data))

    def call_done(self, data: Data) -> str:
        return _("Call done: {at}, {topic}.").format(at=self._at(data), topic=self._topic(data))

    def _topic(self, data: Data) -> str:
        return str(Call.Topic(data["topic"]).label)

    def extra_time_set(self, data: Data) -> str:
        text = ngettext(
            "{n} minute longer: {at}. {reason}", "{n} minutes longer: {at}. {reason}", data["minutes"]
        )
        return text.format(n=data["minutes"], at=self._at(data), reason=data["reason"])

    def appeal_opened(self, data: Data) -> str:
        text = _("Appeal: {player}, {at}: {text}")
        if data["about_hand"] is not None:
            text = _("Appeal: {player}, {at}, hand {hand}: {text}")
        if penalty := data.get("about_penalty"):
            text = _("Appeal: {player}, {at}, against the penalty of {offender} ({foul}): {text}")
        return text.format(
            player=self._player(data["appellant"]),
            at=self._at(data),
            hand=data["about_hand"],
            offender=self._player(penalty["player"]) if penalty else "",
            foul=self._foul(penalty) if penalty else "",
            text=data["text"],
        )

    def appeal_ruled(self, data: Data) -> str:
        text = _("Appeal granted: {player}, {at}: {text}")
        if not data["granted"]:
            text = _("Appeal dismissed: {player}, {at}: {text}")
        said = text.format(player=self._player(data["appellant"]), at=self._at(data), text=data["text"])
        if because := data.get("alone_because"):
            said += " " + _("Ruled by who took the decision: {because}").format(because=because)
        return said

    def ruling_waived(self, data: Data) -> str:
        text = _("Granted appeal closed without a change: {player}, {at}. Reason: {reason}")
        return text.format(player=self._player(data["appellant"]), at=self._at(data), reason=data["reason"])

    def _gone_past(self, data: Data) -> str:
        """What was still open when a step was taken all the same, and why it was."""
        if not (left := len(data.get("left_open", ()))):
            return ""
        text = ngettext(
            "{n} thing was still open. Reason: {reason}", "{n} things were still open. Reason: {reason}", left
        )
        return text.format(n=left, reason=data["reason"])

    def _calls_ended(self, data: Data) -> str:
        tables = joined(data.get("calls_ended", ()))
        return _("Ends the call for an umpire at table {tables}.").format(tables=tables) if tables else ""

    def _carried(self, data: Data) -> str:
        """That this write carried out what was granted."""
        return _("Carries out a granted appeal.") if data.get("rulings_carried_out") else ""
