"""The ranking in words: what a final does to it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.base.engine.finals import Carry, Cut

CARRIED = {
    Carry.FULL: gettext_lazy("with all the points they had"),
    Carry.HALF: gettext_lazy("with half of the points they had, rounded down to whole game points"),
    Carry.NOTHING: gettext_lazy("with none of the points they had"),
}
MARKS = {Carry.HALF: "½", Carry.NOTHING: "×0"}
"""What heads the column of the points carried, where these are not all."""


def carried_name(cut: Cut) -> str:
    """What the points carried are called: "Half of sessions 1 to 5"."""
    names = {
        Carry.HALF: ngettext("Half of session {n}", "Half of sessions 1 to {n}", cut.after),
        Carry.NOTHING: ngettext("Nothing of session {n}", "Nothing of sessions 1 to {n}", cut.after),
    }
    return names[cut.carry].format(n=cut.after)


def final_text(cut: Cut) -> str:
    """Who ranks where from the session after the cut on."""
    if len(cut.groups) > 1:
        text = _("Final after session {session}: the finalists rank first, group by group, {carried}.")
    else:
        text = _("Final after session {session}: the finalists rank first, {carried}.")
    return text.format(session=cut.after, carried=CARRIED[cut.carry])


def totals_text(cut: Cut) -> str:
    """How the finalists' totals are made up; nothing where they are plain sums."""
    if cut.carry not in MARKS:
        return ""
    text = ngettext(
        "Their totals count “{mark}” in place of session {n}.",
        "Their totals count “{mark}” in place of sessions 1 to {n}.",
        cut.after,
    )
    return text.format(mark=MARKS[cut.carry], n=cut.after)
