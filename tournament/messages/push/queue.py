"""Having the worker tell the phones, after a write that may concern them."""

from __future__ import annotations

from tournament.base.work import later
from tournament.messages.push.models import Phone

TELLING = frozenset(
    {
        "announcement_made",
        "finals_set",
        "results_opened",
        "seats_drawn",
        "seats_planned",
        "seats_replanned",
        "seats_restored",
        "seats_swapped",
        "session_closed",
        "session_seated",
        "session_started",
        "session_unstarted",
        "standings_published",
        "stream_seated",
    }
)
"""The writes after which somebody may have to be told something. Hands are not among them."""


def after_write(tournament: int, version: int, action: str) -> None:
    """A write is committed: have the worker tell whom it concerns, if any phone listens at all."""
    if action in TELLING and Phone.objects.filter(player__tournament=tournament).exists():
        later("tell_phones", tournament, version)
