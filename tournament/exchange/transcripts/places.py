"""Where in a transcript something is: the place that a refusal names, and the UUID that a write has there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.exchange.transcripts.records import TranscriptError


@contextmanager
def at(where: str) -> Iterator[None]:
    """Turn a refusal inside into a TranscriptError that names the place."""
    try:
        yield
    except Refused as refused:
        problem = refused.problems[0]
        raise TranscriptError(_closer(where, problem), problem) from refused


def _closer(where: str, problem: Problem) -> str:
    """The place, as near as the service said it: "players" and "4.country" give "player 5, country"."""
    inner = problem.where
    if inner.startswith("session "):
        return inner
    if where == "players":
        row, _, field = inner.partition(".")
        return f"player {int(row) + 1}, {field}" if row.isdigit() else where
    return where


def place(table: Table, what: str = "") -> str:
    here = f"session {table.session.number}, table {table.number}"
    return f"{here}, {what}" if what else here


def uuid_of(table: Table, what: str) -> UUID:
    """The same write of the same tournament has the same UUID, so that it can be repeated."""
    session: Any = table.session
    return uuid5(NAMESPACE_URL, f"hule:{session.tournament.slug}/{session.number}/{table.number}/{what}")
