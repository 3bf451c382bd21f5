"""Whether an event that comes as a file can be here."""

import re
from collections.abc import Mapping
from typing import Any, Final

from django.db import connection

from scoring.engine.problems import problem_code
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import RESERVED, particulars_problems

EVENT_IS_HERE = problem_code("event_is_here", "This event already exists here: {name} ({slug}).")
SLUG_TAKEN = problem_code(
    "slug_taken", "There is an event at the address “{slug}” already. Choose another one."
)
SLUG_WRONG = problem_code("slug_wrong", "An address has letters a to z, digits and hyphens.")

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
        raise Refused(EVENT_IS_HERE(name=here.tournament.name, slug=here.tournament.slug))
    if not re.fullmatch(SLUG, slug):
        raise Refused(SLUG_WRONG("/tournament/slug"))
    if slug in RESERVED or Tournament.objects.filter(slug=slug).exists():
        raise Refused(SLUG_TAKEN("/tournament/slug", slug=slug))
    problems = particulars_problems(
        Tournament(
            name=about["name"],
            venue=about["venue"],
            starts_on=Tournament._meta.get_field("starts_on").to_python(about["starts_on"]),
            ends_on=Tournament._meta.get_field("ends_on").to_python(about["ends_on"]),
            time_zone=about["time_zone"],
            appeal_minutes=about["appeal_minutes"],
        )
    )
    if problems:
        raise Refused(problem.at(f"/tournament/{problem.where}") for problem in problems)
