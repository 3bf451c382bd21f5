"""The address of the stream that a page listens to."""

from __future__ import annotations

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import version_for


def stream_url(tournament: Tournament, audience: Audience, *, at_a_desk: bool = False) -> str:
    """The stream of this audience, after the version its page shows.

    `at_a_desk`: whoever works there hears their own tables, though a card is not told more than the public elsewhere.
    """
    inside = "staff/" if at_a_desk or audience is Audience.STAFF else ""
    return f"/live/{tournament.slug}/{inside}?after={version_for(audience, tournament)}"
