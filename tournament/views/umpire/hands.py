"""Hands over the wire: what these tiles are worth, save, correct, undo."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.views.decorators.http import require_POST

from scoring.engine import check_partial
from tournament.access import Audience, audience_of
from tournament.display.effects import effect_as_json
from tournament.engine.announced import struck
from tournament.engine.entry import HandEntry
from tournament.engine.judge import Verdict
from tournament.engine.outlook import outlook_at
from tournament.models import Hand, Table
from tournament.selectors.effect import effect_of
from tournament.selectors.tables import newest_version, table_now
from tournament.services.hands import correct_hand, judge_at, record_hand, says_more, undo_hand
from tournament.services.tables import current_hand, seats_of
from tournament.views.umpire.receipt import outlook_as_json, payments, receipt
from tournament.views.umpire.table import Answer, Call, answers, problems_as_json, written
from tournament.words.differences import comparison


@require_POST
@answers
def preview(call: Call) -> Answer:
    """Judge a hand and save nothing: {"problems", "receipt", "payments", "comparison", "effect", "outlook"}, of fans
    `struck` too: those that no hand has beside them.

    `number` is the hand it would be: a recorded one when it is being corrected, and then its effect is told too.
    """
    entry, number = call.body.hand(), call.body.whole("number") or 0
    call.body.check()
    if entry.is_unfinished:
        problems = check_partial(entry.tiles)
        rules = call.table.session.tournament.rules
        ahead = None if problems else outlook_at(rules, seats_of(call.table), number, entry)
        return {"outlook": outlook_as_json(ahead), "problems": problems_as_json(problems)}
    verdict = judge_at(call.table, number, entry)
    before = table_now(call.table, Audience.STAFF).scores
    replaced = current_hand(call.table, number)
    return {
        "problems": problems_as_json(verdict.problems),
        "receipt": receipt(verdict),
        "payments": payments(verdict, before, replaced.payments if replaced else {}),
        "points": verdict.points,
        "overridden": verdict.overridden,
        "overridable": verdict.overridable,
        "struck": struck(entry, call.table.session.tournament.rules.scoring),
        "comparison": comparison(verdict),
        "deepens": replaced is not None and says_more(replaced, entry, verdict),
        "effect": _effect(call, number, entry, verdict) if replaced else None,
    }


@require_POST
@answers
def save(call: Call) -> Answer:
    """Record the table's next hand: {"uuid", "table_version", "number"} and the hand."""
    entry, uuid = call.body.hand(), call.body.uuid()
    number, version = call.body.whole("number") or 0, call.body.whole("table_version")
    call.body.check()
    record_hand(call.table, call.actor, entry, number=number, uuid=uuid, expected_version=version)
    return written(call)


@require_POST
@answers
def correct(call: Call, number: int) -> Answer:
    """Replace hand `number` by a new version: {"uuid", "table_version", "reason"} and the hand."""
    entry, uuid = call.body.hand(), call.body.uuid()
    reason, version = call.body.text("reason"), call.body.whole("table_version")
    call.body.check()
    hand = _recorded(call.table, number)
    correct_hand(hand, call.actor, entry, reason=reason, uuid=uuid, expected_version=version)
    return written(call)


@require_POST
@answers
def undo(call: Call, number: int) -> Answer:
    """Take back hand `number`, just recorded: {"table_version"}."""
    version = call.body.whole("table_version")
    call.body.check()
    undo_hand(_recorded(call.table, number), call.actor, expected_version=version)
    return written(call)


def _effect(call: Call, number: int, entry: HandEntry, verdict: Verdict) -> dict[str, Any] | None:
    if not verdict.is_legal:
        return None
    audience = audience_of(call.actor, call.table.session.tournament)
    return effect_as_json(effect_of(call.table, audience, number, entry, verdict))


def _recorded(table: Table, number: int) -> Hand:
    """The hand as it was last written; where it was taken back since, the services say so."""
    hand = newest_version(table, number)
    if hand is None:
        raise Http404
    return hand
