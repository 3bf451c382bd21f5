"""Certificates: one for each who came first, second or third, and one for the best hand, with its tiles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.engine import find_fan
from scoring.texts import fan_name, joined, joined_parts
from tournament.base.access import Audience
from tournament.base.models.certificates import CertificateDesign
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Draft, draft
from tournament.documents.exports.paper import PAPERS, Sheet
from tournament.documents.exports.room import largest, size_class, sizes_css
from tournament.documents.exports.standings import version_of
from tournament.documents.selectors.certificates import dearest_hand, design_of, winners
from tournament.play.selectors.paper_figures import Dearest
from tournament.play.texts.verdict import points_text
from tournament.ranking.selectors.ranking import Ranking, State, ranking
from tournament.ranking.selectors.ranking_rows import RankingRow
from tournament.web.texts.days import days_text, time_text
from tournament.web.texts.figures import minus, table_points

INSET = 26.0
"""Left and right of what stands on a certificate, in millimetres; css/paper-certificates.css has the same."""


@dataclass(frozen=True)
class Certificate:
    """`heading`: for what; `lines`: what there is to say of it."""

    heading: str
    name: str
    lines: tuple[str, ...]
    sheet: Sheet
    tiles: Any = None

    @property
    def name_class(self) -> str:
        return size_class(self.name_size)

    @cached_property
    def name_size(self) -> float:
        return largest(self.name, self.sheet.width - 2 * INSET, 42.0, 40.0)


def certificates(job: DocumentJob) -> Draft:
    """As the standings are now; what is not final yet says so."""
    tournament, design = job.tournament, design_of(job.tournament)
    now, sheet = ranking(tournament, Audience.STAFF), PAPERS[job.paper]
    found = [_of_place(row, sheet) for row in winners(now, design.places)]
    best = dearest_hand(tournament) if design.best_hand else None
    if best is not None and best.winner is not None:
        found.append(_of_hand(best, best.winner.name, sheet))
    wide = sheet.width - 2 * INSET
    text_size = largest(design.text, wide, 34.0, 13.0, least=6.5)
    event_size = largest(tournament.name, wide, 26.0, 24.0)
    context = {
        "tournament": tournament,
        "certificates": found,
        "text": design.text,
        "text_size": size_class(text_size),
        "event_size": size_class(event_size),
        "sizes": sizes_css([text_size, event_size, *(one.name_size for one in found)]),
        "where": joined_parts(filter(None, (tournament.venue, _days(tournament)))),
        "picture": _picture(design),
        "not_final": _not_final(now),
        "sheet": sheet,
    }
    made = time_text(timezone.now())
    return draft("documents/certificates.html", context, made, pages=len(found) or 1)


def _of_place(row: RankingRow, sheet: Sheet) -> Certificate:
    own = row.standing
    lines = _("%(table_points)s table points, %(game_points)s game points") % {
        "table_points": table_points(own.table_points),
        "game_points": minus(own.game_points),
    }
    heading = _("Place %(place)s") % {"place": own.rank}
    return Certificate(heading, row.player.name, (lines,), sheet)


def _of_hand(hand: Dearest, name: str, sheet: Sheet) -> Certificate:
    fans = joined(fan_name(find_fan(fan["key"])) for fan in hand.fans)
    lines = tuple(filter(None, (points_text(hand.points), fans)))
    return Certificate(_("Best hand"), name, lines, sheet, hand.tiles)


def _days(tournament: Tournament) -> str:
    return days_text(tournament.starts_on, tournament.ends_on)


def _not_final(now: Ranking) -> str:
    if now.state is State.FINAL:
        return ""
    return _("Not final yet: standings version %(version)s") % {"version": version_of(now)}


def _picture(design: CertificateDesign) -> str:
    """The file:// address of what is behind them; none where it was deleted by hand."""
    if not design.file or not design.file.storage.exists(str(design.file.name)):
        return ""
    return Path(design.file.path).resolve().as_uri()
