"""Handing work to the worker after a commit, so that a queue that is away fails nothing."""

from __future__ import annotations

import logging
from typing import Any

from kombu.exceptions import OperationalError

from tournament import tasks
from tournament.models import Phone

logger = logging.getLogger(__name__)

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


def after_write(tournament_id: int, seq: int) -> None:
    """A telling write is committed: have the worker tell whom it concerns, if any phone listens at all."""
    if Phone.objects.filter(player__tournament=tournament_id).exists():
        later(tasks.tell_phones, tournament_id, seq)


def later(task: Any, *arguments: object) -> None:
    """Queue a task. The queue may be away: the pages say all the same, so that nobody has to wait for it."""
    try:
        task.apply_async(arguments, retry=False)
    except (OperationalError, OSError):
        logger.exception("%s could not be sent to the worker", task.name)
