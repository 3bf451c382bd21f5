"""Tournaments that come back as they were written down."""

import json
from typing import Any

from tests.support.factories import SYSTEM
from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.exchange.api import TranscriptFile
from tournament.exchange.audit import audit
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of
from tournament.ranking.selectors.standings import current_standings


def standing_lines(tournament: Tournament) -> list[tuple[Any, ...]]:
    """The standings, whole."""
    names = ("rank", "shared", "number", "totals", "sessions", "tier", "carried", "withdrawn")
    rows = current_standings(tournament, Audience.STAFF).rows
    return [tuple(getattr(row, name) for name in names) for row in rows]


def comes_back(tournament: Tournament) -> Tournament:
    """The tournament as it is played again, the same in every line."""
    tournament.refresh_from_db()
    text = transcript_of(tournament)
    TranscriptFile(data=json.loads(text)).is_valid(raise_exception=True)
    again = play(load(text), SYSTEM)
    assert transcript_of(again) == text
    assert standing_lines(again) == standing_lines(tournament)
    findings, findings_before = ([finding.what for finding in audit(event)] for event in (again, tournament))
    assert findings == findings_before
    return again
