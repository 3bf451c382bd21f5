"""Replay transcripts, and change files at given places."""

import json
from collections.abc import Iterable
from functools import reduce
from typing import Any

from tests.support.factories import SYSTEM
from tournament.base.engine.notices import Audience
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.exchange.transcripts.format import TRANSCRIPT
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of
from tournament.ranking.selectors.standings import current_standings

Change = list[Any]
"""A JSON Pointer (`-`: the end of a list) and the value to set there; the pointer alone deletes."""


def changed(data: dict[str, Any], changes: Iterable[Change]) -> dict[str, Any]:
    """Apply the changes to the data, and return it."""
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
    """Return the standings with all figures."""
    names = ("rank", "shared", "number", "totals", "sessions", "tier", "carried", "withdrawn")
    rows = current_standings(tournament, Audience.STAFF).rows
    return [tuple(getattr(row, name) for name in names) for row in rows]


def replay_and_compare(tournament: Tournament) -> Tournament:
    """Play the tournament's transcript, compare both tournaments, and return the new one."""
    tournament.refresh_from_db()
    text = transcript_of(tournament)
    assert list(TRANSCRIPT.faults(json.loads(text), "")) == []
    replayed = play(load(text), SYSTEM)
    assert transcript_of(replayed) == text
    assert standing_lines(replayed) == standing_lines(tournament)
    findings, findings_before = (
        [finding.text for finding in audit(event)] for event in (replayed, tournament)
    )
    assert findings == findings_before
    return replayed
