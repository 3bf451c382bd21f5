"""Totals typed from paper, and sheets read twice."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.texts import joined
from tournament.web.texts.figures import minus
from tournament.web.texts.log import Data, LogWords, rows, says, word
from tournament.web.texts.places import sentences

rows(
    {
        "table_totals_entered": _("Totals typed from paper, {at}: {totals}."),
        "table_totals_corrected": _("Totals corrected, {at}, now: {totals}. Reason: {reason}"),
    }
)
CHOICES = {
    "first": _("Two readings of the sheet settled, {at}: the first is right, {totals}."),
    "second": _("Two readings of the sheet settled, {at}: the second is right, {totals}."),
    "typed": _("Two readings of the sheet settled, {at}: neither is right, now {totals}."),
}


@word("totals")
def _totals(told: LogWords, data: Data) -> str:
    """Who has what."""
    return joined(
        f"{told.player(int(number))} {minus(points)}"
        for number, points in sorted(data["points"].items(), key=lambda one: int(one[0]))
    )


@says("table_totals_settled")
def _settled(told: LogWords, data: Data) -> str:
    return sentences(told.fill(CHOICES[data["choice"]], data), data["reason"])


@says("table_totals_set_aside")
def _set_aside(told: LogWords, data: Data) -> str:
    if not data["hands"]:
        return told.fill(_("Totals taken back, {at}. Reason: {reason}"), data)
    text = ngettext(
        "Totals set aside, {at}: {n} hand counts.", "Totals set aside, {at}: {n} hands count.", data["hands"]
    )
    return sentences(told.fill(text, data, n=data["hands"]), data["reason"])


@says("totals_read_again")
def _read_again(told: LogWords, data: Data) -> str:
    if not data["differences"]:
        return told.fill(_("Sheet read a second time, {at}: the same."), data)
    text = ngettext(
        "Sheet read a second time, {at}: {n} figure differs.",
        "Sheet read a second time, {at}: {n} figures differ.",
        data["differences"],
    )
    return told.fill(text, data, n=data["differences"])


@says("kept_on_paper")
def _on_paper(told: LogWords, data: Data) -> str:
    if "session" not in data:
        wide = _("Sheets are kept on paper.") if data["on_paper"] else _("Sheets are kept hand by hand.")
        return str(wide)
    if data["on_paper"] is None:
        text = _("Kept as the rest: {place}.")
    else:
        text = _("Kept on paper: {place}.") if data["on_paper"] else _("Kept hand by hand: {place}.")
    place = told.fill("{at}", data) if "table" in data else told.fill(_("session {session}"), data)
    return told.fill(text, data, place=place)
