"""Template tags: plots as SVG with their figures as text, and parts of the ranking."""

import re
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, Final

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.book.terms import fan_link
from scoring.engine import find_fan
from scoring.texts import fan_name
from tournament.base.countries import country_name
from tournament.base.engine.finals import Cut
from tournament.base.engine.rules import SHARED_PLACE
from tournament.base.models.play import Final as SeatingFinal
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.hands import Statistics
from tournament.ranking import texts
from tournament.ranking.engine.standings import Standing
from tournament.ranking.engine.statistics import Figures
from tournament.ranking.selectors.players import PointsHistory
from tournament.ranking.selectors.ranking import Ranking, RankingRow, State, TieBreak
from tournament.web.display import flag_sheet
from tournament.web.texts import words
from tournament.web.texts.words import percent_of

# --- Plots ---


register = template.Library()
register.filter("one_decimal", words.one_decimal)
register.filter("unranked", texts.unranked_text)

PLOT_WIDTH, PLOT_GAP = 360, 3
PLOT_LEFT: Final = 40
PLOT_RIGHT: Final = 6
PLOT_TOP: Final = 8
PLOT_BOTTOM: Final = 120
_TICKS: Final = 4


@register.inclusion_tag("ranking/_hands_plot.html")
def hands_plot(stats: Statistics) -> dict[str, Any]:
    """Plot how a player's hands ended, as one bar in three parts."""
    parts = [
        _part("bar-fill", stats.won, _("Won %(n)s") % {"n": stats.won}),
        _part("bar-bad", stats.dealt_in, _("Dealt in %(n)s") % {"n": stats.dealt_in}),
        _part("bar-rest", stats.neither, _("Neither %(n)s") % {"n": stats.neither}),
    ]
    label = _("Hands: %(hands)s. Won: %(won)s, dealt in: %(dealt_in)s, others: %(neither)s") % {
        "hands": stats.hands,
        "won": stats.won,
        "dealt_in": stats.dealt_in,
        "neither": stats.neither,
    }
    return {"parts": _side_by_side(parts, stats.hands), "label": label}


def _side_by_side(parts: list[dict[str, Any]], whole: int) -> list[dict[str, Any]]:
    """Set the positions of the parts in one bar."""
    left, available = 0.0, PLOT_WIDTH - PLOT_GAP * (sum(part["count"] > 0 for part in parts) - 1)
    for part in parts:
        part["x"], part["width"] = round(left, 1), round(available * part["count"] / whole, 1)
        part["text_x"] = part["x"]
        left += part["width"] + (PLOT_GAP if part["count"] else 0)
    parts[1]["text_x"] = min(
        max(parts[1]["x"], PLOT_WIDTH / 4), PLOT_WIDTH / 2
    )  # clear of the other two texts
    parts[-1] |= {"text_x": PLOT_WIDTH, "anchor": "end"}
    return parts


def _part(kind: str, count: int, text: str) -> dict[str, Any]:
    return {"kind": kind, "count": count, "text": text, "anchor": "start"}


@register.inclusion_tag("ranking/_hands_plot.html")
def endings_plot(figures: Figures) -> dict[str, Any]:
    """Plot how the hands of an event ended, as one bar in three parts."""
    parts = [
        _part("bar-fill", figures.by_discard, _("By discard %(n)s") % {"n": figures.by_discard}),
        _part("bar-soft", figures.self_drawn, _("Self-drawn %(n)s") % {"n": figures.self_drawn}),
        _part("bar-rest", figures.wash_outs, _("Wash-outs %(n)s") % {"n": figures.wash_outs}),
    ]
    label = _(
        "Hands: %(hands)s. Won by discard: %(by_discard)s, self-drawn: %(self_drawn)s, wash-outs: %(out)s"
    ) % {
        "hands": figures.hands,
        "by_discard": figures.by_discard,
        "self_drawn": figures.self_drawn,
        "out": figures.wash_outs,
    }
    parts = _side_by_side(parts, figures.hands)
    parts[1] |= {"text_x": PLOT_WIDTH // 2, "anchor": "middle"}  # under its part it would run into the last
    return {"parts": parts, "label": label}


@register.inclusion_tag("ranking/_fans_plot.html")
def fans_plot(fans: Sequence[tuple[str, int]], maximum: int, known: int = 0) -> dict[str, Any]:
    """Plot a bar for each fan: the longest for `maximum` hands; the share is of the `known` ones, if any."""
    return {
        "known": known,
        "bars": [
            {
                "name": fan_name(find_fan(key)),
                "url": fan_link(find_fan(key)),
                "points": find_fan(key).points,
                "hands": hands,
                "width": max(1, round(100 * hands / maximum)),
                "share": share_of(hands, known),
            }
            for key, hands in fans
        ],
    }


@register.filter
def share_of(part: int, whole: int) -> str:
    """Return a percentage, with a decimal below ten: "40 %", "2.7 %", "< 0.1 %"; a dash if the whole is 0."""
    share = 100 * part / whole if whole else 0
    if share >= 10 or not part or not whole:
        return percent_of(part, whole)
    return _("%(n)s %%") % {"n": f"{share:.1f}"} if share >= 0.05 else _("< %(n)s %%") % {"n": "0.1"}


@register.inclusion_tag("ranking/_points_plot.html")
def points_plot(history: PointsHistory) -> dict[str, Any]:
    """Plot the game points hand by hand, as a line with the sessions marked."""
    low, high = min(history.scores), max(history.scores)
    step = _tick_step(high - low)
    low, high = low // step * step, max(-(-high // step) * step, low // step * step + step)
    x_step = (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT) / (len(history.scores) - 1)
    y_step = (PLOT_BOTTOM - PLOT_TOP) / (high - low)
    xs = [round(PLOT_LEFT + x_step * place, 1) for place in range(len(history.scores))]
    ys = [round(PLOT_BOTTOM - y_step * (score - low), 1) for score in history.scores]
    zero = round(PLOT_BOTTOM + y_step * low, 1)
    line = " ".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True))
    starts = [0, *(end for _number, end in history.sessions)]
    return {
        "line": line,
        "area": f"{xs[0]},{zero} {line} {xs[-1]},{zero}",
        "ticks": [
            {"y": round(PLOT_BOTTOM - y_step * (tick - low), 1), "text": words.minus(tick), "zero": tick == 0}
            for tick in range(low, high + 1, step)
        ],
        "sessions": [
            {
                "end": xs[end],
                "middle": round((xs[start] + xs[end]) / 2, 1),
                "text": _("S%(n)s") % {"n": number},
            }
            for start, (number, end) in zip(starts, history.sessions, strict=False)
        ],
        "last": {"x": xs[-1], "y": ys[-1]},
        "label": _("Game points hand by hand: from 0 to %(last)s, at most %(maximum)s, at least %(minimum)s")
        % {
            "last": words.signed(history.scores[-1]),
            "maximum": words.signed(max(history.scores)),
            "minimum": words.signed(min(history.scores)),
        },
    }


def _tick_step(span: int) -> int:
    """Return a round number that divides the span into a few parts: 10, 20, 50, 100, …"""
    power = 10
    while True:
        for step in (power, 2 * power, 5 * power):
            if span <= step * _TICKS:
                return step
        power *= 10


# --- Parts of the ranking ---


@register.simple_tag
def ranking_row(ranking: Ranking, row: RankingRow, why: str = "") -> SafeString:
    """Render a line of the ranking; cached, so that after a hand only the lines that changed are rendered again.

    `why`: whether to show what broke a tie.
    """
    slug, has_teams = ranking.tournament.slug, ranking.has_teams
    flags = flag_sheet(ranking.tournament)
    carries = tuple((final.after_session, final.carry) for final in ranking.finals)
    key = (get_language(), slug, has_teams, ranking.has_groups, carries, why, flags.address, row.cache_key)
    html = _row_cache.get(key)
    if html is None:
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
        html = _row_cache[key] = compact_html(render_to_string("ranking/_ranking_row.html", context))
        while len(_row_cache) > _MAX_CACHED_ROWS:
            _row_cache.pop(next(iter(_row_cache)), None)
    return html


@register.simple_tag
def rank_of(ranking: Ranking, line: Standing) -> SafeString:
    """Render a player's rank, large, and whether it is shared and provisional; empty without one."""
    if not (line and line.sessions and line.rank):
        return SafeString("")
    text = '<p class="place{}"><span class="vh">{} </span>{}<span class="vh">{}</span></p>{}'
    states = {_("shared"): line.shared, _("provisional"): ranking.state == State.PROVISIONAL}
    tags = format_html_join(
        " ", '<span class="tag">{}</span>', ((name,) for name, holds in states.items() if holds)
    )
    return format_html(text, "" if line.rank == 1 else " later", _("Rank"), line.rank, _(", "), tags)


def rank_lines(ranking: Ranking) -> SafeString:
    """Return everybody's rank, each with its id."""
    rows = ((row.standing.number, rank_of(ranking, row.standing)) for row in ranking.rows)
    return format_html_join("", '<div id="rank-{}">{}</div>', rows)


def compact_html(html: str) -> SafeString:
    """Remove the indentation of a row: a third of its size, and eighteen text nodes that slow a phone down."""
    return SafeString(_AROUND_CELLS.sub(r"\1", _WHITESPACE.sub(" ", html)))


_WHITESPACE = re.compile(r"\s+")
_AROUND_CELLS = re.compile(r" ?(</?t[dr]\b[^>]*>) ?")
_MAX_CACHED_ROWS = 8192
"""About a kilobyte each."""
_row_cache: dict[Hashable, SafeString] = {}


@register.filter
def cut_text(cut: Cut) -> str:
    """Return a sentence on what a final does to the ranking."""
    return texts.final_text(cut)


@register.filter
def totals_text(cut: Cut) -> str:
    """Return a sentence on how the finalists' totals are computed."""
    return texts.totals_text(cut)


@register.filter
def carry_mark(final: SeatingFinal) -> str:
    """Return the heading of the column of carried points."""
    return texts.MARKS[final.cut.carry]


@register.filter
def carried_name(final: SeatingFinal) -> str:
    """Return the name of the carried points."""
    return texts.carried_name(final.cut)


@register.filter
def tie_break_text(tie_break: TieBreak) -> str:
    """Return what ranks a player before the next: "before the next by game points, 98 to 44"."""
    return _("ahead of the next by %(criterion)s, %(mine)s to %(next)s") % {
        "criterion": texts.CRITERIA[tie_break.criterion],
        "mine": _figure(tie_break.criterion, tie_break.value),
        "next": _figure(tie_break.criterion, tie_break.next_value),
    }


def _figure(criterion: str, value: Fraction | int) -> str:
    """Return a criterion's value as text."""
    if criterion == "table_points":
        return words.table_points(value)
    return words.minus(int(-value if criterion == "deal_ins" else value))


@register.filter
def country(alpha3: str) -> str:
    """Return a country's name in the reader's language; other texts unchanged."""
    return country_name(alpha3) or alpha3


@register.filter
def criteria_text(tournament: Tournament) -> str:
    """Return the criteria of this tournament's rules: "table points, then game points"."""
    keys = [key for key in tournament.rules.criteria if key != SHARED_PLACE]
    return _(", then ").join(str(texts.CRITERIA[key]) for key in keys)
