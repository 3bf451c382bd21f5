"""Parts of the ranking: a line of it, what broke a tie, what ranks."""

from __future__ import annotations

import re
from collections.abc import Hashable
from fractions import Fraction

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournament.base.engine.criteria import SHARED_PLACE
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.finals import Cut
from tournament.ranking.selectors.ranking import Ranking
from tournament.ranking.selectors.ranking_rows import Lead, RankingRow
from tournament.seating.models import Final
from tournament.seating.texts import finals
from tournament.web.display.flags import flag_sheet
from tournament.web.texts import figures
from tournament.web.texts.countries import country_name

register = template.Library()


@register.simple_tag
def ranking_row(ranking: Ranking, row: RankingRow, why: str = "") -> SafeString:
    """A line of the ranking, drawn once for all it shows: after a hand only the lines that changed are drawn anew.

    `why`: with what broke a tie below it.
    """
    slug, has_teams = ranking.tournament.slug, ranking.has_teams
    flags = flag_sheet(ranking.tournament)
    carries = tuple((final.after_session, final.carry) for final in ranking.finals)
    key = (get_language(), slug, has_teams, ranking.has_groups, carries, why, flags.address, row.key)
    drawn = _drawn_rows.get(key)
    if drawn is None:
        context = {
            "row": row,
            "line": row.standing,
            "player": row.player,
            "slug": slug,
            "flags": flags,
            "parts": list(zip(ranking.parts, row.parts, strict=True)),
            "has_teams": has_teams,
            "has_groups": ranking.has_groups,
            "why": why,
        }
        drawn = _drawn_rows[key] = tight(render_to_string("ranking/_ranking_row.html", context))
        while len(_drawn_rows) > KEPT_ROWS:
            _drawn_rows.pop(next(iter(_drawn_rows)), None)
    return drawn


def tight(html: str) -> SafeString:
    """A row without its indentation: a third of its weight, and eighteen nodes that a slow phone makes for nothing."""
    return SafeString(AROUND_CELLS.sub(r"\1", SPACE.sub(" ", html)))


SPACE = re.compile(r"\s+")
AROUND_CELLS = re.compile(r" ?(</?t[dr]\b[^>]*>) ?")
KEPT_ROWS = 8192
"""About a kilobyte each."""
_drawn_rows: dict[Hashable, SafeString] = {}


@register.filter
def cut_text(cut: Cut) -> str:
    """What a final does to the ranking."""
    return finals.final_text(cut)


@register.filter
def totals_text(cut: Cut) -> str:
    """How the finalists' totals are made up."""
    return finals.totals_text(cut)


@register.filter
def carry_mark(final: Final) -> str:
    """What heads the column of the points carried."""
    return finals.MARKS[final.cut.carry]


@register.filter
def carried_name(final: Final) -> str:
    """The same in words."""
    return finals.carried_name(final.cut)


@register.filter
def lead_text(lead: Lead) -> str:
    """What put a player before the next: "before the next by game points, 98 to 44"."""
    mine, following = (_figure(lead.criterion, value) for value in (lead.mine, lead.next))
    return _("before the next by %(criterion)s, %(mine)s to %(next)s") % {
        "criterion": _CRITERIA[lead.criterion],
        "mine": mine,
        "next": following,
    }


def _figure(criterion: str, value: Fraction | int) -> str:
    """A criterion's value as people count it."""
    if criterion == "table_points":
        return figures.table_points(value)
    return figures.minus(int(-value if criterion == "deal_ins" else value))


@register.filter
def country(alpha3: str) -> str:
    """A country's name in the reader's language; what is no code stays as it is."""
    return country_name(alpha3) or alpha3


_CRITERIA = {
    "table_points": gettext_lazy("table points"),
    "game_points": gettext_lazy("game points"),
    "best_session": gettext_lazy("best session"),
    "hands_won": gettext_lazy("hands won"),
    "wins_by_discard": gettext_lazy("wins by discard"),
    "deal_ins": gettext_lazy("fewest deal-ins"),
}


@register.filter
def criteria_text(tournament: Tournament) -> str:
    """What ranks under this tournament's rules: "table points, then game points"."""
    keys = [key for key in tournament.rules.criteria if key != SHARED_PLACE]
    return _(", then ").join(str(_CRITERIA[key]) for key in keys)
