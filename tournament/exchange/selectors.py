"""The file of a tournament; the preview of a file, and its checks before it is imported."""

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django.db import connection

from scoring.engine.problems import problem_code
from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.events.selectors import RESERVED_SLUGS, particulars_problems
from tournament.exchange.event_file.encoding import file_text
from tournament.exchange.event_file.reading import parse_file
from tournament.exchange.event_file.writing import tournament_data
from tournament.exchange.transcripts.writing import transcript_of

EVENT_IS_HERE = problem_code("event_is_here", "This event already exists here: {name} ({slug}).")
SLUG_TAKEN = problem_code(
    "slug_taken", "There is already an event at the address “{slug}”. Choose another one."
)
SLUG_WRONG = problem_code("slug_wrong", "An address has letters a to z, digits and hyphens.")

SLUG: Final = r"[a-z0-9_-]{1,60}"
BLOCKING_HANDS: Final = 1000
"""Hands of an event from which its import delays running tables noticeably: they cannot save for about two seconds."""


def serialize_tournament(tournament: Tournament, *, contacts: bool = False) -> bytes:
    """Return the file, with a transcript if a session is closed. Equal events give equal bytes."""
    try:
        transcript = json.loads(transcript_of(tournament))
    except Refused:
        transcript = None
    data = tournament_data(tournament, contacts=contacts, extra={"transcript": transcript})
    return file_text(data).encode()


def blocks_tables(hands: int) -> bool:
    """Return whether importing an event of so many hands delays tables that play now. SQLite has a single writer."""
    if connection.vendor != "sqlite" or hands < BLOCKING_HANDS:
        return False
    return Session.objects.filter(state=Session.State.RUNNING).exists()


def check_importable(data: Mapping[str, Any], slug: str) -> None:
    """Raise Refused if the event exists here, its address cannot be used, or its particulars are not valid.

    An event is recognised by the hash of the first entry of its log.
    """
    particulars = data["tournament"]
    first_hash = data["log"][0]["hash"] if data["log"] else ""
    existing = LogEntry.objects.filter(seq=1, hash=first_hash).select_related("tournament").first()
    if existing is not None:
        raise Refused(EVENT_IS_HERE(name=existing.tournament.name, slug=existing.tournament.slug))
    if not re.fullmatch(SLUG, slug):
        raise Refused(SLUG_WRONG("/tournament/slug"))
    if slug in RESERVED_SLUGS or Tournament.objects.filter(slug=slug).exists():
        raise Refused(SLUG_TAKEN("/tournament/slug", slug=slug))
    problems = particulars_problems(
        Tournament(
            name=particulars["name"],
            venue=particulars["venue"],
            starts_on=Tournament._meta.get_field("starts_on").to_python(particulars["starts_on"]),
            ends_on=Tournament._meta.get_field("ends_on").to_python(particulars["ends_on"]),
            time_zone=particulars["time_zone"],
            appeal_minutes=particulars["appeal_minutes"],
        )
    )
    if problems:
        raise Refused(problem.at(f"/tournament/{problem.where}") for problem in problems)


def preview_file(content: bytes, actor: Actor) -> dict[str, Any]:
    """Return a summary of a file; store nothing. Raises Refused and Forbidden.

    `problem` is set if the file's own address is taken; `blocks_tables`, if the import would delay tables that play.
    """
    access.require_creator(actor)
    data = parse_file(content)
    particulars, problem = data["tournament"], None
    try:
        check_importable(data, particulars["slug"])
    except Refused as refused:
        problem = refused.problems[0]
        if problem.code != SLUG_TAKEN.code:
            raise
    hands = sum(hand["is_current"] for hand in data["hands"])
    return {
        "name": particulars["name"],
        "slug": particulars["slug"],
        "starts_on": date.fromisoformat(particulars["starts_on"]),
        "ends_on": date.fromisoformat(particulars["ends_on"]),
        "players": len(data["players"]),
        "sessions": len(data["sessions"]),
        "hands": hands,
        "entries": len(data["log"]),
        "staff": [member["name"] for member in data["staff"]],
        "has_contacts": data["contact_data"],
        "extensions": [extension["id"] for extension in data["extensions"]],
        "problem": problem,
        "blocks_tables": blocks_tables(hands),
    }
