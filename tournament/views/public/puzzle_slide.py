"""The puzzle on a screen in the hall: one between two sessions, to be solved on a phone, too."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from scoring.engine import MCR
from scoring.quiz.daily import shown_to_all
from scoring.quiz.questions import HandQuestion
from tournament.display.qr import public_qr
from tournament.forms.passes import own_address
from tournament.models import Tournament
from tournament.selectors.public import overview
from tournament.words.quiz import KINDS, record_of, won_how


def puzzle_slide(tournament: Tournament, request: HttpRequest) -> dict[str, Any]:
    """Page 1 asks, page 2 answers; the next session brings another puzzle."""
    coming = overview(tournament).next
    puzzle = shown_to_all(f"hall-{tournament.pk}-{coming.number if coming else 0}")
    asked = puzzle.question
    address = reverse("quiz_puzzle", args=[puzzle.kind.value, puzzle.level.value, puzzle.seed])
    record = record_of(asked)
    context = {
        "asked": asked,
        "title": KINDS[puzzle.kind],
        "record": record,
        "won_how": won_how(record),
        "minimum": MCR.minimum,
        "code": public_qr(own_address(request) + address),
    }
    if isinstance(asked, HandQuestion):
        return context | {"fans": [line.to_json() for line in asked.found.score.fans]}
    points = [(wait.tile, wait.self_drawn if asked.self_drawn else wait.by_discard) for wait in asked.found]
    return context | {
        "waits": [(tile, score.counted_points, score.meets_minimum) for tile, score in points],
    }
