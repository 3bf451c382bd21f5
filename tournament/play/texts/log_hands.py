"""Hands recorded, corrected and taken back, and the sheets they stand on."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.web.texts.log import Data, LogWords, rows, says, word
from tournament.web.texts.places import override_text

rows(
    {
        "hand_recorded": _("Hand {hand} recorded, {at}: {outcome}."),
        "hand_corrected": _("Hand {hand} corrected, {at}, now: {outcome}. Reason: {reason}"),
        "hand_deepened": _("Hand {hand} written down further, {at}: {outcome}."),
        "hand_undone": _("Hand {hand} taken back, {at}; it was: {outcome}."),
        "table_reopened": _("Opened again: {at}."),
    }
)


@word("outcome")
def _outcome(told: LogWords, data: Data) -> str:
    if data["outcome"] != "win":
        return str(_("wash-out"))
    points = ngettext("{n} point", "{n} points", data["points"]).format(n=data["points"])
    if because := data.get("overridden_because"):
        points += f" ({override_text(data.get('points_by_tiles'), because)})"
    drawn = data.get("discarder") is None
    text = _("{winner} self-drawn, {points}") if drawn else _("{winner} from {discarder}, {points}")
    return told.fill(text, data, points=points)


@says("table_in")
def _table_in(told: LogWords, data: Data) -> str:
    text = ngettext("Handed in: {at}, {n} hand.", "Handed in: {at}, {n} hands.", data["hands"])
    return told.fill(text, data, n=data["hands"])
