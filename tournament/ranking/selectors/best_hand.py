"""The best hand of the day."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from django.db.models import Max, Min, OuterRef, Subquery

from tournament.base.access import Audience
from tournament.base.models.hands import Hand
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_from
from tournament.play.selectors.paper_figures import Dearest, dearest, on_paper


def best_hand(tournament: Tournament, audience: Audience) -> Dearest | None:
    """The dearest hand won on the newest day that any was; of equals one with tiles, then the earliest.

    A hand counts as it stands now, on the day it was first recorded: correcting yesterday's makes it no hand of today.
    One that a sheet kept on paper names is noted on the day the sheet was typed.
    """
    hidden = hidden_from(audience, tournament)
    noted = on_paper(tournament, hidden).noted
    won = Hand.objects.filter(
        table__session__tournament=tournament, is_current=True, outcome=Hand.Outcome.WIN
    ).exclude(table__session__number__in=hidden)
    won = won.annotate(played_at=_first_recorded()).select_related("table__session", "winner", "discarder")
    newest = won.order_by("-played_at").first()
    moments = [one.played_at for one in (newest, *noted) if one is not None]
    if not moments:
        return None
    day = max(moments).astimezone(tournament.zone).date()
    midnight = datetime.combine(day, time.min, tournament.zone)
    over = midnight + timedelta(days=1)
    of_day = won.filter(played_at__gte=midnight, played_at__lt=over)
    most = of_day.aggregate(most=Max("points"))["most"]
    equals = sorted(
        of_day.filter(points=most).order_by("played_at", "pk"), key=lambda hand: hand.tiles is None
    )
    found = dearest(equals[:1], [one for one in noted if midnight <= one.played_at < over])
    return found[0]


def _first_recorded() -> Subquery:
    """When the first version of a hand was recorded."""
    versions = Hand.objects.filter(table=OuterRef("table"), number=OuterRef("number")).order_by()
    return Subquery(versions.values("number").annotate(first=Min("recorded_at")).values("first"))
