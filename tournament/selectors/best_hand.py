"""The best hand of the day."""

from __future__ import annotations

from datetime import datetime, time, timedelta

from django.db.models import Max

from tournament.access import Audience
from tournament.models import Hand, Tournament
from tournament.selectors.embargo import hidden_from


def best_hand(tournament: Tournament, audience: Audience) -> Hand | None:
    """The dearest hand won on the newest day that any was; of equals one with tiles, then the earliest."""
    won = Hand.objects.filter(
        table__session__tournament=tournament, is_current=True, outcome=Hand.Outcome.WIN
    ).exclude(table__session__number__in=hidden_from(audience, tournament))
    won = won.select_related("table__session", "winner", "discarder")
    newest = won.order_by("-recorded_at").first()
    if newest is None:
        return None
    day = newest.recorded_at.astimezone(tournament.zone).date()
    midnight = datetime.combine(day, time.min, tournament.zone)
    of_day = won.filter(recorded_at__range=(midnight, midnight + timedelta(days=1)))
    most = of_day.aggregate(most=Max("points"))["most"]
    return min(of_day.filter(points=most).order_by("recorded_at"), key=lambda hand: hand.tiles is None)
