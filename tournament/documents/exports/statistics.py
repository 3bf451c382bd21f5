"""The statistics of an event or a session on paper: figures, how hands ended as a bar, fans, the dearest hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from scoring.engine import find_fan
from scoring.texts import fan_name
from tournament.base.models.documents import DocumentJob
from tournament.documents.exports.columns import Kind
from tournament.documents.exports.languages import first_alone
from tournament.documents.exports.listing import Part, column, table
from tournament.play.selectors.paper_figures import Dearest, NotedHand
from tournament.ranking.engine.statistics import Figures
from tournament.ranking.selectors.statistics import EventStatistics
from tournament.web.texts.figures import one_decimal, percent_of

INKS: Final = (
    "<style>.bar-fill{fill:#1f6b47}.bar-soft{fill:#8fb59f}.bar-rest{fill:#cfc7b2}"
    "text{font:11px 'Hule Sans','Hule Chinese','Hule Korean',sans-serif;fill:#1a1814}</style>"
)
"""A drawing on paper has its colours in itself."""


def statistics_parts(job: DocumentJob, stats: EventStatistics, *, follows: bool = True) -> Iterator[Part]:
    """`follows`: whether they stand below something else; then they begin no page."""
    figures = stats.figures
    yield Part(
        _("Statistics"), fields=tuple(_figures(figures)), plots=_plots(figures), is_new_page=not follows
    )
    if stats.best:
        yield _best(job, stats.best)
    if figures.fans:
        yield _fans(job, figures)


def _figures(figures: Figures) -> Iterator[tuple[str, str]]:
    yield _("Hands"), str(figures.hands)
    yield _("Hands won"), str(figures.won)
    if figures.hands:
        yield _("Average won"), one_decimal(figures.average)
        yield _("Self-drawn of the hands won"), percent_of(figures.self_drawn, figures.won)
        yield _("Dealt in"), percent_of(figures.by_discard, figures.hands)
        yield _("Wash-outs"), percent_of(figures.wash_outs, figures.hands)


def _plots(figures: Figures) -> tuple[SafeString, ...]:
    if not figures.hands:
        return ()
    with first_alone():
        drawn = render_to_string("documents/_endings.html", {"figures": figures}).strip()
    inked = drawn.replace(">", f">{INKS}", 1)
    return (mark_safe(inked),)


def _best(job: DocumentJob, hands: tuple[Dearest, ...]) -> Part:
    columns = [
        column(Kind.TOTAL, _("Points"), [hand.points for hand in hands]),
        column(Kind.NAME, _("Player"), [hand.winner.name if hand.winner else "" for hand in hands]),
        column(Kind.SESSION, _("Session"), [hand.table.session.number for hand in hands]),
        column(Kind.SESSION, _("Table"), [hand.table.number for hand in hands]),
        column(Kind.SESSION, _("Hand"), [hand.number or "–" for hand in hands]),
        column(
            Kind.TEXT,
            _("Dealt in"),
            [_from(hand) for hand in hands],
        ),
    ]
    return Part(_("Dearest hands"), table(columns, job, turns=False), is_new_page=False)


def _from(hand: Dearest) -> str:
    if isinstance(hand, NotedHand):
        return _("noted on the sheet")
    return hand.discarder.name if hand.discarder else _("self-drawn")


def _fans(job: DocumentJob, figures: Figures) -> Part:
    made = figures.fans_by_frequency
    columns = [
        column(Kind.NAME, _("Fan"), [fan_name(find_fan(key)) for key, _hands in made]),
        column(Kind.SESSION, _("Points"), [find_fan(key).points for key, _hands in made]),
        column(Kind.SESSION, _("Hands"), [hands for _key, hands in made]),
        column(Kind.SESSION, _("Share"), [percent_of(hands, figures.known) for _key, hands in made]),
    ]
    return Part(_("Fans made"), table(columns, job, turns=False), is_new_page=False)
