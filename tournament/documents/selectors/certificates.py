"""Who gets a certificate, and how it looks."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.base.access import Audience
from tournament.base.models.certificates import CertificateDesign
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.paper_figures import Dearest
from tournament.ranking.selectors.ranking import Ranking
from tournament.ranking.selectors.ranking_rows import RankingRow
from tournament.ranking.selectors.statistics import event_statistics


@dataclass(frozen=True)
class Wording:
    """What is on the certificates, and for whom there are any."""

    text: str = ""
    places: int = 3
    best_hand: bool = True


def design_of(tournament: Tournament) -> CertificateDesign:
    """As it was set; not saved where nobody has said anything about it."""
    found = CertificateDesign.objects.filter(tournament=tournament).first()
    return found or CertificateDesign(tournament=tournament)


def winners(now: Ranking, places: int) -> list[RankingRow]:
    """Who has one of these places; of a shared one everybody who shares it."""
    return [row for row in now.rows if row.standing.rank is not None and row.standing.rank <= places]


def dearest_hand(tournament: Tournament) -> Dearest | None:
    """The best hand of the event: of equals one whose tiles are known, then the earliest."""
    best = event_statistics(tournament, Audience.STAFF).best
    return next(
        (hand for hand in best if hand.points == best[0].points and hand.tiles), best[0] if best else None
    )
