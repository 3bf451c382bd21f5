"""What a final does to the ranking, in a sentence."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.engine.finals import Carry, Cut

CARRIED = {
    Carry.FULL: gettext_lazy("with all the points they had"),
    Carry.HALF: gettext_lazy("with half of the points they had, rounded down to whole game points"),
    Carry.NOTHING: gettext_lazy("with none of the points they had"),
}


def final_text(cut: Cut) -> str:
    """Who ranks where from the session after the cut on."""
    if len(cut.groups) > 1:
        text = _("Final after session {session}: the finalists rank first, group by group, {carried}.")
    else:
        text = _("Final after session {session}: the finalists rank first, {carried}.")
    return text.format(session=cut.after, carried=CARRIED[cut.carry])
