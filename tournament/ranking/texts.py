"""Texts about the ranking: criteria, ranks, and the effect of a final."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.base.engine.finals import Carry, Cut
from tournament.base.models.people import Exclusion
from tournament.ranking.engine.standings import Standing

UNRANKED = {
    "disqualification": Exclusion.DISQUALIFIED.label,
    "loss_of_rank": gettext_lazy("loss of rank"),
}
"""`Standing.unranked_because` → text in place of a rank."""
CARRIED = {
    Carry.FULL: gettext_lazy("with all the points they had"),
    Carry.HALF: gettext_lazy("with half of the points they had, rounded down to whole game points"),
    Carry.NOTHING: gettext_lazy("with none of the points they had"),
}
MARKS = {Carry.HALF: "½", Carry.NOTHING: "×0"}
"""Heading of the column of carried points, where these are not all."""

CRITERIA = {
    "table_points": gettext_lazy("table points"),
    "game_points": gettext_lazy("game points"),
    "best_session": gettext_lazy("best session"),
    "hands_won": gettext_lazy("hands won"),
    "wins_by_discard": gettext_lazy("wins by discard"),
    "deal_ins": gettext_lazy("fewest deal-ins"),
}
"""Names of the criteria, by the keys of `base.engine.rules.CRITERIA`."""


def unranked_text(standing: Standing) -> str:
    """Return the text in place of a rank; "" for none."""
    return str(UNRANKED.get(standing.unranked_because, ""))


def carried_name(cut: Cut) -> str:
    """Return the name of the points carried: "Half of sessions 1 to 5"."""
    names = {
        Carry.HALF: ngettext("Half of session {n}", "Half of sessions 1 to {n}", cut.after),
        Carry.NOTHING: ngettext("Nothing of session {n}", "Nothing of sessions 1 to {n}", cut.after),
    }
    return names[cut.carry].format(n=cut.after)


def final_text(cut: Cut) -> str:
    """Return a sentence on who ranks where after the cut."""
    if len(cut.groups) > 1:
        text = _("Final after session {session}: the finalists rank first, group by group, {carried}.")
    else:
        text = _("Final after session {session}: the finalists rank first, {carried}.")
    return text.format(session=cut.after, carried=CARRIED[cut.carry])


def totals_text(cut: Cut) -> str:
    """Return a sentence on how the finalists' totals are computed; "" where they are plain sums."""
    if cut.carry not in MARKS:
        return ""
    text = ngettext(
        "Their totals count “{mark}” in place of session {n}.",
        "Their totals count “{mark}” in place of sessions 1 to {n}.",
        cut.after,
    )
    return text.format(mark=MARKS[cut.carry], n=cut.after)
