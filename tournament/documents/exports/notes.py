"""The sentences under the standings: how they are ordered, what was decided how, and who shares table points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set
from fractions import Fraction
from itertools import chain, groupby, pairwise

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.texts import joined_and
from tournament.base.engine.criteria import SHARED_PLACE
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_sessions
from tournament.ranking.selectors.ranking import Ranking
from tournament.ranking.selectors.ranking_rows import RankingRow
from tournament.seating.texts.finals import final_text, totals_text
from tournament.web.texts.days import time_text
from tournament.web.texts.figures import minus, table_points

CRITERIA = {
    "table_points": gettext_lazy("table points"),
    "game_points": gettext_lazy("game points"),
    "best_session": gettext_lazy("the best session"),
    "hands_won": gettext_lazy("hands won"),
    "wins_by_discard": gettext_lazy("wins by discard"),
    "deal_ins": gettext_lazy("the fewest deal-ins"),
}


def notes(now: Ranking) -> Iterator[str]:
    """The notes in the order they are printed, in the language of the moment."""
    yield from hidden_note(now.tournament, {session.number for session in now.sessions})
    yield from _provisional(now)
    if now.sessions:
        yield _("In each session: table points above, game points below.")
    criteria = [key for key in now.tournament.rules.criteria if key != SHARED_PLACE]
    order = pgettext("between ranking criteria", ", then ").join(str(CRITERIA[key]) for key in criteria)
    yield _("Order: %(criteria)s; equal players share a place.") % {"criteria": order}
    for final in now.finals:
        yield f"{final_text(final.cut)} {totals_text(final.cut)}".strip()
    if now.is_provisional:
        yield _("Figures in italics may still change.")
    for key in criteria[1:]:
        if spans := list(_places_decided_by(now, key)):
            yield _("Places %(places)s were decided by %(criterion)s.") % {
                "places": joined_and(spans),
                "criterion": CRITERIA[key],
            }
    yield from _shared_table_points(now)
    if now.substitutes:
        names = joined_and([row.player.name for row in now.substitutes])
        yield _("Substitutes, not ranked: %(names)s.") % {"names": names}


def hidden_note(tournament: Tournament, shown: Set[int]) -> Iterator[str]:
    """That a sheet with these sessions is not for the wall yet."""
    if numbers := [str(number) for number in sorted(hidden_sessions(tournament) & shown)]:
        yield ngettext(
            "Not to be shown yet: the results of session %(numbers)s are hidden from the public.",
            "Not to be shown yet: the results of sessions %(numbers)s are hidden from the public.",
            len(numbers),
        ) % {"numbers": joined_and(numbers)}


def _provisional(now: Ranking) -> Iterator[str]:
    """What may still change these standings."""
    if count := len(now.objections.open):
        yield ngettext(
            "Provisional: %(n)s appeal is open.", "Provisional: %(n)s appeals are open.", count
        ) % {"n": count}
    if now.objections.until:
        yield _("Provisional: appeals are possible until %(time)s.") % {
            "time": time_text(now.objections.until)
        }


def _places_decided_by(now: Ranking, key: str) -> Iterator[str]:
    """The runs of places that this criterion put in order: "10 to 12"."""
    pairs = pairwise(row.standing for row in now.rows)
    for decided, run in groupby(pairs, key=lambda pair: pair[0].decided_by == key):
        if decided:
            ordered = list(run)
            yield _("%(first)s to %(last)s") % {"first": ordered[0][0].rank, "last": ordered[-1][1].rank}


def _shared_table_points(now: Ranking) -> Iterator[str]:
    """A sentence for each tie at a table: who, on how many points, and what each gets."""
    scale = now.tournament.rules.scale
    for (session, table, place, points), rows in sorted(_by_place(now).items()):
        if len(rows) > 1:
            share = Fraction(sum(scale[place - 1 : place - 1 + len(rows)])) / len(rows)
            yield _(
                "Session %(session)s, table %(table)s: %(players)s tied on %(points)s and share the table points "
                "of places %(places)s, %(share)s each."
            ) % {
                "session": session,
                "table": table,
                "players": joined_and([row.player.name for row in rows]),
                "points": minus(points),
                "places": joined_and([str(place + n) for n in range(len(rows))]),
                "share": table_points(share, 2),
            }


def _by_place(now: Ranking) -> dict[tuple[int, int, int, int], list[RankingRow]]:
    """(session, table, place there, game points) → the players who came there; nobody who took no place."""
    found: defaultdict[tuple[int, int, int, int], list[RankingRow]] = defaultdict(list)
    for row in chain(now.rows, now.substitutes):
        for score in row.standing.sessions:
            if score.place is not None:
                found[score.session, score.table, score.place, score.game_points].append(row)
    return found
