"""The puzzle on a screen in the hall: one between two sessions, to be solved on a phone, too."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from scoring.engine import MCR
from scoring.quiz.questions import HandQuestion
from tournament.base.access.own_address import own_address
from tournament.base.models.tournament import Tournament
from tournament.book.texts.quiz import KINDS, record_of, won_how
from tournament.screens.selectors.puzzles import puzzle_in_hall
from tournament.web.display.qr import public_qr


def puzzle_slide(tournament: Tournament, request: HttpRequest) -> dict[str, Any]:
    """Page 1 asks, page 2 answers; the next session brings another puzzle."""
    asked, own = puzzle_in_hall(tournament)
    place = [asked.kind.value, asked.level.value, asked.seed]
    address = (
        reverse("puzzle", args=[tournament.slug, own.uuid]) if own else reverse("quiz_puzzle", args=place)
    )
    record = record_of(asked)
    context = {
        "asked": asked,
        "title": KINDS[asked.kind],
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
