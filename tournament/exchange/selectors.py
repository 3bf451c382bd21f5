"""Whether an event that comes as a file can be here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.db import connection

from scoring.engine.problems import Problem
from tournament.base.errors import Refused, refuse
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import RESERVED, Particulars, particulars_problems

SLUG: Final = r"[a-z0-9_-]{1,60}"
FELT_FROM: Final = 1000
"""Hands whose taking in the tables that play here would feel: about two seconds without a save."""


def holds_up_tables(hands: int) -> bool:
    """Whether tables here wait while an event of so many hands is taken in: SQLite has one writer at a time."""
    if connection.vendor != "sqlite" or hands < FELT_FROM:
        return False
    return Session.objects.filter(state=Session.State.RUNNING).exists()


def check_new(data: Mapping[str, Any], slug: str) -> None:
    """Refuses an event that is here already, by the first entry of its log, or that has no address of its own here."""
    about = data["tournament"]
    first = data["log"][0]["hash"] if data["log"] else ""
    here = LogEntry.objects.filter(seq=1, hash=first).select_related("tournament").first()
    if here is not None:
        raise refuse("event_is_here", name=here.tournament.name, slug=here.tournament.slug)
    if not re.fullmatch(SLUG, slug):
        raise refuse("slug_wrong", "/tournament/slug")
    if slug in RESERVED or Tournament.objects.filter(slug=slug).exists():
        raise refuse("slug_taken", "/tournament/slug", slug=slug)
    problems = particulars_problems(
        Particulars(
            name=about["name"],
            venue=about["venue"],
            starts_on=Tournament._meta.get_field("starts_on").to_python(about["starts_on"]),
            ends_on=Tournament._meta.get_field("ends_on").to_python(about["ends_on"]),
            time_zone=about["time_zone"],
            appeal_minutes=about["appeal_minutes"],
        )
    )
    if problems:
        raise Refused(
            Problem(problem.code, f"/tournament/{problem.where}", problem.params) for problem in problems
        )
