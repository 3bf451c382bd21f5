"""The transcript of a whole tournament (`hule-transcript`, version 1), played through the services.

What the rules say is checked by the same services the umpire's form uses. The format is described in
docs/transcript.md; `load` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction

from scoring.engine.problems import Problem
from tournament.access import Actor
from tournament.audit.fouls import contradicted
from tournament.errors import Refused
from tournament.exchange.reading import Given, Sheet, Transcript, load
from tournament.exchange.records import TranscriptError
from tournament.models import Session, Table, Tournament
from tournament.services.draw import seat
from tournament.services.hands import record_hand
from tournament.services.penalties import give_penalty
from tournament.services.players import add_players
from tournament.services.sessions import close_session, start_session
from tournament.services.tables import hand_in
from tournament.services.tournaments import create_tournament, grant_umpire

__all__ = ["Stop", "Transcript", "TranscriptError", "contradictions", "load", "play", "write_sheet"]


@dataclass(frozen=True)
class Stop:
    """Where to stop playing: in session `session`, with so many hands at its tables, in the tables' order."""

    session: int
    hands: tuple[int, ...]


@transaction.atomic
def play(
    transcript: Transcript,
    organiser: Actor,
    stop: Stop | None = None,
    *,
    umpire: Actor | None = None,
    after_session: Callable[[int], None] = lambda number: None,
) -> Tournament:
    """Play a transcript from the first registration on. All of it is kept, or nothing (TranscriptError).

    The organiser writes everything, or leaves the tables to an `umpire`, named for the whole tournament.
    `after_session` is called with the number of each session that has been played to its end.
    """
    tournament = _prepare(transcript, organiser)
    if umpire is not None:
        grant_umpire(tournament, organiser, umpire.user)
    for session, sheets in zip(tournament.sessions.all(), transcript.sessions, strict=True):
        if stop and session.number > stop.session:
            break
        limits = stop.hands if stop and session.number == stop.session else None
        _play_session(session, sheets, limits, organiser, umpire or organiser)
        if limits is None:
            after_session(session.number)
    tournament.refresh_from_db()
    return tournament


def write_sheet(table: Table, sheet: Sheet, umpire: Actor, limit: int | None = None) -> None:
    """Write a table's hands, at most `limit`, and their penalties; what is written already stays.

    Each penalty is given when it was: a dead hand bars the win of a hand that is recorded after it.
    """
    hands = sheet.hands[:limit]
    for recorded in range(len(hands) + 1):
        if recorded:
            with _at(_place(table, f"hand {recorded}")):
                uuid = _uuid(table, f"hand/{recorded}")
                record_hand(table, umpire, hands[recorded - 1], number=recorded, uuid=uuid)
        for index, given in enumerate(sheet.penalties, 1):
            if _is_due(given, recorded, len(hands), limit):
                with _at(_place(table, f"penalty {index}")):
                    give_penalty(table, umpire, given.foul, uuid=_uuid(table, f"penalty/{index}"))


def _is_due(given: Given, recorded: int, hands: int, limit: int | None) -> bool:
    """Whether a penalty is given after so many of the table's `hands` hands."""
    if given.after is not None:
        return given.after == recorded
    return recorded == hands and (limit is None or (given.foul.hand_number or 0) <= limit)


def contradictions(tournament: Tournament) -> Iterator[tuple[str, Problem]]:
    """The hands that a penalty given afterwards takes from their winner: played as written, and to be corrected."""
    tables = Table.objects.filter(session__tournament=tournament, penalties__isnull=False).distinct()
    for table in tables.select_related("session__tournament").order_by("session__number", "number"):
        for number, problem in contradicted(table):
            yield _place(table, f"hand {number}"), problem


def _prepare(transcript: Transcript, organiser: Actor) -> Tournament:
    """The tournament with its players seated, nothing played yet."""
    with _at("tournament"):
        tournament = create_tournament(organiser, transcript.particulars)
    with _at("players"):
        add_players(tournament, organiser, transcript.players)
    with _at("sessions"):
        seat(tournament, organiser, [[sheet.seats for sheet in sheets] for sheets in transcript.sessions])
    _check_everybody_seated(transcript)
    return tournament


def _check_everybody_seated(transcript: Transcript) -> None:
    """An organiser may leave somebody out of a session; a transcript that does lacks a table."""
    for number, sheets in enumerate(transcript.sessions, 1):
        seated = {player for sheet in sheets for player in sheet.seats.values()}
        missing = [player.number or 0 for player in transcript.players if player.number not in seated]
        if missing:
            raise TranscriptError(f"session {number}", Problem("not_seated", "", {"player": missing[0]}))


def _play_session(
    session: Session,
    sheets: tuple[Sheet, ...],
    limits: tuple[int, ...] | None,
    organiser: Actor,
    umpire: Actor,
) -> None:
    with _at(f"session {session.number}"):
        start_session(session, organiser)
    for index, (table, sheet) in enumerate(zip(session.tables.all(), sheets, strict=True)):
        write_sheet(table, sheet, umpire, None if limits is None else limits[index])
        if limits is None:
            with _at(_place(table)):
                hand_in(table, umpire)
    if limits is None:
        with _at(f"session {session.number}"):
            close_session(session, organiser)


@contextmanager
def _at(where: str) -> Iterator[None]:
    """Turn a refusal inside into a TranscriptError that names the place."""
    try:
        yield
    except Refused as refused:
        problem = refused.problems[0]
        raise TranscriptError(_closer(where, problem.where), problem) from refused


def _closer(where: str, inner: str) -> str:
    """The place, as near as the service said it: "players" and "4.country" give "player 5, country"."""
    if where == "sessions":
        return inner or where
    if where == "players":
        row, _, field = inner.partition(".")
        return f"player {int(row) + 1}, {field}" if row.isdigit() else where
    return where


def _place(table: Table, what: str = "") -> str:
    place = f"session {table.session.number}, table {table.number}"
    return f"{place}, {what}" if what else place


def _uuid(table: Table, what: str) -> UUID:
    """The same write of the same tournament has the same UUID, so that it can be repeated."""
    session: Any = table.session
    return uuid5(NAMESPACE_URL, f"hule:{session.tournament.slug}/{session.number}/{table.number}/{what}")
