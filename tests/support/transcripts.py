"""Tournaments that come back as they were written down, and files that are changed at one place."""

import json
from collections.abc import Iterable
from functools import reduce
from typing import Any

from tests.support.factories import SYSTEM
from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.exchange.transcripts.format import TRANSCRIPT
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of
from tournament.ranking.selectors.standings import current_standings

Change = list[Any]
"""A place as a JSON Pointer (`-`: behind the last) and what is put there; the place alone: what is there goes."""


def changed(data: dict[str, Any], changes: Iterable[Change]) -> dict[str, Any]:
    """Make the changes in what a file says, and return it."""
    for path, *value in changes:
        *parents, last = path.removeprefix("/").split("/")
        node: Any = reduce(_inside, parents, data)
        if last == "-":
            node.extend(value)
            continue
        name: Any = int(last) if isinstance(node, list) else last
        if value:
            [node[name]] = value
        else:
            del node[name]
    return data


def _inside(node: Any, name: str) -> Any:
    return node[int(name) if isinstance(node, list) else name]


def standing_lines(tournament: Tournament) -> list[tuple[Any, ...]]:
    """The standings, whole."""
    names = ("rank", "shared", "number", "totals", "sessions", "tier", "carried", "withdrawn")
    rows = current_standings(tournament, Audience.STAFF).rows
    return [tuple(getattr(row, name) for name in names) for row in rows]


def replay_and_compare(tournament: Tournament) -> Tournament:
    """The tournament as it is played again, the same in every line."""
    tournament.refresh_from_db()
    text = transcript_of(tournament)
    assert list(TRANSCRIPT.faults(json.loads(text), "")) == []
    again = play(load(text), SYSTEM)
    assert transcript_of(again) == text
    assert standing_lines(again) == standing_lines(tournament)
    findings, findings_before = ([finding.text for finding in audit(event)] for event in (again, tournament))
    assert findings == findings_before
    return again
