"""Why fans were not counted, and what would have been enough, said to people.

Facts are as the engine's `to_json` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.engine import Reason, Slip, Step, find_fan
from scoring.texts.lists import joined
from scoring.texts.names import fan_name
from scoring.texts.tiles import tile_name

REASONS: dict[Reason, str | Promise] = {
    Reason.EXCLUDED: _("{fan} does not combine with {by}."),
    Reason.NON_REPEAT: _("{fan} is always part of {by} (non-repeat principle)."),
    Reason.NON_SEPARATION: _("{fan} would rearrange sets that already make {by} (non-separation principle)."),
    Reason.NON_IDENTICAL: _("One of its sets already made {by} with another set (non-identical principle)."),
    Reason.HIGHEST: _("{fan} belongs to another reading of the tiles, which is worth less."),
    Reason.ACCOUNT_ONCE: _("Its sets are already tied together by {by} (account-once principle)."),
    Reason.OTHER_WAITS: _("Other tiles would have completed the hand too: {tiles}."),
    Reason.COMPLETED_BY_DISCARD: _("The winning discard completed one of the pungs, so it is not concealed."),
    Reason.NOT_DISCARDED: _("The winning tile was drawn; {fan} needs a discard."),
    Reason.HONOURS: _("{fan} is made of suit tiles in this rulebook."),
    Reason.NOT_IN_RULEBOOK: _("This rulebook does not have {fan}."),
}

STEPS: dict[Step, str | Promise] = {
    Step.SELF_DRAWN: _("Self-drawn, the hand would be worth {points} points."),
    Step.WINNING_TILE: _("Won on {tile}, the hand would be worth {points} points."),
    Step.EXCHANGE: _("With {tile} instead of {instead_of}, the hand would be worth {points} points."),
}

SLIPS: dict[Slip, str | Promise] = {
    Slip.NOT_COUNTED: _("{fan} was announced {announced}×, but counts {counted}×."),
    Slip.FORGOTTEN: _("{fan} counts {counted}×, but was announced {announced}×."),
    Slip.WRONG_SUM: _("{announced} points were announced; the hand is worth {counted}."),
}


Fact = Mapping[str, Any]


def reason_sentence(rejection: Fact) -> str:
    """Why a fan was not counted."""
    fan, by = (_fan_named(rejection[name]) for name in ("key", "by"))
    tiles = joined(tile_name(tile) for tile in rejection["tiles"])
    return str(REASONS[Reason(rejection["reason"])]).format(fan=fan, by=by, tiles=tiles)


def improvement_sentence(improvement: Fact) -> str:
    """What one step would have made of the hand."""
    tile, instead_of = (
        tile_name(improvement[name]) if improvement[name] else "" for name in ("tile", "instead_of")
    )
    sentence = str(STEPS[Step(improvement["step"])])
    return sentence.format(tile=tile, instead_of=instead_of, points=improvement["points"])


def difference_sentence(difference: Fact) -> str:
    """How an announcement differs from the score, with the reason where there is one."""
    facts = {**difference, "fan": _fan_named(difference["fan"])}
    sentence = str(SLIPS[Slip(difference["slip"])]).format_map(facts)
    because = difference["because"]
    return f"{sentence} {reason_sentence(because)}" if because else sentence


SENTENCES: dict[str, Callable[[Fact], str]] = {
    "rejected": reason_sentence,
    "reasons": reason_sentence,
    "improvements": improvement_sentence,
    "differences": difference_sentence,
}


def with_sentences(answer: Fact) -> dict[str, Any]:
    """An answer (`scoring.calculator.Answer.to_json`) in which each of these says itself: [{…, "message"}]."""
    said = dict(answer)
    for name, sentence in SENTENCES.items():
        if said.get(name):
            said[name] = [one | {"message": sentence(one)} for one in said[name]]
    if "rulebooks" in said:
        said["rulebooks"] = [with_sentences(other) for other in said["rulebooks"]]
    return said


def _fan_named(key: str | None) -> str:
    return fan_name(find_fan(key)) if key else ""
