"""An evening of the classical game as its page says it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scoring.classical.evening import Evening, Played
from scoring.classical.settlement import Payment
from scoring.classical.turn import PLACES
from scoring.texts.classical import by_sort, sum_text, with_names
from tournament.web.texts.winds import NAMES, ROUNDS

Json = dict[str, Any]
POSITIONS = ("south-side", "right", "north", "left")
"""Where the places are drawn: play passes to the right."""


def unreadable(place: int) -> str:
    """Why an evening that was kept cannot be opened."""
    if place:
        return _("This evening cannot be read: something is wrong with hand {number}.").format(number=place)
    return _("This evening cannot be read.")


def headline(evening: Evening) -> str:
    """Hand 3 · East round"""
    number = _("Hand {number}").format(number=len(evening.entries) + 1)
    return f"{number} · {ROUNDS[evening.turn.prevalent]}"


def next_sentence(evening: Evening) -> str:
    """Who deals next, and why."""
    name = evening.names[evening.turn.dealer]
    if not evening.played:
        return _("{name} is East and deals.").format(name=name)
    last = evening.played[-1]
    if last.entry.winner is None:
        return _("A wash-out is not scored: {name} stays East and deals again.").format(name=name)
    if last.entry.winner == last.turn.dealer:
        return _("East won: {name} stays East and deals again.").format(name=name)
    return _("East lost: {name}, who was South, is East now and deals.").format(name=name)


def seats(evening: Evening) -> list[Json]:
    """The four for the picture of the table."""
    last = evening.played[-1] if evening.played else None
    return [
        {
            "position": POSITIONS[place],
            "wind": evening.turn.wind(place),
            "name": evening.names[place],
            "score": evening.totals[place],
            "change": last.changes[place] if last and last.marks else None,
        }
        for place in PLACES
    ]


def sheet(evening: Evening) -> list[Json]:
    """The score sheet, a row a hand."""
    return [_row(number, played) for number, played in enumerate(evening.played, start=1)]


def _row(number: int, played: Played) -> Json:
    points = played.marks.points if played.marks else (None,) * len(PLACES)
    cells = [
        {
            "points": points[place],
            "change": played.changes[place],
            "total": played.totals[place],
            "wins": played.entry.winner == place,
            "east": played.turn.dealer == place,
        }
        for place in PLACES
    ]
    return {
        "number": number,
        "prevalent": played.turn.prevalent,
        "cells": cells,
        "scored": bool(played.marks),
    }


def last_hand(evening: Evening) -> Json | None:
    """The hand settled last: who paid whom, and what the tiles counted."""
    played = evening.played[-1] if evening.played else None
    if played is None or played.marks is None or played.settlement is None:
        return None
    return {
        "number": len(evening.played),
        "payments": [_payment(evening, played, one) for one in played.settlement.payments],
        "hands": [_counted(evening, played, place) for place in PLACES if played.marks.scores[place]],
    }


def _payment(evening: Evening, played: Played, payment: Payment) -> Json:
    named = {played.turn.wind(place): evening.names[place] for place in PLACES}
    once = payment.points // payment.factor
    return {
        "text": _("{payer} pays {payee}").format(payer=named[payment.payer], payee=named[payment.payee]),
        "points": payment.points,
        "note": f"{payment.factor} × {once}" if payment.factor > 1 else "",
    }


def _counted(evening: Evening, played: Played, place: int) -> Json:
    score = played.marks.scores[place] if played.marks else None
    assert score
    found = with_names(score.to_json())
    wind = NAMES[played.turn.wind(place)]
    heading = f"{evening.names[place]} · {wind}"
    return {"heading": heading, "found": found, "groups": by_sort(found), "sum_text": sum_text(found)}
