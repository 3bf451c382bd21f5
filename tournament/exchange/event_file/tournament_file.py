"""A tournament as one file and back (docs/tournament-file.md): what a page, a program and a command call."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db import transaction

from scoring.engine.problems import Problem
from tournament.base import access
from tournament.base.access import Actor, Audience, Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.exchange.event_file.arriving import forget_files
from tournament.exchange.event_file.reading import read
from tournament.exchange.event_file.writing import data_of, written
from tournament.exchange.selectors import check_new, holds_up_tables
from tournament.exchange.services import note_taken, take_in
from tournament.exchange.transcripts.writing import transcript_of
from tournament.ranking.selectors.standings import current_standings
from tournament.web.selectors.log_words import log_words

logger = logging.getLogger(__name__)
_DOES_NOT_HOLD: Final = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError)
"""What reading rows raises that no service would have written: each alone is of the right shape."""


def file_of(tournament: Tournament, *, contacts: bool = True) -> bytes:
    """The file, the same bytes for the same event."""
    return written(data_of(tournament, contacts=contacts, beside={"transcript": _transcript(tournament)}))


def take_away(tournament: Tournament, actor: Actor, *, contacts: bool = True) -> bytes:
    """The file for somebody to have, as it was before this was noted in the log."""
    access.require(actor, tournament, Right.OWN)
    content = file_of(tournament, contacts=contacts)
    note_taken(tournament, actor, contacts=contacts)
    return content


@dataclass(frozen=True)
class Inside:
    """What is in a file, for whoever is about to take it in.

    `problem`: why it cannot be, under its own address; `holds_up_tables`: whether tables that play here would feel it.
    """

    name: str
    slug: str
    starts_on: date
    ends_on: date
    version: int
    players: int
    sessions: int
    hands: int
    entries: int
    staff: tuple[str, ...]
    has_contacts: bool
    extensions: tuple[str, ...]
    problem: Problem | None
    holds_up_tables: bool


def look_into(content: bytes, actor: Actor) -> Inside:
    """What is in a file, with nothing stored. Raises Refused and Forbidden."""
    access.require_creator(actor)
    data = read(content)
    about, problem = data["tournament"], None
    try:
        check_new(data, about["slug"])
    except Refused as refused:
        problem = refused.problems[0]
        if problem.code != "slug_taken":
            raise
    hands = sum(hand["is_current"] for hand in data["hands"])
    return Inside(
        name=about["name"],
        slug=about["slug"],
        starts_on=date.fromisoformat(about["starts_on"]),
        ends_on=date.fromisoformat(about["ends_on"]),
        version=about["version"],
        players=len(data["players"]),
        sessions=len(data["sessions"]),
        hands=hands,
        entries=len(data["log"]),
        staff=tuple(one["name"] for one in data["staff"]),
        has_contacts=data["contact_data"],
        extensions=tuple(one["id"] for one in data["extensions"]),
        problem=problem,
        holds_up_tables=holds_up_tables(hands),
    )


def bring_in(content: bytes, actor: Actor, slug: str = "") -> Tournament:
    """The event of a file, under its own address or another. All of it or nothing. Raises Refused and Forbidden."""
    access.require_creator(actor)
    data = read(content)
    files: list[str] = []
    try:
        with transaction.atomic():
            tournament = take_in(actor, data, slug or data["tournament"]["slug"], files)
            _check_sound(tournament)
    except BaseException:
        forget_files(files)
        raise
    tournament.refresh_from_db()
    return tournament


def _check_sound(tournament: Tournament) -> None:
    """Whether what is stored is what its log says was done, and can be shown: a file can be changed and its digests
    made anew. What today's rules say of it otherwise is for `manage.py check`."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
    try:
        found = next((one for one in audit(tournament) if not one.is_judged), None)
        current_standings(tournament, Audience.STAFF)
        texts = log_words(tournament)
        for entry in tournament.log.select_related("actor"):
            texts.sentence(entry)
    except _DOES_NOT_HOLD:
        logger.warning("The file of %s cannot be shown", tournament.slug, exc_info=True)
        raise refuse("file_does_not_hold") from None
    if found is not None:
        raise refuse("file_contradicts", place=found.where, what=found.what)


def _transcript(tournament: Tournament) -> Any:
    """The play as `replay` reads it; None while no session is closed."""
    try:
        return json.loads(transcript_of(tournament))
    except Refused:
        return None
