"""Whether an event can be taken along as a site."""

from __future__ import annotations

from scoring.engine.problems import Problem
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.organiser import progress_of


def what_keeps_site(tournament: Tournament) -> Problem | None:
    """Why there is no site of it: strangers are shown nothing, or there is no end yet that it could show."""
    if not tournament.is_public:
        return Problem("site_not_public", "kind")
    return None if progress_of(tournament).is_over else Problem("site_before_the_end", "kind")
